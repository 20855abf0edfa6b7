"""Layout maps in the form that the runtime reads (runtime/tables.h): int32 arrays of a program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.int32]
#: What an element receives that nothing moves to (tables.h).
NOTHING = -1


def moved_elements(sources: NDArray[np.int64], source_bits: int) -> tuple[int, NDArray[np.int64]]:
    """The widest aligned elements that a map moves whole: their bits, and the source of each.

    `sources[..., bit]` is the source bit of each bit of a destination word, counted over all cells
    of the source, which have `source_bits` bits each; -1 for nothing.
    """
    flat = sources.reshape(-1)
    for bits in (32, 16, 8, 4, 2, 1):
        if source_bits % bits:
            continue
        elements = flat.reshape(-1, bits)
        first = elements[:, 0]
        whole = (elements == first[:, None] + np.arange(bits)).all(1) & (first % bits == 0)
        if (whole | (elements == -1).all(1)).all():
            return bits, np.where(first < 0, NOTHING, first // bits)
    raise AssertionError("every map moves single bits")


def gather_table(sources: NDArray[np.int64], source_bits: int) -> Table:
    """The table of a map between registers, or from chunks of memory at the lanes' addresses.

    `sources[lane, register, bit]` is the source bit, counted over all chunks of `source_bits` bits,
    or -1.
    """
    bits, elements = moved_elements(sources, source_bits)
    return np.concatenate([[bits, 0, 0], elements]).astype(np.int32)


def cell_order(touched: NDArray[np.bool_]) -> tuple[NDArray[np.int64], list[tuple[int, int, int]]]:
    """The cells of a memory that a table touches, in the order of their addresses.

    `touched[lane, column]`. A column's lanes lie side by side. Returns the cells, as
    lane * columns + column, and their runs: (lane, column, how many lanes).
    """
    lanes, columns = touched.shape
    order: list[NDArray[np.int64]] = []
    runs: list[tuple[int, int, int]] = []
    for column in range(columns):
        here = np.flatnonzero(touched[:, column])
        order.append(here * columns + column)
        for run in np.split(here, np.flatnonzero(np.diff(here) != 1) + 1):
            if len(run):
                runs.append((int(run[0]), column, len(run)))
    return np.concatenate(order) if order else np.zeros(0, np.int64), runs


def cell_table(
    bits: int,
    runs: Sequence[tuple[int, int, int]],
    lanes: NDArray[np.int64],
    elements: NDArray[np.int64],
) -> Table:
    """A table that moves cells of a memory, in runs; `lanes` says whose each cell is."""
    words = [number for run in runs for number in run]
    return np.concatenate([[bits, len(runs), len(lanes)], words, lanes, elements]).astype(np.int32)
