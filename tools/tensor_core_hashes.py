"""Hold the emulator to every dot product of an H200 that the row of tensor cores has hashes of.

    python -m tools.tensor_core_hashes [KIND ..] [--jobs N] [--seconds S]

The row (results/sm_90a/cuda/tensor_cores.json) has 1.14 billion of them, in groups of chunks, a
hash each. The slow tests run one group of each kind; this runs all, in N processes, and says which
kinds agree, which differ and where first, and which were not reached in S seconds. Exits with 1 if
one differs, 3 if some were not reached.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache

import lanemap
from lanemap.conformance.tensor_cores import inputs, kernels, trial
from lanemap.conformance.tensor_cores.kinds import KINDS
from lanemap.paths import find
from lanemap.records.files import read_record

ROW = find("results") / "sm_90a" / "cuda" / "tensor_cores.json"


@cache
def _runner(name: str) -> trial.Runner:
    kind = KINDS[name]
    device = lanemap.open_device("sm_90a", device="emulator")
    return trial.Runner(device, kind, kernels.source(kind))


def _group(name: str, group: int, expected: str, end: float) -> bool | None:
    """Whether the emulator gives the hash of a group; None after the end of the time."""
    found = []
    for number in range(group * trial.GROUP, (group + 1) * trial.GROUP):
        if time.time() > end:
            return None
        found.append(trial.digest(_runner(name).run(*inputs.chunk(KINDS[name], number))))
    return trial.grouped(found) == [expected]


def main() -> int:
    """Compare, and print a line for each kind that does not agree, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=3600)
    given = parser.parse_args()
    os.environ["LANEMAP_THREADS"] = "1"
    rows = {each["name"]: each["outputs"] for each in read_record(ROW).findings["kinds"]}
    chosen = given.kinds or list(rows)
    end, agree, differ = time.time() + given.seconds, Counter[str](), dict[str, int]()
    most = max(len(rows[name]) for name in chosen)
    with ProcessPoolExecutor(given.jobs) as pool:
        work = {
            pool.submit(_group, name, group, rows[name][group], end): (name, group)
            for group in range(most)
            for name in chosen
            if group < len(rows[name])
        }
        for done in as_completed(work):
            (name, group), same = work[done], done.result()
            if same:
                agree[name] += 1
            elif same is not None:
                differ[name] = min(group, differ.get(name, group))
    for name, group in differ.items():
        print(f"{name}: group {group} differs")
    missing = [name for name in chosen if name not in differ and agree[name] < len(rows[name])]
    for name in missing:
        print(f"{name}: {agree[name]} of {len(rows[name])} groups agree, the rest was not reached")
    dots = sum(agree.values()) * trial.GROUP * inputs.CHUNK
    whole = sum(name not in differ and name not in missing for name in chosen)
    print(f"{whole} of {len(chosen)} kinds agree whole; {dots:,} dot products have the H200's hash")
    return 1 if differ else 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
