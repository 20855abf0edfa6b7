"""How long commands of `lanemap` take that people wait for.

    python benchmarks/commands.py [--before PATH] [--repeats R] [--json]

Each time is of a new process, the interpreter's start included: processor time of it and its
children. `cold` is with an empty cache, `warm` with what the cold process left there. With
`--before` another checkout of lanemap is measured in turns with this one. Files are in the system's
page cache: each command is run once for nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import describe

HERE = Path(__file__).resolve().parents[1]
COMMANDS = (
    "--help",
    "list probes",
    "list variants",
    "list scores",
    "list evidence",
    "where ds_read_b64_tr_b8 --lane 13 --reg 1",
    "where tcgen05.ld.32x32b.x4 --lane 13 --reg 3",
    "compare ds_read_b64_tr_b8",
    "compare --all",
    "compare timing",
    "timing",
    "timing HFMA2.MMA",
    "emit ds_read_b64_tr_b8 --as c",
    "doctor",
)


def seconds(root: Path, command: str, cache: str) -> float:
    """Processor time of one process that runs a command of the checkout at `root`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "lanemap", *shlex.split(command)],
        env=os.environ | {"LANEMAP_CACHE": cache, "PYTHONPATH": str(root)},
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):  # 3: doctor, where something is missing
        raise RuntimeError(f"lanemap {command}: {done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(roots: dict[str, Path], repeats: int) -> dict[str, dict[str, float]]:
    """Medians by command, of each checkout cold and warm."""
    found = {}
    for command in COMMANDS:
        times: dict[str, list[float]] = {}
        for turn in range(repeats + 1):
            for name, root in roots.items():
                with tempfile.TemporaryDirectory() as cache:
                    for state in ("cold", "warm"):
                        taken = seconds(root, command, cache)
                        if turn:
                            times.setdefault(f"{name} {state}".strip(), []).append(taken)
        found[command] = {key: statistics.median(each) for key, each in times.items()}
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="another checkout of lanemap")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    roots = {"before": given.before.resolve()} if given.before else {}
    found = measure(roots | {"": HERE}, given.repeats)
    if given.json:
        print(json.dumps({"machine": describe(), "repeats": given.repeats, "seconds": found}))
        return
    print(", ".join(f"{key} {value}" for key, value in describe().items()))
    states = list(next(iter(found.values())))
    print(f"{'processor seconds':46}" + "".join(f"{state:>13}" for state in states))
    for command, row in found.items():
        print(f"{command:46}" + "".join(f"{row[state]:13.2f}" for state in states))


if __name__ == "__main__":
    main()
