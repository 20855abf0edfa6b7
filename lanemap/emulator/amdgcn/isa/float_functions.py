"""Reciprocals, roots, exponentials, sines, powers of two, and the parts of a division."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.floats import one, three
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.lanes import float_constant
from lanemap.emulator.amdgcn.lower.table import VOP1, VOP2, VOP3, instruction
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime.abi import Function

_VOP1 = "AMD CDNA4 ISA, chapter 12, VOP1 instructions"
_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOP3 = "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions"

# -- approximations -------------------------------------------------------------------------------

#: Sine and cosine take turns.
_FUNCTIONS = {
    "exp": Function.EXP2, "log": Function.LOG2, "rcp": Function.RCP, "rcp_iflag": Function.RCP,
    "rsq": Function.RSQ, "sqrt": Function.SQRT, "sin": Function.SIN_TURNS,
    "cos": Function.COS_TURNS,
}  # fmt: skip
_ALL = ("exp", "log", "rcp", "rsq", "sqrt", "sin", "cos")
_SUBNORMALS = "; LLVM, SIISelLowering.cpp and AMDGPUISelLowering.cpp, which scale subnormals away"


@instruction(
    [f"v_{n}_f32" for n in (*_ALL, "rcp_iflag")], one("f32"), VOP1, cite=_VOP1 + _SUBNORMALS
)
def v_function_f32(c: Context, a: Value) -> Value:
    """Within 1 ulp by the ISA; correctly rounded here. Flushes subnormals in and out."""
    which = _FUNCTIONS[c.name[2:-4]]
    if which != Function.EXP2:  # which gives 1 for every subnormal
        a = c.alu.flushed(a)
    (result,) = c.b.rows.call("lm_function_f32", [a], ["float"], 0, which)
    if which in (Function.EXP2, Function.RCP):
        return c.alu.flushed(result)
    return c.alu.one_of(result, a)  # only a subnormal's result is subnormal


@instruction([f"v_{n}_f16" for n in _ALL], one("f16"), VOP1, cite=_VOP1)
def v_function_f16(c: Context, a: Value) -> Value:
    wide = c.alu.convert("fpext", a, "float")
    which = _FUNCTIONS[c.name[2:-4]]
    (result,) = c.b.rows.call("lm_function_f32", [wide], ["float"], 0, which)
    return c.alu.convert("fptrunc", result, "half")


@instruction("v_rcp_f64 v_rsq_f64 v_sqrt_f64", one("f64"), VOP1, cite=_VOP1)
def v_function_f64(c: Context, a: Value) -> Value:
    if c.name == "v_sqrt_f64":
        return c.alu.intrinsic("sqrt", a)
    return c.alu.reciprocal(a) if c.name == "v_rcp_f64" else c.alu.reciprocal_root(a)


# -- powers of two --------------------------------------------------------------------------------


def power_of_two(c: Context, exponent: Value) -> Value:
    """2 to an i32 between -1022 and 1023, as f64."""
    biased = c.alu.sext(c.alu.add(exponent, c.constant("i32", 1023)), "i64")
    return c.alu.bitcast(c.alu.shl(biased, c.constant("i64", 52)), "double")


def _held(c: Context, value: Value, low: int, high: int) -> Value:
    value = c.alu.extremum("smax", value, c.constant("i32", low))
    return c.alu.extremum("smin", value, c.constant("i32", high))


@instruction("v_ldexp_f32", "=v:f32 x:f32 x:i32", VOP3, cite=_VOP3)
def v_ldexp_f32(c: Context, a: Value, exponent: Value) -> Value:
    """Exact in f64, where every result of this range has a place; then one rounding."""
    scale = power_of_two(c, _held(c, exponent, -400, 400))
    wide = c.alu.float_op("fmul", c.alu.convert("fpext", a, "double"), scale)
    return c.alu.convert("fptrunc", wide, "float")


@instruction("v_ldexp_f16", "=v:f16 x:f16 x:i16", VOP2, cite=_VOP2)
def v_ldexp_f16(c: Context, a: Value, exponent: Value) -> Value:
    """Exact in f32; then one rounding."""
    b = c.b
    power = b.alu.add(_held(c, b.alu.sext(exponent, "i32"), -90, 90), c.constant("i32", 127))
    scale = b.alu.bitcast(b.alu.shl(power, c.constant("i32", 23)), "float")
    wide = b.alu.float_op("fmul", b.alu.convert("fpext", a, "float"), scale)
    return b.alu.convert("fptrunc", wide, "half")


@instruction("v_ldexp_f64", "=v:f64 x:f64 x:i32", VOP3, cite=_VOP3)
def v_ldexp_f64(c: Context, a: Value, exponent: Value) -> Value:
    """In three factors, the first two exact unless the result is 0 or infinite anyway.

    Going down, a step stays 53 bits above the smallest exponent, so that only the last rounds.
    """
    b = c.b
    left = _held(c, exponent, -2200, 2200)
    for _ in range(2):
        up = b.alu.compare("sgt", left, c.constant("i32", 1023))
        down = b.alu.compare("slt", left, c.constant("i32", -1022))
        step = b.alu.select(up, c.constant("i32", 1023), c.constant("i32", 0))
        step = b.alu.select(down, c.constant("i32", -969), step)
        a = b.alu.float_op("fmul", a, power_of_two(c, step))
        left = b.alu.sub(left, step)
    return b.alu.float_op("fmul", a, power_of_two(c, _held(c, left, -1022, 1023)))


_LAYOUT = {"f16": (10, 15), "f32": (23, 127), "f64": (52, 1023)}


def _parts(c: Context, kind: str, a: Value) -> tuple[Value, Value, Value]:
    """Bits with a normal exponent, the exponent to subtract for that, and whether |a| is special.

    Special are 0, infinities and NaN.
    """
    b = c.b
    mantissa, _ = _LAYOUT[kind]
    lift = mantissa + 2
    raised = b.alu.float_op("fmul", a, float_constant(c, kind, float(1 << lift)))
    bits = b.alu.bitcast(a, integer_of(a.type))
    size = b.alu.and_(bits, b.ir.constant(bits.type, (1 << (a.bits - 1)) - 1))
    smallest = b.ir.constant(bits.type, 1 << mantissa)
    infinity = b.ir.constant(bits.type, ((1 << (a.bits - 1 - mantissa)) - 1) << mantissa)
    subnormal = b.alu.compare("ult", size, smallest)
    special = b.alu.or_(
        b.alu.compare("uge", size, infinity), b.alu.compare("eq", size, b.ir.constant(bits.type, 0))
    )
    normal = b.alu.select(subnormal, b.alu.bitcast(raised, bits.type), bits)
    less = b.alu.select(subnormal, b.ir.constant(bits.type, lift), b.ir.constant(bits.type, 0))
    return normal, less, special


for _kind in _LAYOUT:
    _result = "i16" if _kind == "f16" else "i32"

    @instruction(f"v_frexp_exp_{_result}_{_kind}", f"=v:{_result} x:{_kind}", VOP1, cite=_VOP1)
    def v_frexp_exp(c: Context, a: Value, kind: str = _kind) -> Value:
        """The exponent for a mantissa of 0.5 to 1; 0 for zeros, infinities and NaN."""
        b = c.b
        mantissa, bias = _LAYOUT[kind]
        normal, less, special = _parts(c, kind, a)
        fields = (1 << (a.bits - 1 - mantissa)) - 1
        exponent = b.alu.and_(
            b.alu.lshr(normal, b.ir.constant(normal.type, mantissa)),
            b.ir.constant(normal.type, fields),
        )
        exponent = b.alu.sub(b.alu.sub(exponent, less), b.ir.constant(normal.type, bias - 1))
        exponent = b.alu.select(special, b.ir.constant(normal.type, 0), exponent)
        return b.alu.resize(exponent, "i16" if kind == "f16" else "i32")

    @instruction(f"v_frexp_mant_{_kind}", one(_kind), VOP1, cite=_VOP1)
    def v_frexp_mant(c: Context, a: Value, kind: str = _kind) -> Value:
        """The mantissa, 0.5 to 1, with the sign; zeros, infinities and NaN as they are."""
        b = c.b
        mantissa, bias = _LAYOUT[kind]
        normal, _, special = _parts(c, kind, a)
        keep = 1 << (a.bits - 1) | (1 << mantissa) - 1
        half = b.ir.constant(normal.type, (bias - 1) << mantissa)
        found = b.alu.disjoint(b.alu.and_(normal, b.ir.constant(normal.type, keep)), half)
        return b.alu.select(special, a, b.alu.bitcast(found, a.type))


# -- the parts of a division ----------------------------------------------------------------------


#: Of V_DIV_SCALE: exponents apart that lose the quotient, powers of two that it scales by, the
#: largest exponent of a numerator that is scaled up.
_SCALES = {"f32": (96, 64, 23), "f64": (768, 128, 53)}


def _exponent(c: Context, kind: str, a: Value) -> Value:
    """The exponent field of a float."""
    mantissa, bias = _LAYOUT[kind]
    bits = c.alu.bitcast(a, integer_of(a.type))
    field = c.alu.lshr(bits, c.constant(bits.type, mantissa))
    return c.alu.and_(field, c.constant(bits.type, 2 * bias + 1))


def _subnormal(c: Context, kind: str, a: Value) -> Value:
    bits = c.alu.bitcast(c.alu.fabs(a), integer_of(a.type))
    below = c.alu.sub(bits, c.constant(bits.type, 1))
    return c.alu.compare("ult", below, c.constant(bits.type, (1 << _LAYOUT[kind][0]) - 1))


def _scaled(c: Context, kind: str, s0: Value, s1: Value, s2: Value) -> tuple[Value, Value]:
    """V_DIV_SCALE's result and flag, by the conditions of the ISA in their order.

    Where the reciprocal and the quotient are subnormal the manual's pseudocode scales up, which
    leaves no finite denominator; the quotients of real code, which are correctly rounded, need
    down, so that the reciprocal is normal: V_DIV_FMAS then undoes that in the quotient.
    """
    alu, (far, by, near) = c.alu, _SCALES[kind]
    e1, e2 = _exponent(c, kind, s1), _exponent(c, kind, s2)
    zero = float_constant(c, kind, 0.0)
    none = alu.or_(alu.compare("oeq", s1, zero), alu.compare("oeq", s2, zero))
    apart = alu.compare("sge", alu.sub(e2, e1), c.constant(e1.type, far))
    tiny = _subnormal(c, kind, s1)
    over = _subnormal(c, kind, alu.float_op("fdiv", float_constant(c, kind, 1.0), s1))
    under = _subnormal(c, kind, alu.float_op("fdiv", s2, s1))
    one, up, down = (float_constant(c, kind, 2.0**power) for power in (0, by, -by))
    denominator, numerator = alu.compare("oeq", s0, s1), alu.compare("oeq", s0, s2)
    power = alu.select(alu.compare("ule", e2, c.constant(e2.type, near)), up, one)
    power = alu.select(under, alu.select(numerator, up, one), power)
    both = alu.select(under, alu.select(denominator, down, one), down)
    power = alu.select(tiny, up, alu.select(over, both, power))
    power = alu.select(apart, alu.select(denominator, up, one), power)
    mantissa, bias = _LAYOUT[kind]
    nan = alu.bitcast(
        c.constant(e1.type, (2 * bias + 1) << mantissa | 1 << (mantissa - 1)), s0.type
    )
    result = alu.select(none, nan, alu.float_op("fmul", s0, power))
    flag = alu.or_(apart, alu.and_(alu.not_(tiny), under))
    return result, alu.and_(alu.not_(none), flag)


def _scale(c: Context, kind: str, *sources: Value) -> tuple[Value, Value]:
    result, flag = _scaled(c, kind, *(value.defined for value in sources))
    return c.alu.mixed(lambda *_: result, *sources), c.alu.mixed(lambda *_: flag, *sources)


@instruction("v_div_scale_f32", "=v:f32 =m x:f32 x:f32 x:f32", VOP3, cite=_VOP3)
def v_div_scale_f32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    """S0 (equal to S1 or S2) scaled so that S2 / S1 stays within range; the mask for div_fmas."""
    return _scale(c, "f32", a, b, d)


@instruction("v_div_scale_f64", "=v:f64 =m x:f64 x:f64 x:f64", VOP3, cite=_VOP3)
def v_div_scale_f64(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    return _scale(c, "f64", a, b, d)


@instruction("v_div_fmas_f32", "=v:f32 x:f32 x:f32 x:f32 (vcc)", VOP3, cite=_VOP3)
def v_div_fmas_f32(c: Context, a: Value, b: Value, d: Value, scaled: Value) -> Value:
    """A fused product that undoes div_scale's scaling where VCC says so, rounded once."""

    def compute(a: Value, b: Value, d: Value) -> Value:
        alu, fused = c.alu, c.alu.fma(a, b, d)
        p, q, r = (alu.convert("fpext", value, "double") for value in (a, b, d))
        large = alu.compare("ugt", _exponent(c, "f32", d), c.constant("i32", 127))
        up, down = (float_constant(c, "f64", 2.0**power) for power in (64, -64))
        exact = alu.odd_sum(alu.float_op("fmul", p, q), r)
        moved = alu.float_op("fmul", exact, alu.select(large, up, down))
        finite = alu.compare("ult", _exponent(c, "f32", fused), c.constant("i32", 255))
        chosen = alu.and_(scaled.defined, finite)
        return alu.select(chosen, alu.convert("fptrunc", moved, "float"), fused)

    result = c.alu.mixed(compute, a, b, d)
    return c.alu.mixed(lambda value, _: value, result, scaled)


