"""Scalar bit fields, counts and searches."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.scalar import nonzero
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import SOP1, SOP2, SOPC, instruction
from lanemap.emulator.codegen.values import Value

_SOP1 = "AMD CDNA4 ISA, chapter 12, SOP1 instructions"
_SOP2 = "AMD CDNA4 ISA, chapter 12, SOP2 instructions"
_SOPC = "AMD CDNA4 ISA, chapter 12, SOPC instructions"
Pair = tuple[Value, Value]


@instruction("s_bfm_b32", "=s:i32 s:i32 s:i32", SOP2, cite=_SOP2)
@instruction("s_bfm_b64", "=s:i64 s:i32 s:i32", SOP2, cite=_SOP2)
def s_bfm(c: Context, size: Value, offset: Value) -> Value:
    kind = "i64" if c.name == "s_bfm_b64" else "i32"
    one = c.constant(kind, 1)
    ones = c.alu.sub(c.alu.shl(one, size), one)
    return c.alu.shl(ones, offset)


@instruction("s_bfe_u32 s_bfe_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
@instruction("s_bfe_u64 s_bfe_i64", "=s:i64 =(scc) s:i64 s:i32", SOP2, cite=_SOP2)
def s_bfe(c: Context, a: Value, field: Value) -> Pair:
    """Offset in the low bits of S1, width in its bits 22:16; a width past the top takes all."""
    b, bits = c.b, a.bits
    width = b.alu.and_(b.alu.lshr(field, c.constant("i32", 16)), c.constant("i32", 127))
    moved = b.alu.lshr(a, field) if c.name[6] == "u" else b.alu.ashr(a, field)
    width = b.alu.resize(width, a.type)
    full = c.constant(a.type, bits)
    spare = b.alu.select(
        b.alu.compare("ult", width, full), b.alu.sub(full, width), c.constant(a.type, 0)
    )
    none = b.alu.compare("eq", width, c.constant(a.type, 0))
    top = b.alu.shl(moved, spare)
    kept = b.alu.lshr(top, spare) if c.name[6] == "u" else b.alu.ashr(top, spare)
    result = b.alu.select(none, c.constant(a.type, 0), kept)
    return result, nonzero(c, result)


@instruction("s_brev_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_brev_b64", "=s:i64 s:i64", SOP1, cite=_SOP1)
def s_brev(c: Context, a: Value) -> Value:
    return c.alu.permuted(lambda value: c.alu.intrinsic("bitreverse", value), a)


@instruction("s_bcnt0_i32_b32 s_bcnt1_i32_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_bcnt0_i32_b64 s_bcnt1_i32_b64", "=s:i32 =(scc) s:i64", SOP1, cite=_SOP1)
def s_bcnt(c: Context, a: Value) -> Pair:
    counted = c.alu.not_(a) if c.name[6] == "0" else a
    result = c.alu.resize(c.alu.intrinsic("ctpop", counted), "i32")
    return result, nonzero(c, result)


def find(c: Context, intrinsic: str, a: Value) -> Value:
    """Position of the first one by `cttz` or `ctlz` as i32; -1 where there is none."""
    found = c.alu.resize(c.alu.intrinsic(intrinsic, a), "i32")
    none = c.alu.compare("eq", a, c.constant(a.type, 0))
    return c.alu.select(none, c.constant("i32", -1), found)


@instruction("s_ff0_i32_b32 s_ff1_i32_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_ff0_i32_b64 s_ff1_i32_b64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_ff(c: Context, a: Value) -> Value:
    return find(c, "cttz", c.alu.not_(a) if c.name[4] == "0" else a)


@instruction("s_flbit_i32_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_flbit_i32_b64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_flbit_unsigned(c: Context, a: Value) -> Value:
    return find(c, "ctlz", a)


def sign_length(c: Context, a: Value) -> Value:
    """How many bits from the top equal the sign bit; -1 where all do."""
    differs = c.alu.xor(a, c.alu.ashr(a, c.constant(a.type, a.bits - 1)))
    return find(c, "ctlz", differs)


@instruction("s_flbit_i32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_flbit_i32_i64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_flbit_signed(c: Context, a: Value) -> Value:
    return sign_length(c, a)


@instruction("s_sext_i32_i8 s_sext_i32_i16", "=s:i32 s:i32", SOP1, cite=_SOP1)
def s_sext(c: Context, a: Value) -> Value:
    return c.alu.sext(c.alu.trunc(a, c.name.rsplit("_", 1)[1]), "i32")


@instruction("s_bitset0_b32 s_bitset1_b32", "+s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_bitset0_b64 s_bitset1_b64", "+s:i64 s:i32", SOP1, cite=_SOP1)
def s_bitset(c: Context, old: Value, position: Value) -> Value:
    bit = c.alu.shl(c.constant(old.type, 1), position)
    return c.alu.or_(old, bit) if c.name[8] == "1" else c.alu.and_(old, c.alu.not_(bit))


@instruction("s_bitcmp0_b32 s_bitcmp1_b32", "=(scc) s:i32 s:i32", SOPC, cite=_SOPC)
@instruction("s_bitcmp0_b64 s_bitcmp1_b64", "=(scc) s:i64 s:i32", SOPC, cite=_SOPC)
def s_bitcmp(c: Context, a: Value, position: Value) -> Value:
    bit = c.alu.and_(c.alu.lshr(a, position), c.constant(a.type, 1))
    return c.alu.compare("eq", bit, c.constant(a.type, int(c.name[8])))


_PACKS = ("s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16")


@instruction(_PACKS, "=s:i32 s:i32 s:i32", SOP2, cite=_SOP2)
def s_pack(c: Context, a: Value, b: Value) -> Value:
    half = c.constant("i32", 16)
    low = c.alu.lshr(a, half) if c.name[7] == "h" else c.alu.and_(a, c.constant("i32", 0xFFFF))
    high = b if c.name[8] == "l" else c.alu.lshr(b, half)
    return c.alu.disjoint(low, c.alu.shl(high, half))


@instruction("s_bitreplicate_b64_b32", "=s:i64 s:i32", SOP1, cite=_SOP1)
def s_bitreplicate(c: Context, a: Value) -> Value:
    wide = c.alu.zext(a, "i64")
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        spread = c.alu.disjoint(wide, c.alu.shl(wide, c.constant("i64", shift)))
        wide = c.alu.and_(spread, c.constant("i64", mask))
    return c.alu.disjoint(wide, c.alu.shl(wide, c.constant("i64", 1)))


_QUADS = {"i32": 0x11111111, "i64": 0x1111111111111111}


def _any_of_quad(c: Context, a: Value) -> Value:
    """Bit 4n set where any of bits 4n to 4n + 3 is."""
    one, two = c.constant(a.type, 1), c.constant(a.type, 2)
    folded = c.alu.or_(a, c.alu.lshr(a, one))
    folded = c.alu.or_(folded, c.alu.lshr(folded, two))
    return c.alu.and_(folded, c.constant(a.type, _QUADS[a.type]))


@instruction("s_wqm_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_wqm_b64", "=s:i64 =(scc) s:i64", SOP1, cite=_SOP1)
def s_wqm(c: Context, a: Value) -> Pair:
    result = c.alu.mul(_any_of_quad(c, a), c.constant(a.type, 15))
    return result, nonzero(c, result)


@instruction("s_quadmask_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_quadmask_b64", "=s:i64 =(scc) s:i64", SOP1, cite=_SOP1)
def s_quadmask(c: Context, a: Value) -> Pair:
    """Bit n tells whether any of bits 4n to 4n + 3 is set."""
    picked = _any_of_quad(c, a)
    for shift, mask in (
        (3, 0x0303030303030303),
        (6, 0x000F000F000F000F),
        (12, 0x000000FF000000FF),
        (24, 0x000000000000FFFF),
    ):
        if shift < a.bits:
            moved = c.alu.or_(picked, c.alu.lshr(picked, c.constant(a.type, shift)))
            picked = c.alu.and_(moved, c.constant(a.type, mask))
    return picked, nonzero(c, picked)
