"""MFMA: one wave multiplies two matrices that lie in its registers.

The model gives the position of each element (lanemap.model.mfma). Sums are computed in f64 and
rounded once. The ISA allows this result, since it does not say how the hardware rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.emulator.amdgcn.lower.constants import constant_bits
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.table import MFMA_SCALE, VOP3P, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.checks import DECIDES
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime.abi import Format, Result, Row

_ISA = "AMD CDNA4 ISA, 7.1 and chapter 12, V_MFMA instructions"
#: cbsz (A) and blgp (B) of f8f6f4: format, registers of an operand, and its name in the model.
MIXED = ((Format.E4M3, 8, "fp8"), (Format.E5M2, 8, "bf8"), (Format.E2M3, 6, "fp6"),
         (Format.E3M2, 6, "bf6"), (Format.E2M1, 4, "fp4"))


@dataclass(frozen=True)
class Shape:
    """M = N = side, K = depth; formats of A and B; kind of the result."""

    side: int
    depth: int
    formats: tuple[int, int]
    result: int = Result.F32

    @property
    def result_registers(self) -> int:
        """Registers of C and D."""
        return self.side * self.side // 64 * (2 if self.result == Result.F64 else 1)


def _words(c: Context, position: int) -> list[Value]:
    """The registers of an operand, or its inline constant in each of them."""
    role, operand = c.bound.roles[position], c.bound.operands[position]
    if operand.is_register:
        return c.words(position)
    bits = constant_bits(operand, c.extra["constant"])
    wide = c.extra["constant"] == "f64"
    return [c.constant("i32", bits >> 32 * (word % 2) if wide else bits)
            for word in range(role.words)]


def multiply(c: Context, shape: Shape) -> None:
    """D = A x B + C for every lane, whatever EXEC says."""
    b = c.b
    with b.masks.all_lanes():
        operands = [_words(c, position) for position in range(1, len(c.bound.operands))]
        rows = (Row.A, Row.B, Row.C, Row.SCALES, Row.SCALES + 1)
        checked = any(word.undefined is not None for words in operands for word in words)
        for row, words in zip(rows, operands, strict=False):
            b.rows.store(row, words, optional=not checked)  # else rows are looked at
        counts = [len(words) for words in operands[:3]] + [len(operands[3:])]
        b.runtime.call("lm_matrix", b.runtime.index, c.values["table"], shape.side, shape.depth,
                       shape.formats[0] | shape.formats[1] << 8,
                       sum(count << 8 * place for place, count in enumerate(counts)),
                       shape.result, int(checked), DECIDES.index("matrix operand"))
        for number, register in enumerate(registers_of(c.bound.operands[0])):
            b.registers.write(register, b.rows.load(Row.C + number, defined=True))


def _define(name: str, shape: Shape, registers: int, constant: str) -> None:
    d = shape.result_registers

    @instruction(name, f"=va:w{d} va:w{registers} va:w{registers} vc:w{d}", VOP3P, cite=_ISA,
                 raw=True, constant=constant, tables=lambda _: [f"{name}:{x}" for x in "ABD"])
    def v_mfma(c: Context) -> None:
        multiply(c, shape)


_FP8 = {"fp8": Format.E4M3, "bf8": Format.E5M2}
for _a in _FP8:
    for _b in _FP8:
        _both = (_FP8[_a], _FP8[_b])
        _define(f"v_mfma_f32_16x16x32_{_a}_{_b}", Shape(16, 32, _both), 2, "f32")
        _define(f"v_mfma_f32_32x32x16_{_a}_{_b}", Shape(32, 16, _both), 2, "f32")
for _kind, _format in (("f16", Format.F16), ("bf16", Format.BF16)):
    _two = (_format, _format)
    _define(f"v_mfma_f32_16x16x32_{_kind}", Shape(16, 32, _two), 4, "f32")
    _define(f"v_mfma_f32_32x32x16_{_kind}", Shape(32, 16, _two), 4, "f32")
    _define(f"v_mfma_f32_16x16x16_{_kind}", Shape(16, 16, _two), 2, "f32")
    _define(f"v_mfma_f32_32x32x8_{_kind}", Shape(32, 8, _two), 2, "f32")
_I8 = (Format.I8, Format.I8)
_define("v_mfma_i32_16x16x64_i8", Shape(16, 64, _I8, Result.I32), 4, "i32")
_define("v_mfma_i32_32x32x32_i8", Shape(32, 32, _I8, Result.I32), 4, "i32")
_define("v_mfma_i32_16x16x32_i8", Shape(16, 32, _I8, Result.I32), 2, "i32")
_define("v_mfma_i32_32x32x16_i8", Shape(32, 16, _I8, Result.I32), 2, "i32")
_define("v_mfma_f32_16x16x4_f32", Shape(16, 4, (Format.F32, Format.F32)), 1, "f32")
_define("v_mfma_f32_32x32x2_f32", Shape(32, 2, (Format.F32, Format.F32)), 1, "f32")
_define("v_mfma_f64_16x16x4_f64", Shape(16, 4, (Format.F64, Format.F64), Result.F64), 2, "f64")


def _mixed_roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """The registers of A and B depend on their formats (cbsz, blgp)."""
    changed = list(roles)
    for position, name in ((1, "cbsz"), (2, "blgp")):
        registers = MIXED[_format_of(text, name)][1]
        changed[position] = Role("va", f"w{registers}", True, False)
    return tuple(changed)


def _format_of(text: Instruction, name: str) -> int:
    value = text.modifiers.get(name, 0)
    return value if isinstance(value, int) and value < len(MIXED) else 0


def _define_mixed(side: int, depth: int) -> None:
    plain = f"v_mfma_f32_{side}x{side}x{depth}_f8f6f4"
    scaled = f"v_mfma_scale_f32_{side}x{side}x{depth}_f8f6f4"
    d = side * side // 64

    def tables(text: Instruction) -> list[str]:
        formats = [MIXED[_format_of(text, name)][2] for name in ("cbsz", "blgp")]
        names = [f"{plain}:A.{formats[0]}", f"{plain}:B.{formats[1]}", f"{plain}:D"]
        if text.mnemonic == scaled:
            names += [f"{scaled}:scale_{x}.byte{_scale_byte(text, i)}" for i, x in enumerate("AB")]
        return names

    def shape(c: Context) -> Shape:
        text = c.bound.instruction
        for name in ("cbsz", "blgp"):
            if text.modifiers.get(name, 0) not in range(len(MIXED)):
                raise ValueError(f"{name} must be 0 to {len(MIXED) - 1}")
        return Shape(side, depth, (MIXED[_format_of(text, "cbsz")][0],
                                   MIXED[_format_of(text, "blgp")][0]))

    @instruction(plain, f"=va:w{d} va:w8 va:w8 vc:w{d}", VOP3P, cite=_ISA, raw=True,
                 modifiers="cbsz blgp", constant="f32", tables=tables, roles=_mixed_roles)
    def v_mfma_mixed(c: Context) -> None:
        multiply(c, shape(c))

    @instruction(scaled, f"=va:w{d} va:w8 va:w8 vc:w{d} v:w1 v:w1", MFMA_SCALE, cite=_ISA,
                 raw=True, constant="f32", tables=tables, roles=_mixed_roles)
    def v_mfma_scaled(c: Context) -> None:
        multiply(c, shape(c))


def _scale_byte(text: Instruction, position: int) -> int:
    """Byte of the scale register: op_sel is its low bit, op_sel_hi its high one, 0 unless said.

    Unlike that of packed instructions, an op_sel_hi left out is 0: so clang's assembler encodes.
    """
    bits = 0
    for place, name in enumerate(("op_sel", "op_sel_hi")):
        given = text.modifiers.get(name)
        if isinstance(given, tuple) and position < len(given):
            bits |= int(given[position]) << place
    return bits


for _side, _depth in ((16, 128), (32, 64)):
    _define_mixed(_side, _depth)
