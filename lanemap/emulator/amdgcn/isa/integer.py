"""Vector integer arithmetic of 16 and 32 bits."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP2, VOP3, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Value

_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"
Pair = tuple[Value, Value]
_TWO32 = "=v:i32 x:i32 x:i32"
_THREE32 = "=v:i32 x:i32 x:i32 x:i32"
_TWO16 = "=v:i16 x:i16 x:i16"
_THREE16 = "=v:i16 x:i16 x:i16 x:i16"


def saturating(c: Context, plain: Value, intrinsic: str, a: Value, b: Value) -> Value:
    """The sum or difference, saturated where the instruction has `clamp`."""
    return c.alu.intrinsic(intrinsic, a, b) if c.modifier("clamp") else plain


# -- sums -----------------------------------------------------------------------------------------


@instruction("v_add_u32", _TWO32, VOP2, cite=_VOP2, integer_clamp=True)
@instruction("v_add_u16", _TWO16, VOP2, cite=_VOP2, integer_clamp=True)
def v_add_unsigned(c: Context, a: Value, b: Value) -> Value:
    return saturating(c, c.alu.add(a, b), "uadd.sat", a, b)


@instruction("v_sub_u32", _TWO32, VOP2, cite=_VOP2, integer_clamp=True)
@instruction("v_sub_u16", _TWO16, VOP2, cite=_VOP2, integer_clamp=True)
def v_sub_unsigned(c: Context, a: Value, b: Value) -> Value:
    return saturating(c, c.alu.sub(a, b), "usub.sat", a, b)


@instruction("v_subrev_u32", _TWO32, VOP2, cite=_VOP2, integer_clamp=True)
@instruction("v_subrev_u16", _TWO16, VOP2, cite=_VOP2, integer_clamp=True)
def v_subrev_unsigned(c: Context, a: Value, b: Value) -> Value:
    return v_sub_unsigned(c, b, a)


_OP_SEL = "op_sel"


@instruction("v_add_i32", _TWO32, VOP3, cite=_VOP3, integer_clamp=True)
@instruction(
    "v_add_i16", _TWO16, VOP3, cite=_VOP3, integer_clamp=True, modifiers=_OP_SEL, high_half="keep"
)
def v_add_signed(c: Context, a: Value, b: Value) -> Value:
    return saturating(c, c.alu.add(a, b), "sadd.sat", a, b)


@instruction("v_sub_i32", _TWO32, VOP3, cite=_VOP3, integer_clamp=True)
@instruction(
    "v_sub_i16", _TWO16, VOP3, cite=_VOP3, integer_clamp=True, modifiers=_OP_SEL, high_half="keep"
)
def v_sub_signed(c: Context, a: Value, b: Value) -> Value:
    return saturating(c, c.alu.sub(a, b), "ssub.sat", a, b)


def _carry(c: Context, a: Value, b: Value, carry: Value | None) -> Pair:
    total = c.alu.add(a, b)
    out = c.alu.compare("ult", total, a)
    if carry is None:
        return total, out
    more = c.alu.add(total, c.alu.zext(carry, "i32"))
    return more, c.alu.or_(out, c.alu.compare("ult", more, total))


def _borrow(c: Context, a: Value, b: Value, borrow: Value | None) -> Pair:
    difference = c.alu.sub(a, b)
    out = c.alu.compare("ult", a, b)
    if borrow is None:
        return difference, out
    less = c.alu.sub(difference, c.alu.zext(borrow, "i32"))
    return less, c.alu.or_(out, c.alu.compare("ult", difference, less))


_CARRY = "=v:i32 =m x:i32 x:i32"


@instruction("v_add_co_u32", _CARRY, VOP2, cite=_VOP2)
@instruction("v_addc_co_u32", f"{_CARRY} m", VOP2, cite=_VOP2)
def v_add_co(c: Context, a: Value, b: Value, carry: Value | None = None) -> Pair:
    return _carry(c, a, b, carry)


@instruction("v_sub_co_u32", _CARRY, VOP2, cite=_VOP2)
@instruction("v_subb_co_u32", f"{_CARRY} m", VOP2, cite=_VOP2)
def v_sub_co(c: Context, a: Value, b: Value, borrow: Value | None = None) -> Pair:
    return _borrow(c, a, b, borrow)


@instruction("v_subrev_co_u32", _CARRY, VOP2, cite=_VOP2)
@instruction("v_subbrev_co_u32", f"{_CARRY} m", VOP2, cite=_VOP2)
def v_subrev_co(c: Context, a: Value, b: Value, borrow: Value | None = None) -> Pair:
    return _borrow(c, b, a, borrow)


@instruction("v_add3_u32", _THREE32, VOP3, cite=_VOP3)
def v_add3(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.add(c.alu.add(a, b), d)


@instruction("v_lshl_add_u32", _THREE32, VOP3, cite=_VOP3)
def v_lshl_add(c: Context, a: Value, amount: Value, d: Value) -> Value:
    return c.alu.add(c.alu.shl(a, amount), d)


@instruction("v_add_lshl_u32", _THREE32, VOP3, cite=_VOP3)
def v_add_lshl(c: Context, a: Value, b: Value, amount: Value) -> Value:
    return c.alu.shl(c.alu.add(a, b), amount)


@instruction("v_xad_u32", _THREE32, VOP3, cite=_VOP3)
def v_xad(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.add(c.alu.xor(a, b), d)


# -- products -------------------------------------------------------------------------------------


@instruction("v_mul_lo_u32 v_mul_lo_i32", _TWO32, VOP3, cite=_VOP3)
@instruction("v_mul_lo_u16", _TWO16, VOP2, cite=_VOP2)
def v_mul_lo(c: Context, a: Value, b: Value) -> Value:
    return c.alu.mul(a, b)


@instruction("v_mul_hi_u32 v_mul_hi_i32", _TWO32, VOP3, cite=_VOP3)
def v_mul_hi(c: Context, a: Value, b: Value) -> Value:
    return c.alu.mul_high(a, b, signed=c.name == "v_mul_hi_i32")


def low_24(c: Context, a: Value, signed: bool) -> Value:
    """The low 24 bits as a number."""
    if not signed:
        return c.alu.and_(a, c.constant("i32", 0xFFFFFF))
    eight = c.constant("i32", 8)
    return c.alu.ashr(c.alu.shl(a, eight), eight)


@instruction("v_mul_i32_i24 v_mul_u32_u24", _TWO32, VOP2, cite=_VOP2, integer_clamp=True)
def v_mul_24(c: Context, a: Value, b: Value) -> Value:
    signed = c.name[6] == "i"
    x, y = low_24(c, a, signed), low_24(c, b, signed)
    return _clamped_sum(c, x, y, None, signed)


@instruction("v_mul_hi_i32_i24 v_mul_hi_u32_u24", _TWO32, VOP2, cite=_VOP2)
def v_mul_hi_24(c: Context, a: Value, b: Value) -> Value:
    signed = c.name[9] == "i"
    return c.alu.mul_high(low_24(c, a, signed), low_24(c, b, signed), signed)


def _clamped_sum(c: Context, x: Value, y: Value, d: Value | None, signed: bool) -> Value:
    """X * y + d, saturated to 32 bits where the instruction has `clamp`."""
    b = c.b
    if not c.modifier("clamp"):
        product = b.alu.mul(x, y)
        return product if d is None else b.alu.add(product, d)
    widen = b.alu.sext if signed else b.alu.zext
    wide = b.alu.mul(widen(x, "i64"), widen(y, "i64"))
    if d is not None:
        wide = b.alu.add(wide, widen(d, "i64"))
    low, high = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    if signed:
        wide = b.alu.extremum("smax", wide, c.constant("i64", low))
    wide = b.alu.extremum("smin" if signed else "umin", wide, c.constant("i64", high))
    return b.alu.trunc(wide, "i32")


@instruction("v_mad_i32_i24 v_mad_u32_u24", _THREE32, VOP3, cite=_VOP3, integer_clamp=True)
def v_mad_24(c: Context, a: Value, b: Value, d: Value) -> Value:
    signed = c.name[6] == "i"
    return _clamped_sum(c, low_24(c, a, signed), low_24(c, b, signed), d, signed)


@instruction(
    "v_mad_u32_u16 v_mad_i32_i16",
    "=v:i32 x:i16 x:i16 x:i32",
    VOP3,
    cite=_VOP3,
    integer_clamp=True,
    modifiers=_OP_SEL,
)
def v_mad_32_16(c: Context, a: Value, b: Value, d: Value) -> Value:
    signed = c.name[6] == "i"
    widen = c.alu.sext if signed else c.alu.zext
    return _clamped_sum(c, widen(a, "i32"), widen(b, "i32"), d, signed)


@instruction("v_mad_u16 v_mad_i16", _THREE16, VOP3, cite=_VOP3, modifiers=_OP_SEL, high_half="keep")
@instruction("v_mad_legacy_u16 v_mad_legacy_i16", _THREE16, VOP3, cite=_VOP3)
def v_mad_16(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.add(c.alu.mul(a, b), d)


# -- extremes -------------------------------------------------------------------------------------

_KINDS = {"u": "u", "i": "s"}


def _operation(name: str) -> str:
    """`umin`, `smax`, ..: LLVM's name from v_min3_u32 and alike."""
    return _KINDS[name[-3]] + name[2:5]


