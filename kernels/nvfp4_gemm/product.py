"""A block-scaled product of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

from lanemap.benching.arrays import (
    Operand,
    adopted,
    empty_like,
    item_bytes,
    number,
    on_gpu,
    require_arrays,
    require_output,
    steps,
)
from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.errors import UserError

from .kernel import KERNEL, Arrays
from .problem import Problem, problem_of
from .tiling import Tiling, choose


def product(
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    out: Any = None,
    *,
    alpha: float = 1.0,
    format: str = "nvfp4",
    out_dtype: str = "float16",
    device: Any = None,
    tiling: Tiling | None = None,
) -> Any:
    """Return alpha * A @ B.T of block-scaled matrices, or of each pair of a batch.

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
        alpha: What every element is multiplied by, as an f32 number: the product of the global
            scales.
        format: "nvfp4", "mxfp4", "mxfp8_e4m3" or "mxfp8_e5m2".
        out_dtype: Name of C's type if `out` is not given: "float16", "bfloat16" or "float32".
        device: A device from `lanemap.open_device`; by default the GPU for arrays that lie there,
            else the emulator.
        tiling: A tile; by default the one that should be fastest.

    Raises:
        UserError: shapes, types or alignments that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    require_arrays(A=a, B=b, SFA=sfa, SFB=sfb)
    alpha = number(alpha, "alpha")
    if out is not None:
        require_output("out", out)
        out_dtype = type_name(out)
    problem = problem_of(a, b, sfa, sfb, format, out_dtype)
    shape = (*a.shape[:-1], problem.n)
    fresh = out is None
    if out is None:
        kind = TYPES[problem.output]
        out = empty_like(a, shape, kind.dtype, kind.name)
    elif tuple(out.shape) != shape:
        raise UserError(f"out has shape {tuple(out.shape)}; it must have that of C, {shape}")
    device = device_for(KERNEL.name, device, [KERNEL.target], on_gpu(a))
    count = multiprocessors(device)
    tiling = tiling or choose(problem, count)
    module = loaded(device, KERNEL.ptx(problem, tiling))
    arrays = adopted_arrays(device, problem, a, b, sfa, sfb, out, fresh)
    KERNEL.launch(device, module, problem, tiling, arrays, alpha, count).run()
    return out


def adopted_arrays(
    device: Any,
    problem: Problem,
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    out: Any,
    fresh: bool = False,
) -> Arrays:
    """Return arrays as operands, without copying them; `fresh` if nothing has written C.

    Raises:
        UserError: elements of a row, or scales, are not contiguous.
    """
    return Arrays(
        _matrices(device, problem, a, "A"),
        _matrices(device, problem, b, "B"),
        _matrices(device, problem, out, "C", fresh),
        _scales(device, sfa, "SFA"),
        _scales(device, sfb, "SFB"),
    )


def _matrices(
    device: Any, problem: Problem, array: Any, name: str, fresh: bool = False
) -> tuple[Operand, int]:
    """Return matrices as an operand, and the bytes from one matrix to the next."""
    operand = adopted(device, array, name, fresh)
    if problem.batches > 1:
        return operand, steps(array)[0]
    # The map has one matrix, whatever is said of the next.
    return operand, operand.row_bytes * int(array.shape[-2])


def _scales(device: Any, array: Any, name: str) -> Any:
    """Return atoms on a device.

    Raises:
        UserError: they are not contiguous.
    """
    step = item_bytes(array)
    for size, stride in zip(reversed(tuple(array.shape)), reversed(steps(array)), strict=True):
        if size > 1 and stride != step:
            raise UserError(f"{name} is not contiguous; pass a contiguous copy of the scale atoms")
        step *= int(size)
    return adopted(device, array.reshape(1, -1), name).array
