"""What an installed user has: the wheel alone, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds and nothing else; dependencies are the test's own."""
    made = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", made, ROOT]
    subprocess.run(build, check=True)
    (wheel,) = made.glob("*.whl")
    target = made / "site"
    zipfile.ZipFile(wheel).extractall(target)
    return target


def lanemap(installed: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "lanemap.cli", *words], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(installed)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_is_what_runs_and_holds_no_generic_name(installed: Path, tmp_path: Path) -> None:
    code = "import lanemap, sys; sys.stdout.write(lanemap.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    assert Path(done.stdout).is_relative_to(installed)
    others = {path.name for path in installed.iterdir() if "dist-info" not in path.name}
    assert others == {"lanemap"}


def test_verbs_see_the_observations_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    name = "ds_read_b64_tr_b8"
    where = ["where", name, "--lane", "0"]
    assert "observed: emulator, probe tr8" in lanemap(installed, tmp_path, *where)
    assert "probe tr8 on emulator" in lanemap(installed, tmp_path, "compare", name)
    assert "observed by probe tr8" in lanemap(installed, tmp_path, "emit", name)
    assert "tcgen05_ld" in lanemap(installed, tmp_path, "list", "scores")
    lanemap(installed, tmp_path, "report", "--only", "tr_b8")
    assert (tmp_path / "site/sm_90a/cuda/programs.html").is_file()
    sums = [str(ROOT / "examples/block_sums.hip"), "--grid", "4", "--block", "256", "--arg",
            "full:f32:2048:1", "--arg", "empty:f32:4", "--arg", "u32:2048"]  # fmt: skip
    assert "512 512 512 512" in lanemap(installed, tmp_path, "run", *sums)  # HIP's headers
    # What one probes oneself comes before what was shipped, and hides nothing else.
    lanemap(installed, tmp_path, "probe", "tr8_broadcast", "--no-figures")
    assert (tmp_path / "results").is_dir()
    assert "observed: emulator, probe tr8" in lanemap(installed, tmp_path, *where)
