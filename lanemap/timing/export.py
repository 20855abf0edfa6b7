"""One versioned document for the cost tables of compilers; docs/timing.md describes it.

A row of it is one figure that is explained. What it took stands under `latency`, `interval` or
`elapsed`, by the class of the figure, so that no reader takes one for another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from lanemap.records.files import record_path, row_text
from lanemap.records.schema import Record
from lanemap.timing.figures import (
    EVENT,
    FIXED,
    INTERLOCKED,
    INTERVAL,
    RATE_KIND,
    VARIABLE,
    Figure,
)
from lanemap.timing.names import Names
from lanemap.timing.pipes import SCHEDULERS, Pipes

SCHEMA, VERSION = "lanemap.timing", 1
#: By class of a figure, the field that has its cycles or nanoseconds.
FIELDS = {
    FIXED: "latency", VARIABLE: "latency", INTERLOCKED: "latency", INTERVAL: "interval",
    RATE_KIND: "interval", EVENT: "elapsed",
}  # fmt: skip
#: Axes that say how an instruction is issued, not what it does; the best of them counts.
_ISSUED = ("warps", "warpgroups", "accumulators", "values")
_NEXT = re.compile(r"issue of the next (?:independent )?(\S+?),? (?:of|by) the (?:same )?warp")


def document(
    found: Iterable[tuple[Record, Figure]], names: Names, pipes: Mapping[str, Pipes]
) -> dict[str, Any]:
    """The document of some figures; those that are not explained are left out.

    Args:
        found: figures with the rows that hold them.
        names: of the rows, for the instructions of PTX.
        pipes: by target, the pipes that its contention tells apart.
    """
    shown = [(row, each) for row, each in found if each.explained]
    rows = {id(row): row for row, _ in shown}
    evidence = {key: _evidence(row) for key, row in rows.items()}
    busy = occupancies([(row.target, each) for row, each in shown])
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "timings": [
            _row(each, names, pipes.get(row.target), busy.get(_what(row.target, each)))
            | evidence[id(row)]
            for row, each in shown
        ],
    }


def occupancies(figures: Sequence[tuple[str, Figure]]) -> dict[tuple[Any, ...], Fraction]:
    """By target, instruction and axes, the cycles that one more takes of a scheduler's pipe.

    They are the interval of one warp, times four schedulers, divided by the warps, at the number of
    warps and accumulators where that is least: all four schedulers hold as many warps.
    """
    found: dict[tuple[Any, ...], Fraction] = {}
    for target, each in figures:
        warps = _warps(each)
        if not warps or each.cycles is None:
            continue
        cycles = each.cycles * SCHEDULERS / warps
        key = _what(target, each)
        found[key] = min(cycles, found.get(key, cycles))
    return found


def _warps(each: Figure) -> int:
    """The warps of a figure that is the interval of one instruction alone; 0 for another."""
    again = _NEXT.match(each.events[1])
    alone = each.events[0] == f"issue of {each.instruction}"
    if each.kind != RATE_KIND or not alone or not again or again[1] != each.instruction:
        return 0
    warps = int(each.axes.get("warps", 0)) or SCHEDULERS * int(each.axes.get("warpgroups", 0))
    return warps if warps % SCHEDULERS == 0 else 0


def _what(target: str, each: Figure) -> tuple[Any, ...]:
    axes = {name: value for name, value in each.axes.items() if name not in _ISSUED}
    return (target, each.instruction, *sorted(axes.items()))


def _row(each: Figure, names: Names, pipes: Pipes | None, busy: Fraction | None) -> dict[str, Any]:
    assert each.cycles is not None
    cycles = dict.fromkeys(("latency", "interval", "elapsed"), None) | {
        FIELDS[each.kind]: float(each.cycles)
    }
    own = [pipe for pipe in pipes.pipes if each.instruction in pipe] if pipes else []
    return {
        "instruction": each.instruction,
        "ptx": names.ptx(each.instruction),
        "class": each.kind,
        "from_event": each.events[0],
        "to_event": each.events[1],
        "axes": dict(each.axes),
        "unit": each.unit,
        **cycles,
        "exact": str(each.cycles),
        "spread": None
        if each.spread is None
        else [float(each.spread.least), float(each.spread.middle), float(each.spread.most)],
        "occupancy": None if busy is None else float(busy),
        "pipe": list(own[0]) if own else None,
        "domain": each.domain,
        "certificates": sorted(each.certificates),
    }


def _evidence(row: Record) -> dict[str, Any]:
    """Where a figure comes from: evidence, GPU, assembler, and the stored row with its hash."""
    return {
        "evidence": row.evidence,
        "target": row.target,
        "gpu": ((row.environment or {}).get("before") or {}).get("gpu"),
        "assembler": row.findings["assembler"],
        "row": record_path(row, Path()).as_posix(),
        "row_hash": json.loads(row_text(row))["hash"],
    }
