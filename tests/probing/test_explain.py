"""Mistakes made on purpose, in kernels and in memory, and what `explain` says of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.errors import UserError
from lanemap.model import variant
from lanemap.probing.explain import explain

RANDOM = np.random.default_rng(11)
#: One warp multiplies A (16 x 16, row-major) by B (16 x 8, row-major in memory) with mma.sync. The
#: rows of B lie in shared memory as they are, so that ldmatrix needs .trans.
KERNEL = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 pa, .param .u64 pb, .param .u64 pd) {
  .reg .b64 %rd<12>; .reg .b32 %r<24>; .reg .f32 %f<5>;
  .shared .align 16 .b8 tile[256];
  ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd3, [pd];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 8; add.s64 %rd5, %rd2, %rd4;
  ld.global.v2.b32 {%r2, %r3}, [%rd5];
  mov.u32 %r4, tile; shl.b32 %r5, %r1, 3; add.s32 %r6, %r4, %r5;
  st.shared.v2.b32 [%r6], {%r2, %r3};
  bar.warp.sync -1;
  and.b32 %r7, %r1, 15; shl.b32 %r8, %r7, 4; add.s32 %r9, %r4, %r8;
  ldmatrix.sync.aligned.m8n8.x2{trans}.shared.b16 {%r10, %r11}, [%r9];
  shr.u32 %r12, %r1, 2; and.b32 %r13, %r1, 3;
  mad.lo.s32 %r14, %r12, 32, 0; mad.lo.s32 %r14, %r13, 4, %r14;
  cvt.u64.u32 %rd6, %r14; add.s64 %rd7, %rd1, %rd6;
  ld.global.b32 %r15, [%rd7]; ld.global.b32 %r16, [%rd7+256];
  ld.global.b32 %r17, [%rd7+16]; ld.global.b32 %r18, [%rd7+272];
  mov.f32 %f1, 0f00000000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4},
    {%r15, %r16, %r17, %r18}, {%r10, %r11}, {%f1, %f1, %f1, %f1};
  mad.lo.s32 %r19, %r12, 32, 0; mad.lo.s32 %r19, %r13, 8, %r19;
  cvt.u64.u32 %rd8, %r19; add.s64 %rd9, %rd3, %rd8;
  st.global.v2.f32 [%rd9], {%f1, %f2}; st.global.v2.f32 [%rd9+{below}], {%f3, %f4};
  ret;
}
"""


def multiplied(a: np.ndarray, b: np.ndarray, trans: str = ".trans", below: int = 256) -> np.ndarray:
    """What the kernel makes of A and B on the emulator."""
    device = lanemap.open_device("sm_80", device="emulator")
    text = KERNEL.replace("{trans}", trans).replace("{below}", str(below))
    d = device.zeros((16, 8), np.float32)
    device.load(text)["product"]((1,), (32,), (device.array(a), device.array(b), d))
    return np.asarray(d.get())


def halves(rows: int, columns: int) -> np.ndarray:
    return RANDOM.normal(size=(rows, columns)).astype(np.float16)


def test_a_kernel_without_trans() -> None:
    a, b = halves(16, 16), halves(16, 8)
    right = a.astype(np.float32) @ b.astype(np.float32)
    assert explain(multiplied(a, b), right, a, b).wrong == 0
    found = explain(multiplied(a, b, trans=""), right, a, b)
    assert found.wrong > 100
    assert [each.name for each in found.findings][0] == "8 x 8 blocks of B transposed"
    assert ".trans" in found.findings[0].change


