"""What tensor cores are published to compute, in exact fractions: an oracle for runtime/panel.h.

Written from arXiv 2511.10909 ("fused dot product add" with truncation) and its package mmasim, one
element at a time, without vectors, tables or floating point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.runtime.abi import Result, Sum, SumRule

DTYPES = {
    "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn, "i8": np.int8, "u8": np.uint8, "f64": np.float64,
    "e8m0": ml_dtypes.float8_e8m0fnu,
    "e4m3_fnuz": ml_dtypes.float8_e4m3fnuz, "e5m2_fnuz": ml_dtypes.float8_e5m2fnuz,
}  # fmt: skip
#: Exponent of the smallest normal number of each format.
SMALLEST = {"f16": -14, "bf16": -126, "tf32": -126, "e4m3": -6, "e5m2": -14, "e2m3": 0,
            "e3m2": -2, "e2m1": 0, "ue4m3": -6, "e8m0": -127,
            "e4m3_fnuz": -7, "e5m2_fnuz": -15}  # fmt: skip


def decoded(name: str, codes: NDArray[np.integer]) -> NDArray[np.float64]:
    """The values of codes; ml_dtypes knows all formats but a few."""
    if name in ("i4", "u4", "b1"):
        values = codes.astype(np.float64)
        return values - 16 * (values > 7) if name == "i4" else values
    if name == "tf32":
        return (codes.astype(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64)
    if name == "ue4m3":
        return decoded("e4m3", codes & 0x7F)
    dtype = np.dtype(DTYPES[name])
    unsigned = codes.astype(f"u{dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        return unsigned.view(dtype).astype(np.float64)


@dataclass
class Rule:
    """One rule for a sum, with the fields of SumRule."""

    block: int
    fraction: int
    bits: int = 24
    nearest: bool = False
    smallest: int = -126
    zero: int = -133
    grouped: bool = False
    largest: int = field(init=False)

    def __post_init__(self) -> None:
        self.largest = 15 if self.smallest == -14 else 127

    @property
    def half(self) -> bool:
        """Whether C and D are f16."""
        return self.smallest == -14

    def engine(self) -> SumRule:
        """The engine's form."""
        return SumRule(
            sum=Sum.GROUPED if self.grouped else Sum.ALIGNED,
            result=Result.F16 if self.half else Result.F32,
            block=self.block,
            fraction=self.fraction,
            zero_exponent=self.zero,
            smallest_exponent=self.smallest,
            bits=self.bits,
            nearest=int(self.nearest),
            nan=0x7FFF if self.half else 0x7FFFFFFF,
        )

    def rounded(self, value: Fraction) -> float:
        """To the result's format, an overflow to infinity."""
        if not value:
            return 0.0
        unit = Fraction(2) ** (max(exponent_of(abs(value)), self.smallest) - self.bits + 1)
        whole = round(value / unit) if self.nearest else math.trunc(value / unit)
        result = whole * unit
        if abs(result) >= Fraction(2) ** (self.largest + 1):
            return math.inf if value > 0 else -math.inf
        return float(result)

    def total(self, terms: list[tuple[Fraction, int]]) -> float:
        """The sum of significands and their exponents: aligned, cut off, rounded."""
        most = max(exponent for _, exponent in terms)
        units = sum(math.trunc(s * Fraction(2) ** (e - most + self.fraction)) for s, e in terms)
        return self.rounded(units * Fraction(2) ** (most - self.fraction))


#: As published for these instructions (mmasim 2.1.1, nv_ptx/sim.py).
RULES = {
    "wgmma f16": Rule(16, 25), "wgmma tf32": Rule(8, 25), "wgmma e4m3": Rule(32, 13, bits=14),
    "wgmma f16 to f16": Rule(16, 25, bits=11, nearest=True, smallest=-14, zero=-21),
    "tcgen05 f16": Rule(16, 25), "tcgen05 tf32": Rule(8, 25), "tcgen05 f8f6f4": Rule(32, 25),
    "tcgen05 f16 to f16": Rule(16, 25, bits=11, nearest=True, smallest=-14, zero=-21),
    "tcgen05 f8f6f4 to f16": Rule(32, 25, bits=11, nearest=True, smallest=-14, zero=-21),
    "tcgen05 mxf8f6f4": Rule(32, 25), "tcgen05 mxf4": Rule(64, 35, zero=-139, grouped=True),
    "tcgen05 mxf4nvf4": Rule(64, 35, zero=-139, grouped=True),
}  # fmt: skip


def exponent_of(value: Fraction) -> int:
    """The exponent e of a positive value: 2**e <= value < 2**(e + 1)."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def split(value: float, smallest: int) -> tuple[Fraction, int]:
    """Significand and exponent; a subnormal keeps the smallest exponent."""
    exact = Fraction(value)
    power = max(exponent_of(abs(exact)), smallest) if exact else smallest
    return exact / Fraction(2) ** power, power


def dot(
    a: list[float],
    b: list[float],
    c: float,
    rule: Rule,
    formats: tuple[str, str],
    scales: tuple[list[float], list[float]] | None = None,
    scale_format: str = "e8m0",
) -> float:
    """One element of D; `scales` of a and of b, one for each equal part of k."""
    for first in range(0, len(a), rule.block):
        k = range(first, min(first + rule.block, len(a)))
        every = [c] + [a[i] * b[i] for i in k]
        parts = len(scales[0]) if scales else 1
        of_k = {i: i * parts // len(a) for i in k}
        if scales:
            every += [side[of_k[i]] for side in scales for i in k]
        if not all(math.isfinite(x) for x in every):
            c = sum(x for x in every if not math.isfinite(x))
            if math.isnan(c):
                return c
            continue
        s, e = split(c, rule.smallest)
        terms = [(s, e if s else rule.zero)]
        step = 16 if rule.grouped else 1
        for start in k[::step]:
            products = [(a[i], b[i]) for i in range(start, start + step)]
            scale, power = Fraction(1), 0
            for side in scales or ():
                s, e = split(side[of_k[start]], SMALLEST[scale_format])
                scale, power = scale * s, power + e
            if not scale or not any(x and y for x, y in products):
                terms.append((Fraction(0), rule.zero))
            elif rule.grouped:
                exact = sum((Fraction(x) * Fraction(y) for x, y in products), Fraction(0))
                terms.append((exact * scale, power))
            else:
                (x, ex), (y, ey) = (
                    split(v, SMALLEST[f]) for v, f in zip(products[0], formats, strict=True)
                )
                terms.append((x * y * scale, ex + ey + power))
        c = rule.total(terms)
    return c
