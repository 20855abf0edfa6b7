"""Bits: counting, fields, logic, shifts, permutes (NVIDIA PTX ISA, Integer; Logic and Shift)."""

from __future__ import annotations

from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS, is_signed

_BITS = "b16 b32 b64"
_LOGIC = {"and": Arithmetic.and_, "or": Arithmetic.or_, "xor": Arithmetic.xor}
_SHIFTS = {"shl": Arithmetic.shl, "lshr": Arithmetic.lshr, "ashr": Arithmetic.ashr}


@instruction("popc", "popc.type d, a; .type = b32, b64", cite="PTX ISA, Integer Arithmetic: popc")
def popc(s: Statement) -> Emit:
    """How many bits are one."""
    kind = s.type("b32 b64")
    d, x = s.destination("b32"), s.source(kind)
    return lambda b: d.write(b, b.alu.resize(b.alu.intrinsic("ctpop", x.read(b)), "i32"))


@instruction("clz", "clz.type d, a; .type = b32, b64", cite="PTX ISA, Integer Arithmetic: clz")
def clz(s: Statement) -> Emit:
    """Zeros above the highest one; the width for 0."""
    kind = s.type("b32 b64")
    d, x = s.destination("b32"), s.source(kind)
    return lambda b: d.write(b, b.alu.resize(b.alu.intrinsic("ctlz", x.read(b)), "i32"))


@instruction(
    "bfind",
    "bfind{.shiftamt}.type d, a; .type = u32, u64, s32, s64",
    cite="PTX ISA, Integer Arithmetic: bfind",
)
def bfind(s: Statement) -> Emit:
    """Position of the highest one (signed: of the highest bit that is not the sign), or -1."""
    amount, kind = s.flag("shiftamt"), s.type("u32 u64 s32 s64")
    d, x = s.destination("u32"), s.source(kind)
    width = BITS[kind]

    def emit(b: Builder) -> None:
        value = x.read(b)
        if is_signed(kind):
            value = b.alu.xor(value, b.alu.ashr(value, b.ir.constant(value.type, width - 1)))
        zeros = b.alu.resize(b.alu.intrinsic("ctlz", value), "i32")
        found = zeros if amount else b.alu.sub(b.ir.constant("i32", width - 1), zeros)
        none = b.alu.compare("eq", zeros, b.ir.constant("i32", width))
        d.write(b, b.alu.select(none, b.ir.constant("i32", -1), found))

    return emit


@instruction("brev", "brev.type d, a; .type = b32, b64", cite="PTX ISA, Integer Arithmetic: brev")
def brev(s: Statement) -> Emit:
    """The bits in reverse order."""
    kind = s.type("b32 b64")
    d, x = s.destination(kind), s.source(kind)
    return lambda b: d.write(
        b, b.alu.permuted(lambda value: b.alu.intrinsic("bitreverse", value), x.read(b))
    )


def _in_a_byte(b: Builder, value: Value, width: int) -> Value:
    """A position or length, which the ISA restricts to 8 bits; larger ones as on an H200.

    Instructions of 32 bits look at the low 8 bits alone; for those of 64, which ptxas makes of
    shifts, a larger one is beyond every bit.
    """
    byte = b.ir.constant("i32", 0xFF)
    return b.alu.and_(value, byte) if width == 32 else b.alu.extremum("umin", value, byte)


@instruction(
    "bfe",
    "bfe.type d, a, b, c; .type = u32, u64, s32, s64",
    cite="PTX ISA, Integer Arithmetic: bfe",
)
def bfe(s: Statement) -> Emit:
    """The c bits of a from bit b; what lies beyond a is 0 or its sign.

    The sign of a signed field is its highest bit that lies inside a; a field of no bits is 0.
    """
    kind = s.type("u32 u64 s32 s64")
    d, x, at, count = s.destination(kind), s.source(kind), s.source("u32"), s.source("u32")
    width = BITS[kind]

    def emit(b: Builder) -> None:
        value = x.read(b)
        whole = b.ir.constant("i32", width)
        position, length = (_in_a_byte(b, operand.read(b), width) for operand in (at, count))
        length = b.alu.extremum("umin", length, whole)
        down = b.alu.shift_clamped("ashr" if is_signed(kind) else "lshr", value, position)
        kept = b.alu.sub(whole, length)
        if not is_signed(kind):
            up = b.alu.shift_clamped("shl", down, kept)
            d.write(b, b.alu.shift_clamped("lshr", up, kept))
            return
        last = b.alu.sub(b.alu.add(position, length), b.ir.constant("i32", 1))
        top = b.alu.extremum("umin", last, b.ir.constant("i32", width - 1))
        sign = b.alu.trunc(b.alu.lshr(value, top), "i1")
        ones = b.alu.shift_clamped("shl", b.ir.constant(value.type, -1), length)
        empty = b.alu.compare("eq", length, b.ir.constant("i32", 0))
        field = b.alu.shift_clamped("lshr", b.alu.shift_clamped("shl", down, kept), kept)
        extended = b.alu.select(sign, b.alu.or_(field, ones), field)
        d.write(b, b.alu.select(empty, b.ir.constant(value.type, 0), extended))

    return emit


