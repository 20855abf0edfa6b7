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
    (result,) = c.b.rows.call("lm_function_f32", [c.alu.flushed(a)], ["float"], 0, which)
    return c.alu.flushed(result)


@instruction([f"v_{n}_f16" for n in _ALL], one("f16"), VOP1, cite=_VOP1)
def v_function_f16(c: Context, a: Value) -> Value:
    wide = c.alu.convert("fpext", a, "float")
    which = _FUNCTIONS[c.name[2:-4]]
    (result,) = c.b.rows.call("lm_function_f32", [wide], ["float"], 0, which)
    return c.alu.convert("fptrunc", result, "half")


@instruction("v_rcp_f64 v_rsq_f64 v_sqrt_f64", one("f64"), VOP1, cite=_VOP1)
def v_function_f64(c: Context, a: Value) -> Value:
    return c.b.rows.call("lm_function_f64", [a], ["double"], 0, _FUNCTIONS[c.name[2:-4]])[0]


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


def _scale(c: Context, kind: str, sources: tuple[Value, ...]) -> tuple[Value, Value]:
    wide = kind == "f64"
    types = ["double" if wide else "float", "i32"]
    result, flag = c.b.rows.call("lm_div_scale", list(sources), types, 0, int(wide))
    return result, c.alu.compare("ne", flag, c.constant("i32", 0))


@instruction("v_div_scale_f32", "=v:f32 =m x:f32 x:f32 x:f32", VOP3, cite=_VOP3)
def v_div_scale_f32(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    """S0 (equal to S1 or S2) scaled so that S2 / S1 stays within range; the mask for div_fmas."""
    return _scale(c, "f32", (a, b, d))


@instruction("v_div_scale_f64", "=v:f64 =m x:f64 x:f64 x:f64", VOP3, cite=_VOP3)
def v_div_scale_f64(c: Context, a: Value, b: Value, d: Value) -> tuple[Value, Value]:
    return _scale(c, "f64", (a, b, d))


@instruction("v_div_fmas_f32", "=v:f32 x:f32 x:f32 x:f32 (vcc)", VOP3, cite=_VOP3)
@instruction("v_div_fmas_f64", "=v:f64 x:f64 x:f64 x:f64 (vcc)", VOP3, cite=_VOP3)
def v_div_fmas(c: Context, a: Value, b: Value, d: Value, scaled: Value) -> Value:
    """A fused product that undoes div_scale's scaling where VCC says so."""
    inputs = [a, b, d, c.alu.zext(scaled, "i32")]
    return c.b.rows.call("lm_div_fmas", inputs, [a.type], 0, int(a.bits == 64))[0]


@instruction("v_div_fixup_f32", three("f32"), VOP3, cite=_VOP3)
@instruction("v_div_fixup_f64", three("f64"), VOP3, cite=_VOP3)
def v_div_fixup(c: Context, a: Value, b: Value, d: Value) -> Value:
    """The quotient S0 of S2 / S1 with sign and special cases put right."""
    return c.b.rows.call("lm_div_fixup", [a, b, d], [a.type], 0, int(a.bits == 64))[0]


@instruction(
    "v_div_fixup_f16", three("f16"), VOP3, cite=_VOP3, modifiers="op_sel", high_half="keep"
)
@instruction("v_div_fixup_legacy_f16", three("f16"), VOP3, cite=_VOP3)
def v_div_fixup_f16(c: Context, a: Value, b: Value, d: Value) -> Value:
    wide = [c.alu.convert("fpext", value, "float") for value in (a, b, d)]
    (result,) = c.b.rows.call("lm_div_fixup", wide, ["float"], 0, 0)
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
