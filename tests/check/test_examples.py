"""The scripts of examples/triton pass as they are, and fail where their kernel is wrong.

What they assert is an oracle of their own: PyTorch in float64, or NumPy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
pytest.importorskip("torch")

from lanemap.check.run import Options, Outcome, check

SCRIPTS = Path(__file__).resolve().parents[2] / "examples/triton"
#: One writes PTX and AMDGCN, and runs nothing; one is wrong, and docs/check.md says where.
NO_SCRIPT = {"softmax", "faulty_sums"}
#: Those that run in a second or two, compilation by Triton included.
FAST = (
    "layer_norm", "transpose_tma", "rms_norm", "cross_entropy", "histogram", "running_sums",
    "persistent_matmul", "block_scaled_matmul", "dropout",
)  # fmt: skip
SLOW = sorted({path.stem for path in SCRIPTS.glob("*.py")} - NO_SCRIPT - set(FAST))
#: A change that makes each kernel wrong: what the script says, and what it says then.
WRONG = {
    "vector_add": ("sum_ptr + at, x + y", "sum_ptr + at, x - y"),
    "layer_norm": ("dw_ptrs, dw, mask", "dw_ptrs, db, mask"),
    "transpose_tma": ("[n, m], source.load([m, n])", "[n, m], source.load([n, m])"),
    "rms_norm": ("x * scale * weight", "x * scale"),
    "cross_entropy": ("at == label, 1.0, 0.0", "at == label, 0.5, 0.0"),
    "histogram": ("counts -= ", "counts += "),
    "attention_backward": ("delta[:, None]", "0 * delta[:, None]"),
    "mixture_of_experts": ("sums * gate[:, None]", "sums"),
    "quantization": ("a_scale[:, None] * b_scale", "b_scale[None, :] * b_scale"),
    "attention": ("sums * shrink[:, None]", "sums"),
    "block_scaled_matmul": ('b, b_scale, "e4m3"', 'b, a_scale, "e4m3"'),
    "dropout": ("x / (1 - p)", "x"),
    "fused_softmax": ("tl.exp(x - ", "tl.exp2(x - "),
    "grouped_gemm": ("sums += tl.dot(a, b)", "sums = tl.dot(a, b)"),
    "math_functions": ("libdevice.erfinv(x)", "libdevice.erf(x)"),
    "matmul": ("0.01 * x", "0.02 * x"),
    "persistent_matmul": ("[n, step * BK]", "[n, 0]"),
    "running_sums": ("carry += ", "carry = "),
    "training": ("1 + x * (1 - s)", "1 - x * (1 - s)"),
}


def run(script: Path, target: str) -> Outcome:
    return check(script, [], Options(target=target, quiet=True))


def why(outcome: Outcome) -> str:
    return f"{outcome.ended} {[str(each) for each in outcome.findings.hazards]}"


def passes(name: str, target: str, capsys: Any) -> None:
    outcome = run(SCRIPTS / f"{name}.py", target)
    assert outcome.faultless, why(outcome)
    assert outcome.findings.launches, "it launched nothing"
    assert capsys.readouterr().out.strip(), "it says what it found right"


def fails(name: str, folder: Path, target: str) -> None:
    right, wrong = WRONG[name]
    text = (SCRIPTS / f"{name}.py").read_text()
    assert text.count(right) >= 1
    script = folder / f"{name}.py"
    script.write_text(text.replace(right, wrong, 1))
    outcome = run(script, target)
    assert outcome.ended.startswith("it raised AssertionError"), why(outcome)


def test_there_are_enough_scripts_and_each_is_tried() -> None:
    assert len(FAST) + len(SLOW) == 19 and set(WRONG) == {*FAST, *SLOW}
    texts = [(SCRIPTS / f"{name}.py").read_text() for name in WRONG]
    as_tutorials = [t for t in texts if "DEVICE = triton.runtime.driver.active.get_active" in t]
    assert len(as_tutorials) >= 10
    assert sum('"cuda' in text or ".cuda(" in text for text in set(texts) - {*as_tutorials}) >= 5


@pytest.mark.parametrize("name", FAST)
def test_a_script_passes(name: str, capsys: Any) -> None:
    passes(name, "sm_100a", capsys)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("block_scaled_matmul", "sm_103a"),
        ("layer_norm", "T4"),
        ("fused_softmax", "A100"),
        ("rms_norm", "RTX 4090"),
        ("cross_entropy", "RTX 5090"),
    ],  # fmt: skip
)
def test_a_script_passes_on_other_gpus(name: str, target: str, capsys: Any) -> None:
    passes(name, target, capsys)


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_a_script_fails_where_its_kernel_is_wrong(name: str, tmp_path: Path) -> None:
    fails(name, tmp_path, "sm_100a")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target"),
    [
        *((name, "sm_100a") for name in SLOW),
        *((name, "sm_90a") for name in WRONG),
        *((name, target) for name in WRONG for target in ("sm_80", "sm_86", "sm_89", "sm_120a")),
    ],
)
def test_every_script_passes_on_every_target(name: str, target: str, capsys: Any) -> None:
    passes(name, target, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(WRONG) - {"layer_norm", "rms_norm"}))
def test_every_script_fails_where_its_kernel_is_wrong(name: str, tmp_path: Path) -> None:
    fails(name, tmp_path, "sm_90a")
