"""Packed arithmetic: two halves of a register, or two registers, at once; and mixed precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lanemap.emulator.amdgcn.isa.convert import packed
from lanemap.emulator.amdgcn.isa.floats import extremum, fused
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP2_PLAIN, VOP3P, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.values import Value

_VOP3P = "AMD CDNA4 ISA, chapter 12, VOP3P instructions; 6.3 (packed math)"
_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_INTEGER_MODIFIERS = "op_sel op_sel_hi"
_FLOAT_MODIFIERS = "op_sel op_sel_hi neg_lo neg_hi"


def halves(c: Context, sources: tuple[Value, ...], kind: str) -> list[list[Value]]:
    """The operands of the low and of the high result.

    op_sel picks the half of each source for the low result, op_sel_hi (1 unless said) for the high
    one; neg_lo and neg_hi negate them.
    """
    b = c.b
    rows: list[list[Value]] = [[], []]
    for number, word in enumerate(sources):
        for row, (choice, sign) in enumerate((("op_sel", "neg_lo"), ("op_sel_hi", "neg_hi"))):
            half = word
            if c.bit(choice, number, row):
                half = b.alu.lshr(word, c.constant("i32", 16))
            value = b.alu.bitcast(b.alu.trunc(half, "i16"), kind)
            if kind == "half" and c.mode.flush_sources_16_64:
                value = b.alu.flushed(value)
            rows[row].append(b.alu.fneg(value) if c.bit(sign, number) else value)
    return rows


def _both(c: Context, kind: str, operation: Callable[..., Value], *sources: Value) -> Value:
    low, high = (operation(*row) for row in halves(c, sources, kind))
    if kind == "half":
        low, high = c.float_result("f16", low), c.float_result("f16", high)
    return packed(c, low, high)


_TWO, _THREE = "=v:pk16 x:pk16 x:pk16", "=v:pk16 x:pk16 x:pk16 x:pk16"
_TWO_F16, _THREE_F16 = "=v:pkf16 x:pkf16 x:pkf16", "=v:pkf16 x:pkf16 x:pkf16 x:pkf16"


# -- integers of 16 bits --------------------------------------------------------------------------

_SUMS = {"add": ("add", "add.sat"), "sub": ("sub", "sub.sat")}


@instruction(
    "v_pk_add_u16 v_pk_sub_u16 v_pk_add_i16 v_pk_sub_i16",
    _TWO,
    VOP3P,
    cite=_VOP3P,
    modifiers=_INTEGER_MODIFIERS,
    integer_clamp=True,
)
def v_pk_sum(c: Context, a: Value, b: Value) -> Value:
    plain, saturated = _SUMS[c.name[5:8]]
    sign = "u" if c.name[9] == "u" else "s"

    def operation(x: Value, y: Value) -> Value:
        if c.modifier("clamp"):
            return c.alu.intrinsic(sign + saturated, x, y)
        return c.alu.add(x, y) if plain == "add" else c.alu.sub(x, y)

    return _both(c, "i16", operation, a, b)


@instruction("v_pk_mul_lo_u16", _TWO, VOP3P, cite=_VOP3P, modifiers=_INTEGER_MODIFIERS)
def v_pk_mul_lo(c: Context, a: Value, b: Value) -> Value:
    return _both(c, "i16", c.alu.mul, a, b)


@instruction("v_pk_mad_u16 v_pk_mad_i16", _THREE, VOP3P, cite=_VOP3P, modifiers=_INTEGER_MODIFIERS)
def v_pk_mad(c: Context, a: Value, b: Value, d: Value) -> Value:
    return _both(c, "i16", lambda x, y, z: c.alu.add(c.alu.mul(x, y), z), a, b, d)


_SHIFTS = {
    "v_pk_lshlrev_b16": Arithmetic.shl,
    "v_pk_lshrrev_b16": Arithmetic.lshr,
    "v_pk_ashrrev_i16": Arithmetic.ashr,
}


@instruction(list(_SHIFTS), _TWO, VOP3P, cite=_VOP3P, modifiers=_INTEGER_MODIFIERS)
def v_pk_shift(c: Context, amount: Value, a: Value) -> Value:
    shift = _SHIFTS[c.name]
    return _both(c, "i16", lambda n, x: shift(c.alu, x, n), amount, a)


@instruction(
    "v_pk_min_u16 v_pk_max_u16 v_pk_min_i16 v_pk_max_i16",
    _TWO,
    VOP3P,
    cite=_VOP3P,
    modifiers=_INTEGER_MODIFIERS,
)
def v_pk_extremum(c: Context, a: Value, b: Value) -> Value:
    operation = ("u" if c.name[9] == "u" else "s") + c.name[5:8]
    return _both(c, "i16", lambda x, y: c.alu.extremum(operation, x, y), a, b)


# -- floats of 16 bits ----------------------------------------------------------------------------


@instruction("v_pk_add_f16 v_pk_mul_f16", _TWO_F16, VOP3P, cite=_VOP3P, modifiers=_FLOAT_MODIFIERS)
def v_pk_arithmetic(c: Context, a: Value, b: Value) -> Value:
    operation = "f" + c.name[5:8]
    return _both(c, "half", lambda x, y: c.alu.float_op(operation, x, y), a, b)


@instruction("v_pk_fma_f16", _THREE_F16, VOP3P, cite=_VOP3P, modifiers=_FLOAT_MODIFIERS)
def v_pk_fma(c: Context, a: Value, b: Value, d: Value) -> Value:
    return _both(c, "half", lambda x, y, z: fused(c, x, y, z), a, b, d)


@instruction("v_pk_fmac_f16", "+v:pkf16 x:pkf16 x:pkf16", VOP2_PLAIN, cite=_VOP2)
def v_pk_fmac(c: Context, d: Value, a: Value, b: Value) -> Value:
    return _both(c, "half", lambda x, y, z: fused(c, x, y, z), a, b, d)


@instruction("v_pk_min_f16 v_pk_max_f16", _TWO_F16, VOP3P, cite=_VOP3P, modifiers=_FLOAT_MODIFIERS)
def v_pk_extremum_f16(c: Context, a: Value, b: Value) -> Value:
    largest = c.name[5:8] == "max"
    return _both(c, "half", lambda x, y: extremum(c, largest, x, y), a, b)


@instruction(
    "v_pk_minimum3_f16 v_pk_maximum3_f16",
    _THREE_F16,
    VOP3P,
    cite=_VOP3P,
    modifiers=_FLOAT_MODIFIERS,
)
def v_pk_minimum3(c: Context, a: Value, b: Value, d: Value) -> Value:
    operation = c.name[5:12]

    def outermost(x: Value, y: Value, z: Value) -> Value:
        return c.alu.intrinsic(operation, c.alu.intrinsic(operation, x, y), z)

    return _both(c, "half", outermost, a, b, d)


# -- pairs of registers ---------------------------------------------------------------------------

Words = list[Value]


def _high_words(text: Instruction, *choices: tuple[str, int]) -> str:
    """LLVM gives a constant to both results by its low word; no source tells of the other one."""
    for name, default in choices:
        found = text.modifiers.get(name, (default,) * 3)
        picked = found if isinstance(found, tuple) else ()
        for operand, picks in zip(text.operands[1:], picked, strict=False):
            if picks and not operand.is_register and operand.value != 0:
                why = f"{name} picks the high word of {operand}, which no source states"
                return f"{why}; set its bit to 0"
    return ""


def _of_f32(text: Instruction) -> str:
    return _high_words(text, ("op_sel", 0), ("op_sel_hi", 1))


def _of_mov(text: Instruction) -> str:
    return _high_words(text, ("op_sel", 0))


def _pairs(c: Context, sources: tuple[Words, ...]) -> list[list[Value]]:
    """The operands of the low and of the high result, each a 32-bit float."""
    b = c.b
    rows: list[list[Value]] = [[], []]
    for number, words in enumerate(sources):
        for row, (choice, sign) in enumerate((("op_sel", "neg_lo"), ("op_sel_hi", "neg_hi"))):
            value = b.alu.bitcast(words[c.bit(choice, number, row)], "float")
            if c.mode.flush_sources_32:
                value = b.alu.flushed(value)
            rows[row].append(b.alu.fneg(value) if c.bit(sign, number) else value)
    return rows


def _pair_results(c: Context, operation: Callable[..., Value], *sources: Words) -> Words:
    rows = _pairs(c, sources)
    return [c.float_result("f32", operation(*row)) for row in rows]


@instruction(
    "v_pk_add_f32 v_pk_mul_f32",
    "=v:pkf32 x:pkf32 x:pkf32",
    VOP3P,
    cite=_VOP3P,
    modifiers=_FLOAT_MODIFIERS,
    check=_of_f32,
)
def v_pk_arithmetic_f32(c: Context, a: Words, b: Words) -> Words:
    operation = "f" + c.name[5:8]
    return _pair_results(c, lambda x, y: c.alu.float_op(operation, x, y), a, b)


@instruction(
    "v_pk_fma_f32",
    "=v:pkf32 x:pkf32 x:pkf32 x:pkf32",
    VOP3P,
    cite=_VOP3P,
    modifiers=_FLOAT_MODIFIERS,
    check=_of_f32,
)
def v_pk_fma_f32(c: Context, a: Words, b: Words, d: Words) -> Words:
    return _pair_results(c, c.alu.fma, a, b, d)


@instruction(
    "v_pk_mov_b32",
    "=v:pk32 x:pk32 x:pk32",
    VOP3P,
    cite=_VOP3P,
    modifiers=_INTEGER_MODIFIERS,
    check=_of_mov,
)
def v_pk_mov(c: Context, a: Words, b: Words) -> Words:
    """op_sel[0] picks the word of S0, op_sel[1] that of S1."""
    return [a[c.bit("op_sel", 0)], b[c.bit("op_sel", 1)]]


# -- mixed precision ------------------------------------------------------------------------------


def _mixed_roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """A source is an f16 where op_sel_hi says so, and then its constants are those of f16.

    llvm/llvm-project#183487: "F16 source operands .. use F16 constant values in the low 16 bits".
    """
    chosen = text.modifiers.get("op_sel_hi")
    narrow = chosen if isinstance(chosen, tuple) else ()
    sources = (
        replace(role, type="f16") if number < len(narrow) and narrow[number] else role
        for number, role in enumerate(roles[1:])
    )
    return roles[0], *sources


def _mixed(c: Context, *sources: Value) -> Value:
    """Fma of three sources, each an f32 or a half."""
    return c.alu.fma(
        *(c.alu.convert("fpext", x, "float") if x.type == "half" else x for x in sources)
    )


@instruction(
    "v_fma_mix_f32",
    "=v:f32 x:f32 x:f32 x:f32",
    VOP3P,
    cite=_VOP3P,
    modifiers=_INTEGER_MODIFIERS,
    roles=_mixed_roles,
)
def v_fma_mix_f32(c: Context, a: Value, b: Value, d: Value) -> Value:
    return _mixed(c, a, b, d)


@instruction(
    "v_fma_mixlo_f16 v_fma_mixhi_f16",
    "+v:f16 x:f32 x:f32 x:f32",
    VOP3P,
    cite=_VOP3P,
    raw=True,
    modifiers=_INTEGER_MODIFIERS,
    roles=_mixed_roles,
)
def v_fma_mix_f16(c: Context) -> None:
    """One half of the register; the other one stays."""
    wide = _mixed(c, *(c.read(position) for position in (1, 2, 3)))
    result = c.float_result("f16", c.alu.convert("fptrunc", wide, "half"))
    c.write_half(0, result, high="mixhi" in c.name)
