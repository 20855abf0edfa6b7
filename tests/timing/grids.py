"""Launches of the kernels of grids.cu, each compared with NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SOURCE = Path(__file__).resolve().parent / "grids.cu"
#: CTAs of a grid that is as large as the GPU.
_RESIDENT = 132 * 8
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Launch:
    """One launch: of a kernel, on a matrix of so many rows and columns of f32."""

    kernel: str
    rows: int
    columns: int

    @property
    def ctas(self) -> int:
        """CTAs, of 256 threads."""
        cells = self.rows * self.columns
        return {
            "copy": -(-cells // 1024),
            "axpy": min(_RESIDENT, -(-cells // 256)),
            "gemv": self.rows // 8,
            "sums": self.rows,
            "transpose": cells // 1024,
        }[self.kernel]

    def __call__(self, device: Any, text: str) -> None:
        """Launch, and compare.

        Raises:
            AssertionError: the result is not that of NumPy.
        """
        given = np.resize(np.arange(17, dtype=np.float32), (self.rows, self.columns))
        vector = np.arange(self.columns, dtype=np.float32) % 5
        made = self.expected(given, vector)
        out = device.zeros(made.shape, np.float32)
        arguments = (
            device.array(given), device.array(vector), out, np.int32(self.rows),
            np.int32(self.columns),
        )  # fmt: skip
        device.load(text)[self.kernel](self.ctas, 256, arguments)
        np.testing.assert_allclose(out.get(), made, 1e-5)

    def expected(self, given: Floats, vector: Floats) -> Floats:
        """What NumPy computes."""
        return {
            "copy": lambda: given,
            "axpy": lambda: 3 * given,
            "gemv": lambda: given @ vector,
            "sums": lambda: given.sum(1),
            "transpose": lambda: np.ascontiguousarray(given.T),
        }[self.kernel]()


LAUNCHES = tuple(
    Launch(kernel, rows, columns)
    for kernel, sizes in {
        "copy": ((1024, 1024), (4096, 4096), (16384, 8192)),
        "axpy": ((2048, 2048), (16384, 4096)),
        "gemv": ((1024, 4096), (4096, 4096), (32768, 4096)),
        "sums": ((1024, 1024), (16384, 4096)),
        "transpose": ((1024, 1024), (8192, 8192)),
    }.items()
    for rows, columns in sizes
)
