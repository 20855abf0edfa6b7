"""What sweeps were measured to do, and how long larger ones would take: rows of benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tools.figures.words import ROOT

ROWS = ROOT / "benchmarks" / "sweeps.jsonl"
#: Items of a large sweep.
WANTED = {"races": 100_000, "lane-races": 100_000, "divergence": 1_000_000, "programs": 1_000_000,
          "copies": 100_000, "pipelines": 100_000, "silicon-programs": 327,
          "tests/corpus/random_functions.py": 1_000_000}  # fmt: skip
#: Cores of one machine, and of a cluster of eight with 64 each.
MACHINES = (2, 16, 512)


def _rows() -> list[list[dict[str, Any]]]:
    """By sweep its rows, of each first item the last one, in the order of the file."""
    lines = [json.loads(line) for line in ROWS.read_text().splitlines()]
    last = {(each["sweep"], each["first"]): each for each in lines}
    names = dict.fromkeys(name for name, _ in last)
    return [[each for each in last.values() if each["sweep"] == name] for name in names]


def rate(rows: Sequence[Mapping[str, Any]]) -> float:
    """Items a second of one process, the last that was measured."""
    return float(rows[-1]["items"] / rows[-1]["task_seconds"])


def measured(_: str) -> str:
    """What ran: items, what was wrong, and the rate of one process."""
    rows = ["| sweep | items | wrong | processes | items a second and process | processor | load |"]
    rows.append("|---" * 7 + "|")
    for each in _rows():
        wrong = sum(len(row["wrong"]) + len(row["failed"]) for row in each)
        items, machine = sum(row["items"] for row in each), each[-1]["machine"]
        rows.append(
            f"| `{each[-1]['sweep']}` | {items:,} | {wrong} | {each[-1]['places']} "
            f"| {rate(each):.1f} | {machine['processor']} | {machine['load']} |"
        )
    return "\n".join(rows) + "\n"


def plan(_: str) -> str:
    """How long sweeps of more items than were tried take at those rates, on so many cores."""
    heads = " | ".join(f"{cores} cores" for cores in MACHINES)
    rows = [f"| sweep | items | {heads} |", "|---" * (2 + len(MACHINES)) + "|"]
    for each in _rows():
        name = each[-1]["sweep"]
        wanted = WANTED[name]
        if sum(row["items"] for row in each) >= wanted:
            continue
        times = " | ".join(_time(wanted / rate(each) / cores) for cores in MACHINES)
        rows.append(f"| `{name}` | {wanted:,} | {times} |")
    return "\n".join(rows) + "\n"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
