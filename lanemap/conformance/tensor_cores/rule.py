"""A plain reference of how tensor cores may add: one rule with its parameters.

It shares no code with the emulator and computes a chunk of dot products at a time. Significands and
their sums are integers or short binary fractions, which f64 holds exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.conformance.tensor_cores.inputs import decoded
from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes

Integers = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
#: An exponent below that of every number.
NOTHING = -(1 << 14)
_CUTS = {"truncate": np.trunc, "floor": np.floor, "nearest": np.rint}


@dataclass(frozen=True)
class Rule:
    """How one hardware operation adds products and C.

    Attributes:
        block: Products that are added at once, together with C or with the sum so far.
        fraction: Bits that are kept below the largest exponent when addends are aligned.
        cut: What happens to lower bits of an addend: "truncate", "floor" or "nearest".
        normalized: Whether a product of 2 or more counts with the exponent that it has, rather than
            with the sum of its factors' exponents.
        subnormal: Whether a subnormal factor counts with the smallest exponent of its format
            ("smallest") or with the one that it has ("own").
        zero: The exponent with which a zero C counts; a zero product counts for nothing.
        bits: Significant bits of the result.
        rounding: Rounding of the result: "truncate" or "nearest" (to even).
        overflow: Whether a result out of range is infinite, rather than the largest number.
        flush: Whether subnormal results become zero.
        last: Whether C is added after the last block, not with the first.

    `fraction`, `zero`, `bits`, `overflow` and `flush` may be arrays of one shape [rule, 1, 1, 1]:
    many rules, whose results come with that axis in front.
    """

    block: int
    fraction: Any
    cut: str = "truncate"
    normalized: bool = False
    subnormal: str = "smallest"
    zero: Any = -133
    bits: Any = 24
    rounding: str = "truncate"
    overflow: Any = True
    flush: Any = False
    last: bool = False


@dataclass
class Addend:
    """Finite numbers as significand * 2^exponent; a zero has the exponent NOTHING."""

    significand: Doubles
    exponent: npt.NDArray[np.int32]


def _powers(exponents: npt.NDArray[np.int32]) -> Doubles:
    """2 to the power of each; the smallest normal number of f64 for all lower ones."""
    return ((np.clip(exponents, -1022, 1000) + 1023).astype(np.int64) << 52).view(np.float64)


def split(codes: Codes, name: str, own: bool = False) -> Addend:
    """Significands and exponents of codes; what is not finite counts as zero.

    Significands lie below 2, and those of subnormal numbers below 1 unless each has its `own`
    exponent.
    """
    f = FORMATS[name]
    values = decoded(codes, name)
    values = np.where(np.isfinite(values), values, 0)
    exponent = np.frexp(values)[1] - 1
    if not own:
        exponent = np.maximum(exponent, 1 - f.bias)
    significand = np.ldexp(values, -exponent)
    return Addend(significand, np.where(values == 0, NOTHING, exponent).astype(np.int32))


def multiplied(a: Addend, b: Addend, normalized: bool) -> Addend:
    """Products; a and b broadcast against each other."""
    significand, exponent = a.significand * b.significand, a.exponent + b.exponent
    if normalized:
        significand, up = np.frexp(significand)
        significand, exponent = significand * 2, exponent + up - 1
    return Addend(significand, exponent)


def _cut(magnitude: Integers, down: Any, nearest: bool) -> Integers:
    """Magnitudes without their lowest bits: truncated, or rounded to nearest even."""
    if nearest:
        odd = magnitude >> down & 1
        half = _power(np.maximum(down - 1, 0)) - 1 + odd
        magnitude = magnitude + np.where(down > 0, half, 0)
    return np.asarray(magnitude >> down)


def _power(exponent: Any) -> Any:
    """2 to the power of each, as integers."""
    return np.left_shift(np.int64(1), exponent)


def _aligned(x: Addend, most: npt.NDArray[np.int32], rule: Rule) -> Doubles:
    """Addends in units of 2^(most - fraction), lower bits cut."""
    fraction = np.asarray(rule.fraction, np.int32)
    fraction = fraction.reshape(fraction.shape + (1,) * (most.ndim - max(fraction.ndim, 1)))
    return np.asarray(_CUTS[rule.cut](x.significand * _powers(x.exponent - most + fraction)))


def rounded(sums: Doubles, unit: npt.NDArray[np.int32], name: str, rule: Rule) -> Codes:
    """Codes of sums * 2^unit; `sums` are integers below 2^53."""
    f = FORMATS[name]
    magnitude = np.abs(sums).astype(np.int64)
    least, digits = 1 - f.bias, rule.bits - 1
    place = np.maximum(np.frexp(sums)[1].astype(np.int64) - 1 + unit, least) - digits
    drop = place - unit
    low = _cut(magnitude, np.clip(drop, 0, 62), rule.rounding == "nearest")
    kept = np.where(drop > 0, low, magnitude << np.clip(-drop, 0, 30))
    code = ((place - (least - digits)) << digits) + kept
    code = np.where(np.asarray(rule.flush) & (code < _power(digits)), 0, code)
    spare = f.mantissa - digits
    code = np.where(kept == 0, 0, code) << spare
    top = ((1 << f.exponent) - 1) << f.mantissa
    code = np.where(code >= top, np.where(rule.overflow, top, top - _power(spare)), code)
    code = np.where((sums < 0) & (code != 0), code | 1 << (f.bits - 1), code)
    return np.asarray(code.astype(f.dtype))


def _with_odd(codes: Codes, odd: Doubles, name: str) -> Codes:
    """Codes, replaced where a sum is infinite or NaN."""
    f = FORMATS[name]
    top = ((1 << f.exponent) - 1) << f.mantissa
    codes = np.where(odd == np.inf, f.dtype(top), codes)
    codes = np.where(odd == -np.inf, f.dtype(top | 1 << (f.bits - 1)), codes)
    return np.where(np.isnan(odd), f.dtype((1 << (f.bits - 1)) - 1), codes)


def _added(products: Addend, c: Addend, name: str, rule: Rule) -> Codes:
    """The rounded sum of C and one block of finite products, which is the last axis."""
    least = np.where(c.exponent == NOTHING, rule.zero, c.exponent)
    most = np.maximum(products.exponent.max(axis=-1), least).astype(np.int32)
    sums = _aligned(products, most[..., None], rule).sum(axis=-1) + _aligned(c, most, rule)
    return rounded(sums, most - np.asarray(rule.fraction, np.int32), name, rule)


def multiply_add(
    a: Codes, b: Codes, c: Codes, types: tuple[str, str, str, str], rule: Rule
) -> Codes:
    """D of one hardware operation.

    Args:
        a: [tile, row, k].
        b: [tile, column, k].
        c: [tile, row, column].
        types: Types of D, A, B and C.
        rule: Its parameters.

    Returns:
        [tile, row, column] in the type of D.
    """
    own = rule.subnormal == "own"
    left, right = split(a[:, :, None, :], types[1], own), split(b[:, None, :, :], types[2], own)
    products = multiplied(left, right, rule.normalized)
    # Sums of f64 tell which results are not finite: no sum of finite products is infinite there.
    plain = [decoded(operand, name) for operand, name in ((a, types[1]), (b, types[2]))]
    odd = any(not np.isfinite(values).all() for values in (*plain, decoded(c, types[3])))
    total, name = (np.zeros_like(c) if rule.last else c), types[3]
    for first in range(0, a.shape[-1], rule.block):
        k = slice(first, first + rule.block)
        block = Addend(products.significand[..., k], products.exponent[..., k])
        before = decoded(total, name)
        total = _added(block, split(total, name), types[0], rule)
        if odd or not np.isfinite(before).all():
            with np.errstate(invalid="ignore"):
                sums = plain[0][..., k] @ plain[1][..., k].transpose(0, 2, 1) + before
            total = _with_odd(total, sums, types[0])
        name = types[0]
    if rule.last:
        found = _added(split(total[..., None], name), split(c, types[3]), name, rule)
        with np.errstate(invalid="ignore"):
            sums = decoded(total, name) + decoded(c, types[3])
        total = _with_odd(found, sums, name)
    return total
