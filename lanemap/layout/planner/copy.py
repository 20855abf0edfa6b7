"""The copy planner: instructions that move a matrix from one placement into another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap
from lanemap.layout.planner.issues import Issue, issues_of
from lanemap.layout.planner.matching import Mask, cheapest_load, cheapest_store
from lanemap.layout.planner.moves import Moves, find_moves
from lanemap.layout.planner.placement import LANES, QUADRANTS, Placement, place
from lanemap.layout.planner.plan import NoPlan, Plan, WarpPlan
from lanemap.layout.planner.shapes import Family, VariantLike, families
from lanemap.layout.planner.tiling import Blocked, Tiling, tile_load, tile_store


def plan_copy(
    source: LayoutMap,
    destination: LayoutMap,
    *,
    variants: Sequence[VariantLike],
    load: str | None = None,
    store: str | None = None,
) -> Plan | NoPlan:
    """Plan the tcgen05.ld and st issues that take a matrix from one placement into another.

    The plan has the fewest shuffles, then the fewest in-thread merges, then the fewest issues.
    Renaming registers is free, and so is a conversion that is needed anyway. The plan reads no
    tensor memory outside the source's columns, and writes none that the destination does not use.
    Each plan is executed with the layout maps of its variants before it is returned.

    Args:
        source: Where the matrix is: registers or tensor memory, as `placement.place` reads them.
        destination: Where it must be; the same matrix, perhaps in elements of another width.
        variants: The instruction forms to plan with; of the model those of sm_100a.
        load: The one shape of loads to use, such as "16x256b" or "32x32b.pack::16b" or, with an
            xN that alone may be used, "32x32b.x64".
        store: The same for stores.

    Returns:
        The plan, or why there is none, with the cell.

    Raises:
        UserError: A map is no placement, the matrices or the CTAs of the two differ, or a
            shape or its xN does not exist.
    """
    return plan_placements(place(source), place(destination), variants, load, store)


def plan_placements(
    source: Placement,
    destination: Placement,
    variants: Sequence[VariantLike],
    load: str | None = None,
    store: str | None = None,
) -> Plan | NoPlan:
    """Plan a copy as `plan_copy` does, for placements that have been read already."""
    plan = _Planner(source, destination, variants, load, store).plan()
    if isinstance(plan, Plan):
        wrong = plan.first_wrong_cell()
        if wrong is not None:
            raise UserError(
                f"the table of variants contradicts itself: xN is not x1 repeated, seen at {wrong}"
            )
    return plan


@dataclass(frozen=True)
class _Obstacle:
    """A cell of one warp's context, and the rest of the sentence; unit -1 for a whole word."""

    lane: int
    word: int
    unit: int
    reason: str
    of_source: bool = False


