"""Groups of 4-bit products under their scales, whole tiles against the rule in NumPy.

The engine adds exactly where no bit is cut off, and follows the rule step by step elsewhere. So
scales and addends here are near to each other, far from each other, and at the ends of their
ranges.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.runtime.abi import Format

from .sums import RULES, decoded
from .test_matrix import laid, multiply, random_codes

Floats = NDArray[np.float64]
ROWS, COLUMNS, DEPTH = 32, 48, 64
#: Exponent of the smallest normal scale.
SMALLEST = {"e8m0": -127, "ue4m3": -6}


def split(values: Floats, smallest: int) -> tuple[Floats, NDArray[np.int64]]:
    """Significands and exponents; subnormal numbers and zeros have the smallest exponent."""
    fraction, power = np.frexp(values)
    exponent = np.maximum(power - 1, smallest)
    return np.ldexp(fraction, power - exponent), exponent.astype(np.int64)


def reference(
    values: list[Floats], scales: list[Floats], c: NDArray[np.float32], kind: str
) -> NDArray[np.float32]:
    """D of one step of K under the published rule: every operation here is exact in f64."""
    each = DEPTH // scales[0].shape[1]
    terms, exponents = [], []
    for k in range(0, DEPTH, 16):
        a, b = (x[:, k : k + 16] for x in values)
        (s, e), (t, f) = (split(x[:, k // each], SMALLEST[kind]) for x in scales)
        scale = s[:, None] * t[None, :]
        nothing = ((a != 0).astype(int) @ (b != 0).astype(int).T == 0) | (scale == 0)
        terms.append(np.where(nothing, 0, (a @ b.T) * scale))
        exponents.append(np.where(nothing, -139, e[:, None] + f[None, :]))
    significand, exponent = split(c.astype(np.float64), -126)
    terms.append(significand)
    exponents.append(np.where(c == 0, -139, exponent))
    most = np.max(exponents, axis=0)
    total = sum(
        (np.trunc(np.ldexp(t, e - most + 35)) for t, e in zip(terms, exponents, strict=True)),
        np.zeros(c.shape),
    )
    fraction, power = np.frexp(total)
    digits = np.minimum(24, power + most - 35 + 149)  # fewer of a subnormal result
    whole = np.trunc(np.ldexp(fraction, digits))
    with np.errstate(over="ignore"):
        return (np.ldexp(whole, power - digits + most - 35) + 0.0).astype(np.float32)


def near(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """E8M0 scales around 1."""
    return rng.integers(122, 133, shape, dtype=np.uint8)


def far(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """E8M0 scales whose products with another cross the limits of exact sums."""
    return rng.choice(np.array([107, 117, 127, 137, 147], np.uint8), shape)


def ends(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Any E8M0 scale but NaN."""
    return rng.integers(0, 255, shape, dtype=np.uint8)


def any_ue4m3(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """UE4M3, zeros and subnormal numbers among them, but no NaN; the sign is ignored."""
    codes = rng.integers(0, 127, shape, dtype=np.uint8)
    codes[rng.random(shape) < 0.2] &= 7
    return codes | (rng.integers(0, 2, shape, dtype=np.uint8) << 7)


CASES = [("e8m0", near), ("e8m0", far), ("e8m0", ends), ("ue4m3", any_ue4m3)]


@pytest.mark.parametrize(("kind", "made"), CASES)
@pytest.mark.parametrize("blocks", [2, 4])
@pytest.mark.parametrize("spread", [0, 3, 14, 40, 120])
def test_a_tile_of_groups(
    kind: str, made: Callable[..., NDArray[np.uint8]], blocks: int, spread: int
) -> None:
    rng = np.random.default_rng(spread * 8 + blocks)
    codes = [random_codes("e2m1", (n, DEPTH), rng, 0) for n in (ROWS, COLUMNS)]
    codes[0][3] = 0  # a row without products
    codes[0][5, 16:32], codes[1][7, :48] = 0, 8  # groups without: 0 and -0
    codes[1][9] = codes[0][4] ^ np.uint64(8)
    scales = [made(rng, (n, blocks)) for n in (ROWS, COLUMNS)]
    powers = rng.integers(-spread, spread + 1, (ROWS, COLUMNS))
    c = np.ldexp(rng.normal(size=(ROWS, COLUMNS)), powers).astype(np.float32)
    c[rng.random(c.shape) < 0.2] = 0
    c[6, :4] = (-0.0, 1e-42, -3e38, 2.0**-126)
    values = [decoded("e2m1", each) for each in codes]
    expected = reference(values, [decoded(kind, each) for each in scales], c, kind)
    rng = np.random.default_rng(1)
    a, b = (
        laid(each, "e2m1", how, rng, scales=s, scale_format=Format[kind.upper()])
        for each, how, s in zip(codes, ("rows", "chunks"), scales, strict=True)
    )
    multiply(a, b, RULES["tcgen05 mxf4"].engine(), c)
    np.testing.assert_array_equal(c.view(np.uint32), expected.view(np.uint32))
