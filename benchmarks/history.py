"""Measure the emulator's speed and append it to benchmarks/history.jsonl, which a page plots.

    python benchmarks/history.py [--checkout PATH] [--only BENCHMARK ..] [--repeats R]

A line is one run of one benchmark: date, revision, machine, unit and figures by name. Instructions,
matrix products and memory are measured for x86-64-v3, which every machine of the last ten years
has, the commands and the first launches as they are. `lanemap report` writes site/speed.html from
the file.
`--checkout` measures another checkout (built) with this one's benchmarks.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from machine import describe

HERE = Path(__file__).resolve().parent
HISTORY = HERE / "history.jsonl"
LEVEL = "x86-64-v3"


def instructions(root: Path, repeats: int) -> dict[str, float]:
    """Nanoseconds by target and class."""
    import os

    import instructions as table

    os.environ["LANEMAP_CPU"] = LEVEL
    found = {}
    for target, (bodies, _, _) in table.TARGETS.items():
        rows = table.measure({"": root}, target, list(bodies), repeats)
        found |= {f"{target} {name}": values[""] for name, values in rows.items()}
    del os.environ["LANEMAP_CPU"]
    return found


def commands(root: Path, repeats: int) -> dict[str, float]:
    """Processor seconds of commands with a warm cache."""
    import commands as table

    return {command: row["warm"] for command, row in table.measure({"": root}, repeats).items()}


def startup(root: Path, repeats: int) -> dict[str, float]:
    """Processor seconds of processes with one first launch, by kernel and state of the cache."""
    import startup as table

    rows = table.measure({"": root}, list(table.CASES), repeats)
    return {
        f"{name}, {state}": row[state]["processor"]
        for name, row in rows.items()
        for state in table.STATES
    }


def matrix(root: Path, repeats: int) -> dict[str, float]:
    """Picoseconds of one product and its sum, by instruction."""
    import os

    import multiply as table

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(root)
    found = table.elsewhere(LEVEL, [], repeats)
    del os.environ["PYTHONPATH"]
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return {name: 1000 / value for name, value in found.items()}


def memory(root: Path, repeats: int) -> dict[str, float]:
    """Times of memory accesses and launches, in the unit that each name ends in."""
    import os

    command = [sys.executable, str(root / "benchmarks" / "memory.py"), "--json"]
    done = subprocess.run(
        [*command, "--samples", str(repeats)],
        env=os.environ | {"LANEMAP_CPU": LEVEL, "PYTHONPATH": str(root)},
        check=True,
        capture_output=True,
        text=True,
    )
    rows = json.loads(done.stdout)["rows"]
    inverse = {"GB/s": "s of a GB", "x": "of one thread's time"}  # less is better in this file
    found = {}
    for row in rows:
        if "median" in row["after"]:
            median, unit = row["after"]["median"], row["unit"]
            found[f"{row['case']}, {inverse.get(unit, unit)}"] = (
                1 / median if unit in inverse else median
            )
    return found


#: What is measured, and in which unit; what else the machine's name says.
BENCHMARKS = {
    "matrix": (matrix, "ps of a product and its sum, one core", f", {LEVEL}"),
    "instructions": (instructions, "ns of a warp or wave instruction", f", {LEVEL}"),
    "memory": (memory, "as named; processor time of one core", f", {LEVEL}"),
    "commands": (commands, "processor seconds, warm cache", ""),
    "startup": (startup, "processor seconds of a process with a first launch", ""),
}


def revision(root: Path) -> str:
    """The commit of a checkout, with a + if files differ from it."""
    words = [
        "git",
        "-C",
        str(root),
        "describe",
        "--always",
        "--abbrev=8",
        "--exclude=*",
        "--dirty=+",
    ]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    """Measure and append."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path, default=HERE.parent)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    root = options.checkout.resolve()
    measured = revision(root)  # before the history changes
    for name in options.only:
        measure, unit, more = BENCHMARKS[name]
        about = describe()
        figures = {
            key: float(f"{value:.3g}") for key, value in measure(root, options.repeats).items()
        }
        run: dict[str, Any] = {
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "revision": measured,
            "machine": f"{about['processor']}, {about['cores']} cores{more}",
            "load": about["load"],
            "benchmark": name,
            "unit": unit,
            "figures": figures,
        }
        with HISTORY.open("a") as file:
            file.write(json.dumps(run) + "\n")
        print(f"{name}: {len(figures)} figures of {run['revision']} appended to {HISTORY.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
