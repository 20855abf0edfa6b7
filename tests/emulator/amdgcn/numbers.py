"""Floats as the tests compute them: exact fractions, rounded once, and sample values."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
#: Bits of the mantissa as stored, least exponent, largest finite value.
SHAPES = {
    "f16": (10, -14, Fraction(65504)),
    "f32": (23, -126, Fraction(float(np.finfo(np.float32).max))),
    "f64": (52, -1022, Fraction(np.finfo(np.float64).max)),
}


def rounded(value: Fraction, kind: str) -> float:
    """The nearest float of a kind, ties to even, as a Python float; infinite if too large."""
    mantissa, least, most = SHAPES[kind]
    if value == 0:
        return 0.0
    exponent = len(f"{abs(value.numerator):b}") - len(f"{value.denominator:b}")
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, least) - mantissa)
    result = round(value / step) * step
    if abs(result) > most:
        return math.inf if value > 0 else -math.inf
    return math.copysign(float(result), 1 if value > 0 else -1)


def exact_fma(a: float, b: float, c: float, kind: str) -> float:
    """A * b + c with one rounding."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        with np.errstate(all="ignore"):
            product = float(np.float64(a) * np.float64(b))
            if math.isinf(product) and math.isfinite(a) and math.isfinite(b):
                product = math.copysign(1.0, product)  # finite: it cannot decide against infinity
            return float(np.float64(product) + np.float64(c))
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        negative = math.copysign(1, a) * math.copysign(1, b) < 0
        both = negative and math.copysign(1, c) < 0
        return -0.0 if both and Fraction(a) * Fraction(b) == 0 == c else 0.0
    return rounded(total, kind)


def samples(kind: str, seed: int, count: int = 512) -> Array:
    """Random bit patterns, ordinary numbers, and the ends of the range."""
    rng = np.random.default_rng(seed)
    dtype = FLOATS[kind]
    bits = {"f16": np.uint16, "f32": np.uint32, "f64": np.uint64}[kind]
    random = rng.integers(0, np.iinfo(bits).max, count, dtype=bits, endpoint=True).view(dtype)
    plain = (rng.standard_normal(count) * 2.0 ** rng.integers(-4, 5, count)).astype(dtype)
    info = np.finfo(dtype)
    edges = np.array(
        [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            3.0,
            math.inf,
            -math.inf,
            math.nan,
            info.max,
            info.min,
            info.tiny,
            -info.tiny,
            info.smallest_subnormal,
            -info.smallest_subnormal,
            info.tiny * dtype(0.75),
            info.eps,
            1 + info.eps,
        ],
        dtype,
    )
    chosen = rng.integers(0, 3, count)
    result: Array = np.choose(chosen, [random, plain, rng.choice(edges, count)]).astype(dtype)
    return result


def registers(values: Array) -> list[NDArray[np.uint32]]:
    """The 32-bit words that hold the values, low word first."""
    if values.dtype.itemsize == 8:
        wide = values.view(np.uint64)
        return [
            (wide & np.uint64(0xFFFFFFFF)).astype(np.uint32),
            (wide >> np.uint64(32)).astype(np.uint32),
        ]
    if values.dtype.itemsize == 2:
        return [values.view(np.uint16).astype(np.uint32)]
    return [values.view(np.uint32)]


def from_registers(words: NDArray[np.uint32], kind: str) -> Array:
    """Inverse of `registers`, of uint32[words, samples]."""
    if kind == "f64":
        return (words[0].astype(np.uint64) | words[1].astype(np.uint64) << np.uint64(32)).view(
            np.float64
        )
    if kind == "f16":
        return words[0].astype(np.uint16).view(np.float16)
    return words[0].view(np.float32)


def assert_same(found: Array, expected: Array, *sources: Array) -> None:
    """Equal in bits, but that any NaN stands for any other."""
    assert found.dtype == expected.dtype
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[found.dtype.itemsize]
    same = (found.view(bits) == expected.view(bits)) | (np.isnan(found) & np.isnan(expected))
    where = np.flatnonzero(~same)[:4]
    assert not len(where), [(tuple(s[i] for s in sources), found[i], expected[i]) for i in where]