@instruction("v_min_u32 v_min_i32 v_max_u32 v_max_i32", _TWO32, VOP2, cite=_VOP2)
@instruction("v_min_u16 v_min_i16 v_max_u16 v_max_i16", _TWO16, VOP2, cite=_VOP2)
def v_extremum(c: Context, a: Value, b: Value) -> Value:
    return c.alu.extremum(_operation(c.name), a, b)


@instruction("v_min3_u32 v_min3_i32 v_max3_u32 v_max3_i32", _THREE32, VOP3, cite=_VOP3)
@instruction(
    "v_min3_u16 v_min3_i16 v_max3_u16 v_max3_i16",
    _THREE16,
    VOP3,
    cite=_VOP3,
    modifiers=_OP_SEL,
    high_half="keep",
)
def v_extremum3(c: Context, a: Value, b: Value, d: Value) -> Value:
    operation = _operation(c.name)
    return c.alu.extremum(operation, c.alu.extremum(operation, a, b), d)


@instruction("v_med3_u32 v_med3_i32", _THREE32, VOP3, cite=_VOP3)
@instruction(
    "v_med3_u16 v_med3_i16", _THREE16, VOP3, cite=_VOP3, modifiers=_OP_SEL, high_half="keep"
)
def v_median(c: Context, a: Value, b: Value, d: Value) -> Value:
    kind = _KINDS[c.name[-3]]
    low, high = c.alu.extremum(kind + "min", a, b), c.alu.extremum(kind + "max", a, b)
    return c.alu.extremum(kind + "max", low, c.alu.extremum(kind + "min", high, d))