@instruction("v_div_fmas_f64", "=v:f64 x:f64 x:f64 x:f64 (vcc)", VOP3, cite=_VOP3)
def v_div_fmas_f64(c: Context, a: Value, b: Value, d: Value, scaled: Value) -> Value:
    inputs = [a, b, d, c.alu.zext(scaled, "i32")]
    return c.b.rows.call("lm_div_fmas", inputs, ["double"], 0)[0]


def _fixed(c: Context, kind: str, q: Value, d: Value, n: Value) -> Value:
    """The quotient `q` of n / d with sign and special cases put right."""
    alu, mantissa = c.alu, _LAYOUT[kind][0]
    whole = integer_of(q.type)
    infinity = float_constant(c, kind, float("inf"))
    zero = float_constant(c, kind, 0.0)
    size_n, size_d = alu.fabs(n), alu.fabs(d)
    no_n, no_d = alu.compare("oeq", n, zero), alu.compare("oeq", d, zero)
    all_n, all_d = alu.compare("oeq", size_n, infinity), alu.compare("oeq", size_d, infinity)
    spread = alu.sub(_exponent(c, kind, n), _exponent(c, kind, d))
    least, most = (-150, 160) if kind == "f32" else (-1075, 1100)
    r = alu.select(alu.compare("sgt", spread, c.constant(whole, most)), infinity, alu.fabs(q))
    r = alu.select(alu.compare("slt", spread, c.constant(whole, least)), zero, r)
    r = alu.select(alu.or_(all_d, no_n), zero, alu.select(alu.or_(no_d, all_n), infinity, r))
    sign = alu.and_(
        alu.xor(alu.bitcast(n, whole), alu.bitcast(d, whole)),
        c.constant(whole, 1 << (q.bits - 1)),
    )
    r = alu.bitcast(alu.xor(alu.bitcast(r, whole), sign), q.type)
    quiet = 1 << (mantissa - 1)
    nan = alu.bitcast(c.constant(whole, -1 << (mantissa - 1)), q.type)
    r = alu.select(alu.or_(alu.and_(no_n, no_d), alu.and_(all_n, all_d)), nan, r)
    for operand in (d, n):
        kept = alu.or_(alu.bitcast(operand, whole), c.constant(whole, quiet))
        r = alu.select(alu.compare("uno", operand, operand), alu.bitcast(kept, q.type), r)
    return r


