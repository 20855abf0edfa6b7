"""The reference for a block-scaled product, in float64, with a bound on the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm.problem import TYPES
from lanemap.quantization.formats import E4M3
from lanemap.quantization.quantize import BlockScaled, Floats

from .problem import Problem


@dataclass(frozen=True)
class Sums:
    """How one tcgen05.mma adds; docs/tensor-core-numerics.md names the publications.

    Attributes:
        depth: K of one.
        addends: Numbers that are aligned to each other: D, and products or exact sums of 16.
        kept: Bits below the largest exponent that alignment leaves.
    """

    depth: int
    addends: int
    kept: int


#: The smallest subnormal numbers of C's types.
_LEAST = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149}
#: By the bits of an element.
SUMS = {4: Sums(64, 5, 35), 8: Sums(32, 33, 25)}


def reference(a: BlockScaled, b: BlockScaled, alpha: float = 1.0) -> Floats:
    """Return alpha * A @ B.T in float64; the global scales are left to alpha."""
    return float(np.float32(alpha)) * _product(_values(a), _values(b))


def tolerance(problem: Problem, a: BlockScaled, b: BlockScaled, alpha: float = 1.0) -> Floats:
    """Return the largest error that each element of C may have.

    One instruction aligns its addends to the largest exponent among them and cuts each off `kept`
    bits below that, so each loses less than 2^-kept of the power that the exponent means. Exponents
    are those of factors and scales, where a subnormal number has that of the smallest normal one;
    for elements of 4 bits, those of scales alone. So that power is at most sum |a'| |b'| = S',
    where a nonzero element and a scale count as the smallest normal number at least. The sum is
    truncated to f32, which loses less than 2^-23 of S = sum |a| |b|, which bounds every partial
    sum. There are K / depth steps. Multiplying by alpha and rounding to C's type each add half a
    unit of the last place.

    Args:
        problem: Sizes and types.
        a: (.., M, K).
        b: (.., N, K).
        alpha: Factor of the product.
    """
    sums, output = SUMS[problem.kind.element.bits], TYPES[problem.output]
    factor = abs(float(np.float32(alpha)))
    magnitude = _product(np.abs(_values(a)), np.abs(_values(b)))
    aligned = _product(_counted(a), _counted(b))
    steps = -(-problem.k // sums.depth)
    error = steps * (sums.addends * 2.0**-sums.kept * aligned + 2.0**-23 * magnitude)
    error = factor * (error + 2.0**-24 * magnitude)
    exact = np.abs(reference(a, b, alpha))
    least = _LEAST[problem.output]
    return np.asarray(error + (exact + error) * 2.0**-output.bits + least + 2.0**-126)


def wrong(
    problem: Problem, a: BlockScaled, b: BlockScaled, c: npt.NDArray[Any], alpha: float = 1.0
) -> tuple[int, float]:
    """Return how many elements of C lie outside the tolerance, and the largest part of it used.

    A NaN is always wrong.
    """
    difference = np.abs(c.astype(np.float64) - reference(a, b, alpha))
    error = difference / tolerance(problem, a, b, alpha)
    inside = error <= 1.0
    return int((~inside).sum()), float(np.nan_to_num(error, nan=np.inf).max(initial=0.0))


def _product(a: Floats, b: Floats) -> Floats:
    return np.asarray(a @ np.swapaxes(b, -1, -2))


def _values(x: BlockScaled) -> Floats:
    return x.dequantize() / x.global_scale


def _counted(x: BlockScaled) -> Floats:
    """Return the magnitudes with which elements, times scales, count when they are aligned."""
    element = np.abs(x.elements().astype(np.float64))
    least = np.where(element > 0, 2.0**x.format.element.least_exponent, 0.0)
    scale = x.scales.astype(np.float64)
    if x.format.scale == E4M3.dtype:
        scale = np.maximum(scale, 2.0**E4M3.least_exponent)
    return np.asarray(np.maximum(element, least) * np.repeat(scale, x.format.block, axis=-1))
