"""Vector logic, shifts, bit fields, counts and byte permutes."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.scalar_bits import find, sign_length
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP1, VOP1_64, VOP1_E32, VOP2, VOP3, instruction
from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.values import Value

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions"
_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"
_ONE, _TWO, _THREE = "=v:i32 x:i32", "=v:i32 x:i32 x:i32", "=v:i32 x:i32 x:i32 x:i32"


# -- moves and logic ------------------------------------------------------------------------------


@instruction("v_mov_b32", _ONE, VOP1, cite=_VOP1)
@instruction("v_mov_b64", "=v:i64 x:i64", VOP1_64, cite=_VOP1)
def v_mov(c: Context, a: Value) -> Value:
    return a


@instruction("v_swap_b32", "+v:i32 +v:i32", VOP1_E32, cite=_VOP1)
def v_swap(c: Context, a: Value, b: Value) -> tuple[Value, Value]:
    return b, a


@instruction("v_not_b32", _ONE, VOP1, cite=_VOP1)
def v_not(c: Context, a: Value) -> Value:
    return c.alu.not_(a)


@instruction("v_and_b32", _TWO, VOP2, cite=_VOP2)
def v_and(c: Context, a: Value, b: Value) -> Value:
    return c.alu.and_(a, b)


@instruction("v_or_b32", _TWO, VOP2, cite=_VOP2)
def v_or(c: Context, a: Value, b: Value) -> Value:
    return c.alu.or_(a, b)


@instruction("v_xor_b32", _TWO, VOP2, cite=_VOP2)
def v_xor(c: Context, a: Value, b: Value) -> Value:
    return c.alu.xor(a, b)


@instruction("v_xnor_b32", _TWO, VOP2, cite=_VOP2)
def v_xnor(c: Context, a: Value, b: Value) -> Value:
    return c.alu.not_(c.alu.xor(a, b))


@instruction("v_or3_b32", _THREE, VOP3, cite=_VOP3)
def v_or3(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.or_(c.alu.or_(a, b), d)


@instruction("v_and_or_b32", _THREE, VOP3, cite=_VOP3)
def v_and_or(c: Context, a: Value, b: Value, d: Value) -> Value:
    return c.alu.or_(c.alu.and_(a, b), d)


@instruction("v_lshl_or_b32", _THREE, VOP3, cite=_VOP3)
def v_lshl_or(c: Context, a: Value, amount: Value, d: Value) -> Value:
    return c.alu.or_(c.alu.shl(a, amount), d)


@instruction("v_bitop3_b32", _THREE, VOP3, cite=_VOP3, modifiers="bitop3")
@instruction(
    "v_bitop3_b16",
    "=v:i16 x:i16 x:i16 x:i16",
    VOP3,
    cite=_VOP3,
    modifiers="bitop3 op_sel",
    high_half="keep",
)
def v_bitop3(c: Context, a: Value, b: Value, d: Value) -> Value:
    """D[i] = table[{S0[i], S1[i], S2[i]}], built by choosing with S0, then S1, then S2."""
    table = c.modifier("bitop3")
    alu = c.alu
    zero, ones = c.constant(a.type, 0), c.constant(a.type, -1)

    def column(pair: int) -> Value:
        """The function of S2 alone that two bits of the table give."""
        return {0: zero, 1: alu.not_(d), 2: d, 3: ones}[pair]

    def choose(which: Value, high: Value, low: Value) -> Value:
        if high.operand == low.operand:
            return high
        return alu.or_(alu.and_(which, high), alu.and_(alu.not_(which), low))

    halves = []
    for four in (table & 15, table >> 4 & 15):
        low, high = column(four & 3), column(four >> 2)
        halves.append(low if four & 3 == four >> 2 else choose(b, high, low))
    if table & 15 == table >> 4 & 15:
        return halves[0]
    return choose(a, halves[1], halves[0])


# -- shifts ---------------------------------------------------------------------------------------

_SHIFTS = {"v_lshlr": Arithmetic.shl, "v_lshrr": Arithmetic.lshr, "v_ashrr": Arithmetic.ashr}


@instruction("v_lshlrev_b32 v_lshrrev_b32 v_ashrrev_i32", _TWO, VOP2, cite=_VOP2)
@instruction("v_lshlrev_b16 v_lshrrev_b16 v_ashrrev_i16", "=v:i16 x:i16 x:i16", VOP2, cite=_VOP2)
def v_shift(c: Context, amount: Value, a: Value) -> Value:
    return _SHIFTS[c.name[:7]](c.alu, a, amount)


def funnel(c: Context, high: Value, low: Value, amount: Value) -> Value:
    """The low 32 bits of {high, low} >> amount."""
    wide = c.alu.join(low, high)
    return c.alu.trunc(c.alu.lshr(wide, c.alu.zext(amount, "i64")), "i32")


@instruction("v_alignbit_b32", _THREE, VOP3, cite=_VOP3)
def v_alignbit(c: Context, a: Value, b: Value, amount: Value) -> Value:
    return funnel(c, a, b, c.alu.and_(amount, c.constant("i32", 31)))


@instruction("v_alignbyte_b32", _THREE, VOP3, cite=_VOP3)
def v_alignbyte(c: Context, a: Value, b: Value, amount: Value) -> Value:
    bytes_ = c.alu.and_(amount, c.constant("i32", 3))
    return funnel(c, a, b, c.alu.shl(bytes_, c.constant("i32", 3)))


# -- fields ---------------------------------------------------------------------------------------


@instruction("v_bfe_u32 v_bfe_i32", _THREE, VOP3, cite=_VOP3)
def v_bfe(c: Context, a: Value, offset: Value, size: Value) -> Value:
    """`size` bits (0 to 31) of S0 from `offset` (0 to 31), extended by 0 or by sign."""
    b = c.b
    signed = c.name == "v_bfe_i32"
    moved = b.alu.ashr(a, offset) if signed else b.alu.lshr(a, offset)
    size = b.alu.and_(size, c.constant("i32", 31))
    if not signed:
        one = c.constant("i32", 1)
        return b.alu.and_(moved, b.alu.sub(b.alu.shl(one, size), one))
    spare = b.alu.sub(c.constant("i32", 32), size)
    field = b.alu.ashr(b.alu.shl(moved, spare), spare)
    empty = b.alu.compare("eq", size, c.constant("i32", 0))
    return b.alu.select(empty, c.constant("i32", 0), field)


@instruction("v_bfi_b32", _THREE, VOP3, cite=_VOP3)
def v_bfi(c: Context, mask: Value, a: Value, d: Value) -> Value:
    return c.alu.or_(c.alu.and_(mask, a), c.alu.and_(c.alu.not_(mask), d))


@instruction("v_bfm_b32", _TWO, VOP3, cite=_VOP3)
def v_bfm(c: Context, size: Value, offset: Value) -> Value:
    one = c.constant("i32", 1)
    return c.alu.shl(c.alu.sub(c.alu.shl(one, size), one), offset)


@instruction("v_perm_b32", _THREE, VOP3, cite=_VOP3)
def v_perm(c: Context, a: Value, d: Value, selectors: Value) -> Value:
    """Byte i of the result is what byte i of S2 selects from {S0, S1}, S1 the low half.

    0 to 7 a byte, 8 to 11 the sign of bytes 1, 3, 5, 7, 12 zero, 13 and more 0xff.
    """
    b = c.b
    selectors = b.checks.require_defined(selectors, "operand")
    byte = [
        b.alu.and_(b.alu.lshr(selectors, c.constant("i32", 8 * place)), c.constant("i32", 0xFF))
        for place in range(4)
    ]
    known = selectors.constant
    numbers = [None if known is None else known >> 8 * place & 0xFF for place in range(4)]
    moved = b.alu.permuted(lambda x, y: _moved_bytes(c, x, y, byte, numbers), a, d)
    ones = c.constant("i32", 0)
    for place, (selector, number) in enumerate(zip(byte, numbers, strict=True)):
        full = c.constant("i32", 0xFF << 8 * place)
        if number is None:
            high = b.alu.compare("uge", selector, c.constant("i32", 13))
            ones = b.alu.disjoint(ones, b.alu.select(high, full, c.constant("i32", 0)))
        elif number >= 13:
            ones = b.alu.disjoint(ones, full)
    return b.alu.or_(moved, ones)


def _moved_bytes(
    c: Context, a: Value, d: Value, selectors: list[Value], numbers: list[int | None]
) -> Value:
    """The bytes that come from the sources; zero where a selector is 12 or more."""
    b = c.b
    result = c.constant("i32", 0)
    for place, (selector, number) in enumerate(zip(selectors, numbers, strict=True)):
        byte = _byte(c, a, d, selector) if number is None else _known_byte(c, a, d, number)
        result = b.alu.disjoint(result, b.alu.shl(byte, c.constant("i32", 8 * place)))
    return result


def _known_byte(c: Context, a: Value, d: Value, number: int) -> Value:
    b = c.b
    if number >= 12:
        return c.constant("i32", 0)
    place = number if number < 8 else 2 * (number - 8) + 1
    word, shift = a if place >= 4 else d, place % 4 * 8
    if number < 8:
        moved = b.alu.lshr(word, c.constant("i32", shift))
    else:
        moved = b.alu.ashr(b.alu.shl(word, c.constant("i32", 24 - shift)), c.constant("i32", 31))
    return b.alu.and_(moved, c.constant("i32", 0xFF))


def _byte(c: Context, a: Value, d: Value, selector: Value) -> Value:
    b = c.b
    is_byte = b.alu.compare("ult", selector, c.constant("i32", 8))
    twice = b.alu.add(b.alu.add(selector, selector), c.constant("i32", 1))
    place = b.alu.select(is_byte, selector, twice)  # modulo 8
    upper = b.alu.compare("ne", b.alu.and_(place, c.constant("i32", 4)), c.constant("i32", 0))
    shift = b.alu.shl(b.alu.and_(place, c.constant("i32", 3)), c.constant("i32", 3))
    byte = b.alu.and_(b.alu.lshr(b.alu.select(upper, a, d), shift), c.constant("i32", 0xFF))
    signs = b.alu.mul(b.alu.lshr(byte, c.constant("i32", 7)), c.constant("i32", 0xFF))
    byte = b.alu.select(is_byte, byte, signs)
    beyond = b.alu.compare("uge", selector, c.constant("i32", 12))
    return b.alu.select(beyond, c.constant("i32", 0), byte)


# -- counts and searches --------------------------------------------------------------------------


@instruction("v_bfrev_b32", _ONE, VOP1, cite=_VOP1)
def v_bfrev(c: Context, a: Value) -> Value:
    return c.alu.permuted(lambda value: c.alu.intrinsic("bitreverse", value), a)


@instruction("v_ffbh_u32", _ONE, VOP1, cite=_VOP1)
def v_ffbh_u32(c: Context, a: Value) -> Value:
    return find(c, "ctlz", a)


@instruction("v_ffbh_i32", _ONE, VOP1, cite=_VOP1)
def v_ffbh_i32(c: Context, a: Value) -> Value:
    return sign_length(c, a)


@instruction("v_ffbl_b32", _ONE, VOP1, cite=_VOP1)
def v_ffbl(c: Context, a: Value) -> Value:
    return find(c, "cttz", a)


@instruction("v_bcnt_u32_b32", _TWO, VOP3, cite=_VOP3)
def v_bcnt(c: Context, a: Value, d: Value) -> Value:
    return c.alu.add(c.alu.intrinsic("ctpop", a), d)


@instruction("v_prng_b32", _ONE, VOP1, cite=_VOP1)
def v_prng(c: Context, a: Value) -> Value:
    """One step of a linear feedback shift register."""
    feedback = c.alu.and_(c.alu.ashr(a, c.constant("i32", 31)), c.constant("i32", 197))
    return c.alu.xor(c.alu.shl(a, c.constant("i32", 1)), feedback)


_SATURATING_SHIFTS = {"v_ashr_pk_i8_i32": (-128, 127), "v_ashr_pk_u8_i32": (0, 255)}


@instruction(
    list(_SATURATING_SHIFTS),
    "=v:i16 x:i32 x:i32 x:i32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    high_half="keep",
)
def v_ashr_pk(c: Context, a: Value, d: Value, amount: Value) -> Value:
    """Two shifted numbers, each saturated to a byte, side by side."""
    b = c.b
    low, high = _SATURATING_SHIFTS[c.name]
    parts = []
    for value in (a, d):
        moved = b.alu.extremum("smax", b.alu.ashr(value, amount), c.constant("i32", low))
        moved = b.alu.extremum("smin", moved, c.constant("i32", high))
        parts.append(b.alu.and_(moved, c.constant("i32", 0xFF)))
    joined = b.alu.disjoint(parts[0], b.alu.shl(parts[1], c.constant("i32", 8)))
    return b.alu.trunc(joined, "i16")
