"""How long the emulator takes for attention of one head of 1024 queries and keys, hazards on.

    python benchmarks/attention.py [--repeats R] [--json]

bf16, head dimension 128, on all cores; compiling is left out, because the object cache is warm
after the first launch.
"""

from __future__ import annotations

import argparse
import json
import time

import ml_dtypes
import numpy as np
from machine import describe

import lanemap

LENGTH, HEAD_DIM = 1024, 128


def seconds(target: str, causal: bool, repeats: int) -> float:
    """Time of the best launch after the first."""
    rng = np.random.default_rng(0)
    shape = (1, LENGTH, 1, HEAD_DIM)
    q, k, v = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for _ in range(3))
    device = lanemap.open_device(target, device="emulator")
    fmha = lanemap.kernel("fmha")
    fmha(q, k, v, causal=causal, device=device)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        fmha(q, k, v, causal=causal, device=device)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {
        f"{target}{' causal' if causal else ''}": seconds(target, causal, given.repeats)
        for target in ("sm_90a", "sm_100a")
        for causal in (False, True)
    }
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, taken in found.items():
        print(f"{name:>16}  {taken:6.3f} s")


if __name__ == "__main__":
    main()
