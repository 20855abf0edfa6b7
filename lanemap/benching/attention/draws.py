"""Operands of attention's benchmarks: numbers of which some million are drawn, over and over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.benchmark import Case
from lanemap.benching.gemm.problem import TYPES

NORMAL, LARGE = "N(0, 1)", "Q of N(0, 16^2), so that few keys have a weight"
#: Numbers that are drawn; longer operands repeat them.
_DRAWN = (1 << 22) + 40961
#: The most elements of a row.
_LONGEST_ROW = 256
#: Rows of O that are compared, spread over all: so many where keys are few, and of all keys that
#: they see so many elements.
_CHECKED_ROWS, _CHECKED_ELEMENTS = (4, 32), 1 << 25


@lru_cache(maxsize=8)
def _some(seed: int, element: str, factor: int, size: int) -> npt.NDArray[Any]:
    """Return so many numbers of N(0, 1), rounded to a type and multiplied there."""
    kind = TYPES[element].dtype
    drawn = np.random.default_rng(seed).standard_normal(size, np.float32).astype(kind)
    found = drawn if factor == 1 else (drawn.astype(np.float32) * factor).astype(kind)
    found.flags.writeable = False
    return found


@lru_cache(maxsize=8)
def _exact(seed: int, element: str, factor: int, size: int) -> npt.NDArray[np.float64]:
    """Return the same in float64, and its beginning once more behind it."""
    drawn = _some(seed, element, factor, size).astype(np.float64)
    return np.concatenate([drawn, drawn[:_LONGEST_ROW]])


@dataclass(frozen=True)
class Draw:
    """An array of drawn numbers, which exists on a device alone.

    Attributes:
        shape: Its shape.
        drawn: What `_some` takes.
    """

    shape: tuple[int, ...]
    drawn: tuple[int, str, int, int]

    @property
    def values(self) -> npt.NDArray[Any]:
        """What is drawn, one after another; the array repeats it."""
        return _some(*self.drawn)

    def rows(self, numbers: Any) -> npt.NDArray[np.float64]:
        """Return rows of the last dimension by their numbers, an integer or an array of them."""
        length, size = self.shape[-1], self.drawn[-1]
        all_rows = np.lib.stride_tricks.sliding_window_view(_exact(*self.drawn), length)
        found: npt.NDArray[np.float64] = all_rows[np.asarray(numbers, np.int64) * length % size]
        return found

    def array(self) -> npt.NDArray[Any]:
        """Return the whole array on the host."""
        return np.resize(self.values, self.shape)


def draws(shapes: Sequence[tuple[int, ...]], element: str, inputs: str) -> list[Draw]:
    """Return Q, K and V of such shapes as `inputs` says."""
    factors = (1 if inputs == NORMAL else 16, 1, 1)
    return [
        Draw(shape, (seed, element, factor, min(math.prod(shape), _DRAWN)))
        for seed, (shape, factor) in enumerate(zip(shapes, factors, strict=True))
    ]


def some_rows(rows: int, keys: int, head_dim: int) -> list[int]:
    """Return the numbers of rows that are compared, of all; each sees so many keys at most."""
    least, most = _CHECKED_ROWS
    count = min(most, max(least, _CHECKED_ELEMENTS // max(1, keys * head_dim)))
    return [int(each) for each in np.unique(np.linspace(0, rows - 1, count).astype(np.int64))]


class DrawnCase(Case):
    """A case whose Q, K and V are drawn."""

    inputs = (NORMAL, LARGE)

    def __init__(self, device: Any, element: str, operands: Sequence[Any], results: Any) -> None:
        """Keep Q, K and V and the arrays of the results, on a device."""
        self._device, self._element = device, element
        self._operands, self._results = operands, results
        self._filled = False

    def fill(self, inputs: str) -> None:
        """Write Q, the first time K and V too, and NaN over the results; see `Case`."""
        made = self.draws(inputs)
        for array, draw in list(zip(self._operands, made, strict=True))[: 1 if self._filled else 3]:
            self._device.repeat(array, draw.values)
        self._filled = True
        for array in self._results:
            self._device.repeat(array, np.full(1, np.nan, array.dtype))

    def draws(self, inputs: str) -> list[Draw]:
        """Return Q, K and V."""
        return draws([each.shape for each in self._operands], self._element, inputs)
