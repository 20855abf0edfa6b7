"""f32, f64 and f32x2 arithmetic (NVIDIA PTX ISA, Floating-Point Instructions).

Rounding to nearest even uses LLVM's arithmetic. For another direction f32 is computed in f64, exact
or rounded to odd, and f64 by ptx/c/numeric_ptx.c. Nothing is contracted. A NaN result of f32 is
0x7fffffff.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.floats import FloatArithmetic
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.common import canonical, on_words, saturated
from lanemap.emulator.ptx.lower.abi import Operation, Round
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction

ROUNDINGS = "rn rz rm rp"
MODES = {
    "rn": Round.NEAREST, "rz": Round.ZERO, "rm": Round.DOWN, "rp": Round.UP,
}  # fmt: skip
#: What codegen calls the directions.
TOWARD = {"rz": "zero", "rm": "down", "rp": "up"}


def _double(b: Builder, operation: str, mode: str, operands: Sequence[Value]) -> Value:
    """Compute with doubles in the runtime, in a direction."""
    numbers = (Operation[operation.upper()], MODES[mode])
    return b.rows.call("lm_ptx_double", operands, ["double"], 0, *numbers, whole=True)[0]


def _float(b: Builder, operation: str, mode: str, ftz: bool, operands: Sequence[Value]) -> Value:
    """Compute with floats in a direction.

    In f64 the product of two is exact, and a sum is rounded to odd. A quotient or root that is no
    float lies further from every float than f64's rounding.
    """
    x, *more = [b.alu.convert("fpext", value, "double") for value in operands]
    if operation == "sqrt":
        wide = b.alu.intrinsic("sqrt", x)
    elif operation in ("mul", "div"):
        wide = b.alu.float_op(f"f{operation}", x, more[0])
    else:
        if operation == "fma":
            x, more = b.alu.float_op("fmul", x, more[0]), more[1:]
        y = b.alu.fneg(more[0]) if operation == "sub" else more[0]
        if mode == "rm":  # x - x is then -0
            wide = b.alu.fneg(b.alu.odd_sum(b.alu.fneg(x), b.alu.fneg(y)))
        else:
            wide = b.alu.odd_sum(x, y)
    result = b.alu.narrowed(wide, "float", TOWARD[mode])
    return _without_tiny_directed(b, mode, wide, result) if ftz else result


def _without_tiny_directed(b: Builder, mode: str, wide: Value, result: Value) -> Value:
    """Return the result, or zero where without bounds it would be subnormal; see _without_tiny."""
    sign = b.alu.and_(b.alu.bitcast(result, "i32"), b.ir.constant("i32", 0x80000000))
    size = b.alu.fabs(wide)
    smallest = b.ir.constant("double", 0x3810000000000000)
    below = b.ir.constant("double", 0x380FFFFFE0000000)  # by a place of f32
    inward, outward = b.alu.compare("olt", size, smallest), b.alu.compare("ole", size, below)
    if mode == "rz":
        tiny = inward
    else:
        negative = b.alu.compare("ne", sign, b.ir.constant("i32", 0))
        down, up = (outward, inward) if mode == "rm" else (inward, outward)
        tiny = b.alu.select(negative, down, up)
    return b.alu.select(tiny, b.alu.bitcast(sign, "float"), result)


def _nearest(b: Builder, operation: str, operands: Sequence[Value]) -> Value:
    if operation == "fma":
        return b.alu.fma(*operands)
    if operation == "sqrt":
        return b.alu.intrinsic("sqrt", *operands)
    return b.alu.float_op(f"f{operation}", *operands)


def compute(
    b: Builder, operation: str, mode: str, ftz: bool, sat: bool, operands: Sequence[Value]
) -> Value:
    """Return a rounded result of add, sub, mul, fma, div or sqrt of float or double."""
    kind = operands[0].type
    if mode != "rn" and kind == "double":
        return propagated(b, operation, _double(b, operation, mode, operands), operands)
    if mode != "rn":
        operands = [b.alu.flushed(b.alu.any_nan(v)) if ftz else v for v in operands]
        value = b.alu.mixed(lambda *v: _float(b, operation, mode, ftz, v), *operands)
        return saturated(b, value) if sat else canonical(b, value)
    if kind == "float":  # sums, products and roots of any NaN are NaN, and then the canonical one
        operands = [b.alu.any_nan(value) for value in operands]
    if ftz:
        operands = [b.alu.flushed(value) for value in operands]
    value = _nearest(b, operation, operands)
    if ftz:
        value = b.alu.flushed(_without_tiny(b, operation, value, operands))
    if kind == "double":
        return propagated(b, operation, value, operands)
    return saturated(b, value) if sat else canonical(b, value)


def _without_tiny(b: Builder, operation: str, value: Value, operands: Sequence[Value]) -> Value:
    """Return a product or quotient, or zero where without bounds it would be subnormal.

    So does an H200 with .ftz: a result that only the coarser places of subnormals round up to the
    smallest normal number is zero. The border is that number less half a place below it. Products
    of doubles are exact here, and so is a sum that is near it; no quotient is too near to tell.
    """
    if operation not in ("mul", "div", "fma"):
        return value
    wide = [b.alu.convert("fpext", operand, "double") for operand in operands]
    border, zero = b.ir.constant("double", 0x380FFFFFF0000000), b.ir.constant("double", 0)
    sign = b.alu.and_(b.alu.bitcast(value, "i32"), b.ir.constant("i32", 0x80000000))
    if operation != "fma":
        tiny = b.alu.compare("olt", b.alu.fabs(b.alu.float_op(f"f{operation}", *wide)), border)
    else:
        below = b.alu.compare("ne", sign, b.ir.constant("i32", 0))
        border = b.alu.select(below, b.alu.fneg(border), border)
        beyond = b.alu.fma(wide[0], wide[1], b.alu.float_op("fsub", wide[2], border))
        inward = b.alu.select(
            below, b.alu.compare("ogt", beyond, zero), b.alu.compare("olt", beyond, zero)
        )
        edge = b.alu.compare("oeq", b.alu.fabs(value), b.ir.constant("float", 0x00800000))
        tiny = b.alu.and_(edge, inward)
    return b.alu.select(tiny, b.alu.bitcast(sign, "float"), value)


def quieted(b: Builder, value: Value) -> Value:
    """Return a NaN of f64 with its quiet bit set."""
    bits = b.alu.or_(b.alu.bitcast(value, "i64"), b.ir.constant("i64", 1 << 51))
    return b.alu.bitcast(bits, "double")


def propagated(b: Builder, operation: str, value: Value, operands: Sequence[Value]) -> Value:
    """Return an f64 result with the NaN that an operand brings.

    Among several NaN the second operand's wins, then the third's; a quotient takes the first's. The
    ISA leaves it open; an H200 does so unless ptxas exchanges operands.
    """
    rising = list(reversed(operands)) if operation == "div" else [operands[0], *operands[:0:-1]]
    for operand in rising:
        nan = b.alu.compare("uno", operand, operand)
        value = b.alu.select(nan, quieted(b, operand), value)
    return value


def pairs(b: Builder, operation: Callable[..., Value], operands: Sequence[Value]) -> Value:
    """Apply an operation on floats to both words of f32x2 values."""

    def one(*words: Value) -> Value:
        return b.alu.bitcast(operation([b.alu.bitcast(word, "float") for word in words]), "i32")

    return on_words(b, one, *operands)


def arithmetic(s: Statement) -> Emit:
    """add, sub and mul of f32, f64 and f32x2."""
    operation = s.instruction.opcode
    mode, ftz, sat = s.choice(ROUNDINGS, "rn"), s.flag("ftz"), s.flag("sat")
    kind = s.type("f32 f64 f32x2")
    if sat and kind != "f32":
        s.refuse("sat")
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)
    return _emit(d.write, kind, operation, mode, ftz, sat, [x.read, y.read])


def _emit(
    write: Callable[[Builder, Value], None],
    kind: str,
    operation: str,
    mode: str,
    ftz: bool,
    sat: bool,
    reads: Sequence[Callable[[Builder], Value]],
) -> Emit:
    def emit(b: Builder) -> None:
        operands = [read(b) for read in reads]
        if kind == "f32x2":
            write(b, pairs(b, lambda w: compute(b, operation, mode, ftz, sat, w), operands))
        else:
            write(b, compute(b, operation, mode, ftz, sat, operands))

    return emit


def fma(s: Statement) -> Emit:
    """Fma of f32, f64 and f32x2."""
    mode, ftz, sat = s.choice(ROUNDINGS, "rn"), s.flag("ftz"), s.flag("sat")
    kind = s.type("f32 f64 f32x2")
    d = s.destination(kind)
    reads = [s.source(kind).read for _ in range(3)]
    return _emit(d.write, kind, "fma", mode, ftz, sat, reads)


def divide(s: Statement) -> Emit:
    """div: rounded, or approximated (`.approx`, `.full`: within 2 ulp).

    Both approximations are computed as the quotient rounded to nearest, which their bounds allow.
    """
    mode = s.choice(f"{ROUNDINGS} approx full")
    ftz, kind = s.flag("ftz"), s.type("f32 f64")
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)
    rounding = mode if mode in MODES else "rn"
    return _emit(d.write, kind, "div", rounding, ftz, False, [x.read, y.read])


def sign(s: Statement) -> Emit:
    """Abs and neg of f32 and f64: the sign bit alone, also of a NaN."""
    ftz, kind = s.flag("ftz"), s.type("f32 f64")
    d, x = s.destination(kind), s.source(kind)
    operation = FloatArithmetic.fabs if s.instruction.opcode == "abs" else FloatArithmetic.fneg

    def emit(b: Builder) -> None:
        value = x.read(b)
        nan = b.alu.compare("uno", value, value)
        kept = quieted(b, value) if kind == "f64" else b.ir.constant("float", 0x7FFFFFFF)
        result = operation(b.alu, value)
        d.write(b, b.alu.select(nan, kept, b.alu.flushed(result) if ftz else result))

    return emit


def extreme(b: Builder, name: str, nan: bool, x: Value, y: Value) -> Value:
    """Min or max: -0 is less than +0; a NaN gives way to a number unless `nan`."""
    kind = integer_of(x.type)
    less = b.alu.compare("olt", x, y)
    equal = b.alu.compare("oeq", x, y)
    negative = b.alu.compare("slt", b.alu.bitcast(x, kind), b.ir.constant(kind, 0))
    first = b.alu.or_(less, b.alu.and_(equal, negative))
    chosen = b.alu.select(first, x, y) if name == "min" else b.alu.select(first, y, x)
    nan_x, nan_y = b.alu.compare("uno", x, x), b.alu.compare("uno", y, y)
    if nan:
        chosen = b.alu.select(nan_x, x, b.alu.select(nan_y, y, chosen))
    else:
        chosen = b.alu.select(nan_x, y, b.alu.select(nan_y, x, chosen))
    if x.type == "double":
        return b.alu.select(b.alu.compare("uno", chosen, chosen), quieted(b, y), chosen)
    return canonical(b, chosen)


def with_common_sign(b: Builder, name: str, nan: bool, x: Value, y: Value) -> Value:
    """Min or max of magnitudes with the product's sign (.xorsign.abs)."""
    kind = integer_of(x.type)
    flip = b.alu.xor(b.alu.bitcast(x, kind), b.alu.bitcast(y, kind))
    both = b.alu.and_(flip, b.ir.constant(kind, 1 << (x.bits - 1)))
    value = extreme(b, name, nan, b.alu.fabs(x), b.alu.fabs(y))
    signed = b.alu.bitcast(b.alu.xor(b.alu.bitcast(value, kind), both), x.type)
    return b.alu.select(b.alu.compare("uno", value, value), value, signed)


