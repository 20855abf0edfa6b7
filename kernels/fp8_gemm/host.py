"""fp8_gemm: A @ B.T of FP8 matrices with f32 scales of blocks, as DeepSeek-V3 has them."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.gemm.blackwell import output_layouts
from lanemap.benching.gemm.call import Dtype
from lanemap.benching.gemm.scales import PART, hopper_layouts
from lanemap.benching.plans import planned

from .benchmark import Problem, ScaledBenchmark
from .kernel import BLACKWELL_TILES, BlackwellScaled, HopperScaled
from .product import ScaledProducts

KERNEL = HopperScaled("fp8_gemm", hopper_layouts, part=PART)

BLACKWELL = BlackwellScaled("fp8_gemm", output_layouts, tiles=BLACKWELL_TILES)

KERNELS = (KERNEL, BLACKWELL)
#: What `lanemap bench` times on a GPU: square ones, then layers of DeepSeek-V3 with many and few
#: tokens, one token, a ragged one, and C in f32.
PRODUCTS = (
    *(Problem(size, size, size) for size in (1024, 4096, 8192)),
    *(
        Problem(4096, n, k)
        for n, k in ((2112, 7168), (24576, 1536), (32768, 512), (7168, 16384), (4096, 7168),
                     (7168, 2048))
    ),
    *(Problem(128, n, k) for n, k in ((24576, 1536), (7168, 16384), (4096, 7168))),
    Problem(1, 7168, 2048),
    Problem(3000, 5000, 2000),
    Problem(4096, 4096, 7168, output="float32"),
)  # fmt: skip
BENCHMARKS = tuple(ScaledBenchmark(each, PRODUCTS) for each in KERNELS)

CALLS = ScaledProducts(KERNELS)


@planned(CALLS.plan)
def fp8_gemm(
    a: Array,
    b: Array,
    a_scales: Array,
    b_scales: Array,
    out: Array | None = None,
    *,
    out_dtype: Dtype | None = None,
    device: Any = None,
) -> Any:
    """Return A @ B.T, where each block of A and B is multiplied by its scale.

    C[m, n] is the sum over k of A[m, k] * a_scales[m, k // 128] * B[n, k] *
    b_scales[n // 128, k // 128]. The tensor core adds 128 products, and an f32 sum takes each such
    sum times both scales. On a GPU the launch goes to the current stream of the arrays' library and
    is not waited for. What a call prepares is kept for arrays of the same shapes, strides, types
    and place; `fp8_gemm.plan`, with the same arguments, returns it.

    Args:
        a: (M, K) of e4m3, of NumPy, CuPy or PyTorch. What does not lie in rows of adjacent elements
            at multiples of 16 bytes is copied, which holds for `b` and `out` too.
        b: (N, K) of e4m3, of the same library.
        a_scales: (M, ceil(K / 128)) of f32, in rows or in columns, or with any other strides.
        b_scales: (ceil(N / 128), ceil(K / 128)) of f32, likewise.
        out: (M, N) to write; by default an array of the same library and place is made.
        out_dtype: C's type if `out` is not given: bfloat16, which is the default, or float32.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or alignments that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    return CALLS.plans.compute(
        (a, b, a_scales, b_scales), out, (out_dtype, device),
        lambda: CALLS.plan(a, b, a_scales, b_scales, out, out_dtype, device),
    )  # fmt: skip
