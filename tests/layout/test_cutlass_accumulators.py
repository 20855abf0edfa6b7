"""CUTLASS's own layouts of accumulators and scale factors in tensor memory: fitted, and compared.

Own transcription of the atoms in NVIDIA/cutlass at 029bb3d, include/cute/atom/mma_traits_sm100.hpp:
tmem_frg, tmem_frg_ws and tmem_sf_frg. An address there counts lanes in ones, columns in 128s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lanemap.layout import CuteFit, LayoutMap, Space, fit_cute
from lanemap.model.tcgen05_mma import LAYOUTS, result_map, scale_map

Unfold = Callable[[Any, Any], np.ndarray]


def atom(letter: str, n: int) -> tuple[Any, Any]:
    """Shape and stride of (m of one CTA, n)."""
    whole = ((128, n), (1, 128))
    halves = ((64, (n // 2, 2)), (1, (128, 64)))
    return {
        "A": whole,
        "B": halves,
        "D": whole,
        "E": halves,
        "F": (((16, 4), n), ((1, 32), 128)),
        "G": ((32, (n // 4, 4)), (1, (128, 32))),
    }[letter]


def published(letter: str, n: int, unfolded: Unfold) -> LayoutMap:
    """tmem[lane, column] of each matrix[row, column] of one CTA."""
    shape, stride = atom(letter, n)
    rows, columns = (unfolded(s, d) for s, d in zip(shape, stride, strict=True))
    address = rows[:, None] + columns[None, :]
    width = int(address.max()) // 128 + 1
    matrix = Space("matrix", (("row", rows.size), ("column", n)))
    tmem = Space("tmem", (("lane", 128), ("column", width)))
    return LayoutMap(matrix, tmem, (address % 128 * width + address // 128).reshape(-1))


CASES = [(layout, n) for layout in LAYOUTS if layout.letter != "C" for n in (64, 128, 256)]


@pytest.mark.parametrize(("layout", "n"), CASES, ids=lambda v: getattr(v, "letter", v))
def test_the_model_places_d_as_cutlass_does(layout: Any, n: int, unfolded: Unfold) -> None:
    theirs = published(layout.letter, n, unfolded)
    ours = result_map(layout, n, 32).restrict(bit=0)
    if layout.ctas == 2:
        # CUTLASS gives the layout of one CTA: rows from 0 in each.
        ours = ours.restrict(cta=0)
    back = theirs.inverse()
    assert back.destination == ours.destination
    expected = np.where(back.table >= 0, 32 * back.table, -1)
    assert np.array_equal(ours.table, expected)


@pytest.mark.parametrize("n", [64, 80, 96, 256])
@pytest.mark.parametrize("letter", "ABDEFG")
def test_the_fit_finds_the_published_modes(letter: str, n: int, unfolded: Unfold) -> None:
    layout = published(letter, n, unfolded)
    fit = fit_cute(layout, swizzles=False)
    assert isinstance(fit, CuteFit)
    assert fit.to_map() == layout
    width = layout.source.axis_size("column")

    def restride(stride: Any) -> Any:
        """From lanes in ones and columns in 128s to this space's own index."""
        if isinstance(stride, tuple):
            return tuple(restride(part) for part in stride)
        return stride // 128 + stride % 128 * width

    shape, stride = atom(letter, n)
    values = [unfolded(s, restride(d)) for s, d in zip(shape, stride, strict=True)]
    found = [unfolded(s, d) for s, d in zip(*fit.shape_stride(), strict=True)]
    assert all(np.array_equal(a, b) for a, b in zip(values, found, strict=True))
    modes = sum(len(s) if isinstance(s, tuple) else 1 for s in shape)
    assert fit.mode_count <= modes


@pytest.mark.parametrize("rows", [128, 256])
def test_the_model_places_scales_as_cutlass_does(rows: int, unfolded: Unfold) -> None:
    # Of ((32, MN/32), 4 repetitions) and NSF: (((1, 512), 32), 128), in bytes: four to a column.
    place = unfolded((32, rows // 32), (1, 512))[:, None] + unfolded(4, 128)[None, :]
    ours = scale_map(rows, 4, 0)
    for repetition in range(4):
        address = place + 32 * repetition
        for row, block in ((0, 0), (31, 3), (32, 1), (rows - 1, 2)):
            cell = int(address[row, block])
            byte = cell // 128
            found = ours.source_of(lane=cell % 128, column=byte // 4, bit=8 * (byte % 4))
            assert found == {"row": row, "block": block, "bit": 0}
