"""ss_gemm: C = A @ B.T with both operands of the tensor core in shared memory."""

from __future__ import annotations

from typing import Any

from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import product
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.layouts import Layout


def layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    bits = 8 * TYPES[problem.element].bytes
    return [
        Layout(f"wgmma.m64n{tiling.columns}.f32:D", "d", "word"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{bits}bit", "operand", inverse=True),
    ]


KERNEL = GemmKernel("ss_gemm", layouts)


def ss_gemm(
    a: Any, b: Any, out: Any = None, *, out_dtype: str | None = None, accumulation: str = "fast",
    device: Any = None,
) -> Any:  # fmt: skip
    """Return A @ B.T; see `lanemap.benching.gemm.product.product`."""
    return product(
        KERNEL, a, b, out, out_dtype=out_dtype, accumulation=accumulation, device=device
    )
