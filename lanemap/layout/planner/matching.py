"""Finds the atoms that move a fragment exactly, with its registers in any order.

Everything here is about one warp. Tensor memory is [32 lanes, columns, units] and a fragment is
[32 threads, registers, units]; both hold element numbers, -1 for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.layout.cells import UNDEFINED, IntArray
from lanemap.layout.planner.issues import SCRATCH, AtomAt, Issue, issues_of
from lanemap.layout.planner.placement import LANES
from lanemap.layout.planner.shapes import Atom, Family

Mask = npt.NDArray[np.bool_]
# If an element has more copies than this in one quadrant, only the first ones are tried.
MAX_PLACES = 4


@dataclass(frozen=True)
class Candidate:
    """A correct atom, and what it covers: registers (loads) or words (stores)."""

    at: AtomAt
    settles: IntArray


def lane_offsets(atom: Atom) -> tuple[int, ...]:
    """The lanes of the quadrant at which an issue may begin: 0, or 0 and 16 for 16-lane shapes."""
    return (0,) if atom.lanes == LANES else (0, LANES - atom.lanes)


def cheapest_load(
    tmem: IntArray, fragment: IntArray, families: Sequence[Family], unit: int
) -> list[Issue] | None:
    """The fewest loads that fill a fragment, or None if no shapes do so without moves."""
    wanted: Mask = np.any(fragment >= 0, axis=(0, 2))
    quadrant = _Quadrant(tmem)
    tracks = []
    for family in families:
        atom = family.atom(unit)
        if atom is not None and atom.width <= tmem.shape[1]:
            tracks += _load_tracks(quadrant, fragment, family, atom)
    return _cover(tracks, wanted, unit)


def cheapest_store(
    tmem: IntArray, fragment: IntArray, families: Sequence[Family], unit: int
) -> list[Issue] | None:
    """The fewest stores that fill tensor memory from a fragment, or None if none do.

    No word is written that the destination does not use.
    """
    wanted: Mask = np.any(tmem >= 0, axis=2)
    keys = _Lookup(fragment)
    tracks = []
    for family in families:
        atom = family.atom(unit)
        if atom is not None and atom.width <= tmem.shape[1]:
            tracks += _store_tracks(tmem, fragment, keys, family, atom)
    return _cover(tracks, wanted.reshape(-1), unit)


def _cover(tracks: list[list[Candidate]], wanted: Mask, unit: int) -> list[Issue] | None:
    """The fewest issues that cover everything, found greedily from each track in turn."""
    best: list[Issue] | None = None
    for first in range(len(tracks)):
        issues = _cover_from(tracks, first, wanted.copy(), unit)
        if issues is not None and (best is None or len(issues) < len(best)):
            best = issues
    return best


def _cover_from(
    tracks: list[list[Candidate]], first: int, wanted: Mask, unit: int
) -> list[Issue] | None:
    chosen = _take(tracks[first], wanted)
    while wanted.any():
        gains = [sum(int(wanted[c.settles].sum()) for c in track) for track in tracks]
        if max(gains) == 0:
            return None
        taken = _take(tracks[int(np.argmax(gains))], wanted)
        if not taken:
            return None
        chosen += taken
    return issues_of(chosen, unit)


def _take(track: list[Candidate], wanted: Mask) -> list[AtomAt]:
    """The candidates of a track that cover only what is still open; marks that as covered."""
    taken = []
    for candidate in track:
        if wanted[candidate.settles].all():
            wanted[candidate.settles] = False
            taken.append(candidate.at)
    return taken


def _load_tracks(
    tmem: _Quadrant, fragment: IntArray, family: Family, atom: Atom
) -> list[list[Candidate]]:
    tracks = []
    by_register = np.ascontiguousarray(fragment.transpose(1, 0, 2))
    for lane in lane_offsets(atom):
        slots: dict[tuple[int, int | None], list[int]] = {}
        for j in range(atom.registers):
            columns, gaps = _load_columns(tmem, by_register, family, atom, lane, j)
            for register in np.flatnonzero(columns >= 0):
                gap = int(gaps[register]) if family.split else None
                key = (int(columns[register]), gap)
                places = slots.setdefault(key, [SCRATCH] * atom.registers)
                if places[j] == SCRATCH:
                    places[j] = int(register)
        by_gap: dict[int | None, list[Candidate]] = {}
        for (column, gap), registers in sorted(slots.items(), key=lambda item: item[0][0]):
            at = AtomAt(family, lane, column, gap, tuple(registers))
            settles = np.array([r for r in registers if r != SCRATCH], dtype=np.int64)
            by_gap.setdefault(gap, []).append(Candidate(at, settles))
        tracks += list(by_gap.values())
    return tracks


def _load_columns(
    tmem: _Quadrant, fragment: IntArray, family: Family, atom: Atom, lane: int, j: int
) -> tuple[IntArray, IntArray]:
    """The column at which register j of the atom is each fragment register (-1: none), and gaps."""
    threads = np.arange(LANES)
    if not family.split:
        columns = _load_half(tmem, fragment, atom, lane, j, threads)
        return np.where(columns == -2, UNDEFINED, columns), np.zeros_like(columns)
    lower = _load_half(tmem, fragment, atom, lane, j, threads[: LANES // 2])
    upper = _load_half(tmem, fragment, atom, lane, j, threads[LANES // 2 :])
    # A half that needs nothing (-2) takes the column of the other half.
    first, second = np.where(lower == -2, upper, lower), np.where(upper == -2, lower, upper)
    ok = (first >= 0) & (second >= first)
    return np.where(ok, first, UNDEFINED), second - first


def _load_half(
    tmem: _Quadrant, fragment: IntArray, atom: Atom, lane: int, j: int, threads: IntArray
) -> IntArray:
    """The column for each fragment register on some threads; -1 for none, -2 if none is wanted."""
    part = fragment[:, threads]
    flat = part.reshape(part.shape[0], -1)
    lanes, steps, units = (a[j][threads] for a in (atom.lane, atom.column, atom.unit))
    anchor = np.argmax(flat >= 0, axis=1)
    element = flat[np.arange(flat.shape[0]), anchor]
    result = np.where(element < 0, -2, UNDEFINED)
    for number in range(MAX_PLACES):
        rows = np.flatnonzero(result == UNDEFINED)
        at, found_lane, found_column, found_unit = tmem.place(element[rows], number)
        place = anchor[rows]
        column = found_column - steps.reshape(-1)[place]
        ok = at & (lanes.reshape(-1)[place] >= 0) & (column >= 0)
        ok &= found_lane == lanes.reshape(-1)[place] + lane
        ok &= (found_unit == units.reshape(-1)[place]) & (column + atom.width <= tmem.columns)
        rows, column = rows[ok], column[ok]
        if rows.size:
            held = tmem.ids[lanes + lane, column[:, None, None] + steps, units]
            held = np.where(lanes >= 0, held, UNDEFINED)
            right = ((held == part[rows]) | (part[rows] < 0)).all(axis=(1, 2))
            result[rows[right]] = column[right]
        if not tmem.replicated:
            break
    return result


class _Quadrant:
    """One quadrant of tensor memory, its elements sorted for lookup."""

    def __init__(self, ids: IntArray) -> None:
        self.ids = ids
        self.columns = ids.shape[1]
        self.order = np.argsort(ids, axis=None, kind="stable")
        self.sorted = ids.reshape(-1)[self.order]
        used = self.sorted[self.sorted >= 0]
        self.replicated = bool(np.any(used[1:] == used[:-1]))

    def place(self, elements: IntArray, number: int) -> tuple[Mask, IntArray, IntArray, IntArray]:
        """Whether elements have a copy of this number, from 0; the copy's lane, column, unit."""
        begin = np.searchsorted(self.sorted, elements) + number
        at = np.minimum(begin, self.sorted.size - 1)
        word, unit = np.divmod(self.order[at], self.ids.shape[2])
        lane, column = np.divmod(word, self.columns)
        return (begin < self.sorted.size) & (self.sorted[at] == elements), lane, column, unit


