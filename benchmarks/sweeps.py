"""How many items a sweep tries in a second: `python benchmarks/sweeps.py races --seconds 20`.

It runs `lanemap sweep` on this machine's cores for so long and appends a line to sweeps.jsonl, from
which docs/sweeps.md is made.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import describe

HISTORY = Path(__file__).with_name("sweeps.jsonl")
#: What of a summary is kept.
KEPT = ("sweep", "items", "counts", "task_seconds", "seconds", "places", "where", "wrong", "failed")


def measured(sweep: str, seconds: float, places: int) -> dict[str, object]:
    """Run a sweep from its first item on, and return the line."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "lanemap", "sweep", sweep, "--count", "1000000", "--json"]
        command += ["--minutes", str(seconds / 60), "--on", f"cores:{places}", "--out", out]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    summary = json.loads(done.stdout)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return {"date": today, "machine": describe()} | {name: summary[name] for name in KEPT}


def main() -> None:
    """Measure and append."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sweeps", nargs="+", metavar="SWEEP")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--cores", type=int, default=int(describe()["cores"]))
    parser.add_argument("--out", type=Path, default=HISTORY)
    given = parser.parse_args()
    for sweep in given.sweeps:
        line = measured(sweep, given.seconds, given.cores)
        with given.out.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(f"{sweep}: {line['items']} items in {line['task_seconds']} s of tasks", flush=True)


if __name__ == "__main__":
    main()
