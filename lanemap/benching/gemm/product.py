"""A product of a user's matrices: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanemap.benching.arrays import adopted, empty_like, on_gpu, require_arrays, require_output
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem, problem_of, type_name
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.errors import UserError


def product(
    kernels: Sequence[GemmKernel],
    a: Any,
    b: Any,
    out: Any = None,
    *,
    out_dtype: str | None = None,
    accumulation: str = "fast",
    device: Any = None,
    tiling: Tiling | None = None,
) -> Any:
    """Return A @ B.T.

    Args:
        kernels: What computes it, one for each target; the first one's is the target by default.
        a: (M, K) of NumPy, CuPy or PyTorch; elements of a row are contiguous.
        b: (N, K) of the same library and type.
        out: (M, N) to write; by default an array of the same library and place is made.
        out_dtype: Name of C's type if `out` is not given, such as "float32"; by default the type
            of 16-bit operands, bfloat16 for FP8.
        accumulation: "fast", or "two_level" for FP8: see README.md of ss_gemm.
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.
        tiling: A tile; by default the one that should be fastest.

    Raises:
        UserError: shapes, types or alignments that no kernel supports, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    require_arrays(A=a, B=b)
    if out is not None:
        require_output("out", out)
        out_dtype = type_name(out)
    problem = problem_of(a, b, out_dtype, accumulation)
    if out is None:
        kind = TYPES[problem.output]
        out = empty_like(a, (problem.m, problem.n), kind.dtype, kind.name)
        fresh = True
    else:
        fresh = False
        if tuple(out.shape) != (problem.m, problem.n):
            raise UserError(
                f"out has shape {tuple(out.shape)}; it must have that of C, {problem.m, problem.n}"
            )
    targets = [each.target for each in kernels]
    device = device_for(kernels[0].name, device, targets, on_gpu(a))
    kernel = kernels[targets.index(device.target)]
    run(kernel, device, problem, a, b, out, tiling, fresh)
    return out


def run(
    kernel: GemmKernel,
    device: Any,
    problem: Problem,
    a: Any,
    b: Any,
    out: Any,
    tiling: Tiling | None = None,
    fresh: bool = False,
) -> None:
    """Compute `out`; `fresh` says that nothing has written it, so that the emulator knows."""
    count = multiprocessors(device)
    tiling = tiling or kernel.choose(problem, count)
    module = loaded(device, kernel.ptx(problem, tiling))
    operands = adopted(device, a, "A"), adopted(device, b, "B"), adopted(device, out, "C", fresh)
    kernel.launch(device, module, problem, tiling, *operands, count).run()