def minimum(s: Statement) -> Emit:
    """Min and max of two f32 or f64, or of three f32."""
    name = s.instruction.opcode
    ftz, nan = s.flag("ftz"), s.flag("NaN")
    common, magnitude = s.flag("xorsign"), s.flag("abs")
    kind = s.type("f32 f64")
    d = s.destination(kind)
    sources = [s.source(kind) for _ in range(s.left)]
    if len(sources) not in (2, 3):
        s.refuse(kind)

    def emit(b: Builder) -> None:
        values = [source.read(b) for source in sources]
        if ftz:
            values = [b.alu.flushed(value) for value in values]
        if common:
            d.write(b, with_common_sign(b, name, nan, values[0], values[1]))
            return
        if magnitude:
            values = [b.alu.fabs(value) for value in values]
        result = values[0]
        for value in values[1:]:
            result = extreme(b, name, nan, result, value)
        d.write(b, result)

    return emit


@instruction(
    "copysign",
    "copysign.type d, a, b; .type = f32, f64",
    cite="PTX ISA, Floating-Point Instructions: copysign",
)
def copysign(s: Statement) -> Emit:
    """B with the sign of a."""
    kind = s.type("f32 f64")
    d, x, y = s.destination(kind), s.source(kind), s.source(kind)

    def emit(b: Builder) -> None:
        bits = integer_of(x.read(b).type)
        top = b.ir.constant(bits, 1 << (x.read(b).bits - 1))
        taken = b.alu.and_(b.alu.bitcast(x.read(b), bits), top)
        rest = b.alu.and_(b.alu.bitcast(y.read(b), bits), b.alu.not_(top))
        d.write(b, b.alu.bitcast(b.alu.or_(taken, rest), y.read(b).type))

    return emit


