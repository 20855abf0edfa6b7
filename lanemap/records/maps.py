"""Layout maps packed for results/: an F2 matrix where one fits, else a table in runs.

Both forms are decoded again and compared on every cell before they are written, so that a packed
map always is the map that was observed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap, Space

Table = npt.NDArray[np.int64]
Marks = npt.NDArray[np.bool_]

# Four times the bits of all of tensor memory. No real map is larger; a forged one could be.
MOST_CELLS = 1 << 25

# The digits are few enough that no sum or product of them overflows 64 bits.
_RUN = re.compile(r"(-?\d{1,9})(?:([+-]\d{1,9})\*(\d{1,12}))?")


def encode_map(layout: LayoutMap, without_source: Marks | None = None) -> dict[str, Any]:
    """Pack a layout map as JSON values, with the cells that are known to have no source.

    Form "f2": the source index of a destination cell is `offset` XOR the entries of `columns` for
    each bit that is set in the cell's coordinates; an axis has one entry a bit, lowest bit first.
    With "only", masks by axis, cells that have one of those bits set are undefined.
    Form "runs": one line for each coordinate of the first axis; `7+2*4` is 7 9 11 13, `7` is one
    cell, and source -1 means undefined. Indices are mixed radix over the axes, first axis slowest.
    "without_source" is "rest" where every undefined cell is known to receive nothing, else a list
    of [first cell, count]; it is left out where no cell is.
    """
    table = np.asarray(layout.table, dtype=np.int64)
    packed: dict[str, Any] = {
        "destination": _encode_space(layout.destination),
        "source": _encode_space(layout.source),
    }
    clear = _clear_bits(layout.destination, table)
    columns = _f2_columns(layout.destination, table, clear)
    if columns is not None:
        packed |= {"form": "f2", "offset": int(table[0]), "columns": columns}
        packed |= {"only": clear} if clear else {}
    else:
        rows = table.reshape(layout.destination.axes[0][1], -1)
        packed |= {"form": "runs", "rows": [_encode_runs(row) for row in rows]}
    if without_source is not None and without_source.any():
        rest = np.array_equal(without_source, table < 0)
        packed["without_source"] = "rest" if rest else _ranges(without_source)
    if not np.array_equal(decode_map(packed).table, table):
        raise AssertionError("a packed layout map differs from the map that it was packed from")
    return packed


def decode_map(packed: Mapping[str, Any]) -> LayoutMap:
    """Unpack what `encode_map` packed.

    Raises:
        UserError: the form is unknown, a run is malformed, or cells are missing or out of range.
    """
    destination = _decode_space(packed["destination"])
    source = _decode_space(packed["source"])
    form = packed["form"]
    if form == "f2":
        only = packed.get("only", {})
        if set(packed["columns"]) != set(destination.names) or set(only) - set(destination.names):
            raise UserError(f"a packed map's matrix does not name the axes of {destination}")
        largest = [max(part, default=0) for part in packed["columns"].values()]
        furthest = max(packed["offset"], *largest)
        if furthest >= MOST_CELLS:
            raise UserError(f"a packed map names source cell {furthest}; no space is so large")
        table = _f2_table(destination, packed["offset"], packed["columns"])
        table[_excluded(destination, only)] = -1
    elif form == "runs":
        table = _decode_runs(packed["rows"], destination.size)
    else:
        raise UserError(f"a packed map has form {form!r}; lanemap reads 'f2' and 'runs'")
    if table.size != destination.size:
        raise UserError(f"a packed map has {table.size} cells where {destination.size} belong")
    if table.size and not (table.min() >= -1 and table.max() < source.size):
        raise UserError(f"a packed map names a source cell outside 0 .. {source.size - 1}")
    return LayoutMap(destination, source, table)


def decode_marks(packed: Mapping[str, Any], layout: LayoutMap) -> Marks | None:
    """Return bool[cells], the cells that a packed map shows to have no source; None for none.

    Args:
        packed: What `encode_map` packed.
        layout: What `decode_map` made of it.

    Raises:
        UserError: a range lies outside the map.
    """
    ranges = packed.get("without_source")
    if ranges is None:
        return None
    if ranges == "rest":
        return layout.table < 0
    marks = np.zeros(layout.table.size, np.bool_)
    for first, count in ranges:
        if first + count > marks.size:
            raise UserError(f"a packed map has no cells {first} to {first + count - 1}")
        marks[first : first + count] = True
    return marks


def _ranges(marks: Marks) -> list[list[int]]:
    """The runs of marked cells as [first, count]."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marks, [False]]).astype(np.int8)))
    return [[int(first), int(stop - first)] for first, stop in edges.reshape(-1, 2)]