def made(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.astype(np.float64) @ b.astype(np.float64)


def swizzled_by_address(operand: np.ndarray, width: int) -> np.ndarray:
    """What one without a swizzle reads of K-major rows that one with a swizzle wrote."""
    mask = {32: 1, 64: 3, 128: 7}[width]
    seen = np.empty_like(operand)
    elements = width // operand.itemsize
    for at in range(0, operand.shape[1], elements):
        memory = np.zeros(operand.shape[0] * width, np.uint8)
        rows = np.ascontiguousarray(operand[:, at : at + elements]).view(np.uint8)
        for row in range(operand.shape[0]):
            for byte in range(width):
                address = row * width + byte
                memory[address ^ (address >> 7 & mask) << 4] = rows[row, byte]
        seen[:, at : at + elements] = memory.view(operand.dtype).reshape(-1, elements)
    return seen


def stale_loop(a: np.ndarray, b: np.ndarray, step: int) -> np.ndarray:
    """A loop whose B is that of the step before."""
    d, held = np.zeros((a.shape[0], b.shape[1])), b[:step]
    for at in range(0, a.shape[1], step):
        d += made(a[:, at : at + step], held)
        held = b[at : at + step]
    return d


A, B = halves(64, 128), halves(128, 64)
SQUARE = halves(64, 64)
MUSEUM = [
    ("transposed B", A[:, :64], SQUARE, lambda a, b: made(a, b.T)),
    ("transposed A", SQUARE, SQUARE[:, ::-1], lambda a, b: made(a.T, b)),
    ("swizzle of A", A, B, lambda a, b: made(swizzled_by_address(a, 128), b)),
    ("swizzle of A", A, B, lambda a, b: made(swizzled_by_address(a, 32), b)),
    ("swizzle of B", A, B, lambda a, b: made(a, swizzled_by_address(b.T, 64).T)),
    ("last step left out", A, B, lambda a, b: made(a[:, :96], b[:96])),
    ("first step twice", A, B, lambda a, b: made(a, b) + made(a[:, :16], b[:16])),
    ("k order", A, B, lambda a, b: made(a, np.roll(b, 64, axis=0))),
    ("transposed result", SQUARE, SQUARE + 1, lambda a, b: made(a, b).T),
    ("scale", A, B, lambda a, b: made(a, b) * 0.125),
    ("scale", A, B, lambda a, b: made(a, b) * np.exp2(np.arange(64) % 5)[:, None]),
    ("replicated rows of A", A, B, lambda a, b: made(a[np.arange(64) & ~8], b)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "a", "b", "mistake"), MUSEUM)
def test_a_mistake_is_named_first(name: str, a: np.ndarray, b: np.ndarray, mistake: object) -> None:
    wrong = mistake(a, b).astype(np.float32)  # type: ignore[operator]
    found = explain(wrong, made(a, b), a, b, element_bytes=2)
    assert found.findings[0].name == name, found.findings


def test_a_stale_stage_is_named() -> None:
    """The first step's B is the right one: the loop is one stage behind from then on."""
    found = explain(stale_loop(A, B, 32), made(A, B), A, B)
    assert (
        found.findings[0].name == "stale stage of B" and "32 elements" in found.findings[0].sentence
    )


def test_a_swapped_half_of_the_result_is_a_map() -> None:
    right = made(A, B)
    found = explain(np.roll(right, 8, axis=1)[:, np.arange(64) ^ 4], right)
    assert found.findings[0].name == "permuted result"
    flipped = explain(right[:, np.arange(64) ^ 8], right).findings[0]
    assert "an XOR of index bits" in flipped.sentence and "column ^ 8" in flipped.sentence


def test_a_fragment_of_another_instruction() -> None:
    """D of v_mfma 32x32 has rows 8*(i/4) + 4*(l/32) + i%4; stored as if a lane held 16 rows."""
    used = variant("v_mfma_f32_16x16x16_f16:D")
    right = RANDOM.normal(size=(16, 16))
    wrong = np.empty_like(right)
    for lane in range(64):
        for i in range(4):  # right: row 4*(l/16) + i, column l%16
            wrong[lane % 16, 4 * (lane // 16) + i] = right[4 * (lane // 16) + i, lane % 16]
    assert explain(wrong, right, used=(used,)).findings[0].name == "transposed result"


def test_noise_is_explained_by_nothing() -> None:
    found = explain(RANDOM.normal(size=(64, 64)), made(A, B), A, B)
    assert found.wrong and not found.findings and found.tried > 70


def test_a_rearrangement_is_not_told_beside_a_mistake_that_supposes_less() -> None:
    rows = np.arange(len(A)) // 16 * 16 + np.arange(len(A)) % 8
    told = [each.name for each in explain(made(A[rows], B), made(A, B), A, B).findings]
    assert told and not any(name.endswith("result") for name in told), told
    alone = [each.name for each in explain(made(A[rows], B), made(A, B)).findings]
    assert alone == ["replicated result"]


def test_what_does_not_go_together_is_a_sentence() -> None:
    with pytest.raises(UserError, match="give both operands, or none"):
        explain(made(A, B) + 1, made(A, B), A)
    with pytest.raises(UserError, match="A times B is not the right result"):
        explain(made(A, B), made(A, B) * 2, A, B)
    with pytest.raises(
        UserError, match=r"the wrong result is \(64, 64\), and the right one \(2, 2\)"
    ):
        explain(made(A, B), np.ones((2, 2)))


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"wrong": made(A, swizzled_by_address(B.T, 128).T), "right": made(A, B), "a": A, "b": B}
    files = {name: tmp_path / f"{name}.npy" for name in names}
    for name, values in names.items():
        np.save(files[name], values)
    words = ["explain", *(str(files[n]) for n in ("wrong", "right"))]
    operands = ["--a", str(files["a"]), "--b", str(files["b"])]
    assert main.run([*words, *operands]) == 0
    told = capsys.readouterr().out
    assert "elements differ, the first at row 0" in told and "swizzle of B: B is written" in told
    assert main.run([*words, *operands, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"][0]["name"] == "swizzle of B"
    assert main.run(words) == 1
    assert "no known mistake makes this result" in capsys.readouterr().out
    (tmp_path / "text.npy").write_text("no array")
    assert main.run(["explain", str(tmp_path / "text.npy"), str(files["right"])]) == 2
    assert "text.npy is no array that numpy.save wrote" in capsys.readouterr().err
