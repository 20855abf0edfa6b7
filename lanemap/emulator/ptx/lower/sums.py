"""The rule of a tensor core's sum (lanemap.model.tensor_sums) as the matrix engine takes it."""

from __future__ import annotations

from lanemap.emulator.runtime.abi import Format, Result, Sum, SumRule
from lanemap.model.tensor_sums import Unit, tcgen05_results, tcgen05_unit

#: Formats of the engine, by the names that PTX has for them.
FORMATS = {
    "f64": Format.F64, "tf32": Format.TF32, "f16": Format.F16, "bf16": Format.BF16,
    "e4m3": Format.E4M3, "e5m2": Format.E5M2, "e2m3": Format.E2M3, "e3m2": Format.E3M2,
    "e2m1": Format.E2M1, "ue8m0": Format.E8M0, "ue4m3": Format.UE4M3, "s8": Format.I8,
    "u8": Format.U8, "s4": Format.I4, "u4": Format.U4, "b1": Format.B1,
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
    summed = Sum.FUSED if unit.fused else Sum.GROUPED if unit.group else Sum.ALIGNED
    return SumRule(
        sum=summed,
        result=RESULTS[result],
        block=unit.block,
        fraction=unit.fraction,
        zero_exponent=unit.zero_exponent,
        smallest_exponent=_SMALLEST[result],
        bits=unit.bits,
        nearest=int(unit.nearest),
        nan=_NAN[result],
        apart=int(apart),
        operand_exponent=_SMALLEST.get(operands, 0),
    )


def integer_rule(saturate: bool = False, exclusive: bool = False) -> SumRule:
    """The rule of 32-bit integer sums: modulo 2^32 or clamped; of products or of exclusive ors."""
    return SumRule(sum=Sum.XOR if exclusive else Sum.I32, result=Result.I32, saturate=int(saturate))


def tcgen05_rules(kind: str) -> dict[str, SumRule]:
    """The rules of tcgen05.mma by the type of D, which only the instruction descriptor names.

    Args:
        kind: .kind of the instruction without "kind::". The rule of i8 does not saturate:
            `SumRule.saturate` is for who reads that bit of the descriptor.
    """
    if kind == "i8":
        return {"s32": integer_rule()}
    units = {result: tcgen05_unit(kind, result) for result in tcgen05_results(kind)}
    return {result: float_rule(unit, result) for result, unit in units.items()}
