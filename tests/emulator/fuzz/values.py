"""Hostile register values: addresses that nearly fit, descriptors, masks, plain noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

#: High halves of generic addresses of shared and private memory.
SHARED, PRIVATE = 0x0001_0000 << 32, 0x0002_0000 << 32
_ALL = (1 << 64) - 1
_EDGES = (0, 1, 2, 3, 4, 8, 15, 16, 31, 32, 33, 63, 64, 128, 255, 256, 511, 512, 1023, 1024, 0xFFFF,
          0x10000, 0xFFFFFF, 0x1000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 1 << 32,
          (1 << 63) - 1, 1 << 63, _ALL - 1, _ALL)  # fmt: skip


class Values:
    """Draws registers of a launch; the same seed gives the same ones.

    `ranges` are (address, bytes) of memory that the kernel may touch.
    """

    def __init__(self, seed: int, ranges: Sequence[tuple[int, int]]) -> None:
        """Begin anew."""
        self.random = np.random.default_rng(seed)
        self._ranges = ranges

    def one(self) -> int:
        """Draw one value of 64 bits."""
        kind = int(self.random.integers(0, 10))
        small = int(self.random.integers(0, 1 << int(self.random.integers(1, 18))))
        if kind <= 2:
            base, size = self._ranges[int(self.random.integers(len(self._ranges)))]
            return base + int(self.random.integers(-80, size + 80)) & _ALL
        if kind == 3:
            return int(self.random.choice(np.array(_EDGES, np.uint64)))
        if kind == 4:
            return small
        if kind == 5:  # shared and private windows, other CTAs of the cluster
            window = (0, SHARED, PRIVATE)[int(self.random.integers(3))]
            return window + small + (int(self.random.integers(0, 20)) << 24)
        if kind == 6:  # a tensor-memory address: lane, column
            return int(self.random.integers(0, 256)) << 16 | int(self.random.integers(0, 1 << 16))
        if kind == 7:  # a shared-memory descriptor
            noise = int(self.random.integers(0, 1 << 62))
            return noise & 0x3FFF3FFF3FFF | 1 << 46 | (noise >> 50 & 7) << 61
        if kind == 8:
            return _ALL if self.random.integers(2) else (1 << small % 65) - 1
        return int(self.random.integers(0, 1 << 63)) << 1 | int(self.random.integers(2))

    def registers(self, count: int, lanes: int) -> Words:
        """Draw uint64[count, lanes]: a register has one value, one a lane, or steps by lanes."""
        table = np.zeros((count, lanes), np.uint64)
        for row in table:
            kind = int(self.random.integers(0, 4))
            first = self.one()
            if kind == 0:
                row[:] = [self.one() for _ in range(lanes)]
            elif kind == 1:
                step = int(self.random.choice([1, 2, 4, 8, 16, 64, 4096]))
                row[:] = [first + step * lane & _ALL for lane in range(lanes)]
            else:
                row[:] = first
            if kind == 2:
                row[int(self.random.integers(lanes))] = self.one()
        return table
