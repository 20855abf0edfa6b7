"""ts_gemm: C = A @ B.T with A in registers, on sm_100a in tensor memory; B in shared memory."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.gemm.benchmark import GemmBenchmark
from lanemap.benching.gemm.blackwell import (
    BlackwellKernel,
    BlackwellTiling,
    moving_layouts,
)
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import product
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout


def layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    kind = TYPES[problem.element]
    depth, cells = 32 // kind.bytes, "byte" if kind.bytes == 1 else "half"
    return [
        Layout(D_OF_256, "d", "word"),
        Layout(f"wgmma.m64k{depth}.{kind.ptx}:A", "fragment", cells),
        Layout("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "matrix", "half", inverse=True),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{8 * kind.bytes}bit", "operand", inverse=True),
    ]


#: For sm_100a: 256 columns of tensor memory are left for A.
BLACKWELL_TILES = (
    BlackwellTiling(columns=128, movers=4),
    BlackwellTiling(columns=128, cluster_m=2, movers=4),
    BlackwellTiling(columns=64, movers=4),
)
KERNEL = GemmKernel("ts_gemm", layouts)
BLACKWELL = BlackwellKernel("ts_gemm", moving_layouts, tiles=BLACKWELL_TILES)
#: What `lanemap bench` times on a GPU: large, FP8, then small, tall, wide, deep and ragged ones.
PRODUCTS = (
    *(Problem(size, size, size) for size in (4096, 6144, 8192)),
    Problem(4096, 4096, 4096, "float8_e4m3fn"),
    *(Problem(size, size, size) for size in (512, 1024, 2048)),
    Problem(16384, 1024, 2048),
    Problem(64, 8192, 8192),
    Problem(1024, 1024, 16384),
    Problem(1000, 1032, 1048),
    Problem(3000, 5000, 2008),
)
BENCHMARKS = (GemmBenchmark(KERNEL, PRODUCTS), GemmBenchmark(BLACKWELL, PRODUCTS))


def ts_gemm(
    a: Array,
    b: Array,
    out: Array | None = None,
    *,
    out_dtype: str | None = None,
    device: Any = None,
) -> Any:
    """Return A @ B.T; see `lanemap.benching.gemm.product.product`."""
    return product((KERNEL, BLACKWELL), a, b, out, out_dtype=out_dtype, device=device)
