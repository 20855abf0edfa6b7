"""Columns of tensor memory's cells against the PTX ISA's figures, written out as formulas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lanemap.model.tcgen05_mma import LAYOUTS
from lanemap.model.tensor_cells import ELEMENTS, ROWS, SCALES, added, k_columns

# PTX ISA 9.0, Data Path Layout Organization: CTA, lane and column of D's element (m, n).
FIGURES: dict[str, Callable[[int, int, int], tuple[int, int, int]]] = {
    "A": lambda m, n, N: (m // 128, m % 128, n),
    "B": lambda m, n, N: (m // 64, m % 64 + (64 if n >= N // 2 else 0), n % (N // 2)),
    "C": lambda m, n, N: (m // 64, m % 64 // 16 * 32 + m % 16, n),
    "D": lambda m, n, N: (0, m, n),
    "E": lambda m, n, N: (0, m + (64 if n >= N // 2 else 0), n % (N // 2)),
    "F": lambda m, n, N: (0, m // 16 * 32 + m % 16, n),
    "G": lambda m, n, N: (0, m + 32 * (4 * n // N), n % (N // 4)),
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.letter} {layout.form}")
def test_every_element_of_d_lies_where_the_figures_have_it(layout: object) -> None:
    lies = layout.lies  # type: ignore[attr-defined]
    for columns in layout.legal():  # type: ignore[attr-defined]
        width = columns // lies.fold
        for n in {0, 1, width - 1, width % columns, columns // 2, columns - 1}:
            for m in range(lies.rows):
                cta, row = divmod(m, lies.rows // lies.ctas)
                lane = added(lies.row, row) + added(lies.block, n // width)
                expected = FIGURES[lies.letter](m, n, columns)
                assert (cta, lane, n % width) == expected, (columns, m, n)
    assert {each.letter for each in ROWS.values()} == set(FIGURES)


def test_elements_of_a_follow_each_other_in_a_lane() -> None:
    # PTX ISA, Packing format used for matrix A in Tensor Memory: holders from the lowest bits of
    # the first column on; 6 and 4 bits in the middle of a byte.
    assert {(e.holder, e.bits, e.shift) for e in ELEMENTS} == {
        (32, 32, 0), (16, 16, 0), (8, 8, 0), (8, 6, 1), (8, 4, 2), (4, 4, 0),
    }  # fmt: skip
    for holder in (4, 8, 16, 32):
        column, bit = (list(part) for part in zip(*k_columns(holder), strict=True))
        for k in range(256 // holder):
            assert added(column, k) * 32 + added(bit, k) == k * holder


@pytest.mark.parametrize("rows", [8, 16, 24, 80, 128, 240, 256])
@pytest.mark.parametrize("folded", [False, True])
def test_scales_lie_in_columns_of_32_rows(rows: int, folded: bool) -> None:
    # PTX ISA, Layout of the Scale Factors: 32 rows a column, in each of four groups of 32 lanes;
    # where N is folded, its second half in the upper two groups.
    lies, halves = SCALES[folded], 2 if folded else 1
    lane, column = (list(part) for part in zip(*lies.row, strict=True))
    for row in range(rows):
        half, inside = divmod(row, rows // halves)
        found = {
            (
                added(lane, inside) + added(lies.half, half) + added(lies.copy, copy),
                added(column, inside),
            )
            for copy in range(4 // halves)
        }
        first = 64 * (row >= rows // 2) if folded else 0
        within = row % (rows // 2) if folded else row
        assert found == {
            (first + 32 * group + within % 32, within // 32) for group in range(4 // halves)
        }
    np.testing.assert_array_equal([added(lies.block, byte) for byte in range(4)], [0, 8, 16, 24])
