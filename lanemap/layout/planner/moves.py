"""Moves between the registers of one warp, from the fragment that it has to the one it needs.

Costs, highest first: shuffles between threads (one `shfl.sync` each), then merges in a thread (one
two-input instruction each, such as `prmt` or `selp`). A whole register that stays in its thread is
free: the compiler renames it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lanemap.layout.cells import UNDEFINED, IntArray
from lanemap.layout.planner.placement import LANES


@dataclass(frozen=True, eq=False)
class Moves:
    """For each cell of the new fragment, the cell of the old fragment that it comes from.

    Attributes:
        source: int64[32, registers, units]: index thread * registers * units + register * units +
            unit into the old fragment; -1 where nothing is needed.
        old_shape: Shape of the old fragment: 32, registers, units.
        converts: Whether elements change their width on the way, so that every new register is
            written by a conversion anyway.
    """

    source: IntArray
    old_shape: tuple[int, int, int]
    converts: bool

    @cached_property
    def shuffles(self) -> int:
        """Shuffles of a warp: the number of words that the busiest thread sends or receives.

        That many rounds always suffice: the edges of a bipartite graph need as many colors as its
        largest degree (D. Koenig, 1916).
        """
        edges = self._travels
        if edges.size == 0:
            return 0
        return int(max(np.bincount(edges[:, 0]).max(), np.bincount(edges[:, 2]).max()))

    @cached_property
    def merges(self) -> int:
        """Two-input instructions of a thread that pick or join units of its own registers."""
        return sum(self._slot_merges(int(slot)) for slot in np.flatnonzero(~self._uniform))

    @property
    def least_cost(self) -> tuple[int, int]:
        """A lower bound of `cost`, faster to compute: one merge for each register not renamed.

        If there are shuffles, a whole word that is only shuffled takes no merge.
        """
        return self.shuffles, 0 if self.shuffles else int((~self._uniform).sum())

    @property
    def conversions(self) -> int:
        """Registers that a conversion writes."""
        return int(np.any(self.source >= 0, axis=(0, 2)).sum()) if self.converts else 0

    @property
    def cost(self) -> tuple[int, int]:
        """Shuffles and merges, to be compared in this order."""
        return self.shuffles, self.merges

    def apply(self, old: IntArray) -> IntArray:
        """The new fragment of cells, from the old one of shape `old_shape`."""
        flat = old.reshape(-1)
        moved: IntArray = np.where(self.source >= 0, flat[self.source], UNDEFINED)
        return moved

    def rounds(self) -> Iterator[list[tuple[int, int, int, int]]]:
        """The shuffles of each round: (from thread, register, to thread, register), by thread.

        In a round a thread sends one register and receives one.
        """
        edges = [tuple(int(i) for i in edge) for edge in self._travels]
        colours = _colour([(edge[0], edge[2]) for edge in edges], self.shuffles)
        for colour in range(self.shuffles):
            chosen = [edges[i] for i, c in enumerate(colours) if c == colour]
            yield sorted((a, b, c, d) for a, b, c, d in chosen)

    def register_sources(self) -> list[tuple[int, ...] | None]:
        """For each new register the old registers of its units, where all threads agree."""
        found: list[tuple[int, ...] | None] = []
        units = self.old_shape[2]
        for slot in range(self.source.shape[1]):
            cells = self.source[:, slot]
            registers = np.where(cells >= 0, cells // units % self.old_shape[1], UNDEFINED)
            top = registers.max(axis=0)
            same = np.all((registers == top) | (registers < 0))
            found.append(tuple(int(r) for r in top) if same else None)
        return found

    @cached_property
    def _travels(self) -> IntArray:
        """Words that change threads: rows (thread, register, to thread, register), each once."""
        thread, slot, _ = np.nonzero(self.source >= 0)
        origin, register = (part[self.source >= 0] for part in self._origins[:2])
        rows = np.stack([origin, register, thread, slot], axis=1)[origin != thread]
        return np.unique(rows, axis=0)

    @cached_property
    def _origins(self) -> tuple[IntArray, IntArray, IntArray]:
        """Thread, register and unit that each cell comes from; arbitrary where none is needed."""
        word, unit = np.divmod(np.maximum(self.source, 0), self.old_shape[2])
        origin, register = np.divmod(word, self.old_shape[1])
        return origin, register, unit

    @cached_property
    def _uniform(self) -> npt.NDArray[np.bool_]:
        """bool[registers]: which new registers are free, since all threads do the same renaming.

        With a conversion, units may come from any registers. Otherwise all units come from one
        register and keep their places.
        """
        wanted = self.source >= 0
        origin, register, unit = self._origins
        local = (origin == np.arange(LANES)[:, None, None]) | ~wanted
        code = np.where(wanted, register * self.old_shape[2] + unit, UNDEFINED)
        same: npt.NDArray[np.bool_] = np.all(local, axis=(0, 2))
        if not self.converts:
            stays = np.where(wanted, unit == np.arange(code.shape[2]), True)
            code = np.where(wanted, register, UNDEFINED)
            same &= np.all(stays, axis=(0, 2))
            top = code.max(axis=(0, 2), keepdims=True)
        else:
            top = code.max(axis=0, keepdims=True)
        same &= np.all((code == top) | ~wanted, axis=(0, 2))
        return same

    def _slot_merges(self, slot: int) -> int:
        """Merges for one new register: patterns to select from, and units to join.

        A word from another thread arrives whole, in a register of its own.
        """
        units, registers = self.old_shape[2], self.old_shape[1]
        wanted = self.source[:, slot] >= 0
        origin, register, unit = (part[:, slot].copy() for part in self._origins)
        away = origin != np.arange(LANES)[:, None]
        words = origin * registers + register
        for thread in np.flatnonzero(np.any(away & wanted, axis=1)):
            arrived = sorted(set(words[thread][away[thread] & wanted[thread]].tolist()))
            for i in np.flatnonzero(away[thread]):
                place = arrived.index(words[thread, i]) if wanted[thread, i] else 0
                register[thread, i] = registers + place
        patterns = _patterns(np.where(wanted, register * units + unit, UNDEFINED))
        if self.converts:
            return len(patterns) - 1
        joins = 0
        for pattern in patterns:
            used = [(c // units, c % units == i) for i, c in enumerate(pattern) if c >= 0]
            count = len({register for register, _ in used})
            whole = count == 1 and all(stays for _, stays in used)
            joins = max(joins, 0 if whole else max(count - 1, 1))
        return joins + len(patterns) - 1


def find_moves(old: IntArray, new: IntArray, converts: bool) -> Moves | tuple[int, int, int]:
    """The moves that make the new fragment [32, registers, units] from the old one.

    If an element has several copies, one in the same thread is taken, then the lowest register.

    Returns:
        The moves, or the cell (thread, register, unit) of the new fragment whose element the warp
        does not have.
    """
    span = int(max(old.max(), new.max())) + 1
    cells = np.flatnonzero(old >= 0)
    elements = old.reshape(-1)[cells]
    own = cells // (old.shape[1] * old.shape[2])
    by_thread = _first(own * span + elements, cells)
    anywhere = _first(elements, cells)
    thread = np.arange(LANES)[:, None, None]
    wanted = new >= 0
    source = _look_up(by_thread, thread * span + np.maximum(new, 0))
    source = np.where(source >= 0, source, _look_up(anywhere, np.maximum(new, 0)))
    source = np.where(wanted, source, UNDEFINED)
    missing = np.argwhere(wanted & (source < 0))
    if missing.size:
        place = missing[0]
        return int(place[0]), int(place[1]), int(place[2])
    return Moves(source, (LANES, old.shape[1], old.shape[2]), converts)


def _first(keys: IntArray, cells: IntArray) -> tuple[IntArray, IntArray]:
    unique, first = np.unique(keys, return_index=True)
    return unique, cells[first]


def _look_up(table: tuple[IntArray, IntArray], keys: IntArray) -> IntArray:
    known, cells = table
    if known.size == 0:
        return np.full(keys.shape, UNDEFINED, dtype=np.int64)
    at = np.minimum(np.searchsorted(known, keys), known.size - 1)
    return np.where(known[at] == keys, cells[at], UNDEFINED)


def _patterns(code: IntArray) -> set[tuple[int, ...]]:
    """Distinct rows, less those that equal another row wherever they are not -1."""
    rows = {tuple(int(c) for c in row) for row in np.unique(code, axis=0)}
    kept: set[tuple[int, ...]] = set()
    for row in sorted(rows, key=lambda r: sum(c < 0 for c in r)):
        agrees = (all(a < 0 or a == b for a, b in zip(row, known, strict=True)) for known in kept)
        if not any(agrees):
            kept.add(row)
    return kept


def _colour(edges: list[tuple[int, int]], colours: int) -> list[int]:
    """Colors for the edges of a bipartite multigraph; edges at one vertex have different colors.

    Each edge takes a color that is free at its source. If its target already has that color, the
    path of the two colors from there is flipped; this path never reaches the source.
    """
    sides: tuple[dict[tuple[int, int], int], ...] = ({}, {})
    result = [UNDEFINED] * len(edges)
    for number, (source, target) in enumerate(edges):
        free = [
            next(c for c in range(colours) if (vertex, c) not in sides[side])
            for side, vertex in ((0, source), (1, target))
        ]
        if (target, free[0]) in sides[1]:
            _flip(edges, sides, result, target, free[0], free[1])
        result[number] = free[0]
        sides[0][source, free[0]] = number
        sides[1][target, free[0]] = number
    return result


def _flip(
    edges: list[tuple[int, int]],
    sides: tuple[dict[tuple[int, int], int], ...],
    result: list[int],
    start: int,
    first: int,
    second: int,
) -> None:
    """Swap two colors along the path that leaves a target vertex by the first color."""
    path, side, vertex, colour = [], 1, start, first
    while (vertex, colour) in sides[side]:
        edge = sides[side][vertex, colour]
        path.append(edge)
        side = 1 - side
        vertex = edges[edge][side]
        colour = second if colour == first else first
    for edge in path:
        for end in (0, 1):
            del sides[end][edges[edge][end], result[edge]]
    for edge in path:
        result[edge] = second if result[edge] == first else first
        for end in (0, 1):
            sides[end][edges[edge][end], result[edge]] = edge
