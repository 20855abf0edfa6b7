"""`lanemap check` for AMD: Triton's own AMD back end compiles, the emulator runs its targets.

What the scripts assert, they assert against PyTorch on the host, or NumPy.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lanemap.check.run import Options, Outcome, check
from lanemap.errors import UserError
from tests.check.test_examples import SCRIPTS, fails, passes
from tests.sampled import sampled

pytest.importorskip("triton", minversion="3.8", reason="older ones are not tried")
pytest.importorskip("torch")

SCRIPT = """import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def copy(source, target, x, BLOCK: tl.constexpr):
    target.store([0, 0], source.load([0, 0]))


@triton.jit
def beyond(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))  # out-of-bounds


@triton.jit
def in_place(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)  # order
    tl.store(x + at, value + 1)
    tl.store(x + at, value / tl.sum(value))


def target():
    return triton.runtime.driver.active.get_current_target()


assert (target().backend, target().arch, target().warp_size) == ("hip", "gfx950", 64)
assert torch.version.hip is not None and torch.cuda.is_available()
properties = torch.cuda.get_device_properties(0)
assert properties.gcnArchName.partition(":")[0] == "gfx950"
assert (properties.major, properties.minor, properties.warp_size) == (9, 5, 64)
x = torch.randn(8, 64, device="cuda")
y = torch.zeros_like(x)
a, b = (TensorDescriptor.from_tensor(each, [8, 64]) for each in (x, y))
kernel = copy[(1,)](a, b, x, 64)
assert torch.equal(x, y)
assert kernel.n_regs > 0 and kernel.n_spills == 0
beyond[(1,)](torch.zeros(60, device="cuda"), torch.zeros(64, device="cuda"), 64)
in_place[(1,)](torch.ones(128, device="cuda"), 128)
"""
#: A change that breaks a kernel: what stands there, what then does, the hazard, and what stands at
#: its line.
BROKEN = {
    "fused_softmax": (", mask=inside, other=-float(\"inf\"))", ")", "out-of-bounds",
                      "x = tl.load(in_ptr"),
    "layer_norm": ("    while tl.atomic_cas(lock, 0, 1) == 1:\n        pass\n", "", "order",
                   "if tl.load(count) == 0:"),
    "matmul": ("tl.load(b_ptrs, mask=k[:, None] < K - step * BK, other=0.0)", "tl.load(b_ptrs)",
               "out-of-bounds", "tl.load(b_ptrs)"),
    "attention": ("(out_ptr.dtype.element_ty), m[:, None] < N)", "(out_ptr.dtype.element_ty))",
                  "out-of-bounds", "tl.store(out_ptr + at, (sums"),
}  # fmt: skip
#: The others say inline PTX, or nothing that these do not.
SCRIPTS_TO_PASS = (
    *BROKEN, "vector_add", "rms_norm", "cross_entropy", "histogram", "running_sums", "training",
    "dropout", "grouped_gemm", "persistent_matmul", "transpose_tma", "block_scaled_matmul",
)  # fmt: skip


def run(script: Path) -> Outcome:
    return check(script, [], Options(target="gfx950", quiet=True))


def found(outcome: Outcome) -> Counter[tuple[str, int]]:
    """The kinds and lines of the hazards."""
    return Counter((each.kind, each.place[1]) for each in outcome.findings.hazards if each.place)


def test_a_script_meets_hazards_at_its_lines(tmp_path: Path) -> None:
    """A wave has 64 lanes, so of four waves two load again what the others store."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    outcome = run(script)
    assert not outcome.ended and outcome.gpu == "AMD Instinct MI355X"
    assert sum(outcome.findings.launches.values()) == 3
    marked = {
        (match[1], number)
        for number, line in enumerate(SCRIPT.splitlines(), 1)
        if (match := re.search(r"  # ([a-z-]+)$", line))
    }
    assert marked <= set(found(outcome)), [str(each) for each in outcome.findings.hazards]
    files = {each.place[0] for each in outcome.findings.hazards if each.place}
    assert files == {str(script)}, "not Triton's own, where tl.sum is"


@pytest.mark.parametrize(
    ("name", "target"),
    sampled(
        [(n, t) for n in SCRIPTS_TO_PASS for t in ("gfx90a", "gfx942", "gfx950")],
        {("rms_norm", "gfx942"), ("rms_norm", "gfx950")},
    ),
)
def test_a_script_passes(name: str, target: str, capsys: Any) -> None:
    passes(name, target, capsys)


ASSEMBLY = """import torch
import triton
import triton.language as tl


@triton.jit
def times_eight(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)
    more = tl.inline_asm_elementwise(  # here
        "TEXT", "CONSTRAINTS", [value], dtype=tl.int32, is_pure=True, pack=1
    )
    tl.store(y + at, more)


x = torch.arange(64, device="cuda", dtype=torch.int32)
y = torch.empty_like(x)
times_eight[(1,)](x, y, 64)
assert (y == 8 * x).all()
"""


@pytest.mark.parametrize(
    ("text", "constraints", "sentence"),
    [
        ("s_lshl_b32 $0, $1, 3", "=r,r", "this inline assembly is for NVIDIA's GPUs, by its"),
        ("shl.b32 $0, $1, 3;", "=v,v", "the assembler for gfx950 refuses the kernel's inline"),
    ],
)
def test_inline_assembly_of_nvidias_is_refused(
    text: str, constraints: str, sentence: str, tmp_path: Path
) -> None:
    source = ASSEMBLY.replace("TEXT", text).replace("CONSTRAINTS", constraints)
    line = source[: source.index("# here")].count("\n") + 1
    script = tmp_path / "assembly.py"
    script.write_text(source)
    with pytest.raises(UserError, match=rf"assembly\.py:{line}: {sentence}"):
        run(script)


def test_inline_assembly_of_amds_runs(tmp_path: Path) -> None:
    script = tmp_path / "assembly.py"
    text = ASSEMBLY.replace("TEXT", "v_lshlrev_b32 $0, 3, $1").replace("CONSTRAINTS", "=v,v")
    script.write_text(text)
    outcome = run(script)
    assert outcome.faultless, outcome


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_script_fails_where_its_kernel_is_wrong(name: str, tmp_path: Path) -> None:
    fails(name, tmp_path, "gfx950")


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_is_found_at_its_line(name: str, tmp_path: Path) -> None:
    right, wrong, kind, where = BROKEN[name]
    text = (SCRIPTS / f"{name}.py").read_text()
    assert text.count(right) == 1
    text = text.replace(right, wrong)
    script = tmp_path / f"{name}.py"
    script.write_text(text)
    assert text.count(where) == 1
    line = text[: text.index(where)].count("\n") + 1
    outcome = run(script)
    assert (kind, line) in found(outcome), [str(each) for each in outcome.findings.hazards]
