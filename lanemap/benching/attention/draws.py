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


@lru_cache(maxsize=8)
def _some(seed: int, element: str, factor: int, size: int) -> npt.NDArray[Any]:
    """Return so many numbers of N(0, 1), rounded to a type and multiplied there."""
    kind = TYPES[element].dtype
    drawn = np.random.default_rng(seed).standard_normal(size, np.float32).astype(kind)
    found = drawn if factor == 1 else (drawn.astype(np.float32) * factor).astype(kind)
    found.flags.writeable = False
    return found


@dataclass(frozen=True)
class Draw:
    """An array of drawn numbers, which exists on a device alone.

    Attributes:
        shape: Its shape.
        values: What is drawn, one after another; the array repeats it.
    """

    shape: tuple[int, ...]
    values: npt.NDArray[Any]

    def rows(self, numbers: Any) -> npt.NDArray[Any]:
        """Return rows of the last dimension by their numbers, an integer or an array of them."""
        length = self.shape[-1]
        at = np.asarray(numbers, np.int64)[..., None] * length + np.arange(length)
        found: npt.NDArray[Any] = self.values[at % self.values.size]
        return found

    def array(self) -> npt.NDArray[Any]:
        """Return the whole array on the host."""
        return np.resize(self.values, self.shape)


def draws(shapes: Sequence[tuple[int, ...]], element: str, inputs: str) -> list[Draw]:
    """Return Q, K and V of such shapes as `inputs` says."""
    factors = (1 if inputs == NORMAL else 16, 1, 1)
    return [
        Draw(shape, _some(seed, element, factor, min(math.prod(shape), _DRAWN)))
        for seed, (shape, factor) in enumerate(zip(shapes, factors, strict=True))
    ]


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
