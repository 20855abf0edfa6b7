"""How long the emulator takes for nvfp4_gemv, hazards on: the contest's largest small problem.

    python benchmarks/gemv.py [--repeats R] [--json]

2432 x 4608 x 2, on all cores; compiling is left out, because the object cache is warm after the
first launch.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from machine import describe

import lanemap

M, K, BATCHES = 2432, 4608, 2
CASES = (("fma", "sm_90a"), ("fma", "sm_100a"), ("mma", "sm_100a"))


def seconds(impl: str, target: str, repeats: int) -> float:
    """Time of the best launch after the first."""
    rng = np.random.default_rng(0)
    a, b = (lanemap.quantize(rng.standard_normal((BATCHES, rows, K))) for rows in (M, 1))
    given = [each.data.transpose(1, 2, 0) for each in (a, b)]
    given += [each.atoms.transpose(3, 4, 1, 5, 2, 0) for each in (a, b)]
    gemv, device = lanemap.kernel("nvfp4_gemv"), lanemap.open_device(target, "emulator")
    c = gemv(*given, impl=impl, device=device)
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        gemv(*given, c, impl=impl, device=device)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = {" ".join(case): seconds(*case, given.repeats) for case in CASES}
    if given.json:
        print(json.dumps({"machine": describe(), "seconds": found}))
        return
    print(describe())
    for name, taken in found.items():
        print(f"{name:>12}  {taken:6.3f} s")


if __name__ == "__main__":
    main()
