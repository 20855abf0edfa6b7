"""A layout map as a page holds it: two sides, and which place of one each place of the other has.

The scripts of the site (analysis/scripts/maps.js) read it and draw what `grid_of` draws.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.drawing.grid import drawn_units
from lanemap.drawing.sides import MEMORY, Side, in_lines
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap


def packed(layout: LayoutMap, by: str = "") -> dict[str, Any]:
    """A map's picture as data for `json`.

    Args:
        layout: The map.
        by: The side that is the grid, as of `grid_of`.

    Returns:
        `here`, the side that is the grid, and `there`, the other; `cells`, for each place of here
        the number of its place there or -1, as `numbers` packs them; and `destination`, which of
        the two receives.
    """
    units = drawn_units(layout, by)
    cells = np.where(units.place < 0, UNDEFINED, units.place * units.there.count + units.unit)
    turned = units.here.space != in_lines(layout).destination
    return {
        "here": _side(units.here),
        "there": _side(units.there),
        "cells": numbers(cells),
        "destination": "there" if turned else "here",
    }


def numbers(values: IntArray) -> str:
    """Integers of 32 bits as base64 of the deflated differences of neighbors."""
    flat = values.reshape(-1)
    steps = np.diff(flat, prepend=0).astype("<i4")
    return base64.b64encode(zlib.compress(steps.tobytes(), 9)).decode()


def _side(side: Side) -> dict[str, Any]:
    """One side: its rows and columns, and how a label names one of its places.

    `rows` and `columns` are labels, or the number of them where they count from 0. `join` stands
    between the label of a row and that of a column; "" if the row's is the whole label. With
    `unit_labels` the number of the column takes the place of its label, as banks need it.
    """
    memory = side.space.name in MEMORY
    whole = side.count == 1 and not side.is_table
    always = side.space.name in ("register", "chunk", "tmem")
    comma = side.is_table or side.space.name == "tmem"
    return {
        "space": side.space.name,
        "axes": [list(axis) for axis in side.space.axes],
        "row": side.row_name(),
        "column": side.column_name(),
        "rows": _labels(side.row_labels()),
        "columns": _labels(side.column_labels()),
        "unit": side.unit,
        "count": side.count,
        "outer": [list(axis) for axis in side.outer],
        "join": "" if whole and not always else "," if comma else ".",
        "unit_labels": memory,
        "words": side.words(),
    }


def _labels(labels: Sequence[str]) -> int | list[str]:
    counted = [str(number) for number in range(len(labels))]
    return len(labels) if list(labels) == counted else list(labels)
