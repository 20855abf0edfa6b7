"""grouped_gemm: C = A @ B[g].T for the rows of each group g, as layers of experts need it."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.gemm import problem as gemm
from lanemap.benching.gemm.blackwell import BlackwellKernel, BlackwellTiling, output_layouts
from lanemap.benching.gemm.call import Dtype
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.scales import HOPPER_TILES, PART, hopper_layouts, microseconds
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout
from lanemap.benching.plans import planned

from .benchmark import GroupedBenchmark
from .kernel import GroupedKernel
from .problem import Problem
from .product import GroupedProducts


def layouts(problem: gemm.Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    if problem.accumulation == "two_level":
        return hopper_layouts(problem, tiling)
    bits = 8 * TYPES[problem.element].bytes
    return [
        Layout(D_OF_256, "d", "word"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{bits}bit", "operand", inverse=True),
    ]


#: For sm_90a: 128 rows by two consumers, or 64 by one; two CTAs with 256 rows share B.
HOPPER = GroupedKernel(
    GemmKernel("grouped_gemm", layouts, part=PART),
    (
        Tiling(cluster_m=1),
        Tiling(),
        Tiling(columns=128, stages=6, cluster_m=1),
        Tiling(columns=64, stages=8, cluster_m=1),
        Tiling(columns=128, stages=8, cluster_m=1, consumers=1),
    ),
    HOPPER_TILES,
    microseconds,
)
#: Of one block of scales of B.
_NARROW = (BlackwellTiling(columns=128, stages=6), BlackwellTiling(columns=64, stages=7))
#: For sm_100a: 128 rows, or 256 by a pair of CTAs.
BLACKWELL = GroupedKernel(
    BlackwellKernel("grouped_gemm", output_layouts),
    (BlackwellTiling(), BlackwellTiling(cluster_m=2, stages=6), *_NARROW),
    (*_NARROW, BlackwellTiling(columns=128, cluster_m=2, stages=7)),
)
#: What `lanemap bench` times on a GPU: many and few rows, few and many groups, then room for each
#: group as decoding has it.
PRODUCTS = (
    Problem(8192, 7168, 4096, 8),
    Problem(8192, 4096, 7168, 8),
    Problem(32768, 4096, 2048, 32),
    Problem(32768, 2048, 4096, 32),
    Problem(32768, 4096, 2048, 32, element="float8_e4m3fn"),
    Problem(32768, 4096, 7168, 4, element="float8_e4m3fn", scaled=True),
    Problem(32768, 7168, 2048, 8, element="float8_e4m3fn", scaled=True),
    Problem(1024, 4096, 7168, 4, True, "float8_e4m3fn", scaled=True),
    Problem(128, 7168, 2048, 32, True, "float8_e4m3fn", scaled=True),
    Problem(16384, 1536, 1024, 128),
    Problem(1024, 4096, 2048, 32),
    Problem(256, 4096, 2048, 32, masked=True),
    Problem(64, 7168, 1024, 32, masked=True),
)
KERNELS = (HOPPER, BLACKWELL)
BENCHMARKS = tuple(GroupedBenchmark(each, PRODUCTS) for each in KERNELS)

CALLS = GroupedProducts(KERNELS)


@planned(CALLS.plan)
def grouped_gemm(
    a: Array,
    b: Array,
    sizes: Array,
    out: Array | None = None,
    *,
    a_scales: Array | None = None,
    b_scales: Array | None = None,
    out_dtype: Dtype | None = None,
    device: Any = None,
) -> Any:
    """Return A @ B[g].T for the rows of each group g.

    The sizes are read by the kernel alone, so that nothing waits for them. On a GPU the launch goes
    to the current stream of the arrays' library and is not waited for, so that graphs can capture
    it; `grouped_gemm.plan`, with the same arguments, returns what is kept for such arrays.

    Args:
        a: (rows, K) of NumPy, CuPy or PyTorch: the rows of group 0, then those of group 1, ..; or
            (groups, room, K), where each group uses the first of its rows. Rows of adjacent
            elements at multiples of 16 bytes.
        b: (groups, N, K), likewise; of the same library and type: bf16, fp16 or e4m3.
        sizes: (groups,) of int32: rows of each group. What is negative is 0, and rows that A does
            not have are left out.
        a_scales: (rows, ceil(K / 128)) or (groups, room, ceil(K / 128)) of f32, with any strides:
            what each 128 elements of a row of an FP8 A are multiplied by, as in fp8_gemm.
        b_scales: (groups, ceil(N / 128), ceil(K / 128)) of f32, likewise; of 128 x 128 elements.
        out: (rows, N) or (groups, room, N) to write; by default an array of the same library and
            place is made. Rows that belong to no group are neither read nor written.
        out_dtype: C's type if `out` is not given: NumPy's or PyTorch's, or its name, such as
            "float32"; by default that of 16-bit operands, bfloat16 for FP8.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or alignments that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    scales = () if a_scales is None and b_scales is None else (a_scales, b_scales)
    return CALLS.plans.compute(
        (a, b, sizes, *scales), out, (out_dtype, device),
        lambda: CALLS.plan(a, b, sizes, out, out_dtype, device, a_scales, b_scales),
    )  # fmt: skip
