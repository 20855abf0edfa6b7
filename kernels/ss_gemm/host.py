"""ss_gemm: C = A @ B.T with both operands of the tensor core in shared memory."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.gemm.benchmark import GemmBenchmark
from lanemap.benching.gemm.blackwell import (
    BlackwellKernel,
    BlackwellTiling,
    output_layouts,
)
from lanemap.benching.gemm.call import Dtype
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import Products
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout
from lanemap.benching.plans import planned


def layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    bits = 8 * TYPES[problem.element].bytes
    adjacent = Layout(f"shared.mn_major.128b.{bits}bit", "adjacent", inverse=True)
    part = Layout(f"wgmma.m64n{tiling.part(problem)}.f32:D", "part", "word")
    return [
        *([part] if problem.accumulation == "two_level" else []),
        Layout(D_OF_256, "d", "word"),
        Layout(tiling.stmatrix, "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{bits}bit", "operand", inverse=True),
        *([adjacent] if any(problem.transposed) else []),
    ]


#: For sm_100a: one CTA with 128 x 256, a pair with 256 x 256; then with narrower tiles.
BLACKWELL_TILES = (
    BlackwellTiling(),
    BlackwellTiling(cluster_m=2, stages=6),
    BlackwellTiling(columns=128, stages=6),
    BlackwellTiling(columns=64, stages=7),
)
KERNEL = GemmKernel("ss_gemm", layouts, transposes=True, blocks=2)
BLACKWELL = BlackwellKernel("ss_gemm", output_layouts, tiles=BLACKWELL_TILES)
FP8 = "float8_e4m3fn"
#: What `lanemap bench` times on a GPU, those of most use first, since there may be no time for all:
#: large, small, tall, wide, deep and ragged ones, then other types.
PRODUCTS = (
    *(Problem(size, size, size) for size in (4096, 6144, 8192)),
    *(Problem(size, size, size) for size in (512, 1024, 2048)),
    Problem(16384, 1024, 2048),
    Problem(65536, 256, 1024),
    Problem(64, 8192, 8192),
    Problem(512, 16384, 4096),
    Problem(1024, 1024, 16384),
    Problem(1000, 1032, 1048),
    Problem(3000, 5000, 2008),
    Problem(4097, 4104, 4104),
    *(Problem(size, size, size, FP8) for size in (4096, 8192)),
    *(Problem(size, size, size, FP8, accumulation="two_level") for size in (4096, 8192)),
    Problem(4096, 4096, 4096, "float16", "float16"),
)
#: The same on sm_100a, whose tensor cores keep FP8 sums whole.
BLACKWELL_PRODUCTS = tuple(each for each in PRODUCTS if each.accumulation == "fast")
BENCHMARKS = (GemmBenchmark(KERNEL, PRODUCTS), GemmBenchmark(BLACKWELL, BLACKWELL_PRODUCTS))


CALLS = Products((KERNEL, BLACKWELL))


@planned(CALLS.plan)
def ss_gemm(
    a: Array,
    b: Array,
    out: Array | None = None,
    *,
    out_dtype: Dtype | None = None,
    bias: Array | None = None,
    activation: str | None = None,
    accumulation: str = "fast",
    device: Any = None,
) -> Any:
    """Return A @ B.T, or activation(A @ B.T + bias).

    On a GPU the launch goes to the current stream of the arrays' library and is not waited for, so
    that graphs can capture it. What a call prepares is kept for arrays of the same shapes, strides,
    types and place; `ss_gemm.plan`, with the same arguments, returns it. `ss_gemm.plan(..,
    tries=10)` times so many tiles on the GPU and keeps the fastest one, for later plans too.

    Args:
        a: (M, K) of NumPy, CuPy or PyTorch, or (.., M, K). What does not lie in rows of adjacent
            elements at multiples of 16 bytes is copied, which holds for `b` and `out` too. On
            sm_90a columns of 16-bit `a` and `b` may lie so instead.
        b: (N, K), or (.., N, K) of as many matrices; of the same library and type.
        out: (.., M, N) to write; by default an array of the same library and place is made.
        out_dtype: C's type if `out` is not given: NumPy's or PyTorch's, or its name, such as
            "float32"; by default that of 16-bit operands, bfloat16 for FP8.
        bias: (N,) of C's type, added to each row; on sm_90a.
        activation: "relu", "gelu", "gelu_tanh" or "silu" of that, before it is rounded; on sm_90a.
        accumulation: "fast", or "two_level" for FP8: see README.md.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or alignments that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    return CALLS.plans.compute(
        (a, b) if bias is None else (a, b, bias),
        out,
        (out_dtype, accumulation, activation, device),
        lambda: CALLS.plan(a, b, out, out_dtype, accumulation, bias, activation, device),
    )
