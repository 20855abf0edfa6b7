"""Tiles a whole region with atoms of one family: reverse inference, for loads and for stores.

Loads of a tensor-memory layout yield a register fragment. For stores the question is which fragment
makes the wanted tensor-memory layout. The tiling is the same for both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lanemap.layout.cells import UNDEFINED, IntArray
from lanemap.layout.planner.issues import AtomAt, gather_all
from lanemap.layout.planner.matching import Mask, lane_offsets
from lanemap.layout.planner.shapes import Atom, Family


@dataclass(frozen=True)
class Tiling:
    """Atoms of one family over a region.

    Attributes:
        atoms: In the order of lane offset, then column; their registers count up from 0.
        fragment: int64[32 threads, registers, units]: the element that each unit of the registers
            receives (loads) or must hold (stores); -1 for any.
    """

    atoms: tuple[AtomAt, ...]
    fragment: IntArray


@dataclass(frozen=True)
class Blocked:
    """Why a family cannot tile a region: lane and column in the quadrant, unit, and the reason.

    `unit` is -1 where the whole word is meant. The reason follows the cell in a sentence.
    """

    lane: int
    column: int
    unit: int
    reason: str


def tile_load(tmem: IntArray, wanted: Mask, family: Family, unit: int) -> Tiling | Blocked:
    """The loads of one family that reach the wanted words [32 lanes, columns] of a quadrant."""
    return _tile(tmem, wanted, family, unit, store=False)


def tile_store(tmem: IntArray, family: Family, unit: int) -> Tiling | Blocked:
    """The stores of one family that fill the used words of a quadrant and write no others."""
    return _tile(tmem, np.any(tmem >= 0, axis=2), family, unit, store=True)


def _tile(tmem: IntArray, wanted: Mask, family: Family, unit: int, store: bool) -> Tiling | Blocked:
    atom = family.atom(unit)
    if atom is None:
        lane, column = (int(i) for i in np.argwhere(wanted)[0])
        return Blocked(lane, column, UNDEFINED, f"{family.name} splits elements of {unit} bits")
    starts: list[AtomAt] = []
    for offset in lane_offsets(atom):
        rows = slice(offset, offset + atom.lanes)
        columns = _columns(wanted[rows], atom, store)
        if isinstance(columns, Blocked):
            return columns
        starts += _place(family, offset, columns)
    if store:
        for at in starts:
            blocked = _unwritable(tmem, atom, at)
            if blocked is not None:
                return blocked
    numbered = []
    for number, at in enumerate(starts):
        registers = tuple(range(number * atom.registers, (number + 1) * atom.registers))
        numbered.append(AtomAt(family, at.lane, at.column, at.gap, registers))
    missed = _missed(wanted, atom, starts)
    if missed is not None:
        return Blocked(*missed, UNDEFINED, f"is reached by no even number of {family.name}.x1")
    return Tiling(tuple(numbered), gather_all(tmem, atom, numbered))


def _columns(wanted: Mask, atom: Atom, store: bool) -> list[int] | Blocked:
    """First columns of the atoms that cover every wanted column of some rows."""
    count = wanted.shape[1]
    columns: list[int] = []
    end = 0
    for column in np.flatnonzero(np.any(wanted, axis=0)):
        if column < end:
            continue
        start = int(column)
        if start + atom.width > count:
            if store or count < atom.width:
                lane = int(np.argmax(wanted[:, column]))
                left = count - start
                reason = f"begins an atom of {atom.width} columns, but only {left} are left"
                return Blocked(lane, int(column), UNDEFINED, reason)
            start = count - atom.width
        columns.append(start)
        end = start + atom.width
    return columns


def _place(family: Family, lane: int, columns: list[int]) -> list[AtomAt]:
    if not family.split:
        return [AtomAt(family, lane, column, None, ()) for column in columns]
    # The lower half of the threads takes the first half of the columns.
    half = len(columns) // 2
    pairs = zip(columns[:half], columns[half:], strict=False)
    return [AtomAt(family, lane, first, second - first, ()) for first, second in pairs]


def _unwritable(tmem: IntArray, atom: Atom, at: AtomAt) -> Blocked | None:
    """The first word or unit that a store would corrupt, if any."""
    rows, steps = np.nonzero(np.any(atom.covered, axis=2))
    for gap in (0,) if at.gap is None else (0, at.gap):
        lanes, columns = rows + at.lane, steps + at.column + gap
        held = tmem[lanes, columns] >= 0
        foreign = np.flatnonzero(~np.any(held, axis=1))
        if foreign.size:
            i = int(foreign[0])
            reason = (
                f"would be overwritten by {at.family.name}, and the destination has no part in it"
            )
            return Blocked(int(lanes[i]), int(columns[i]), UNDEFINED, reason)
        lost = np.argwhere(held & ~atom.covered[rows, steps])
        if lost.size:
            i, unit = (int(x) for x in lost[0])
            reason = f"is left undefined by {at.family.name}"
            return Blocked(int(lanes[i]), int(columns[i]), unit, reason)
    return None


def _missed(wanted: Mask, atom: Atom, starts: list[AtomAt]) -> tuple[int, int] | None:
    """A wanted word that no atom covers."""
    left = wanted.copy()
    rows, steps = np.nonzero(np.any(atom.covered, axis=2))
    for at in starts:
        for gap in (0,) if at.gap is None else (0, at.gap):
            left[rows + at.lane, steps + at.column + gap] = False
    places = np.argwhere(left)
    return (int(places[0][0]), int(places[0][1])) if places.size else None
