"""gfx950: MFMA, from one to the next that accumulates in the same D, and to an independent one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.timing.elements import ONES
from lanemap.timing.series import SeriesProbe
from lanemap.timing.waves import TARGET, WaveSeries


@dataclass(frozen=True)
class Matrix:
    """An instruction.

    Attributes:
        name: Without `v_mfma_`.
        kind: Type of A and B, a key of `ONES` or an integer's.
        operand: Registers of A and of B.
        result: Registers of D.
        modifiers: After the operands.
    """

    name: str
    kind: str
    operand: int
    result: int
    modifiers: str = ""

    @property
    def opcode(self) -> str:
        """As assembly has it."""
        return f"v_mfma_{self.name}"

    def text(self, accumulator: int = 0) -> str:
        """The instruction, on one of four D."""
        a, b = (f"v[{first}:{first + self.operand - 1}]" for first in (_A, _B))
        if self.operand == 1:
            a, b = f"v{_A}", f"v{_B}"
        first = _D + accumulator * self.result
        d = f"v[{first}:{first + self.result - 1}]"
        return f"{self.opcode} {d}, {a}, {b}, {d}{self.modifiers};"


#: Where A, B and four D begin.
_A, _B, _D = 16, 24, 56
_MATRICES = (
    Matrix("f32_16x16x32_f16", "f16", 4, 4), Matrix("f32_32x32x16_f16", "f16", 4, 16),
    Matrix("f32_16x16x32_bf16", "bf16", 4, 4), Matrix("f32_32x32x16_bf16", "bf16", 4, 16),
    Matrix("f32_16x16x16_f16", "f16", 2, 4), Matrix("f32_32x32x8_f16", "f16", 2, 16),
    Matrix("f32_16x16x32_fp8_fp8", "e4m3", 2, 4), Matrix("f32_32x32x16_fp8_fp8", "e4m3", 2, 16),
    Matrix("f32_16x16x128_f8f6f4", "e4m3", 8, 4), Matrix("f32_32x32x64_f8f6f4", "e4m3", 8, 16),
    Matrix("f32_16x16x128_f8f6f4", "e2m1", 4, 4, " cbsz:4 blgp:4"),
    Matrix("f32_32x32x64_f8f6f4", "e2m1", 4, 16, " cbsz:4 blgp:4"),
    Matrix("i32_16x16x64_i8", "s8", 4, 4), Matrix("i32_32x32x32_i8", "s8", 4, 16),
    Matrix("f32_16x16x4_f32", "f32", 1, 4), Matrix("f32_32x32x2_f32", "f32", 1, 16),
)  # fmt: skip
#: Software must leave so many slots between an MFMA and what reads its D (CDNA 4 ISA, 4.5).
_SETTLE = "s_nop 15; s_nop 15;"


def _operands(matrix: Matrix) -> str:
    """Elements that are 0 or 1 at random; of integers and FP4, random bits."""
    text = ""
    for number in range(2 * 8):
        to, of = f"v{_A + number}", f"v{5 + number % 4}"
        text += f"v_lshrrev_b32_e32 {to}, {number % 7}, {of};"
        if matrix.kind in ONES:
            bits, one = ONES[matrix.kind]
            text += f"v_and_b32_e32 {to}, {bits:#x}, {to}; v_mul_lo_u32 {to}, {to}, s31;"
            text = f"s_mov_b32 s31, {one:#x};" * (number == 0) + text
    return text


def _begin(matrix: Matrix, count: int) -> str:
    zeros = "".join(f"v_mov_b32_e32 v{_D + each}, 0;" for each in range(count * matrix.result))
    return zeros + "s_nop 4;"


def _folded(matrix: Matrix, count: int) -> str:
    return _SETTLE + "".join(
        f"v_xor_b32_e32 v4, v4, v{_D + each}; v_alignbit_b32 v4, v4, v4, 27;"
        for each in range(count * matrix.result)
    )


def _mfma() -> Iterator[WaveSeries]:
    for matrix in _MATRICES:
        own = matrix.opcode
        axes = {"type": matrix.kind, "values": "0 and 1, integers and FP4 random"}
        yield WaveSeries(
            f"{own} chain",
            own,
            (
                f"issue of {own}",
                f"issue of {own} that accumulates in its D, which hardware waits for",
            ),
            "interlocked latency",
            matrix.text(),
            {own: 1},
            axes,
            setup=_operands(matrix),
            begin=_begin(matrix, 1),
            after=_folded(matrix, 1),
        )
        for waves in (1, 4, 8):
            yield WaveSeries(
                f"{own} rate",
                own,
                (f"issue of {own}", f"issue of the next independent {own} of the wave"),
                "rate",
                "".join(map(matrix.text, range(4))),
                {own: 4},
                axes | {"waves": waves},
                warps=waves,
                per_link=4,
                lengths=(4, 6, 8, 12, 20),
                setup=_operands(matrix),
                begin=_begin(matrix, 4),
                after=_folded(matrix, 4),
            )


gfx950_mfma = SeriesProbe("gfx950_mfma", tuple(_mfma()), (TARGET,))