def _store_tracks(
    tmem: IntArray, fragment: IntArray, keys: _Lookup, family: Family, atom: Atom
) -> list[list[Candidate]]:
    tracks = []
    for lane in lane_offsets(atom):
        if family.split:
            tracks += _split_store_tracks(tmem, fragment, keys, family, atom, lane)
            continue
        registers = _store_registers(tmem, fragment, keys, atom, lane, np.arange(LANES))
        columns = np.flatnonzero((registers >= 0).all(axis=1))
        atoms = (
            AtomAt(family, lane, int(c), None, tuple(int(r) for r in registers[c])) for c in columns
        )
        track = [Candidate(at, _words(tmem, atom, at)) for at in atoms]
        if track:
            tracks.append(track)
    return tracks


def _split_store_tracks(
    tmem: IntArray, fragment: IntArray, keys: _Lookup, family: Family, atom: Atom, lane: int
) -> list[list[Candidate]]:
    threads = np.arange(LANES)
    lower = _store_registers(tmem, fragment, keys, atom, lane, threads[: LANES // 2])
    upper = _store_registers(tmem, fragment, keys, atom, lane, threads[LANES // 2 :])
    where: dict[tuple[int, ...], list[int]] = {}
    for column in np.flatnonzero((upper >= 0).all(axis=1)):
        where.setdefault(tuple(int(r) for r in upper[column]), []).append(int(column))
    by_gap: dict[int, list[Candidate]] = {}
    for column in np.flatnonzero((lower >= 0).all(axis=1)):
        registers = tuple(int(r) for r in lower[column])
        for other in where.get(registers, []):
            gap = other - int(column)
            if gap >= atom.width:
                at = AtomAt(family, lane, int(column), gap, registers)
                by_gap.setdefault(gap, []).append(Candidate(at, _words(tmem, atom, at)))
    return list(by_gap.values())


def _store_registers(
    tmem: IntArray,
    fragment: IntArray,
    keys: _Lookup,
    atom: Atom,
    lane: int,
    threads: IntArray,
) -> IntArray:
    """The fragment's register to store in each column and register of the atom, or -1.

    A column is all -1 if the atom there would write a word that the destination does not use, or
    would leave a used unit undefined.
    """
    count = tmem.shape[1] - atom.width + 1
    result = np.full((count, atom.registers), UNDEFINED, dtype=np.int64)
    writable = _writable(tmem, atom, lane, threads)
    if not writable.any():
        return result
    columns = np.arange(count)[:, None, None]
    for j in range(atom.registers):
        lanes, steps, units = (a[j][threads] for a in (atom.lane, atom.column, atom.unit))
        need = np.where(lanes >= 0, tmem[lanes + lane, columns + steps, units], UNDEFINED)
        flat = need.reshape(count, -1)
        anchor = np.argmax(flat >= 0, axis=1)
        element = flat[np.arange(count), anchor]
        thread, unit = threads[anchor // tmem.shape[2]], anchor % tmem.shape[2]
        for register in keys.registers(thread, unit, element):
            rows = np.flatnonzero((register >= 0) & writable & (result[:, j] < 0))
            if rows.size == 0:
                break
            held = fragment[threads[None, :], register[rows, None]]
            right = ((held == need[rows]) | (need[rows] < 0)).all(axis=(1, 2))
            result[rows[right], j] = register[rows[right]]
    return result


def _writable(tmem: IntArray, atom: Atom, lane: int, threads: IntArray) -> Mask:
    """Whether an atom at each column writes used words only and leaves no used unit undefined."""
    count = tmem.shape[1] - atom.width + 1
    covered = np.zeros_like(atom.covered)
    moved = atom.lane[:, threads] >= 0
    covered[
        atom.lane[:, threads][moved], atom.column[:, threads][moved], atom.unit[:, threads][moved]
    ] = True
    rows, steps = np.nonzero(covered.any(axis=2))
    held = tmem[(rows + lane)[None, :], np.arange(count)[:, None] + steps[None, :]] >= 0
    left = held & ~covered[rows, steps]
    used: Mask = np.any(held, axis=2)
    lost: Mask = np.any(left, axis=(1, 2))
    writable: Mask = np.all(used, axis=1) & ~lost
    return writable


def _words(tmem: IntArray, atom: Atom, at: AtomAt) -> IntArray:
    """The words (lane * columns + column) of tensor memory that an atom writes."""
    rows, steps = np.nonzero(atom.covered.any(axis=2))
    words = (rows + at.lane) * tmem.shape[1] + at.column + steps
    return words if at.gap is None else np.concatenate([words, words + at.gap])


class _Lookup:
    """Finds the registers of a thread that hold an element in a unit."""

    def __init__(self, fragment: IntArray) -> None:
        threads, registers, units = np.nonzero(fragment >= 0)
        self.units = fragment.shape[2]
        self.span = int(fragment.max(initial=0)) + 1
        keys = (threads * self.units + units) * self.span + fragment[threads, registers, units]
        order = np.argsort(keys, kind="stable")
        self.keys, self.found = keys[order], registers[order]

    def registers(
        self, threads: IntArray, units: IntArray, elements: IntArray
    ) -> Iterable[IntArray]:
        """The first few registers that match each query, -1 for none."""
        known = (elements >= 0) & (elements < self.span)
        keys = (threads * self.units + units) * self.span + elements
        begin = np.searchsorted(self.keys, keys)
        for number in range(MAX_PLACES if self.keys.size else 0):
            at = np.minimum(begin + number, self.keys.size - 1)
            hit = known & (begin + number < self.keys.size) & (self.keys[at] == keys)
            yield np.where(hit, self.found[at], UNDEFINED)
