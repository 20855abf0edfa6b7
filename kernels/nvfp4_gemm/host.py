"""nvfp4_gemm: alpha * A @ B.T of block-scaled matrices, batched: NVFP4, MXFP4 and MXFP8."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array

from .benchmark import ScaledBenchmark
from .problem import Problem
from .product import product

#: What `lanemap bench` times on a GPU: every format; small, tall, wide, ragged and batched ones.
PRODUCTS = (
    *(Problem(size, size, size) for size in (4096, 8192)),
    *(Problem(8192, 8192, 8192, 1, name) for name in ("mxfp4", "mxfp8_e4m3", "mxfp8_e5m2")),
    Problem(8192, 8192, 8192, output="bfloat16"),
    *(Problem(size, size, size) for size in (1024, 2048)),
    Problem(16384, 8192, 4096),
    Problem(128, 7168, 16384),
    Problem(128, 4096, 7168),
    Problem(4097, 4104, 4128),
    Problem(512, 2048, 7168, 8),
)
BENCHMARKS = (ScaledBenchmark(PRODUCTS),)


def nvfp4_gemm(
    a: Array,
    b: Array,
    sfa: Array,
    sfb: Array,
    out: Array | None = None,
    *,
    alpha: float = 1.0,
    format: str = "nvfp4",
    out_dtype: str = "float16",
    device: Any = None,
) -> Any:
    """Return alpha * A @ B.T; see `kernels.nvfp4_gemm.product.product`."""
    return product(
        a, b, sfa, sfb, out, alpha=alpha, format=format, out_dtype=out_dtype, device=device
    )
