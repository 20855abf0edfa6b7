"""A plain reference of how tensor cores may add: one rule with its parameters, in integers.

It is written for clarity, shares no code with the emulator, and computes a chunk of dot products at
a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
#: An exponent below that of every number.
NOTHING = -(1 << 20)


@dataclass(frozen=True)
class Rule:
    """What one hardware operation does with a sum of products and C.

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
        rounding: Of the result: "truncate" or "nearest" (to even).
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
    """Numbers as significand * 2^(exponent - mantissa bits), and what is not finite.

    Attributes:
        significand: With its sign.
        exponent: NOTHING for a zero.
        mantissa: Bits of the significand below its first.
        nan: Which are NaN.
        infinite: 1 or -1 for an infinity, else 0.
    """

    significand: Integers
    exponent: Integers
    mantissa: int
    nan: Flags
    infinite: Integers


def _lengths(magnitude: Integers) -> Integers:
    """The number of bits of integers below 2^53."""
    return np.frexp(magnitude.astype(np.float64))[1].astype(np.int64)


def split(codes: Codes, name: str, own: bool = False) -> Addend:
    """Significands and exponents of codes; `own`: subnormal numbers are normalized."""
    f = FORMATS[name]
    bits = codes.astype(np.int64)
    mantissa, width = bits & ((1 << f.mantissa) - 1), f.mantissa
    field = bits >> f.mantissa & ((1 << f.exponent) - 1)
    negative = bits >> (f.bits - 1) & 1 == 1
    if f.infinite:
        top = field == (1 << f.exponent) - 1
        if name == "tf32":
            mantissa, width = mantissa >> 13, 10
        nan, infinite = top & (mantissa != 0), top & (mantissa == 0)
    else:
        nan = (bits & 0x7F) == 0x7F
        infinite = np.zeros_like(nan)
    significand = np.where(field > 0, mantissa | (1 << width), mantissa)
    exponent = np.maximum(field, 1) - f.bias
    if own:
        shift = np.where(significand > 0, width + 1 - _lengths(significand), 0)
        significand, exponent = significand << shift, exponent - shift
    exponent = np.where(significand == 0, NOTHING, exponent)
    sign = np.where(negative, -1, 1)
    return Addend(sign * significand, exponent, width, nan, np.where(infinite, sign, 0))


def multiplied(a: Addend, b: Addend, normalized: bool) -> Addend:
    """Products; a and b broadcast against each other."""
    significand = a.significand * b.significand
    exponent = np.where(significand == 0, NOTHING, a.exponent + b.exponent)
    width = a.mantissa + b.mantissa
    if normalized:  # one more bit, so that a product of 2 or more keeps all
        up = _lengths(np.abs(significand)) - 1 - width
        exponent = np.where(significand == 0, NOTHING, exponent + up)
        significand, width = significand << (1 - np.maximum(up, -62)), width + 1
    zero_a = (a.significand == 0) & (a.infinite == 0) & ~a.nan
    zero_b = (b.significand == 0) & (b.infinite == 0) & ~b.nan
    nan = a.nan | b.nan | (zero_a & (b.infinite != 0)) | (zero_b & (a.infinite != 0))
    sign = np.sign(np.where(a.infinite != 0, a.infinite, a.significand)) * np.sign(
        np.where(b.infinite != 0, b.infinite, b.significand)
    )
    infinite = np.where((a.infinite != 0) | (b.infinite != 0), sign, 0)
    return Addend(significand, exponent, width, nan, infinite)


def _power(exponent: Any) -> Any:
    """2 to the power of each."""
    return np.left_shift(np.int64(1), exponent)


def _cut(magnitude: Integers, down: Any, nearest: bool) -> Integers:
    """Magnitudes without their lowest bits: truncated, or rounded to nearest even."""
    if nearest:
        odd = magnitude >> down & 1
        half = _power(np.maximum(down - 1, 0)) - 1 + odd
        magnitude = magnitude + np.where(down > 0, half, 0)
    return np.asarray(magnitude >> down)


def _aligned(x: Addend, most: Integers, rule: Rule) -> Integers:
    """Addends in units of 2^(most - fraction), lower bits cut."""
    fraction = np.asarray(rule.fraction)
    fraction = fraction.reshape(fraction.shape + (1,) * (most.ndim - max(fraction.ndim, 1)))
    up = x.exponent - most + fraction - x.mantissa
    down = np.clip(-up, 0, 62)
    if rule.cut == "floor":
        low = x.significand >> down
    else:
        low = np.sign(x.significand) * _cut(np.abs(x.significand), down, rule.cut == "nearest")
    return np.where(up > 0, x.significand << np.clip(up, 0, 40), low)


def rounded(sums: Integers, unit: Integers, name: str, rule: Rule) -> Codes:
    """Codes of sums * 2^unit; `sums` are below 2^53."""
    f = FORMATS[name]
    magnitude = np.abs(sums)
    least, digits = 1 - f.bias, rule.bits - 1
    place = np.maximum(_lengths(magnitude) - 1 + unit, least) - digits
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


def _not_finite(codes: Codes, name: str, nan: Flags, up: Flags, down: Flags) -> Codes:
    """Codes, replaced where the sum is infinite or NaN."""
    f = FORMATS[name]
    top = ((1 << f.exponent) - 1) << f.mantissa
    codes = np.where(up, f.dtype(top), codes)
    codes = np.where(down, f.dtype(top | 1 << (f.bits - 1)), codes)
    return np.where(nan | (up & down), f.dtype((1 << (f.bits - 1)) - 1), codes)


def _added(products: Addend, c: Addend, name: str, rule: Rule) -> Codes:
    """The rounded sum of C and one block of products, which is the last axis."""
    zero = c.significand == 0
    most = np.maximum(products.exponent.max(axis=-1), np.where(zero, rule.zero, c.exponent))
    sums = _aligned(products, most[..., None], rule).sum(axis=-1) + _aligned(c, most, rule)
    codes = rounded(sums, most - rule.fraction, name, rule)
    up = (products.infinite > 0).any(axis=-1) | (c.infinite > 0)
    down = (products.infinite < 0).any(axis=-1) | (c.infinite < 0)
    return _not_finite(codes, name, products.nan.any(axis=-1) | c.nan, up, down)


def _part(x: Addend, k: slice) -> Addend:
    return Addend(x.significand[..., k], x.exponent[..., k], x.mantissa, x.nan[..., k],
                  x.infinite[..., k])  # fmt: skip


def multiply_add(
    a: Codes, b: Codes, c: Codes, types: tuple[str, str, str, str], rule: Rule
) -> Codes:
    """D of one hardware operation.

    Args:
        a: [tile, row, k].
        b: [tile, column, k].
        c: [tile, row, column].
        types: Of D, A, B and C.
        rule: Its parameters.

    Returns:
        [tile, row, column] in the type of D.
    """
    own = rule.subnormal == "own"
    left, right = split(a[:, :, None, :], types[1], own), split(b[:, None, :, :], types[2], own)
    products = multiplied(left, right, rule.normalized)
    zero = np.zeros_like(c)
    total, name = (zero, types[3]) if rule.last else (c, types[3])
    for k in range(0, a.shape[-1], rule.block):
        block = _part(products, slice(k, k + rule.block))
        total, name = _added(block, split(total, name), types[0], rule), types[0]
    if rule.last:
        alone = split(total[..., None], types[0])
        total = _added(alone, split(c, types[3]), types[0], rule)
    return total
