"""The emulator's own speed over revisions: a line for every figure in benchmarks/history.jsonl."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lanemap.errors import UserError

#: What benchmarks/history.py appends to; a checkout has it, an installed package has not.
HISTORY = Path(__file__).resolve().parents[1] / "benchmarks" / "history.jsonl"
WIDTH, HEIGHT, MARGIN = 220, 28, 4
#: A figure above its least of all runs before, times this, is marked: it stays marked until it is
#: mended, and one that grows a little in each run is marked too.
SLOWER = 1.15
#: Figures below this share of a run's largest are noise, even below zero: loops less loops.
NOISE = 0.02
Run = Mapping[str, Any]


def runs(path: Path = HISTORY) -> list[Run]:
    """The runs that the file has, in its order; none without a file.

    Raises:
        UserError: a line is no run.
    """
    if not path.is_file():
        return []
    found: list[Run] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            run = json.loads(line)
            complete = {"date", "revision", "machine", "benchmark", "unit", "figures"} <= set(run)
        except (ValueError, TypeError):
            complete = False
        if not complete:
            raise UserError(
                f"{path}:{number}: this is no run of a benchmark; lines are written by "
                "`make history`, so remove what was edited"
            )
        found.append(run)
    return found


def tables(found: Sequence[Run]) -> list[dict[str, Any]]:
    """A table for each benchmark and machine: rows of figures with first, last, change and plot."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in found:
        groups.setdefault((run["benchmark"], run["machine"], run["unit"]), []).append(run)
    return [
        {
            "benchmark": benchmark,
            "machine": machine,
            "unit": unit,
            "revisions": [_revision(run) for run in own],
            "rows": [_row(name, own) for name in _names(own)],
        }
        for (benchmark, machine, unit), own in groups.items()
    ]


def _revision(run: Run) -> str:
    """A run's revision, date and, where it says so, how many other processes shared the machine."""
    load = f", load {run['load']}" if "load" in run else ""
    return f"{run['revision']} ({run['date']}{load})"


def _names(own: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(name for run in reversed(own) for name in run["figures"]))


def _row(name: str, own: Sequence[Run]) -> dict[str, Any]:
    values = [
        (place, run["figures"][name]) for place, run in enumerate(own) if name in run["figures"]
    ]
    numbers = [value for _, value in values]
    last, *before = reversed(numbers)
    noise = NOISE * max(own[values[-1][0]]["figures"].values())
    slower = bool(before) and last > SLOWER * max(min(before), noise)
    return {
        "name": name,
        "first": f"{numbers[0]:.3g}",
        "last": f"{numbers[-1]:.3g}",
        "least": f"{min(numbers):.3g}",
        "slower": slower,
        "plot": _plot(name, values, len(own)),
    }


def _plot(name: str, values: Sequence[tuple[int, float]], runs_: int) -> str:
    """A line over runs, from zero, so that its height is the time."""
    top = max(value for _, value in values) or 1
    across = (WIDTH - 2 * MARGIN) / max(runs_ - 1, 1)
    points = [
        (MARGIN + across * place, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * max(value, 0) / top)
        for place, value in values
    ]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = "".join(f'<circle class="first" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in points)
    return (
        f'<svg class="spark" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
        f'aria-label="{name} over revisions"><path class="first" d="M{line}"/>{dots}</svg>'
    )
