"""How long the emulator takes for attention of one head of 1024 queries and keys, hazards on.

    python benchmarks/attention.py [--repeats R] [--json]

bf16, head dimension 128, on all cores. `again` is the best launch after the first; `warm` is the
first launch of a process that finds its code in the object cache, and `cold` that of one that finds
an empty cache. What NVRTC takes to make PTX is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import ml_dtypes
import numpy as np
from machine import describe

import lanemap
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.find import host

LENGTH, HEAD_DIM = 1024, 128
TARGETS = ("sm_90a", "sm_100a")


def seconds(target: str, causal: bool, repeats: int) -> tuple[float, float]:
    """Time of the first launch, and of the best one after it."""
    rng = np.random.default_rng(0)
    shape = (1, LENGTH, 1, HEAD_DIM)
    q, k, v = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for _ in range(3))
    device = lanemap.open_device(target, device="emulator")
    problem = Problem(1, LENGTH, LENGTH, 1, 1, HEAD_DIM, ALL, 0 if causal else ALL)
    (kernel,) = [each for each in host("fmha").KERNELS if each.target == target]
    kernel.ptx(problem, kernel.choose(problem))  # the text is kept
    fmha, times = lanemap.kernel("fmha"), []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        fmha(q, k, v, causal=causal, device=device)
        times.append(time.perf_counter() - start)
    return times[0], min(times[1:])


def processes(target: str, causal: bool, repeats: int) -> dict[str, float]:
    """Times of two processes, of which the second one finds the first one's object cache."""
    command = [sys.executable, __file__, "--one", target, "--repeats", str(repeats), "--json"]
    with tempfile.TemporaryDirectory() as cache:
        runs = [
            json.loads(
                subprocess.run(
                    [*command, *(["--causal"] if causal else [])],
                    capture_output=True,
                    check=True,
                    env={**os.environ, "LANEMAP_CACHE": cache},
                ).stdout
            )
            for _ in range(2)
        ]
    return {"cold": runs[0][0], "warm": runs[1][0], "again": min(run[1] for run in runs)}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", choices=TARGETS, help="in this process, for this target alone")
    parser.add_argument("--causal", action="store_true", help="with --one")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(seconds(given.one, given.causal, given.repeats)))
        return
    found = {
        f"{target}{' causal' if causal else ''}": processes(target, causal, given.repeats)
        for target in TARGETS
        for causal in (False, True)
    }
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, taken in found.items():
        print(f"{name:>16}  " + "  ".join(f"{which} {t:6.3f} s" for which, t in taken.items()))


if __name__ == "__main__":
    main()
