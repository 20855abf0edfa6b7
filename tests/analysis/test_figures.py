from __future__ import annotations

import io
import re

import numpy as np
import pytest

from lanemap.cli.folders import module
from lanemap.layout import LayoutMap
from tests.analysis.records import layout, record, settles_nothing

figures = module("analysis", "figures")
canvas = module("analysis", "canvas")
LANE, BYTE = np.meshgrid(np.arange(64), np.arange(8), indexing="ij")
TRANSPOSE = layout((LANE & 48) + 2 * BYTE + (LANE >> 3 & 1), LANE & 7, 8)


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16, 32])
def test_the_widest_cells_that_move_whole_are_found(bits):
    cells = 64 // bits
    lane, cell = np.meshgrid(np.arange(64), np.arange(cells), indexing="ij")
    # Reversed order inside a chunk: no two neighbours stay together.
    view = figures.cells_of(layout(63 - lane, cells - 1 - cell, bits))
    assert view.cell_bits == bits
    assert np.array_equal(view.lane, 63 - lane)
    assert np.array_equal(view.cell, cells - 1 - cell)


def test_undefined_cells_stay_undefined():
    table = TRANSPOSE.table.copy()
    table[:8] = -1
    view = figures.cells_of(LayoutMap(TRANSPOSE.destination, TRANSPOSE.source, table))
    assert view.cell_bits == 8
    assert (view.lane[0, 0], view.cell[0, 0]) == (-1, -1)
    assert (view.lane[0, 1], view.cell[1, 3]) == (2, 1)


def test_the_same_record_gives_the_same_bytes():
    first, second = figures.draw(record(TRANSPOSE)), figures.draw(record(TRANSPOSE))
    assert sorted(first) == ["png", "svg"] and first == second
    assert not re.search(rb"\d{4}-\d\d-\d\d|matplotlib v|<dc:date>", first["svg"])


def pixels(png: bytes) -> np.ndarray:
    from matplotlib.image import imread

    return imread(io.BytesIO(png))[..., :3]


def share(image: np.ndarray, colour: np.ndarray) -> int:
    return int((np.abs(image - colour[:3]).max(axis=-1) < 0.02).sum())


def test_a_cell_has_the_colour_of_the_lane_that_it_came_from():
    """Every byte from lane 5's chunk: its colour fills the registers, others only the key."""
    colours = canvas.lane_colours(64, 16)
    image = pixels(figures.draw(record(layout(0 * LANE + 5, BYTE, 8)))["png"])
    assert share(image, colours[5]) > 40 * share(image, colours[40]) > 0


def test_every_lane_of_a_wave_has_a_colour_of_its_own():
    colours = canvas.lane_colours(64, 16)
    assert np.unique(colours.round(3), axis=0).shape[0] == 64


def test_a_record_without_a_map_has_no_map_to_draw():
    assert figures.draw(settles_nothing()) == {}