@instruction(
    "bfi", "bfi.type f, a, b, c, d; .type = b32, b64", cite="PTX ISA, Integer Arithmetic: bfi"
)
def bfi(s: Statement) -> Emit:
    """B with d bits from bit c replaced by the low bits of a."""
    kind = s.type("b32 b64")
    f, x, y = s.destination(kind), s.source(kind), s.source(kind)
    at, count = s.source("u32"), s.source("u32")
    width = BITS[kind]

    def emit(b: Builder) -> None:
        position, length = (_in_a_byte(b, operand.read(b), width) for operand in (at, count))
        ones = b.ir.constant(f"i{width}", -1)
        low = b.alu.not_(b.alu.shift_clamped("shl", ones, length))
        mask = b.alu.shift_clamped("shl", low, position)
        moved = b.alu.shift_clamped("shl", x.read(b), position)
        f.write(b, b.alu.or_(b.alu.and_(y.read(b), b.alu.not_(mask)), b.alu.and_(moved, mask)))

    return emit


@instruction(
    "szext",
    "szext.mode.type d, a, b; .mode = clamp, wrap; .type = u32, s32",
    cite="PTX ISA, Integer Arithmetic: szext",
)
def szext(s: Statement) -> Emit:
    """The low b bits of a, extended by zeros or their sign; b is clamped to 32 or wrapped at it."""
    mode, kind = s.choice("clamp wrap"), s.type("u32 s32")
    d, x, count = s.destination(kind), s.source(kind), s.source("u32")

    def emit(b: Builder) -> None:
        value, length = x.read(b), _bounded(b, count.read(b), mode)
        kept = b.alu.sub(b.ir.constant("i32", 32), length)
        up = b.alu.shift_clamped("shl", value, kept)
        down = b.alu.shift_clamped("ashr" if is_signed(kind) else "lshr", up, kept)
        empty = b.alu.compare("eq", length, b.ir.constant("i32", 0))
        d.write(b, b.alu.select(empty, b.ir.constant("i32", 0), down))

    return emit


def _bounded(b: Builder, amount: Value, mode: str) -> Value:
    if mode == "wrap":
        return b.alu.and_(amount, b.ir.constant("i32", 31))
    return b.alu.extremum("umin", amount, b.ir.constant("i32", 32))


@instruction(
    "bmsk", "bmsk.mode.b32 d, a, b; .mode = clamp, wrap", cite="PTX ISA, Integer Arithmetic: bmsk"
)
def bmsk(s: Statement) -> Emit:
    """B ones from bit a; both are clamped to 32 or wrapped at it."""
    mode, _ = s.choice("clamp wrap"), s.type("b32")
    d, at, count = s.destination("b32"), s.source("u32"), s.source("u32")

    def emit(b: Builder) -> None:
        position, length = (_bounded(b, v.read(b), mode) for v in (at, count))
        low = b.alu.not_(b.alu.shift_clamped("shl", b.ir.constant("i32", -1), length))
        d.write(b, b.alu.shift_clamped("shl", low, position))

    return emit


@instruction(
    "and or xor",
    "and.type d, a, b; .type = pred, b16, b32, b64",
    cite="PTX ISA, Logic and Shift Instructions: and, or, xor",
)
def logic(s: Statement) -> Emit:
    """Bit by bit."""
    kind = s.type(f"pred {_BITS}")
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)
    operation = _LOGIC[s.instruction.opcode]
    return lambda b: d.write(b, operation(b.alu, x.read(b), y.read(b)))


@instruction(
    "not", "not.type d, a; .type = pred, b16, b32, b64", cite="PTX ISA, Logic and Shift: not"
)
def complement(s: Statement) -> Emit:
    """Every bit the other way."""
    kind = s.type(f"pred {_BITS}")
    d, x = s.destination(kind), s.source(kind)
    return lambda b: d.write(b, b.alu.not_(x.read(b)))


@instruction("cnot", "cnot.type d, a; .type = b16, b32, b64", cite="PTX ISA, Logic and Shift: cnot")
def cnot(s: Statement) -> Emit:
    """1 where a is 0, else 0."""
    kind = s.type(_BITS)
    d, x = s.destination(kind), s.source(kind)

    def emit(b: Builder) -> None:
        value = x.read(b)
        d.write(b, b.alu.zext(b.alu.compare("eq", value, b.ir.constant(value.type, 0)), value.type))

    return emit


