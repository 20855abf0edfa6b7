"""nvfp4_gemv: c = A b for matrices and vectors of e2m1 with a scale e4m3 for each 16 elements."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import Array
from lanemap.benching.plans import Plan, Plans, planned

from .benchmark import GemvBenchmark
from .multiply import plan
from .problem import Problem

#: Timed on a GPU: the large problems of the contest and a square one; then small ones of it.
_LARGE = ((16384, 16384), (7168, 16384), (4096, 7168, 8), (7168, 2048, 4))
PROBLEMS = (
    *(Problem(*shape) for shape in _LARGE),
    Problem(7168, 16384, scales="atoms"),
    Problem(128, 1536),
    Problem(384, 7168, 2),
    Problem(512, 512, 2, scales="atoms"),
)
BENCHMARKS = (
    GemvBenchmark("sm_90a", Problem(512, 4096, 2), PROBLEMS),
    GemvBenchmark("sm_100a", Problem(512, 4096, 2, "mma", "atoms")),
)


PLANS = Plans()


def _plan(
    a: Array,
    b: Array,
    sfa: Array,
    sfb: Array,
    c: Array | None = None,
    *,
    impl: str = "fma",
    device: Any = None,
) -> Plan:
    """Return what a call of `nvfp4_gemv` with the same arguments launches."""
    return plan(a, b, sfa, sfb, c, impl=impl, device=device)


@planned(_plan)
def nvfp4_gemv(
    a: Array,
    b: Array,
    sfa: Array,
    sfb: Array,
    c: Array | None = None,
    *,
    impl: str = "fma",
    device: Any = None,
) -> Any:
    """Return c[:, 0, l] = A[:, :, l] b[0, :, l], in fp16.

    The arrays are those of the public contest (gpu-mode/reference-kernels at 0a89b14,
    problems/nvidia/nvfp4_gemv), of NumPy, CuPy or PyTorch. Each is contiguous along K, then rows,
    then L. On a GPU the launch goes to the current stream of their library and is not waited for,
    so that graphs can capture it.

    Args:
        a: (M, K / 2, L) of bytes with two e2m1 each, that of the lower k in the low four bits.
        b: (rows, K / 2, L), of which the first row counts: the contest pads it to 128.
        sfa: Scales e4m3 of a: (M, K / 16, L), or in 128x4 atoms (32, 4, M / 128, 4, K / 64, L).
        sfb: Those of b, which lie as those of a do.
        c: (M, 1, L) of fp16 to write; by default an array of the same library and place is made.
        impl: "fma" computes on CUDA cores; "mma" on the tensor core of sm_100a, with atoms alone.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.

    Raises:
        UserError: shapes, types or a layout that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    arrays = a, b, sfa, sfb
    return PLANS.compute(
        arrays, c, (impl, device), lambda: plan(*arrays, c, impl=impl, device=device)
    )