@instruction("v_div_fixup_f32", three("f32"), VOP3, cite=_VOP3)
@instruction("v_div_fixup_f64", three("f64"), VOP3, cite=_VOP3)
def v_div_fixup(c: Context, a: Value, b: Value, d: Value) -> Value:
    """The quotient S0 of S2 / S1 with sign and special cases put right."""
    kind = "f64" if a.bits == 64 else "f32"
    return c.alu.mixed(lambda *values: _fixed(c, kind, *values), a, b, d)


@instruction(
    "v_div_fixup_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep"
)
@instruction("v_div_fixup_legacy_f16", three("f16"), VOP3, cite=_VOP3)
def v_div_fixup_f16(c: Context, a: Value, b: Value, d: Value) -> Value:
    wide = [c.alu.convert("fpext", value, "float") for value in (a, b, d)]
    result = c.alu.mixed(lambda *values: _fixed(c, "f32", *values), *wide)
    return c.alu.convert("fptrunc", result, "half")


@instruction(
    "v_trig_preop_f64",
    "=v:f64 x:f64 x:i32",
    VOP3,
    cite=_VOP3 + "; LLVM, "
    "AMDGPUInstCombineIntrinsic.cpp, amdgcn_trig_preop: 0 from bit 1120 on, a quiet NaN",
)
def v_trig_preop(c: Context, a: Value, segment: Value) -> Value:
    """53 bits of 2 / pi, chosen by a segment and the exponent of S0: sines reduce by them."""
    return c.b.rows.call("lm_trig_preop", [a, segment], ["double"], 0)[0]
