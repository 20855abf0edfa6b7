"""How a matrix, or many, lie in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lanemap.benching.arrays import item_bytes, steps
from lanemap.benching.gemm.problem import ALIGNMENT


@dataclass(frozen=True)
class Matrices:
    """Matrices whose elements of a row are adjacent.

    Attributes:
        sizes: Dimensions before those of a matrix; none for a single one.
        strides: Bytes from one matrix to the next along each of them.
        rows: Rows of a matrix.
        row_bytes: From one row to the next.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    rows: int
    row_bytes: int

    @property
    def count(self) -> int:
        """The number of matrices."""
        return math.prod(self.sizes)

    @property
    def is_one(self) -> bool:
        """Whether all rows of all matrices are equally far apart."""
        expected = self.rows * self.row_bytes
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if size > 1 and stride != expected:
                return False
            expected *= size
        return True

    @property
    def folded(self) -> Matrices:
        """The one matrix that they are."""
        return Matrices((), (), self.rows * self.count, self.row_bytes)

    def step(self, index: Sequence[int]) -> int:
        """Return the bytes from the first matrix to one; a size of 1 stands for every index."""
        own = index[len(index) - len(self.sizes) :]
        each = zip(own, self.sizes, self.strides, strict=True)
        return sum(place * stride for place, size, stride in each if size > 1)


def matrices_of(array: Any) -> Matrices | None:
    """Return how an array of at least two dimensions lies; None where TMA cannot reach it so.

    TMA wants elements of a row to be adjacent, and rows and matrices to begin at multiples of 16
    bytes from each other (cuTensorMapEncodeTiled, globalStrides).
    """
    shape, strides = tuple(int(size) for size in array.shape), steps(array)
    item = item_bytes(array)
    row = strides[-2] if shape[-2] > 1 else aligned(shape[-1] * item)
    apart = [stride for size, stride in zip(shape[:-2], strides[:-2], strict=True) if size > 1]
    if strides[-1] != item and shape[-1] > 1:
        return None
    if row <= 0 or row % ALIGNMENT or any(each % ALIGNMENT or each < 0 for each in apart):
        return None
    return Matrices(shape[:-2], strides[:-2], shape[-2], row)


def new(shape: tuple[int, ...], item: int) -> Matrices:
    """Return how a new array lies whose rows begin at multiples of 16 bytes."""
    row = aligned(shape[-1] * item)
    strides = tuple(row * math.prod(shape[i + 1 : -1]) for i in range(len(shape) - 2))
    return Matrices(shape[:-2], strides, shape[-2], row)


def aligned(size: int) -> int:
    """Return the next multiple of what TMA wants."""
    return -(-size // ALIGNMENT) * ALIGNMENT
