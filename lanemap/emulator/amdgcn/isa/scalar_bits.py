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
    ones = c.b.sub(c.b.shl(one, size), one)
    return c.b.shl(ones, offset)


@instruction("s_bfe_u32 s_bfe_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
@instruction("s_bfe_u64 s_bfe_i64", "=s:i64 =(scc) s:i64 s:i32", SOP2, cite=_SOP2)
def s_bfe(c: Context, a: Value, field: Value) -> Pair:
    """Offset in the low bits of S1, width in its bits 22:16; a width past the top takes all."""
    b, bits = c.b, a.bits
    width = b.and_(b.lshr(field, c.constant("i32", 16)), c.constant("i32", 127))
    moved = b.lshr(a, field) if c.name[6] == "u" else b.ashr(a, field)
    width = b.resize(width, a.type)
    full = c.constant(a.type, bits)
    spare = b.select(b.compare("ult", width, full), b.sub(full, width), c.constant(a.type, 0))
    none = b.compare("eq", width, c.constant(a.type, 0))
    top = b.shl(moved, spare)
    kept = b.lshr(top, spare) if c.name[6] == "u" else b.ashr(top, spare)
    result = b.select(none, c.constant(a.type, 0), kept)
    return result, nonzero(c, result)


@instruction("s_brev_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_brev_b64", "=s:i64 s:i64", SOP1, cite=_SOP1)
def s_brev(c: Context, a: Value) -> Value:
    return c.b.permuted(lambda value: c.b.intrinsic("bitreverse", value), a)


@instruction("s_bcnt0_i32_b32 s_bcnt1_i32_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_bcnt0_i32_b64 s_bcnt1_i32_b64", "=s:i32 =(scc) s:i64", SOP1, cite=_SOP1)
def s_bcnt(c: Context, a: Value) -> Pair:
    counted = c.b.not_(a) if c.name[6] == "0" else a
    result = c.b.resize(c.b.intrinsic("ctpop", counted), "i32")
    return result, nonzero(c, result)


def find(c: Context, intrinsic: str, a: Value) -> Value:
    """Position of the first one by `cttz` or `ctlz` as i32; -1 where there is none."""
    found = c.b.resize(c.b.intrinsic(intrinsic, a, flags=", i1 false"), "i32")
    none = c.b.compare("eq", a, c.constant(a.type, 0))
    return c.b.select(none, c.constant("i32", -1), found)


@instruction("s_ff0_i32_b32 s_ff1_i32_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_ff0_i32_b64 s_ff1_i32_b64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_ff(c: Context, a: Value) -> Value:
    return find(c, "cttz", c.b.not_(a) if c.name[4] == "0" else a)


@instruction("s_flbit_i32_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_flbit_i32_b64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_flbit_unsigned(c: Context, a: Value) -> Value:
    return find(c, "ctlz", a)


def sign_length(c: Context, a: Value) -> Value:
    """How many bits from the top equal the sign bit; -1 where all do."""
    differs = c.b.xor(a, c.b.ashr(a, c.constant(a.type, a.bits - 1)))
    return find(c, "ctlz", differs)


@instruction("s_flbit_i32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_flbit_i32_i64", "=s:i32 s:i64", SOP1, cite=_SOP1)
def s_flbit_signed(c: Context, a: Value) -> Value:
    return sign_length(c, a)


@instruction("s_sext_i32_i8 s_sext_i32_i16", "=s:i32 s:i32", SOP1, cite=_SOP1)
def s_sext(c: Context, a: Value) -> Value:
    return c.b.sext(c.b.trunc(a, c.name.rsplit("_", 1)[1]), "i32")


@instruction("s_bitset0_b32 s_bitset1_b32", "+s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_bitset0_b64 s_bitset1_b64", "+s:i64 s:i32", SOP1, cite=_SOP1)
def s_bitset(c: Context, old: Value, position: Value) -> Value:
    bit = c.b.shl(c.constant(old.type, 1), position)
    return c.b.or_(old, bit) if c.name[8] == "1" else c.b.and_(old, c.b.not_(bit))


@instruction("s_bitcmp0_b32 s_bitcmp1_b32", "=(scc) s:i32 s:i32", SOPC, cite=_SOPC)
@instruction("s_bitcmp0_b64 s_bitcmp1_b64", "=(scc) s:i64 s:i32", SOPC, cite=_SOPC)
def s_bitcmp(c: Context, a: Value, position: Value) -> Value:
    bit = c.b.and_(c.b.lshr(a, position), c.constant(a.type, 1))
    return c.b.compare("eq", bit, c.constant(a.type, int(c.name[8])))


_PACKS = ("s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16")


@instruction(_PACKS, "=s:i32 s:i32 s:i32", SOP2, cite=_SOP2)
def s_pack(c: Context, a: Value, b: Value) -> Value:
    half = c.constant("i32", 16)
    low = c.b.lshr(a, half) if c.name[7] == "h" else c.b.and_(a, c.constant("i32", 0xFFFF))
    high = b if c.name[8] == "l" else c.b.lshr(b, half)
    return c.b.disjoint(low, c.b.shl(high, half))


@instruction("s_bitreplicate_b64_b32", "=s:i64 s:i32", SOP1, cite=_SOP1)
def s_bitreplicate(c: Context, a: Value) -> Value:
    wide = c.b.zext(a, "i64")
    for shift, mask in (
        (16, 0x0000FFFF0000FFFF),
        (8, 0x00FF00FF00FF00FF),
        (4, 0x0F0F0F0F0F0F0F0F),
        (2, 0x3333333333333333),
        (1, 0x5555555555555555),
    ):
        spread = c.b.disjoint(wide, c.b.shl(wide, c.constant("i64", shift)))
        wide = c.b.and_(spread, c.constant("i64", mask))
    return c.b.disjoint(wide, c.b.shl(wide, c.constant("i64", 1)))


_QUADS = {"i32": 0x11111111, "i64": 0x1111111111111111}


def _any_of_quad(c: Context, a: Value) -> Value:
    """Bit 4n set where any of bits 4n to 4n + 3 is."""
    one, two = c.constant(a.type, 1), c.constant(a.type, 2)
    folded = c.b.or_(a, c.b.lshr(a, one))
    folded = c.b.or_(folded, c.b.lshr(folded, two))
    return c.b.and_(folded, c.constant(a.type, _QUADS[a.type]))


@instruction("s_wqm_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_wqm_b64", "=s:i64 =(scc) s:i64", SOP1, cite=_SOP1)
def s_wqm(c: Context, a: Value) -> Pair:
    result = c.b.mul(_any_of_quad(c, a), c.constant(a.type, 15))
    return result, nonzero(c, result)


@instruction("s_quadmask_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_quadmask_b64", "=s:i64 =(scc) s:i64", SOP1, cite=_SOP1)
def s_quadmask(c: Context, a: Value) -> Pair:
    """Bit n tells whether any of bits 4n to 4n + 3 is set."""
    picked = _any_of_quad(c, a)
    for shift, mask in ((3, 0x0303030303030303), (6, 0x000F000F000F000F), (12, 0x000000FF000000FF),
                        (24, 0x000000000000FFFF)):  # fmt: skip
        if shift < a.bits:
            moved = c.b.or_(picked, c.b.lshr(picked, c.constant(a.type, shift)))
            picked = c.b.and_(moved, c.constant(a.type, mask))
    return picked, nonzero(c, picked)
