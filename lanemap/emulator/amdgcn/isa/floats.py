"""Vector float arithmetic: sums, products, fused products, extremes, rounding to integers."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.lanes import float_constant
from lanemap.emulator.amdgcn.lower.table import (
    VOP1,
    VOP2,
    VOP2_DPP,
    VOP2_LITERAL,
    VOP3,
    instruction,
)
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions"
_VOP2_CDNA2 = "AMD MI200 ISA, chapter 12, VOP2 instructions"
_VOP3_CDNA2 = "AMD MI200 ISA, chapter 12, VOP3A instructions"
_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"
_SUFFIX = {"f16": "half", "f32": "float", "f64": "double"}


def one(kind: str) -> str:
    """Operands of an instruction with one source."""
    return f"=v:{kind} x:{kind}"


def two(kind: str) -> str:
    """Operands of an instruction with two sources."""
    return f"=v:{kind} x:{kind} x:{kind}"


def three(kind: str) -> str:
    """Operands of an instruction with three sources."""
    return f"=v:{kind} x:{kind} x:{kind} x:{kind}"


# -- sums and products ----------------------------------------------------------------------------


@instruction("v_add_f32", two("f32"), VOP2, cite=_VOP2)
@instruction("v_add_f16", two("f16"), VOP2, cite=_VOP2)
@instruction("v_add_f64", two("f64"), VOP3, cite=_VOP3)
def v_add(c: Context, a: Value, b: Value) -> Value:
    return c.alu.float_op("fadd", a, b)


@instruction("v_sub_f32", two("f32"), VOP2, cite=_VOP2)
@instruction("v_sub_f16", two("f16"), VOP2, cite=_VOP2)
def v_sub(c: Context, a: Value, b: Value) -> Value:
    return c.alu.float_op("fsub", a, b)


@instruction("v_subrev_f32", two("f32"), VOP2, cite=_VOP2)
@instruction("v_subrev_f16", two("f16"), VOP2, cite=_VOP2)
def v_subrev(c: Context, a: Value, b: Value) -> Value:
    return c.alu.float_op("fsub", b, a)


@instruction("v_mul_f32", two("f32"), VOP2, cite=_VOP2)
@instruction("v_mul_f16", two("f16"), VOP2, cite=_VOP2)
@instruction("v_mul_f64", two("f64"), VOP3, cite=_VOP3)
def v_mul(c: Context, a: Value, b: Value) -> Value:
    return c.alu.float_op("fmul", a, b)


@instruction("v_mul_legacy_f32", two("f32"), VOP3, cite=_VOP3)
def v_mul_legacy(c: Context, a: Value, b: Value) -> Value:
    """0 times anything is 0."""
    zero = float_constant(c, "f32", 0.0)
    none = c.alu.or_(c.alu.compare("oeq", a, zero), c.alu.compare("oeq", b, zero))
    return c.alu.select(none, zero, c.alu.float_op("fmul", a, b))


def fused(c: Context, a: Value, b: Value, d: Value) -> Value:
    """A * b + d with one rounding."""
    if a.type == "half":
        return c.alu.mixed(lambda *halves: _fused_halves(c, *halves), a, b, d)
    return c.alu.fma(a, b, d)


def _fused_halves(c: Context, a: Value, b: Value, d: Value) -> Value:
    """A product of 22 bits is exact in f32.

    A NaN has the sign of b, else of a, else of d, where that is a NaN; 0 times infinity, and a
    difference of infinities, give a negative one.
    """
    p, q, r = (c.alu.convert("fpext", value, "float") for value in (a, b, d))
    product = c.alu.float_op("fmul", p, q)
    exact = c.alu.odd_sum(product, r)
    invalid = nan = c.constant("float", 0xFFC00000)
    for value, named in ((r, r), (product, invalid), (p, p), (q, q)):
        nan = c.alu.select(c.alu.compare("uno", value, value), named, nan)
    sign = c.alu.and_(c.alu.bitcast(nan, "i32"), c.constant("i32", 1 << 31))
    nan = c.alu.bitcast(c.alu.or_(sign, c.constant("i32", 0x7FC00000)), "float")
    return c.alu.convert("fptrunc", c.alu.with_one_nan(exact, nan), "half")


@instruction("v_fma_f32", three("f32"), VOP3, cite=_VOP3)
@instruction("v_fma_f64", three("f64"), VOP3, cite=_VOP3)
@instruction("v_fma_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep")
@instruction("v_fma_legacy_f16", three("f16"), VOP3, cite=_VOP3)
@instruction("v_mad_f32 v_mad_legacy_f32", three("f32"), VOP3, cite=_VOP3_CDNA2)
@instruction("v_mad_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep")
@instruction("v_mad_legacy_f16", three("f16"), VOP3, cite=_VOP3)
@instruction("v_fmaak_f32", "=v:f32 x:f32 v:f32 k:f32", VOP2_LITERAL, cite=_VOP2)
@instruction("v_madak_f32", "=v:f32 x:f32 v:f32 k:f32", VOP2_LITERAL, cite=_VOP2_CDNA2)
@instruction("v_madak_f16", "=v:f16 x:f16 v:f16 k:f16", VOP2_LITERAL, cite=_VOP2)
@instruction("v_fmamk_f32", "=v:f32 x:f32 k:f32 v:f32", VOP2_LITERAL, cite=_VOP2)
@instruction("v_madmk_f32", "=v:f32 x:f32 k:f32 v:f32", VOP2_LITERAL, cite=_VOP2_CDNA2)
@instruction("v_madmk_f16", "=v:f16 x:f16 k:f16 v:f16", VOP2_LITERAL, cite=_VOP2)
def multiply_add(c: Context, a: Value, b: Value, d: Value) -> Value:
    """v_fma rounds once, v_mad and v_mac the product and the sum.

    Of f32 v_mad knows no subnormals, whatever the mode (LLVM, FeatureMadMacF32Insts).
    """
    if c.name.startswith("v_fma"):
        return fused(c, a, b, d)
    kept = c.alu.flushed if c.name.endswith("f32") else lambda value: value
    a, b, d = kept(a), kept(b), kept(d)
    product = v_mul_legacy(c, a, b) if "legacy_f32" in c.name else c.alu.float_op("fmul", a, b)
    return kept(c.alu.float_op("fadd", kept(product), d))


@instruction("v_fmac_f32", "+v:f32 x:f32 x:f32", VOP2_DPP, cite=_VOP2)
@instruction("v_fmac_f64", "+v:f64 x:f64 x:f64", VOP2, cite=_VOP2)
@instruction("v_mac_f32", "+v:f32 x:f32 x:f32", VOP2, cite=_VOP2_CDNA2)
@instruction("v_mac_f16", "+v:f16 x:f16 x:f16", VOP2_DPP, cite=_VOP2)
def multiply_accumulate(c: Context, d: Value, a: Value, b: Value) -> Value:
    return multiply_add(c, a, b, d)


# -- extremes -------------------------------------------------------------------------------------

#: The bit of a NaN that tells quiet ones.
_QUIET = {"half": 0x0200, "float": 0x00400000, "double": 1 << 51}


def extremum(c: Context, largest: bool, a: Value, b: Value) -> Value:
    """v_min or v_max: a NaN gives way to a number, -0 is below +0.

    With MODE.ieee a signalling NaN wins and is made quiet.
    """
    loud = [c.mode.ieee and not c.alu.is_quiet(value) for value in (a, b)]
    result = c.alu.mixed(lambda x, y: _extremum(c, largest, x, y, loud), a, b)
    quiet = c.mode.ieee or (c.alu.is_quiet(a) and c.alu.is_quiet(b))
    return c.alu.one_of(c.alu.quiet(result) if quiet else result, a, b)


def _extremum(c: Context, largest: bool, a: Value, b: Value, loud: list[bool]) -> Value:
    """`loud`: a, b may be signalling NaNs that have to win."""
    alu, integer = c.alu, integer_of(a.type)
    x, y = alu.bitcast(a, integer), alu.bitcast(b, integer)
    result = _number(c, largest, a, b)
    result = alu.select(alu.compare("uno", b, b), a, result)
    for value, bits, signals in ((b, y, loud[1]), (a, x, loud[0])):
        if signals:
            signalling = _signalling(c, value, bits)
            result = alu.select(signalling, _quiet(c, value, bits), result)
    return result


def _ordered(c: Context, bits: Value) -> Value:
    """The bits of numbers as integers in the order of the numbers, -0 below +0; and back."""
    negative = c.alu.ashr(bits, c.constant(bits.type, bits.bits - 1))
    return c.alu.xor(bits, c.alu.and_(negative, c.constant(bits.type, (1 << bits.bits - 1) - 1)))


def _number(c: Context, largest: bool, a: Value, b: Value) -> Value:
    """The extremum of two numbers; b if one is a NaN."""
    alu, integer = c.alu, integer_of(a.type)
    x, y = alu.bitcast(a, integer), alu.bitcast(b, integer)
    # Equal numbers have equal bits, but for zeros: there the sign decides.
    equal = alu.bitcast(alu.and_(x, y) if largest else alu.or_(x, y), a.type)
    # One instruction of a processor, in this order of operands.
    result = alu.select(alu.compare("ogt" if largest else "olt", a, b), a, b)
    return alu.select(alu.compare("oeq", a, b), equal, result)


def _signalling(c: Context, value: Value, bits: Value) -> Value:
    quiet = c.b.alu.and_(bits, c.b.ir.constant(bits.type, _QUIET[value.type]))
    loud = c.b.alu.compare("eq", quiet, c.b.ir.constant(bits.type, 0))
    return c.b.alu.and_(c.b.alu.compare("uno", value, value), loud)


def _quiet(c: Context, value: Value, bits: Value) -> Value:
    quiet = _QUIET[value.type]
    return c.alu.bitcast(c.alu.or_(bits, c.b.ir.constant(bits.type, quiet)), value.type)


@instruction("v_min_f32 v_max_f32", two("f32"), VOP2, cite=_VOP2)
@instruction("v_min_f16 v_max_f16", two("f16"), VOP2, cite=_VOP2)
@instruction("v_min_f64 v_max_f64", two("f64"), VOP3, cite=_VOP3)
def v_extremum(c: Context, a: Value, b: Value) -> Value:
    return extremum(c, c.name[2:5] == "max", a, b)


@instruction("v_min3_f32 v_max3_f32", three("f32"), VOP3, cite=_VOP3)
@instruction(
    "v_min3_f16 v_max3_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep"
)
def v_extremum3(c: Context, a: Value, b: Value, d: Value) -> Value:
    largest = c.name[2:5] == "max"
    return extremum(c, largest, extremum(c, largest, a, b), d)


@instruction("v_med3_f32", three("f32"), VOP3, cite=_VOP3)
@instruction("v_med3_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep")
def v_median(c: Context, a: Value, b: Value, d: Value) -> Value:
    """With a NaN among the sources, the least number."""
    alu = c.alu

    def middle(*values: Value) -> Value:
        x, y, z = (_ordered(c, alu.bitcast(v, integer_of(v.type))) for v in values)
        low, high = alu.extremum("smin", x, y), alu.extremum("smax", x, y)
        found = alu.extremum("smax", low, alu.extremum("smin", high, z))
        return alu.bitcast(_ordered(c, found), a.type)

    least = extremum(c, False, extremum(c, False, a, b), d)
    nan = alu.or_(alu.compare("uno", a, b), alu.compare("uno", d, d))
    return alu.select(nan, least, alu.mixed(middle, a, b, d))


@instruction("v_minimum3_f32 v_maximum3_f32", three("f32"), VOP3, cite=_VOP3)
def v_minimum3(c: Context, a: Value, b: Value, d: Value) -> Value:
    """IEEE 754-2019 minimum and maximum: a NaN among the sources is the result."""
    operation = c.name[2:9]
    return c.alu.intrinsic(operation, c.alu.intrinsic(operation, a, b), d)


# -- to integers, still as floats -----------------------------------------------------------------

_ROUNDINGS = {"trunc": "trunc", "ceil": "ceil", "floor": "floor", "rndne": "roundeven"}
_KINDS = ("f16", "f32", "f64")

for _kind in _KINDS:

    @instruction([f"v_{n}_{_kind}" for n in _ROUNDINGS], one(_kind), VOP1, cite=_VOP1)
    def v_round(c: Context, a: Value) -> Value:
        return c.alu.intrinsic(_ROUNDINGS[c.name.split("_")[1]], a)

    @instruction(
        f"v_fract_{_kind}",
        one(_kind),
        VOP1,
        cite=_VOP1 + "; LLVM, AMDGPUCodeGenPrepare.cpp, matchFractPat",
    )
    def v_fract(c: Context, a: Value, kind: str = _kind) -> Value:
        """A - floor(a), held below 1."""
        below_one = {"f16": 0x3BFF, "f32": 0x3F7FFFFF, "f64": 0x3FEFFFFFFFFFFFFF}[kind]
        least = c.constant(_SUFFIX[kind], below_one)
        rest = c.alu.float_op("fsub", a, c.alu.intrinsic("floor", a))
        return c.alu.select(c.alu.compare("ogt", rest, least), least, rest)
