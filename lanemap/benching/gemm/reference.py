"""The reference for a matrix product, in float64, with a bound on the hardware's error."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.targets import TARGETS

Floats = npt.NDArray[np.float64]

#: Products that wgmma and tcgen05.mma add at once: 32 bytes of k. Sources of this and the next, for
#: sm_90a: results/sm_90a/cuda/tensor_cores.json; for sm_100a: docs/tensor-core-numerics.md, which
#: names publications.
_BYTES_AT_ONCE = 32
#: FP8 products of a stage, after which an f32 sum takes over.
_STAGE = 128


def reference(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> Floats:
    """Return A @ B.T in float64; exact where the sums of integers stay below 2^53."""
    return np.asarray(a.astype(np.float64) @ b.astype(np.float64).T)


def tolerance(
    problem: Problem, a: npt.NDArray[Any], b: npt.NDArray[Any], target: str = "sm_90a"
) -> Floats:
    """Return the largest error that each element of C may have.

    Products are exact. One instruction adds C and the products of 32 bytes of k, P of them. It
    aligns them to the largest exponent, keeps `bits` below it and truncates each, so an addend
    loses less than 2^-bits of twice the largest magnitude; then the sum loses as much once more.
    With S = sum |a| |b|, which bounds every addend and every partial sum, a step errs by less than
    (P + 2) 2^(1 - bits) S, and there are K / P steps. With two levels only a stage's steps are
    added so, and each of K / 128 additions in f32 errs by half of its last bit, 2^-24 S. Rounding
    to C's type adds half a unit of its last place, 2^-bits of the value.

    Args:
        problem: Sizes and types.
        a: (M, K).
        b: (N, K).
        target: The target whose tensor cores compute.
    """
    output = TYPES[problem.output]
    magnitude = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)).T
    if problem.accumulation == "two_level":
        error = stage_error(problem, magnitude, target)
        error = error + -(-problem.k // _STAGE) * 2.0**-24 * magnitude
    else:
        at_once, step = _step(problem, target)
        error = -(-problem.k // at_once) * step * magnitude
    exact = np.abs(reference(a, b))
    return np.asarray(error + (exact + error) * 2.0**-output.bits + 2.0**-126)


def stage_error(problem: Problem, magnitude: Floats, target: str) -> Floats:
    """Return the largest error of all stages' sums in the tensor core, if each begins from zero.

    The stages' magnitudes add up to `magnitude`, so each step counts a stage's share of it.
    """
    at_once, step = _step(problem, target)
    return (_STAGE // at_once) * step * magnitude


def _step(problem: Problem, target: str) -> tuple[int, float]:
    """Return the products that one instruction adds, and its error in units of their magnitudes."""
    size = TYPES[problem.element].bytes
    at_once = _BYTES_AT_ONCE // size
    return at_once, (at_once + 2) * 2.0 ** (1 - TARGETS[target].kept_bits[size])


def wrong(
    problem: Problem,
    a: npt.NDArray[Any],
    b: npt.NDArray[Any],
    c: npt.NDArray[Any],
    target: str = "sm_90a",
) -> tuple[int, float]:
    """Return how many elements of C lie outside the tolerance, and the largest part of it used.

    A NaN is always wrong.
    """
    error = np.abs(c.astype(np.float64) - reference(a, b)) / tolerance(problem, a, b, target)
    inside = error <= 1.0
    return int((~inside).sum()), float(np.nan_to_num(error, nan=np.inf).max(initial=0.0))