def lookup(b: Builder, table: int, x: Value, y: Value, z: Value) -> Value:
    """Return the bits that an 8-bit table has for each three bits of x, y, z."""
    result: Value | None = None
    for index in range(8):
        if not table >> index & 1:
            continue
        chosen = [
            v if index >> shift & 1 else b.alu.not_(v) for v, shift in ((x, 2), (y, 1), (z, 0))
        ]
        term = b.alu.and_(b.alu.and_(chosen[0], chosen[1]), chosen[2])
        result = term if result is None else b.alu.or_(result, term)
    return b.ir.constant(x.type, 0) if result is None else result


_SIMPLE = {0xC0: "and", 0x3C: "xor", 0xFC: "or", 0x80: "and3", 0x96: "xor3", 0xFE: "or3"}


def _lop3(b: Builder, table: int, x: Value, y: Value, z: Value) -> Value:
    """The same, with the common tables in few instructions."""
    known = _SIMPLE.get(table, "")
    operation = {"and": b.alu.and_, "xor": b.alu.xor, "or": b.alu.or_}.get(known.rstrip("3"))
    if operation is None:
        return lookup(b, table, x, y, z)
    value = operation(x, y)
    return operation(value, z) if known.endswith("3") else value


@instruction(
    "lop3",
    "lop3.b32 d, a, b, c, table; lop3.bool.b32 d|p, a, b, c, table, q; .bool = or, and",
    cite="PTX ISA, Logic and Shift Instructions: lop3",
)
def lop3(s: Statement) -> Emit:
    """Any function of three bits; the predicate says whether a bit is set, combined with q."""
    combine = s.choice("or and", "")
    s.type("b32")
    d, p = s.value_and_predicate("b32")
    sources = [s.source("b32") for _ in range(3)]
    table = s.immediate() & 0xFF
    q = s.source("pred") if combine else None

    def emit(b: Builder) -> None:
        value = _lop3(b, table, *[source.read(b) for source in sources])
        d.write(b, value)
        if q is not None:
            set_bits = b.alu.compare("ne", value, b.ir.constant("i32", 0))
            p.write(b, (b.alu.or_ if combine == "or" else b.alu.and_)(set_bits, q.read(b)))

    return emit


@instruction(
    "shl shr",
    "shl.type d, a, b; .type = b16, b32, b64; shr also u16..s64",
    cite="PTX ISA, Logic and Shift Instructions: shl, shr",
)
def shift(s: Statement) -> Emit:
    """Shifts by up to the width: beyond it everything is shifted out."""
    right = s.instruction.opcode == "shr"
    kind = s.type(_BITS + (" u16 u32 u64 s16 s32 s64" if right else " u16 u32 u64 s16 s32 s64"))
    d, x, amount = s.destination(kind), s.source(kind), s.source("u32")
    name = "shl" if not right else ("ashr" if is_signed(kind) else "lshr")
    within = _SHIFTS[name]

    def emit(b: Builder) -> None:
        value, by = x.read(b), amount.read(b)
        if by.constant is not None and by.constant < value.bits:
            d.write(b, within(b.alu, value, by))
            return
        if by.constant is not None:
            by = b.ir.constant("i32", value.bits)
        d.write(b, _shifted(b, name, value, by))

    return emit


def _shifted(b: Builder, name: str, value: Value, by: Value) -> Value:
    """A shift whose amount may not fit the narrower value's type."""
    if value.bits == 16:
        by = b.alu.extremum("umin", by, b.ir.constant("i32", 16))
    return b.alu.shift_clamped(name, value, by)


@instruction(
    "shf",
    "shf.dir.mode.b32 d, a, b, c; .dir = l, r; .mode = clamp, wrap",
    cite="PTX ISA, Logic and Shift Instructions: shf",
)
def funnel(s: Statement) -> Emit:
    """The upper (l) or lower (r) word of b:a shifted by c, clamped to 32 or wrapped at it."""
    left, mode = s.choice("l r") == "l", s.choice("clamp wrap")
    s.type("b32")
    d, x, y, amount = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("u32")

    def emit(b: Builder) -> None:
        by = b.alu.zext(_bounded(b, amount.read(b), mode), "i64")
        both = b.alu.join(x.read(b), y.read(b))
        if left:
            d.write(b, b.alu.split(b.alu.shl(both, by))[1])
        else:
            d.write(b, b.alu.split(b.alu.lshr(both, by))[0])

    return emit


_MODES = {
    "f4e": lambda i, n: (i + n) % 8,
    "b4e": lambda i, n: (n - i) % 8,
    "rc8": lambda i, n: n,
    "ecl": lambda i, n: max(i, n),
    "ecr": lambda i, n: min(i, n),
    "rc16": lambda i, n: (i & 1) + 2 * (n & 1),
}