#: Smallest normal number and infinity, as bits.
_SMALLEST = {"f32": (0x00800000, 0x7F800000), "f64": (0x0010000000000000, 0x7FF0000000000000)}


@instruction(
    "testp",
    "testp.op.type p, a; .op = finite, infinite, number, notanumber, normal, subnormal",
    cite="PTX ISA, Floating-Point Instructions: testp",
)
def testp(s: Statement) -> Emit:
    """A property of a float; zeros count as normal, as on an H200."""
    what = s.choice("finite infinite number notanumber normal subnormal")
    kind = s.type("f32 f64")
    p, x = s.destination("pred"), s.source(kind)
    smallest, infinity = _SMALLEST[kind]

    def emit(b: Builder) -> None:
        magnitude = b.alu.fabs(x.read(b))
        bits = b.alu.bitcast(magnitude, integer_of(magnitude.type))
        tiny, top = b.ir.constant(bits.type, smallest), b.ir.constant(bits.type, infinity)
        if what == "normal":
            result = b.alu.and_(b.alu.compare("uge", bits, tiny), b.alu.compare("ult", bits, top))
            result = b.alu.or_(result, b.alu.compare("eq", bits, b.ir.constant(bits.type, 0)))
        else:
            predicate, bound = {
                "finite": ("ult", top),
                "infinite": ("eq", top),
                "number": ("ule", top),
                "notanumber": ("ugt", top),
                "subnormal": ("ult", tiny),
            }[what]
            result = b.alu.compare(predicate, bits, bound)
        if what == "subnormal":
            result = b.alu.and_(result, b.alu.compare("ne", bits, b.ir.constant(bits.type, 0)))
        p.write(b, result)

    return emit
