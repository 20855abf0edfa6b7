"""Results whose elements are right and lie elsewhere: which cell each one was taken from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.layout.f2 import F2Fit, fit_f2
from lanemap.layout.fits import fit_layout
from lanemap.model import Variant

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
#: A rearrangement is looked for where so many of the right values are no others' neighbors.
_DISTINCT = 0.9
_MOST_LINES = 4


@dataclass(frozen=True)
class Finding:
    """One explanation.

    Attributes:
        name: A short name of the mistake.
        sentence: What happened.
        change: The shortest change that makes the result right.
        size: How much it supposes: the smaller, the likelier.
    """

    name: str
    sentence: str
    change: str
    size: int


def sources(wrong: Floats, right: Floats, tolerance: float) -> Indices | None:
    """For each wrong element the right one that it equals; None if there are others, or many.

    Args:
        wrong: A matrix.
        right: The matrix that it should be.
        tolerance: How far equal values may be apart.
    """
    order = np.argsort(right, axis=None)
    values = right.ravel()[order]
    alone = np.diff(values) > 2 * tolerance
    if alone.size == 0 or alone.mean() < _DISTINCT:
        return None
    at = np.clip(np.searchsorted(values, wrong.ravel()), 1, values.size - 1)
    nearer = np.abs(wrong.ravel() - values[at - 1]) <= np.abs(wrong.ravel() - values[at])
    at = at - nearer
    if (np.abs(values[at] - wrong.ravel()) > tolerance).any():
        return None
    return np.asarray(order[at], np.int64)


def rearrangements(
    wrong: Floats, right: Floats, tolerance: float, used: Sequence[Variant]
) -> Iterator[Finding]:
    """What moved the elements of a result, by names first, then as a map."""
    if wrong.shape == right.shape[::-1] and (np.abs(wrong - right.T) <= tolerance).all():
        yield Finding(
            "transposed result",
            "every element has the value of the element across the diagonal",
            "swap row and column where the result is stored",
            1,
        )
        return
    found = sources(wrong, right, tolerance) if wrong.shape == right.shape else None
    if found is None:
        return
    row, column = np.divmod(found.reshape(wrong.shape), right.shape[1])
    yield from _by_fragments(row, column, used)
    yield _as_map(found, wrong.shape)


def _as_map(found: Indices, shape: tuple[int, ...]) -> Finding:
    """The rearrangement as a formula; the shortest that equals it on every cell."""
    axes = (("row", shape[0]), ("column", shape[1]))
    layout = LayoutMap(Space("result", axes), Space("right", axes), found)
    linear = fit_f2(layout)
    lines = fit_layout(layout).formula().splitlines()
    told = "; ".join(lines[:_MOST_LINES]) + (" .." if len(lines) > _MOST_LINES else "")
    once = len(np.unique(found)) == found.size
    kind = "permuted" if once else "replicated"
    affine = "an XOR of index bits" if isinstance(linear, F2Fit) else "no XOR of index bits"
    return Finding(
        f"{kind} result",
        f"every element has the value of another cell ({affine}): {told}",
        "store each element at the cell whose value it has",
        4 if isinstance(linear, F2Fit) else 9,
    )


def _by_fragments(row: Indices, column: Indices, used: Sequence[Variant]) -> Iterator[Finding]:
    """A result whose registers were stored as those of another instruction's D."""
    from lanemap.model import variants

    for mine in (each for each in used if each.name.endswith(":D")):
        tile = mine.map.source
        if tile.names[:2] != ("row", "column"):
            continue
        high, wide = tile.axis_size("row"), tile.axis_size("column")
        if row.shape[0] < high or row.shape[1] < wide:
            continue
        for other in variants():
            theirs = other.map.source if other.family == mine.family else None
            if other.name == mine.name or theirs is None or not other.name.endswith(":D"):
                continue
            if other.map.destination == mine.map.destination and theirs == tile:
                moved = _through(mine, other)
                if moved is not None and (row[:high, :wide] * wide + column[:high, :wide]
                                          == moved).all():  # fmt: skip
                    yield Finding(
                        "fragment of another instruction",
                        f"the registers of {mine.name} were stored as those of {other.name}",
                        f"store them as {mine.name}: `lanemap emit {mine.name}`",
                        2,
                    )


def _through(mine: Variant, other: Variant) -> Indices | None:
    """For each element of the tile the one that is stored there."""
    tile = mine.map.source
    bits = tile.axis_size("bit")
    stored = np.asarray(other.map.table).reshape(-1, bits)[:, 0] // bits
    held = np.asarray(mine.map.table).reshape(-1, bits)[:, 0] // bits
    if (stored < 0).any() or (held < 0).any():
        return None
    found = np.full(tile.size // bits, -1, np.int64)
    found[stored] = held
    return found.reshape(tile.axis_size("row"), tile.axis_size("column"))


def matrix(name: str, values: object) -> Floats:
    """A matrix of float64.

    Raises:
        UserError: It is no matrix of numbers.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "fiub" and array.dtype.name not in ("bfloat16",):
        raise UserError(f"{name} has elements of type {array.dtype}, and no numbers")
    if array.ndim != 2 or not array.size:
        raise UserError(f"{name} has shape {array.shape}, and is no matrix")
    return np.asarray(array, np.float64)
