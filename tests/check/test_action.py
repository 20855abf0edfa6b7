"""action.yml: its steps, run in a shell as GitHub's runner runs them."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml

from lanemap.check.plugin import DEFAULT_TARGET

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
TEST = """import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at), at < n)  # unmasked


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
@pytest.mark.parametrize("n", [64, 60])
def test_double(n):
    x = torch.ones(n, device="cuda")
    y = torch.empty_like(x)
    double[(1,)](x, y, n, 64)
    assert torch.equal(y, 2 * x)


if __name__ == "__main__":
    test_double(60)
"""


def steps(**inputs: str) -> list[dict[str, Any]]:
    """The steps with what GitHub puts in place of its expressions.

    Contexts: GitHub Docs, "Contexts reference", `inputs` and `github.action_path`.
    """
    known = {name: about["default"] for name, about in ACTION["inputs"].items()}
    assert set(inputs) <= set(known)
    contexts = {f"inputs.{name}": value for name, value in {**known, **inputs}.items()}
    contexts["github.action_path"] = str(ROOT)
    found = ACTION["runs"]["steps"]
    return [
        {
            **step,
            "env": {
                name: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: contexts[match[1]], value)
                for name, value in step["env"].items()
            },
        }
        for step in found
    ]


def test_steps_take_inputs_by_the_environment_alone() -> None:
    """An expression in a command would be code of whoever names a branch or a test."""
    assert ACTION["runs"]["using"] == "composite"
    assert ACTION["inputs"]["target"]["default"] == DEFAULT_TARGET
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"] and step["shell"] == "bash"
    last = ACTION["runs"]["steps"][-1]
    assert last["if"] == "always()", "hazards are annotated although the tests failed"
    assert ACTION["outputs"]["sarif"]["value"] == "${{ inputs.sarif }}"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment like a runner's, which has the packages of this one, but not lanemap's."""
    folder = tmp_path_factory.mktemp("runner") / "venv"
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python3*/site-packages"))
    (site / "these.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return folder / "bin"


def run(step: dict[str, Any], folder: Path, python: Path) -> subprocess.CompletedProcess[str]:
    """Run a step: GitHub's shell `bash` is `bash --noprofile --norc -eo pipefail`."""
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment |= {**step["env"], "PATH": f"{python}:{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder,
        env=environment, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_steps_install_check_and_annotate(tmp_path: Path, python: Path) -> None:
    (tmp_path / "test_double.py").write_text(TEST)
    line = next(n for n, text in enumerate(TEST.splitlines(), 1) if "# unmasked" in text)
    install, check, annotate = steps(tests="test_double.py -k '60 or 64'", **{"torch-index": ""})
    done = run(install, tmp_path, python)
    assert done.returncode == 0, done.stderr
    where = [python / "python", "-c", "import lanemap; print(lanemap.__file__)"]
    own = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(own.stdout).is_relative_to(python.parent), "the wheel, and no checkout"
    done = run(check, tmp_path, python)
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    done = run(annotate, tmp_path, python)
    wanted = f"::error title=lanemap%3A out-of-bounds,file=test_double.py,line={line}::double: "
    assert done.stdout.startswith(wanted) and done.returncode == 0
    # The same as a script, on another target.
    _, check, annotate = steps(script="test_double.py", target="gfx950", sarif="b.sarif")
    done = run(check, tmp_path, python)
    assert done.returncode == 1 and "the emulator of gfx950" in done.stderr, done.stderr
    assert run(annotate, tmp_path, python).stdout.startswith(wanted)
    # Without a file, as when the installation failed, there is nothing to say.
    done = run(steps(sarif="none.sarif")[2], tmp_path, python)
    assert (done.returncode, done.stdout) == (0, "")
