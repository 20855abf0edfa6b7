"""The reference for a GEMV, in float64, with the tolerance for its sums in f32."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.quantization.formats import E2M1, E4M3
from lanemap.quantization.quantize import unpack_nibbles

from .problem import BLOCK, Problem

Floats = npt.NDArray[np.float64]
#: Half a unit in the last place of f32 and f16, and of f16's subnormal numbers.
_F32, _F16, _LEAST_F16 = 2.0**-24, 2.0**-11, 2.0**-25


def decoded(packed: Any, scales: Any) -> Floats:
    """Return (.., K) of the elements of (.., K / 2) bytes with (.., K / 16) scales."""
    values = unpack_nibbles(packed).view(E2M1.dtype).astype(np.float64)
    return values * np.repeat(np.asarray(scales).view(E4M3.dtype).astype(np.float64), BLOCK, -1)


def wrong(problem: Problem, a: Floats, b: Floats, c: Any) -> tuple[int, float]:
    """Return how many elements of c lie outside the tolerance, and the largest part of it used.

    A term is the product of a block with its scales. Both kernels know a block's dot product
    exactly and round once for each further term, so that an error is at most the number of terms
    times the unit of f32 times the sum of magnitudes; the tensor core truncates, which doubles it.
    Then c is rounded to f16 once.

    Args:
        problem: What was computed.
        a: (L, rows, K), as `decoded` returns it.
        b: (L, K).
        c: (L, rows) of the result.
    """
    exact = np.einsum("lmk,lk->lm", a, b)
    magnitudes = np.einsum("lmk,lk->lm", np.abs(a), np.abs(b))
    terms = problem.k // BLOCK * (2 if problem.impl == "mma" else 1)
    spread = terms * _F32 * magnitudes
    bound = spread + np.maximum(_F16 * (np.abs(exact) + spread), _LEAST_F16)
    error = np.abs(np.asarray(c, np.float64) - exact)
    used = np.where(np.isfinite(error), error / bound, np.inf)
    return int((used > 1).sum()), float(used.max())
