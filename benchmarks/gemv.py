"""How long the emulator takes for nvfp4_gemv, hazards on: the contest's largest small problem.

    python benchmarks/gemv.py [--repeats R] [--json]

2432 x 4608 x 2, on all cores; compiling is left out, because the object cache is warm after the
first launch.
"""

from __future__ import annotations

import numpy as np
from launches import best, show

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
    return best(lambda: gemv(*given, c, impl=impl, device=device), repeats)


if __name__ == "__main__":
    show(__doc__, CASES, seconds)
