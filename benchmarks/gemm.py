"""How long the emulator takes for a full kernel's 1024 x 1024 x 1024 product, hazards on.

    python benchmarks/gemm.py [--repeats R] [--json]

bf16, on all cores; compiling is left out, because the object cache is warm after the first launch.
"""

from __future__ import annotations

import argparse
import json
import time

import ml_dtypes
import numpy as np
from machine import describe

import lanemap

SIZE = 1024
CASES = [(name, target) for target in ("sm_90a", "sm_100a") for name in ("ss_gemm", "ts_gemm")]


def seconds(name: str, target: str, repeats: int) -> float:
    """Time of the best launch after the first."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIZE, SIZE)).astype(ml_dtypes.bfloat16) for _ in range(2))
    product, device = lanemap.kernel(name), lanemap.open_device(target, "emulator")
    c = product(a, b, device=device)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        product(a, b, c, device=device)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {f"{name} {target}": seconds(name, target, given.repeats) for name, target in CASES}
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, taken in found.items():
        print(f"{name:>16}  {taken:6.3f} s")


if __name__ == "__main__":
    main()