@instruction(
    "prmt",
    "prmt.b32{.mode} d, a, b, c; .mode = f4e, b4e, rc8, ecl, ecr, rc16",
    cite="PTX ISA, Data Movement and Conversion Instructions: prmt",
)
def prmt(s: Statement) -> Emit:
    """Four bytes of b:a, each chosen by three bits of c; a fourth bit spreads the byte's sign."""
    mode = s.choice(" ".join(_MODES), "")
    s.type("b32")
    d, x, y, c = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("b32")

    def emit(b: Builder) -> None:
        selector = c.read(b)
        b.checks.require_defined(selector, "operand")
        d.write(
            b,
            b.alu.permuted(
                lambda low, high: _permute(b, mode, low, high, selector), x.read(b), y.read(b)
            ),
        )

    return emit


def _permute(b: Builder, mode: str, low: Value, high: Value, selector: Value) -> Value:
    if selector.constant is not None:
        return _fixed(b, mode, (low, high), selector.constant)
    both, result = b.alu.join(low, high), b.ir.constant("i32", 0)
    for i in range(4):
        byte = _general(b, both, selector, i) if not mode else _by_mode(b, mode, both, selector, i)
        result = b.alu.disjoint(result, b.alu.shl(byte, b.ir.constant("i32", 8 * i)))
    return result


def _fixed(b: Builder, mode: str, sources: tuple[Value, Value], selector: int) -> Value:
    """The same where c is known: bytes that move equally far from one source move at once."""
    masks: dict[tuple[int, int, bool], int] = {}
    for i in range(4):
        nibble = selector >> 4 * i & 15
        number = _MODES[mode](i, selector & 3) if mode else nibble & 7
        spreads = not mode and nibble > 7
        # A sign is shifted down from the top of its byte to fill every place of the word.
        key = (number >> 2, number & 3 if spreads else i - (number & 3), spreads)
        masks[key] = masks.get(key, 0) | 0xFF << 8 * i
    result = b.ir.constant("i32", 0)
    for (source, by, spreads), mask in masks.items():
        moved = sources[source]
        if spreads:
            moved = b.alu.ashr(
                b.alu.shl(moved, b.ir.constant("i32", 24 - 8 * by)), b.ir.constant("i32", 31)
            )
        elif by:
            move = b.alu.shl if by > 0 else b.alu.lshr
            moved = move(moved, b.ir.constant("i32", 8 * abs(by)))
        result = b.alu.disjoint(result, b.alu.and_(moved, b.ir.constant("i32", mask)))
    return result


def _byte(b: Builder, both: Value, number: Value) -> Value:
    """Byte `number` (an i32 below 8) of a 64-bit value, as an i32."""
    moved = b.alu.lshr(both, b.alu.zext(b.alu.shl(number, b.ir.constant("i32", 3)), "i64"))
    return b.alu.and_(b.alu.trunc(moved, "i32"), b.ir.constant("i32", 0xFF))


def _general(b: Builder, both: Value, selector: Value, i: int) -> Value:
    nibble = b.alu.lshr(selector, b.ir.constant("i32", 4 * i))
    byte = _byte(b, both, b.alu.and_(nibble, b.ir.constant("i32", 7)))
    sign = b.alu.ashr(b.alu.shl(byte, b.ir.constant("i32", 24)), b.ir.constant("i32", 31))
    spread = b.alu.and_(sign, b.ir.constant("i32", 0xFF))
    wanted = b.alu.trunc(b.alu.lshr(nibble, b.ir.constant("i32", 3)), "i1")
    return b.alu.select(wanted, spread, byte)


def _by_mode(b: Builder, mode: str, both: Value, selector: Value, i: int) -> Value:
    number = b.ir.constant("i32", 0)
    for n in range(4):
        here = b.alu.compare(
            "eq", b.alu.and_(selector, b.ir.constant("i32", 3)), b.ir.constant("i32", n)
        )
        number = b.alu.select(here, b.ir.constant("i32", _MODES[mode](i, n)), number)
    return _byte(b, both, number)


@instruction(
    "fns", "fns.b32 d, mask, base, offset", cite="PTX ISA, Integer Arithmetic Instructions: fns"
)
def fns(s: Statement) -> Emit:
    """The offset-th set bit of a mask from bit base, upwards or downwards; -1 if there is none."""
    s.type("b32")
    d, mask, base, offset = s.destination("b32"), s.source("b32"), s.source("b32"), s.source("s32")
    return lambda b: d.write(
        b, b.rows.call("lm_ptx_nth_set", [mask.read(b), base.read(b), offset.read(b)], ["i32"])[0]
    )
