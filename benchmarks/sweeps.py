"""How many items a sweep tries in a second: `python benchmarks/sweeps.py races --seconds 20`.

It runs `lanemap sweep` on this machine's cores for so long and appends a line to sweeps.jsonl, from
which docs/sweeps.md is made. `--first 16000` goes on behind the items that were tried before.
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


def measured(sweep: str, items: range, seconds: float, places: int) -> dict[str, object]:
    """Run items of a sweep, as many as there is time for, and return the line."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "lanemap", "sweep", sweep, f"{items.start}:{items.stop}"]
        command += ["--minutes", str(seconds / 60), "--on", f"cores:{places}", "--out", out]
        command += ["--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    summary = json.loads(done.stdout)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    line = {"date": today, "machine": describe(), "first": items.start}
    return line | {name: summary[name] for name in KEPT}


def main() -> None:
    """Measure and append."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sweeps", nargs="+", metavar="SWEEP")
    parser.add_argument("--first", type=int, default=0, help="the first item")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many items at most")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--cores", type=int, default=int(describe()["cores"]))
    parser.add_argument("--out", type=Path, default=HISTORY)
    given = parser.parse_args()
    for sweep in given.sweeps:
        items = range(given.first, given.first + given.count)
        line = measured(sweep, items, given.seconds, given.cores)
        with given.out.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(f"{sweep}: {line['items']} items in {line['task_seconds']} s of tasks", flush=True)


if __name__ == "__main__":
    main()
