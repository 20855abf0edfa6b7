"""nvfp4_gemm: alpha * A @ B.T of block-scaled matrices, batched: NVFP4, MXFP4 and MXFP8."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.gemm.call import Dtype
from lanemap.benching.plans import planned

from .benchmark import ScaledBenchmark
from .problem import Problem
from .product import ScaledProducts

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


CALLS = ScaledProducts()


@planned(CALLS.plan)
def nvfp4_gemm(
    a: Array,
    b: Array,
    sfa: Array,
    sfb: Array,
    out: Array | None = None,
    *,
    alpha: float | Array = 1.0,
    format: str = "nvfp4",
    out_dtype: Dtype = "float16",
    device: Any = None,
) -> Any:
    """Return alpha * A @ B.T of block-scaled matrices, or of each pair of a batch.

    On a GPU the launch goes to the current stream of the arrays' library and is not waited for.
    What a call prepares is kept for arrays of the same shapes, strides, types and place, and for
    the same alpha if that is a number; `nvfp4_gemm.plan`, with the same arguments, returns it.

    Args:
        a: (M, bytes of a row) or (L, M, bytes of a row) of NumPy, CuPy or PyTorch: two elements of
            4 bits in a byte of uint8 or float4_e2m1fn_x2, or FP8 elements. Elements of a row are
            contiguous.
        b: (N, ..) or (L, N, ..), of the same library.
        sfa: The scales of A in 128x4 atoms, contiguous, in any shape, of one byte each. What lies
            between the last scale and the end of its atom must not be NaN.
        sfb: The scales of B.
        out: (M, N) or (L, M, N) to write; by default an array of the same library and place is
            made.
        alpha: What every element is multiplied by, in f32: the product of the global scales. A
            number, or an f32 array of one element, which the kernel reads.
        format: "nvfp4", "mxfp4", "mxfp8_e4m3" or "mxfp8_e5m2".
        out_dtype: C's type if `out` is not given, or its name: float16, bfloat16 or float32.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or alignments that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    read, factor = ((alpha,), None) if hasattr(alpha, "shape") else ((), alpha)
    return CALLS.plans.compute(
        (a, b, sfa, sfb, *read), out, (factor, format, out_dtype, device),
        lambda: CALLS.plan(a, b, sfa, sfb, out, alpha, format, out_dtype, device),
    )  # fmt: skip
