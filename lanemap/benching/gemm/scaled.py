"""The reference for an FP8 product with scales of blocks, in float64, with a bound on the error."""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm import reference as gemm
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.scales import BLOCK, ELEMENT

Floats = npt.NDArray[np.float64]
#: The largest number of e4m3.
_LARGEST = 448.0
#: The values of its codes.
_VALUES = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float64)
#: An operation of f32 errs by at most this part of its result.
_ROUNDING = 2.0**-24
#: Rows of 128 quantized elements that matrices are drawn from.
_POOL = 1 << 14
#: Integers that are drawn; larger matrices repeat them, from another one on in each row.
_DRAWN = (1 << 22) + 40961


class Operands(NamedTuple):
    """The operands of a product on the host.

    Attributes:
        a: (M, K) of e4m3.
        b: (N, K) of e4m3.
        a_scales: (M, ceil(K / 128)) of f32.
        b_scales: (ceil(N / 128), ceil(K / 128)) of f32.
        height: Rows of B that have one scale.
    """

    a: npt.NDArray[Any]
    b: npt.NDArray[Any]
    a_scales: npt.NDArray[np.float32]
    b_scales: npt.NDArray[np.float32]
    height: int = BLOCK

    def of_part(self, rows: npt.NDArray[Any], columns: npt.NDArray[Any]) -> Operands:
        """Return those of some rows and columns of C."""
        of_b = self.b_scales[columns // self.height]
        return Operands(self.a[rows], self.b[columns], self.a_scales[rows], of_b, 1)


def quantized(x: npt.NDArray[Any], rows: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32]]:
    """Return a matrix in e4m3 with scales, as DeepSeek-V3 quantizes (arXiv 2412.19437, 3.3).

    Args:
        x: (rows, K).
        rows: Rows of a block of 128 columns: 1 for A, 128 for B.
    """
    tall, deep = -(-x.shape[0] // rows), -(-x.shape[1] // BLOCK)
    whole = np.zeros((tall * rows, deep * BLOCK), np.float32)
    whole[: x.shape[0], : x.shape[1]] = x
    blocks = whole.reshape(tall, rows, deep, BLOCK)
    largest = np.abs(blocks).max((1, 3))
    scales = np.where(largest > 0, largest / np.float32(_LARGEST), 1).astype(np.float32)
    codes = (blocks / scales[:, None, :, None]).reshape(whole.shape)
    return codes[: x.shape[0], : x.shape[1]].astype(ml_dtypes.float8_e4m3fn), scales


def drawn(rng: Any, rows: int, k: int, height: int) -> tuple[Any, Any]:
    """Return a matrix and its scales, whose blocks are drawn from quantized ones of N(0, 1).

    Quantizing all of a large matrix takes minutes. Blocks have `height` rows.
    """
    tall, deep, kind = -(-rows // height), -(-k // BLOCK), TYPES[ELEMENT].dtype
    pool, scales = quantized(rng.standard_normal((_POOL, BLOCK), np.float32), height)
    blocks = pool.view(np.uint8).reshape(-1, height, BLOCK)
    chosen = rng.integers(0, len(blocks), (tall, deep))
    whole = blocks[chosen].swapaxes(1, 2).reshape(tall * height, deep * BLOCK)
    return np.ascontiguousarray(whole[:rows, :k]).view(kind), scales[chosen, 0]


def integers(rng: Any, rows: int, k: int, height: int) -> tuple[Any, Any]:
    """Return a matrix of -2 to 2, and scales of 1/2, 1 and 2: every accumulation keeps their sums.

    So a scale at a wrong place is seen.
    """
    codes = np.arange(-2, 3).astype(TYPES[ELEMENT].dtype)
    shape = -(-rows // height), -(-k // BLOCK)
    scales = (2.0 ** rng.integers(-1, 2, shape)).astype(np.float32)
    some = codes[rng.integers(0, 5, min(rows * k, _DRAWN), np.int8)]
    return np.resize(some.view(np.uint8), (rows, k)).view(codes.dtype), scales


def reference(given: Operands) -> Floats:
    """Return the product in float64."""
    return _summed(given)[0]


def tolerance(problem: Problem, given: Operands, target: str) -> Floats:
    """Return the largest error that each element of C may have.

    The sum of 128 products errs as `lanemap.benching.gemm.reference.tolerance` derives it, from the
    sum S of their magnitudes. It is multiplied by the product of both scales, which is rounded to
    f32, and added to the sum of those before by one fma, whose result is rounded: that sum is at
    most the sum of all scaled S. Rounding to C's type adds half a unit of its last place.

    Args:
        problem: Sizes and types.
        given: The operands.
        target: The target whose tensor cores compute.
    """
    return _bound(problem, *_summed(given), target)


def wrong(problem: Problem, given: Operands, c: npt.NDArray[Any], target: str) -> tuple[int, float]:
    """Return how many elements of C lie outside the tolerance, and the largest part of it used.

    A NaN is always wrong.
    """
    exact, magnitude = _summed(given)
    error = np.abs(c.astype(np.float64) - exact) / _bound(problem, exact, magnitude, target)
    inside = error <= 1.0
    return int((~inside).sum()), float(np.nan_to_num(error, nan=np.inf).max(initial=0.0))


def _bound(problem: Problem, exact: Floats, magnitude: Floats, target: str) -> Floats:
    error = _ROUNDING * (1 + -(-problem.k // BLOCK)) * magnitude
    error = error + gemm.stage_error(problem, magnitude, target)
    output = TYPES[problem.output]
    return np.asarray(error + (np.abs(exact) + error) * 2.0**-output.bits + 2.0**-126)


def _summed(given: Operands) -> tuple[Floats, Floats]:
    """Return the product, and that of magnitudes."""
    exact, magnitude = np.zeros((2, len(given.a), len(given.b)))
    columns = np.arange(len(given.b)) // given.height
    for block in range(given.a_scales.shape[1]):
        k = slice(block * BLOCK, (block + 1) * BLOCK)
        of_a = given.a_scales[:, block, None].astype(np.float64)
        scale = of_a * given.b_scales[columns, block].astype(np.float64)
        a, b = (_VALUES[each[:, k].view(np.uint8)] for each in (given.a, given.b))
        exact += (a @ b.T) * scale
        magnitude += (np.abs(a) @ np.abs(b).T) * np.abs(scale)
    return exact, magnitude
