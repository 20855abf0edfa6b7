"""Copies of rows of bytes, against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching.gemm.rows import Rows, RowsKernel, rows_of

#: Rows, bytes of each, where both sides begin, bytes from one row to the next there and here.
SHAPES = (
    (5, 34, 0, 2, 48, 34), (3, 1001, 0, 0, 1008, 1001), (7, 700, 2, 0, 702, 700),
    (2, 5, 3, 1, 16, 9), (9, 64, 0, 0, 64, 64), (4, 130, 6, 14, 130, 144), (70, 47, 0, 0, 48, 47),
)  # fmt: skip


def test_rows_are_copied_from_anywhere_to_anywhere() -> None:
    """Nothing outside of the rows is written, and nothing outside of the array is read."""
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    rng, kernel = np.random.default_rng(0), RowsKernel("sm_90a")
    for count, size, to_first, first, to_pitch, pitch in SHAPES:
        source = rng.integers(0, 256, first + (count - 1) * pitch + size, dtype=np.uint8)
        target = np.full(to_first + (count - 1) * to_pitch + size, 7, np.uint8)
        expected = target.copy()
        for row in range(count):
            at, there = first + row * pitch, to_first + row * to_pitch
            expected[there : there + size] = source[at : at + size]
        here, there = (device.adopt(each).pointer() for each in (source, target))
        copy = kernel.enqueue(device, Rows(count, size, pitch), to_pitch, pitch)
        copy(0, there.address + to_first, here.address + first)
        np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (lambda x: x, Rows(24, 14, 14)),
        (lambda x: x[:, :, 1:4], Rows(24, 6, 14)),
        (lambda x: x[1], Rows(6, 14, 14)),
        (lambda x: x[:, 2:3], Rows(4, 14, 84)),
        (lambda x: x[1, 1], Rows(1, 14, 14)),
        (lambda x: x[:, :4], None),
        (lambda x: x[:, :, ::2], None),
        (lambda x: x[:, ::-1], None),
        (lambda x: x.swapaxes(1, 2), None),
    ],
)
def test_rows_of_arrays(view: Any, expected: Rows | None) -> None:
    array = view(np.zeros((4, 6, 7), np.float16))
    assert rows_of(array.shape, array.strides, 2) == expected
