"""How large the capsules of targets are: `python benchmarks/capsules.py sm_100a gfx950`.

It builds each whole, as `make capsule-sm_100a` does, and appends a line to capsules.jsonl, from
which docs/capsules.md is made.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import describe

HISTORY = Path(__file__).with_name("capsules.jsonl")


def measured(target: str) -> dict[str, object]:
    """Build a capsule, and return the line."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "lanemap", "capsule", "--target", target, "--json"]
        begun = time.monotonic()
        done = subprocess.run(
            [*command, "--out", str(Path(folder, "capsule.pyz"))],
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        seconds = round(time.monotonic() - begun, 1)
    if done.returncode:
        raise SystemExit(f"{target}: lanemap capsule ended with status {done.returncode}")
    told = json.loads(done.stdout)
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return {
        "date": today, "machine": describe(), "target": told["target"], "bytes": told["bytes"],
        "entries": sorted(told["entries"]), "seconds": seconds,
    }  # fmt: skip


def main() -> None:
    """Build and append."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("--out", type=Path, default=HISTORY)
    given = parser.parse_args()
    for target in given.targets:
        line = measured(target)
        with given.out.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(f"{target}: {line['bytes']} bytes in {line['seconds']} s", flush=True)


if __name__ == "__main__":
    main()
