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
from lanemap.benching.gemm.call import Dtype
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.product import Products
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout
from lanemap.benching.plans import planned


def layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    kind = TYPES[problem.element]
    depth, cells = 32 // kind.bytes, "byte" if kind.bytes == 1 else "half"
    return [
        Layout(D_OF_256, "d", "word"),
        Layout(f"wgmma.m64k{depth}.{kind.ptx}:A", "fragment", cells),
        Layout("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "matrix", "half", inverse=True),
        Layout(tiling.stmatrix, "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{8 * kind.bytes}bit", "operand", inverse=True),
    ]


#: For sm_100a: 256 columns of tensor memory are left for A.
BLACKWELL_TILES = (
    BlackwellTiling(columns=128, movers=4),
    BlackwellTiling(columns=128, cluster_m=2, movers=4),
    BlackwellTiling(columns=64, movers=4),
)
KERNEL = GemmKernel("ts_gemm", layouts, registers=168)
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


CALLS = Products((KERNEL, BLACKWELL))


@planned(CALLS.plan)
def ts_gemm(
    a: Array,
    b: Array,
    out: Array | None = None,
    *,
    out_dtype: Dtype | None = None,
    bias: Array | None = None,
    activation: str | None = None,
    device: Any = None,
) -> Any:
    """Return A @ B.T, or activation(A @ B.T + bias).

    On a GPU the launch goes to the current stream of the arrays' library and is not waited for, so
    that graphs can capture it. What a call prepares is kept for arrays of the same shapes, strides,
    types and place; `ts_gemm.plan`, with the same arguments, returns it.

    Args:
        a: (M, K) of NumPy, CuPy or PyTorch, or (.., M, K). What does not lie in rows of adjacent
            elements at multiples of 16 bytes is copied, which holds for `b` and `out` too.
        b: (N, K), or (.., N, K) of as many matrices; of the same library and type.
        out: (.., M, N) to write; by default an array of the same library and place is made.
        out_dtype: C's type if `out` is not given: NumPy's or PyTorch's, or its name, such as
            "float32"; by default that of 16-bit operands, bfloat16 for FP8.
        bias: (N,) of C's type, added to each row; on sm_90a.
        activation: "relu", "gelu", "gelu_tanh" or "silu" of that, before it is rounded; on sm_90a.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or alignments that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    return CALLS.plans.compute(
        (a, b) if bias is None else (a, b, bias),
        out,
        (out_dtype, "fast", activation, device),
        lambda: CALLS.plan(a, b, out, out_dtype, "fast", bias, activation, device),
    )
