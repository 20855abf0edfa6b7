"""What sweeps were measured to do, and how long larger ones would take: rows of benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tools.figures.words import ROOT

ROWS = ROOT / "benchmarks" / "sweeps.jsonl"
#: Items of a large sweep.
WANTED = {"races": 100_000, "lane-races": 100_000, "divergence": 1_000_000, "programs": 1_000_000,
          "copies": 100_000, "pipelines": 100_000,
          "tests/corpus/random_functions.py": 1_000_000}  # fmt: skip
#: Cores of one machine, and of a cluster of eight with 64 each.
MACHINES = (2, 16, 512)


def _rows() -> list[dict[str, Any]]:
    """The last row of each sweep, in the order of the file."""
    lines = [json.loads(line) for line in ROWS.read_text().splitlines()]
    return list({each["sweep"]: each for each in lines}.values())


def rate(row: Mapping[str, Any]) -> float:
    """Items a second of one process."""
    return float(row["items"] / row["task_seconds"])


def measured(_: str) -> str:
    """What ran: items, what was wrong, and the rate of one process."""
    rows = ["| sweep | items | wrong | processes | items a second and process | processor | load |"]
    rows.append("|---" * 7 + "|")
    for each in _rows():
        wrong = len(each["wrong"]) + len(each["failed"])
        rows.append(
            f"| `{each['sweep']}` | {each['items']:,} | {wrong} | {each['places']} "
            f"| {rate(each):.1f} | {each['machine']['processor']} | {each['machine']['load']} |"
        )
    return "\n".join(rows) + "\n"


def plan(_: str) -> str:
    """How long larger sweeps take at those rates, on some numbers of cores."""
    heads = " | ".join(f"{cores} cores" for cores in MACHINES)
    rows = [f"| sweep | items | {heads} |", "|---" * (2 + len(MACHINES)) + "|"]
    for each in _rows():
        wanted = WANTED[each["sweep"]]
        times = " | ".join(_time(wanted / rate(each) / cores) for cores in MACHINES)
        rows.append(f"| `{each['sweep']}` | {wanted:,} | {times} |")
    return "\n".join(rows) + "\n"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
