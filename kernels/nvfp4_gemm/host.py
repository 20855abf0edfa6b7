"""nvfp4_gemm: alpha * A @ B.T of block-scaled matrices, batched: NVFP4, MXFP4 and MXFP8."""

from __future__ import annotations

from typing import Any

from lanemap.benching.block_scaled.product import product


def nvfp4_gemm(
    a: Any, b: Any, sfa: Any, sfb: Any, out: Any = None, *, alpha: float = 1.0,
    format: str = "nvfp4", out_dtype: str = "float16", device: Any = None,
) -> Any:  # fmt: skip
    """Return alpha * A @ B.T; see `lanemap.benching.block_scaled.product.product`."""
    return product(
        a, b, sfa, sfb, out, alpha=alpha, format=format, out_dtype=out_dtype, device=device
    )
