"""Scripts in the shape of CuPy's documentation and examples are right, and broken twins are found.

What the scripts assert, they assert against NumPy on the host.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.check.run import Options, check
from lanemap.errors import MissingEnvironment, UserError
from lanemap.toolchain import nvrtc
from tests.doors import pairs

SCRIPTS = pairs.scripts("cupy")

try:
    nvrtc.version()
except MissingEnvironment as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_right_and_its_twins_are_found(script: Path, tmp_path: Path) -> None:
    pairs.judge(script, tmp_path, "sm_100a")


def told(code: str, tmp_path: Path, target: str = "sm_90a") -> str:
    """The sentence that refuses a script."""
    script = tmp_path / "script.py"
    script.write_text(code)
    with pytest.raises(UserError) as refused:
        check(script, [], Options(target=target, quiet=True))
    return str(refused.value)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import cupyx.scipy.sparse", "cupyx.scipy"),
        ("from cupyx import jit", "cupyx.jit"),
        ("import cupy as cp\ncp.cuda.texture.TextureObject", "cupy.cuda.texture"),
        ("import cupy as cp\ncp.poly1d([1])", "cupy.poly1d"),
        ("import cupy as cp\ncp.zeros(3).toDlpack()", "cupy.ndarray.toDlpack"),
        ("import cupy as cp\ncp.cuda.runtime.graphLaunch()", "cupy.cuda.runtime.graphLaunch"),
        ("import cupy as cp\ncp.RawKernel('extern \"C\" __global__ void k() {}', 'k').num_regs",
         "cupy.RawKernel.num_regs"),
    ],
)  # fmt: skip
def test_what_is_not_served_is_refused_by_name(code: str, name: str, tmp_path: Path) -> None:
    sentence = told(code, tmp_path)
    line = code.count("\n") + 1
    assert sentence.startswith(f"script.py:{line}: {name}"), sentence
    assert "is not supported: " in sentence and "\n" not in sentence


def test_a_target_without_cuda_is_refused(tmp_path: Path) -> None:
    assert "gfx950 does not run" in told("import cupy\ncupy.zeros(3)", tmp_path, "gfx950")


def test_a_fault_is_told_at_the_line_of_the_string(tmp_path: Path) -> None:
    """The kernel's source is a string of the script: its lines are the script's lines."""
    (twin,) = (t for t in pairs.twins(pairs.HERE / "cupy/raw_shared.py") if t.kind == "order")
    outcome = pairs.run(twin.write(tmp_path), "sm_90a")
    own = [each for each in outcome.findings.hazards if each.kernel == "reverse"]
    found = {each.place[1] for each in own if each.place}
    lines = twin.script.read_text().splitlines()
    assert {lines[n - 1].split("[")[0].strip() for n in found} <= {"buffer", "y"}, found
    assert found, "it is at no line"


def test_a_script_needs_neither_torch_nor_triton(tmp_path: Path) -> None:
    """A process that cannot import them checks a script of CuPy all the same."""
    pairs.judge_without(("torch", "triton", "nvidia_cutlass_dsl"), pairs.HERE / "cupy/raw_add.py")


def test_a_tensor_of_pytorch_is_shared(tmp_path: Path) -> None:
    """`cupy.asarray` and `cupy.from_dlpack` copy nothing: a kernel writes the tensor."""
    pytest.importorskip("torch")
    code = (
        "import cupy as cp, torch\n"
        "code = 'extern \"C\" __global__ void add(float *x) { x[threadIdx.x] += 1; }'\n"
        "for share in (cp.asarray, cp.from_dlpack):\n"
        "    x = torch.arange(32, dtype=torch.float32, device='cuda')\n"
        "    y = share(x)\n"
        "    cp.RawKernel(code, 'add')((1,), (32,), (y,))\n"
        "    assert x.cpu().tolist() == list(range(1, 33))\n"
        "    x *= 2\n"
        "    assert float(y[31]) == 64\n"
        "    cp.RawKernel(code, 'add')((1,), (32,), (x,))\n"
        "    assert float(y[31]) == 65\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    outcome = check(script, [], Options(target="sm_90a", quiet=True))
    assert outcome.faultless, pairs.why(outcome)
    assert sum(outcome.findings.launches.values()) == 4