class _Planner:
    """Plans one copy, warp by warp; warps with equal contexts share a plan."""

    def __init__(
        self,
        source: Placement,
        destination: Placement,
        variants: Sequence[VariantLike],
        load: str | None,
        store: str | None,
    ) -> None:
        _check_same_matrix(source, destination)
        self.source, self.destination = source, destination
        self.converts = source.encoding != destination.encoding
        self.loads = families(variants, "ld", load) if source.kind == "tmem" else []
        self.stores = families(variants, "st", store) if destination.kind == "tmem" else []
        self.known: dict[bytes, WarpPlan | _Obstacle] = {}

    def plan(self) -> Plan | NoPlan:
        warps: dict[tuple[int, int], WarpPlan] = {}
        for cta, warp, given, wanted in self._contexts():
            found = self._remembered(given, wanted)
            if isinstance(found, _Obstacle):
                return self._no_plan(cta, warp, found)
            warps[cta, warp] = found
        unserved = self._unserved_quadrant()
        if unserved is not None:
            return unserved
        return Plan(self.source, self.destination, warps)

    def _contexts(self) -> Iterator[tuple[int, int, IntArray, IntArray]]:
        """Return the cells that each warp of each CTA can read, and those that it must make."""
        either = (self.source, self.destination)
        warps = max((p.warps for p in either if p.kind == "registers"), default=0)
        warps = warps or max(p.warps for p in either)
        for cta in range(self.destination.ctas):
            for warp in range(warps):
                given = self._part(self.source, cta, warp)
                wanted = self._part(self.destination, cta, warp)
                if warps > QUADRANTS and self.destination.kind == "tmem":
                    wanted = _held_words(wanted, given)
                if wanted is not None and np.any(wanted >= 0):
                    yield cta, warp, given, wanted

    def _part(self, placement: Placement, cta: int, warp: int) -> IntArray:
        index = warp % QUADRANTS if placement.kind == "tmem" else warp
        if index >= placement.warps:
            return np.full(placement.ids.shape[2:], UNDEFINED, dtype=np.int64)
        part: IntArray = placement.ids[cta, index]
        return part

    def _remembered(self, given: IntArray, wanted: IntArray) -> WarpPlan | _Obstacle:
        """The plan of a context, cached under renumbered elements so that equal warps share it."""
        names, numbers = np.unique(given, return_inverse=True)
        if names[0] >= 0:
            numbers = numbers + 1
            names = np.concatenate([[UNDEFINED], names])
        given = numbers.reshape(given.shape) - 1
        at = np.minimum(np.searchsorted(names, wanted), names.size - 1)
        known = names[at] == wanted
        missing = np.argwhere((wanted >= 0) & ~known)
        if missing.size:
            lane, word, unit = (int(i) for i in missing[0])
            return _Obstacle(lane, word, unit, "")
        wanted = np.where(wanted >= 0, at - 1, UNDEFINED)
        key = given.tobytes() + b"|" + wanted.tobytes()
        if key not in self.known:
            self.known[key] = self._warp(given, wanted)
        return self.known[key]

    def _warp(self, given: IntArray, wanted: IntArray) -> WarpPlan | _Obstacle:
        if not self.converts and self.source.kind != self.destination.kind:
            direct = self._direct(given, wanted)
            if direct is not None:
                return direct
        return self._with_moves(given, wanted)

    def _direct(self, given: IntArray, wanted: IntArray) -> WarpPlan | None:
        unit = self.source.encoding.unit
        if self.source.kind == "tmem":
            loads = cheapest_load(given, wanted, self.loads, unit)
            return None if loads is None else WarpPlan(loads=tuple(loads))
        stores = cheapest_store(wanted, given, self.stores, unit)
        return None if stores is None else WarpPlan(stores=tuple(stores))

    def _with_moves(self, given: IntArray, wanted: IntArray) -> WarpPlan | _Obstacle:
        """The cheapest of all pairs of one load family and one store family with moves between."""
        elements = np.unique(wanted[wanted >= 0])
        needed: Mask = np.any(np.isin(given, elements), axis=2)
        loads = self._tilings(given, needed, self.loads, self.source)
        stores = self._tilings(wanted, None, self.stores, self.destination)
        for side in (loads, stores):
            if isinstance(side, _Obstacle):
                return side
        if isinstance(loads, _Obstacle) or isinstance(stores, _Obstacle):
            raise AssertionError("an obstacle was passed over")
        pairs = [(old, new) for old in loads for new in stores]
        pairs.sort(key=lambda pair: len(pair[0][1]) + len(pair[1][1]))
        plans = []
        for old, new in pairs:
            plan = self._joined(old, new)
            if _least_moves(plan) == (0, 0):
                return plan
            plans.append(plan)
        plans.sort(key=_least_moves)
        best = plans[0]
        for plan in plans[1:]:
            if _least_moves(plan) > best.cost[:2]:
                break
            if plan.cost < best.cost:
                best = plan
        return best

    def _joined(
        self, old: tuple[IntArray, tuple[Issue, ...]], new: tuple[IntArray, tuple[Issue, ...]]
    ) -> WarpPlan:
        moves = find_moves(old[0], new[0], self.converts)
        if not isinstance(moves, Moves):
            raise AssertionError("every element was found in the warp, and yet not")
        return WarpPlan(old[1], moves, new[1])

    def _tilings(
        self,
        region: IntArray,
        needed: Mask | None,
        usable: list[Family],
        placement: Placement,
    ) -> list[tuple[IntArray, tuple[Issue, ...]]] | _Obstacle:
        """The fragment and issues of each family; registers as they are on a side of registers."""
        if placement.kind == "registers":
            return [(region, ())]
        found: list[tuple[IntArray, tuple[Issue, ...]]] = []
        obstacle: _Obstacle | None = None
        unit = placement.encoding.unit
        for family in usable:
            tiling: Tiling | Blocked = (
                tile_store(region, family, unit)
                if needed is None
                else tile_load(region, needed, family, unit)
            )
            if isinstance(tiling, Blocked):
                cell = (tiling.lane, tiling.column, tiling.unit)
                obstacle = obstacle or _Obstacle(*cell, tiling.reason, placement is self.source)
                continue
            issues = issues_of(tiling.atoms, unit)
            if issues is None:
                at = tiling.atoms[-1]
                only = ", ".join(f"x{n}" for n in family.repetitions)
                reason = f"is left over by {family.name} with {only} alone"
                cell = (at.lane, at.column, UNDEFINED)
                obstacle = obstacle or _Obstacle(*cell, reason, placement is self.source)
                continue
            found.append((tiling.fragment, tuple(issues)))
        if found:
            return found
        if obstacle is None:
            raise AssertionError("neither a tiling nor an obstacle")
        return obstacle

    def _no_plan(self, cta: int, warp: int, obstacle: _Obstacle) -> NoPlan:
        placement = self.source if obstacle.of_source else self.destination
        index = warp % QUADRANTS if placement.kind == "tmem" else warp
        place_ = (cta, index, obstacle.lane, obstacle.word)
        if obstacle.unit < 0:
            cell = placement.word(*place_)
            return NoPlan(cell, f"{cell} {obstacle.reason}")
        cell = placement.cell(*place_, obstacle.unit)
        if not obstacle.reason:
            return NoPlan(cell, f"{cell} {self._why_missing(cta, warp, obstacle)}")
        number = int(placement.ids[place_][obstacle.unit])
        element = placement.element(number)
        return NoPlan(cell, f"{cell}, which must hold {element}, {obstacle.reason}")

    def _why_missing(self, cta: int, warp: int, obstacle: _Obstacle) -> str:
        index = warp % QUADRANTS if self.destination.kind == "tmem" else warp
        element = int(self.destination.ids[cta, index, obstacle.lane, obstacle.word, obstacle.unit])
        name = self.destination.element(element)
        held = np.argwhere(self.source.ids == element)
        where = "which the source does not hold"
        if held.size:
            here = self.source.cell(*(int(i) for i in held[0]))
            where = f"which lies in {here}, out of reach of warp {warp}"
            if self.source.kind == "tmem" or self.destination.kind == "tmem":
                first = LANES * (warp % QUADRANTS)
                where += f" (lanes {first} to {first + LANES - 1} of tensor memory)"
        return f"must receive {name}, {where}"

    def _unserved_quadrant(self) -> NoPlan | None:
        """A used word of tensor memory that no warp of the fragment writes."""
        if self.destination.kind != "tmem" or self.source.kind != "registers":
            return None
        served = np.zeros(self.destination.ids.shape[:-1], dtype=bool)
        for cta, warp, _, wanted in self._contexts():
            served[cta, warp % QUADRANTS] |= np.any(wanted >= 0, axis=-1)
        left = np.argwhere(np.any(self.destination.ids >= 0, axis=-1) & ~served)
        if left.size == 0:
            return None
        cta, quadrant, lane, word = (int(i) for i in left[0])
        units = self.destination.ids[cta, quadrant, lane, word]
        unit = int(np.argmax(units >= 0))
        obstacle = _Obstacle(lane, word, unit, "")
        return self._no_plan(cta, quadrant, obstacle)


def _least_moves(plan: WarpPlan) -> tuple[int, int]:
    return (0, 0) if plan.moves is None else plan.moves.least_cost


def _held_words(wanted: IntArray, given: IntArray) -> IntArray:
    """The wanted words whose elements this warp holds; other warps store the others."""
    held = np.isin(wanted, given[given >= 0]) | (wanted < 0)
    return np.where(held.all(axis=-1, keepdims=True), wanted, UNDEFINED)


def _check_same_matrix(source: Placement, destination: Placement) -> None:
    if source.matrix != destination.matrix:
        sizes = [
            f"{' x '.join(map(str, p.matrix))} ({', '.join(p.names)})"
            for p in (source, destination)
        ]
        raise UserError(
            f"the source holds a matrix of {sizes[0]}, the destination one of {sizes[1]}"
        )
    if source.ctas != destination.ctas:
        raise UserError(
            f"the source lies in {source.ctas} CTAs, the destination in {destination.ctas}; "
            "a copy stays inside each CTA"
        )
