"""Measure the emulator's speed and append it to benchmarks/history.jsonl, which a page plots.

    python benchmarks/history.py [--checkout PATH] [--only BENCHMARK ..] [--repeats R]
                                 [--level LEVEL] [--revision NAME]

A line is one run of one benchmark: date, revision, machine, unit and figures by name. Instructions,
matrix products, memory and threads are measured for x86-64-v3, which every machine of the last ten
years has, or for `--level`; the commands and the first launches as they are. `lanemap report`
writes site/speed.html from the file.
`--checkout` measures another checkout (built) with this one's benchmarks; `--revision` says which
it is where git cannot.
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
#: Of products, and the length of attention's sequences, where threads are measured.
SIZE = 1024


def instructions(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Nanoseconds by target and class."""
    import os

    import instructions as table

    os.environ["LANEMAP_CPU"] = level
    found = {}
    for target, (bodies, _, _) in table.TARGETS.items():
        rows = table.measure({"": root}, target, list(bodies), repeats)
        found |= {f"{target} {name}": values[""] for name, values in rows.items()}
    del os.environ["LANEMAP_CPU"]
    return found


def commands(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Processor seconds of commands with a warm cache."""
    import commands as table

    return {command: row["warm"] for command, row in table.measure({"": root}, repeats).items()}


def startup(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Processor seconds of processes with one first launch, by kernel and state of the cache."""
    import startup as table

    rows = table.measure({"": root}, list(table.CASES), repeats)
    return {
        f"{name}, {state}": row[state]["processor"]
        for name, row in rows.items()
        for state in table.STATES
    }


def matrix(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Picoseconds of one product and its sum, by instruction."""
    import os

    import multiply as table

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(root)
    found = table.elsewhere(level, [], repeats)
    del os.environ["PYTHONPATH"]
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return {name: 1000 / value for name, value in found.items()}


def memory(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Times of memory accesses and launches, in the unit that each name ends in."""
    import os

    command = [sys.executable, str(root / "benchmarks" / "memory.py"), "--json"]
    done = subprocess.run(
        [*command, "--samples", str(repeats)],
        env=os.environ | {"LANEMAP_CPU": level, "PYTHONPATH": str(root)},
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


def scaling(root: Path, repeats: int, level: str) -> dict[str, float]:
    """Seconds of the clock of a launch, by kernel and number of threads; of this checkout alone."""
    import os

    import scaling as table

    cores = len(os.sched_getaffinity(0))
    found = {}
    for kernel in table.CASES:
        for threads in (1, 2, 8, 16):
            if threads > cores:
                break
            seconds = table.measure(kernel, threads, SIZE, level)
            if isinstance(seconds, str):
                raise SystemExit(f"{kernel}: {seconds}")
            found[f"{kernel}, threads {threads}"] = seconds
    return found


#: What is measured, and in which unit; whether for a level.
BENCHMARKS = {
    "matrix": (matrix, "ps of a product and its sum, one core", True),
    "instructions": (instructions, "ns of a warp or wave instruction", True),
    "memory": (memory, "as named; processor time of one core", True),
    "scaling": (scaling, f"seconds of the clock of a launch, size {SIZE}", True),
    "commands": (commands, "processor seconds, warm cache", False),
    "startup": (startup, "processor seconds of a process with a first launch", False),
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
    parser.add_argument("--level", default=LEVEL, help="LANEMAP_CPU, such as x86-64-v4")
    parser.add_argument("--revision", help="what is measured, where git cannot say it")
    options = parser.parse_args()
    root, level = options.checkout.resolve(), options.level
    measured = options.revision or revision(root)  # before the history changes
    for name in options.only:
        measure, unit, levelled = BENCHMARKS[name]
        about = describe()
        figures = {
            key: float(f"{value:.3g}")
            for key, value in measure(root, options.repeats, level).items()
        }
        run: dict[str, Any] = {
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "revision": measured,
            "machine": f"{about['processor']}, {about['cores']} cores{f', {level}' * levelled}",
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