# -- sums of differences --------------------------------------------------------------------------


def distance(c: Context, a: Value, b: Value) -> Value:
    """|a - b| of unsigned integers."""
    return c.alu.sub(c.alu.extremum("umax", a, b), c.alu.extremum("umin", a, b))


def _field(c: Context, a: Value, shift: int, bits: int) -> Value:
    moved = c.alu.lshr(a, c.constant("i32", shift))
    return c.alu.and_(moved, c.constant("i32", (1 << bits) - 1))


@instruction("v_sad_u32", _THREE32, VOP3, cite=_VOP3)
def v_sad_u32(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.add(distance(c, a, b), d)


def _distances(c: Context, a: Value, b: Value, bits: int, masked: bool) -> Value:
    """The sum of the distances of four bytes or two halves; masked: but where b has 0."""
    total = c.constant("i32", 0)
    for shift in range(0, 32, bits):
        x, y = _field(c, a, shift, bits), _field(c, b, shift, bits)
        apart = distance(c, x, y)
        if masked:
            zero = c.constant("i32", 0)
            apart = c.alu.select(c.alu.compare("eq", y, zero), zero, apart)
        total = c.alu.add(total, apart)
    return total


@instruction("v_sad_u8 v_sad_hi_u8 v_sad_u16 v_msad_u8", _THREE32, VOP3, cite=_VOP3)
def v_sad(c: Context, a: Value, b: Value, d: Value) -> Value:
    total = _distances(c, a, b, 16 if c.name.endswith("16") else 8, c.name == "v_msad_u8")
    if c.name == "v_sad_hi_u8":
        total = c.alu.shl(total, c.constant("i32", 16))
    return c.alu.add(total, d)


def _overlap(text: Instruction) -> str:
    """Why the operands of v_qsad and v_mqsad make no sense: D is written before all is read."""
    first, *others = text.operands
    for other in others:
        if other.kind == "v" and abs(first.index - other.index) < (
            other.count if first.index > other.index else first.count
        ):
            return f"{first} overlaps the source {other}"
    return ""


def _slides(c: Context, a: Value, b: Value) -> list[Value]:
    """Sums of distances of four bytes of S0, from its bytes 0 to 3 on, and S1."""
    moved = [c.alu.trunc(c.alu.lshr(a, c.constant("i64", 8 * at)), "i32") for at in range(4)]
    return [_distances(c, four, b, 8, c.name.startswith("v_m")) for four in moved]


@instruction(
    "v_qsad_pk_u16_u8 v_mqsad_pk_u16_u8",
    "=v:i64 x:i64 x:i32 x:i64",
    VOP3,
    cite=_VOP3,
    check=_overlap,
)
def v_qsad(c: Context, a: Value, b: Value, d: Value) -> Value:
    """Each sum is added to 16 bits of S2."""
    result = c.constant("i64", 0)
    for number, total in enumerate(_slides(c, a, b)):
        at = c.constant("i64", 16 * number)
        term = c.alu.trunc(c.alu.lshr(d, at), "i32")
        half = c.alu.and_(c.alu.add(total, term), c.constant("i32", 0xFFFF))
        result = c.alu.disjoint(result, c.alu.shl(c.alu.zext(half, "i64"), at))
    return result


@instruction("v_mqsad_u32_u8", "=v:w4 x:i64 x:i32 v:w4", VOP3, cite=_VOP3, check=_overlap)
def v_mqsad_u32(c: Context, a: Value, b: Value, d: list[Value]) -> list[Value]:
    """Each sum is added to a word of S2."""
    return [c.alu.add(x, y) for x, y in zip(_slides(c, a, b), d, strict=True)]


@instruction("v_lerp_u8", _THREE32, VOP3, cite=_VOP3)
def v_lerp_u8(c: Context, a: Value, b: Value, d: Value) -> Value:
    """Byte means, rounded up where the lowest bit of the byte of S2 is set."""
    result = c.constant("i32", 0)
    for shift in range(0, 32, 8):
        total = c.alu.add(_field(c, a, shift, 8), _field(c, b, shift, 8))
        total = c.alu.add(total, _field(c, d, shift, 1))
        half = c.alu.lshr(total, c.constant("i32", 1))
        result = c.alu.disjoint(result, c.alu.shl(half, c.constant("i32", shift)))
    return result
