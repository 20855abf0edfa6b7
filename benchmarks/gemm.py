"""How long the emulator takes for a full kernel's 1024 x 1024 x 1024 product, hazards on.

    python benchmarks/gemm.py [--repeats R] [--json]

bf16, and the block-scaled formats of nvfp4_gemm, on all cores; compiling is left out, because the
object cache is warm after the first launch.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from launches import best, show

import lanemap

SIZE = 1024
CASES = [
    *((name, target, "") for target in ("sm_90a", "sm_100a") for name in ("ss_gemm", "ts_gemm")),
    *(("nvfp4_gemm", "sm_100a", name) for name in ("nvfp4", "mxfp4", "mxfp8_e4m3")),
]


def operands(form: str) -> tuple[list[Any], dict[str, str]]:
    """Return a kernel's operands: matrices of bf16, or of a block-scaled format with scales."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((SIZE, SIZE), np.float32) for _ in range(2))
    if not form:
        return [x.astype(ml_dtypes.bfloat16) for x in (a, b)], {}
    a, b = (lanemap.quantize(x, form) for x in (a, b))
    return [a.data, b.data, a.atoms, b.atoms], {"format": form}


def seconds(name: str, target: str, form: str, repeats: int) -> float:
    """Time of the best launch after the first."""
    given, options = operands(form)
    product, device = lanemap.kernel(name), lanemap.open_device(target, "emulator")
    c = product(*given, device=device, **options)
    return best(lambda: product(*given, c, device=device, **options), repeats)


if __name__ == "__main__":
    show(__doc__, CASES, seconds)
