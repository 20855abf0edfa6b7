"""A finished plan: what each warp issues. Executing the plan proves it right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lanemap.layout.cells import UNDEFINED, IntArray
from lanemap.layout.planner.issues import SCRATCH, Issue, gather, places
from lanemap.layout.planner.moves import Moves
from lanemap.layout.planner.placement import LANES, QUADRANTS, Placement


@dataclass(frozen=True)
class WarpPlan:
    """The steps of one warp: loads, moves between registers, stores; any of them may be missing.

    Loads name registers of the loaded fragment, stores those of the stored fragment. Moves, if
    there are any, make the stored fragment from the loaded one.
    """

    loads: tuple[Issue, ...] = ()
    moves: Moves | None = None
    stores: tuple[Issue, ...] = ()

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Loads, then stores."""
        return self.loads + self.stores

    @property
    def cost(self) -> tuple[int, int, int]:
        """Shuffles, merges, issues: plans are compared in this order."""
        moves = (0, 0) if self.moves is None else self.moves.cost
        return (*moves, len(self.issues))


@dataclass(frozen=True)
class NoPlan:
    """Why there is no plan.

    Attributes:
        cell: The destination cell that cannot be served, in words.
        reason: The sentence, beginning with that cell.
    """

    cell: str
    reason: str

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"no plan: {self.reason}"


@dataclass(frozen=True, eq=False)
class Plan:
    """How a matrix gets from one placement into another.

    Attributes:
        source: Where it is.
        destination: Where it must be.
        warps: What each (cta, warp) does.
    """

    source: Placement
    destination: Placement
    warps: dict[tuple[int, int], WarpPlan] = field(repr=False)

    @property
    def instructions(self) -> int:
        """tcgen05.ld and st that the busiest warp issues."""
        return max(len(warp.issues) for warp in self.warps.values())

    @property
    def shuffles(self) -> int:
        """Shuffles of the busiest warp."""
        return max(warp.cost[0] for warp in self.warps.values())

    @property
    def merges(self) -> int:
        """In-thread merges of the busiest warp."""
        return max(warp.cost[1] for warp in self.warps.values())

    @property
    def variants(self) -> tuple[str, ...]:
        """The instruction forms used, each once, in order of first use."""
        names = (issue.variant for warp in self.warps.values() for issue in warp.issues)
        return tuple(dict.fromkeys(names))

    def execute(self) -> IntArray:
        """Return the destination's contents after every warp has run, as `Placement.ids`.

        Each issue moves what the layout map of its own variant says.
        """
        result = np.full_like(self.destination.ids, UNDEFINED)
        for (cta, warp), plan in self.warps.items():
            given = self.source.ids[cta, _index(self.source, warp)]
            if self.source.kind == "tmem":
                given = run_loads(given, plan.loads, self.source.encoding.unit)
            if plan.moves is not None:
                given = plan.moves.apply(given)
            target = result[cta, _index(self.destination, warp)]
            if self.destination.kind == "tmem":
                run_stores(given, plan.stores, self.destination.encoding.unit, target)
            else:
                target[:, : given.shape[1]] = given
        return result

    def first_wrong_cell(self) -> str | None:
        """The first destination cell that the executed plan fills wrongly; None for none.

        In tensor memory a word that the destination does not use must stay unwritten as well.
        """
        found, wanted = self.execute(), self.destination.ids
        wrong = (wanted >= 0) & (found != wanted)
        if self.destination.kind == "tmem":
            foreign = ~np.any(wanted >= 0, axis=-1, keepdims=True)
            wrong |= foreign & (found >= 0)
        places_wrong = np.argwhere(wrong)
        if places_wrong.size == 0:
            return None
        cta, warp, lane, word, unit = (int(i) for i in places_wrong[0])
        return self.destination.cell(cta, warp, lane, word, unit)

    def lines(self) -> Iterator[str]:
        """The plan in words; warps that do the same share a line."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for (cta, warp), plan in self.warps.items():
            name = f"cta {cta} warp {warp}" if self.destination.ctas > 1 else f"warp {warp}"
            groups.setdefault(tuple(_steps(plan)), []).append(name)
        for steps, names in groups.items():
            yield ", ".join(names) + ":"
            for step in steps:
                yield f"  {step}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data, for `--json` and for results."""
        return {
            "instructions": self.instructions,
            "shuffles": self.shuffles,
            "merges": self.merges,
            "warps": [
                {"cta": cta, "warp": warp, **_warp_json(plan)}
                for (cta, warp), plan in self.warps.items()
            ],
        }


def run_loads(tmem: IntArray, loads: tuple[Issue, ...], unit: int) -> IntArray:
    """The registers [32, registers, units] after loads from a quadrant [32, columns, units]."""
    count = 1 + max((r for issue in loads for r in issue.registers), default=SCRATCH)
    registers = np.full((LANES, count, tmem.shape[2]), UNDEFINED, dtype=np.int64)
    for issue in loads:
        held = gather(tmem, issue.family.issue(issue.repeat, unit), issue)
        for place, register in enumerate(issue.registers):
            if register != SCRATCH:
                registers[:, register] = held[place]
    return registers


def run_stores(registers: IntArray, stores: tuple[Issue, ...], unit: int, tmem: IntArray) -> None:
    """Write registers [32, registers, units] into a quadrant [32, columns, units], in order."""
    for issue in stores:
        atom = issue.family.issue(issue.repeat, unit)
        lanes, columns, units = places(atom, issue.lane, issue.column, issue.gap)
        given = registers[:, list(issue.registers)].transpose(1, 0, 2)
        moved = lanes >= 0
        # What a store leaves undefined in the words that it writes is undefined from then on.
        tmem[lanes[moved], columns[moved]] = UNDEFINED
        tmem[lanes[moved], columns[moved], units[moved]] = given[moved]


def _index(placement: Placement, warp: int) -> int:
    return warp % QUADRANTS if placement.kind == "tmem" else warp


def _steps(plan: WarpPlan) -> Iterator[str]:
    yield from map(str, plan.loads)
    moves = plan.moves
    if moves is not None:
        if moves.conversions:
            yield f"convert into {moves.conversions} registers"
        if moves.shuffles or moves.merges:
            yield f"move between registers: {moves.shuffles} shuffles, {moves.merges} merges"
    yield from map(str, plan.stores)


def _warp_json(plan: WarpPlan) -> dict[str, Any]:
    found: dict[str, Any] = {
        "loads": [_issue_json(issue) for issue in plan.loads],
        "stores": [_issue_json(issue) for issue in plan.stores],
    }
    if plan.moves is not None:
        found["moves"] = {
            "shuffles": plan.moves.shuffles,
            "merges": plan.moves.merges,
            "conversions": plan.moves.conversions,
            "registers": plan.moves.register_sources(),
        }
    return found


def _issue_json(issue: Issue) -> dict[str, Any]:
    return {
        "variant": issue.variant,
        "lane": issue.lane,
        "column": issue.column,
        "imm": issue.gap,
        "registers": list(issue.registers),
        "ptx": issue.ptx(),
    }