def _encode_space(space: Space) -> dict[str, Any]:
    return {"name": space.name, "axes": [[name, size] for name, size in space.axes]}


def _decode_space(packed: Mapping[str, Any]) -> Space:
    axes = tuple((str(name), int(size)) for name, size in packed["axes"])
    if math.prod(size for _, size in axes) > MOST_CELLS:
        raise UserError(f"a packed map's {packed['name']} has more than {MOST_CELLS} cells")
    return Space(packed["name"], axes)


def _clear_bits(destination: Space, table: Table) -> dict[str, int]:
    """Return by axis the bits of coordinates that are clear in every defined cell, as masks."""
    defined = table >= 0
    if defined.all() or not defined.any():
        return {}
    seen = {name: 0 for name, _ in destination.axes}
    for name, coordinates in destination.coords(np.flatnonzero(defined)).items():
        seen[name] = int(np.bitwise_or.reduce(coordinates))
    masks = {name: (size - 1) & ~seen[name] for name, size in destination.axes}
    return {name: mask for name, mask in masks.items() if mask}


def _excluded(destination: Space, clear: Mapping[str, int]) -> npt.NDArray[np.bool_]:
    """Return the cells that have one of these bits set in a coordinate."""
    excluded = np.zeros(destination.size, np.bool_)
    if clear:
        grid = destination.grid()
        for name, mask in clear.items():
            excluded |= grid[name] & mask != 0
    return excluded


def _f2_columns(
    destination: Space, table: Table, clear: Mapping[str, int]
) -> dict[str, list[int]] | None:
    """Return the matrix of a map that is affine over F2 on indices, None where it is not."""
    if any(size & (size - 1) for _, size in destination.axes) or table[0] < 0:
        return None
    columns: dict[str, list[int]] = {}
    stride = destination.size
    for name, size in destination.axes:
        stride //= size
        mask = clear.get(name, 0)
        bits = range(size.bit_length() - 1)
        # A bit that is clear wherever the map is defined moves nothing.
        steps = [0 if mask >> bit & 1 else stride << bit for bit in bits]
        columns[name] = [int(table[step] ^ table[0]) for step in steps]
    fitted = _f2_table(destination, int(table[0]), columns)
    fitted[_excluded(destination, clear)] = -1
    return columns if np.array_equal(fitted, table) else None


def _f2_table(destination: Space, offset: int, columns: Mapping[str, list[int]]) -> Table:
    """Evaluate an F2 matrix on every cell, doubling the table once a bit, fastest axis first."""
    table = np.array([offset], np.int64)
    for name, size in reversed(destination.axes):
        entries = columns[name]
        if 1 << len(entries) != size:
            raise UserError(f"axis {name} of a packed map has {size} cells and {len(entries)} bits")
        for entry in entries:
            table = np.concatenate([table, table ^ entry])
    return table


def _encode_runs(row: Table) -> str:
    """Write a row of source indices as runs of constant step."""
    words = []
    start = 0
    while start < row.size:
        stop = start + 1
        if stop < row.size and row[start] >= 0:
            step = row[stop] - row[start]
            while stop < row.size and row[stop] >= 0 and row[stop] - row[stop - 1] == step:
                stop += 1
        else:
            step = np.int64(0)
            while stop < row.size and row[stop] == row[start]:
                stop += 1
        count = stop - start
        words.append(f"{row[start]}{step:+d}*{count}" if count > 1 else f"{row[start]}")
        start = stop
    return " ".join(words)


def _decode_runs(rows: Sequence[str], most: int) -> Table:
    """Return the source indices that rows of runs spell, one row after the other."""
    words = " ".join(rows).split()
    runs = []
    for word in words:
        match = _RUN.fullmatch(word)
        if match is None:
            raise UserError(f"{word!r} in a packed map is not a run such as 7 or 7+2*4")
        # A word without a count is one cell.
        runs.append((match[1], match[2] or 0, match[3] or 1))
    start, step, count = np.array(runs, np.int64).reshape(-1, 3).T
    ends = np.cumsum(count)
    if ends.size and ends[-1] > most:
        word = words[int(np.argmax(ends > most))]
        raise UserError(f"{word!r} in a packed map goes beyond its {most} cells")
    within = np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - count, count)
    cells: Table = np.repeat(start, count) + np.repeat(step, count) * within
    return cells
