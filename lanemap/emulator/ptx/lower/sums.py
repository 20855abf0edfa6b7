"""The rule of a tensor core's sum (lanemap.model.tensor_sums) as the matrix engine takes it."""

from __future__ import annotations

from lanemap.emulator.runtime.abi import Format, Result, Sum, SumRule
from lanemap.model.tensor_sums import Unit

#: Formats of the engine, by the names that PTX has for them.
FORMATS = {
    "f64": Format.F64, "tf32": Format.TF32, "f16": Format.F16, "bf16": Format.BF16,
    "e4m3": Format.E4M3, "e5m2": Format.E5M2, "s8": Format.I8, "u8": Format.U8, "s4": Format.I4,
    "u4": Format.U4, "b1": Format.B1,
}  # fmt: skip
RESULTS = {"f64": Result.F64, "f32": Result.F32, "f16": Result.F16, "s32": Result.I32}
_SMALLEST = {"f16": -14, "f32": -126, "f64": -1022}
#: NaN of a tensor core; that of f64 is whatever the arithmetic gives.
_NAN = {"f16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0}


def float_rule(unit: Unit, result: str, operands: str = "", apart: bool = False) -> SumRule:
    """The rule of sums of floating-point products.

    Args:
        unit: How the hardware adds.
        result: The type of the sums: f16, f32 or f64.
        operands: The type to which operands are converted before; empty where they are not.
        apart: Whether C is added after the last sum.
    """
    return SumRule(
        sum=Sum.FUSED if unit.fused else Sum.ALIGNED, result=RESULTS[result], block=unit.block,
        fraction=unit.fraction, zero_exponent=unit.zero_exponent,
        smallest_exponent=_SMALLEST[result], bits=unit.bits, nearest=int(unit.nearest),
        nan=_NAN[result], apart=int(apart), operand_exponent=_SMALLEST.get(operands, 0),
    )  # fmt: skip


def integer_rule(saturate: bool = False, exclusive: bool = False) -> SumRule:
    """The rule of 32-bit integer sums: modulo 2^32 or clamped; of products or of exclusive ors."""
    return SumRule(sum=Sum.XOR if exclusive else Sum.I32, result=Result.I32, saturate=int(saturate))
