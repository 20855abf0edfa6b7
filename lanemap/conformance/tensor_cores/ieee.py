"""Fused multiply-adds as IEEE 754 defines them, of whole arrays, without a processor's own.

The error-free sums and the rounding to odd are those of Boldo and Melquiond, "Emulation of FMA and
correctly rounded sums" (IEEE Transactions on Computers 57, 2008).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
#: C is the result where it is larger than the product by this power of two.
_FAR = 120


def _two_sum(x: Doubles, y: Doubles) -> tuple[Doubles, Doubles]:
    """The rounded sum and its error."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _odd_sum(x: Doubles, y: Doubles) -> Doubles:
    """The sum, rounded to the neighbor with an odd last bit where it is not exact."""
    total, error = _two_sum(x, y)
    even = (total.view(np.int64) & 1) == 0
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.where((error != 0) & even & np.isfinite(total), np.nextafter(total, toward), total)


def fma_f32(a: Singles, b: Singles, c: Singles) -> Singles:
    """A * b + c, rounded once, for factors of f16 or other numbers whose product f64 holds."""
    with np.errstate(all="ignore"):
        product = a.astype(np.float64) * b.astype(np.float64)
        return _odd_sum(product, c.astype(np.float64)).astype(np.float32)


def _product(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """The rounded product of numbers near 1 and its error (Dekker)."""
    split = 134217729.0
    a_high, b_high = a * split - (a * split - a), b * split - (b * split - b)
    a_low, b_low = a - a_high, b - b_high
    product = a * b
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _finite_fma(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """A * b + c of finite numbers, none of them zero."""
    a, first = np.frexp(a)
    b, second = np.frexp(b)
    fraction, third = np.frexp(c)
    scale = (first + second).astype(np.int64)
    apart = third - scale
    high, low = _product(a, b)
    addend = np.ldexp(fraction, np.clip(apart, -400, _FAR).astype(np.int32))
    upper, lower = _two_sum(addend, low)
    total, rest = _two_sum(high, upper)
    odd = _odd_sum(rest, lower)
    value = total + odd
    # A subnormal result has its last bit at 2^-1074: a large constant moves the rounding there.
    large = np.copysign(np.ldexp(1.0, np.clip(-1022 - scale, -900, 900).astype(np.int32)), value)
    moved, left = _two_sum(large, total)
    subnormal = np.copysign((moved + _odd_sum(left, odd)) - large, value)
    small = np.frexp(value)[1] + scale < -1021
    value = np.where(small & (value != 0), subnormal, value)
    value = np.ldexp(
        np.ldexp(value, (scale // 2).astype(np.int32)), (scale - scale // 2).astype(np.int32)
    )
    return np.where(apart > _FAR, c, value)


def fma_f64(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """A * b + c, rounded once; a NaN has no particular bits."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(a) & np.isfinite(b)
        product = a * b
        plain = np.where(finite & np.isinf(c), c, product + c)
        plain = np.where(finite & (a != 0) & (b != 0) & (c == 0), product, plain)
        usual = finite & np.isfinite(c) & (a != 0) & (b != 0) & (c != 0)
        one = np.ones_like(plain)
        found = _finite_fma(*(np.where(usual, x, one) for x in (a, b, c)))
        return np.where(usual, found, plain)
