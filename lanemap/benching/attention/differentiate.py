"""Gradients of attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.arrays import (
    Operand,
    adopted,
    current_stream,
    empty_like,
    is_tensor,
    number,
    on_gpu,
    require_arrays,
)
from lanemap.benching.attention.gradient import (
    GradientArrays,
    GradientKernel,
    GradientTiling,
    workspace,
)
from lanemap.benching.attention.problem import Problem
from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.benching.launch import Launch, device_for, loaded
from lanemap.errors import UserError

KERNEL = GradientKernel()


def differentiate(
    problem: Problem,
    forward: tuple[Any, Any, Any, Any, Any],
    d_o: Any,
    softmax_scale: float | None = None,
    deterministic: bool = False,
    device: Any = None,
) -> tuple[Any, Any, Any]:
    """Return dQ, dK and dV; see `kernels/fmha/host.py`.

    Args:
        problem: The problem that the arrays' shapes and types state.
        forward: Q, K and V, and what the forward kernel returned: O and log_sum_exp.
        d_o: The gradient of O.
        softmax_scale: Factor of the logits.
        deterministic: Whether dQ is added up in a fixed order.
        device: A device from `lanemap.open_device`.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    q, k, v, o, log_sum_exp = forward
    default = problem.head_dim**-0.5
    scale = default if softmax_scale is None else number(softmax_scale, "softmax_scale")
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    KERNEL.check(problem)
    _check(problem, q, {"o": o, "d_o": d_o}, log_sum_exp)
    device = device_for("fmha's backward pass", device, (KERNEL.target,), on_gpu(q))
    tiling = GradientTiling(deterministic)
    module = loaded(device, KERNEL.ptx(problem, tiling))
    results = tuple(
        empty_like(each, tuple(each.shape), TYPES[problem.element].dtype, problem.element)
        for each in (q, k, v)
    )
    launches = prepared(
        device, module, problem, tiling, (*forward, d_o, *results), _scratch(q, problem, tiling),
        scale,
    )  # fmt: skip
    for launch in launches:
        if on_gpu(q):
            launch.enqueue()(current_stream(q))
        else:
            launch.run()
    if on_gpu(q) and problem.lengths:
        device.synchronize()  # the sequences' tensor maps are this call's own
    return results[0], results[1], results[2]


def prepared(
    device: Any,
    module: Any,
    problem: Problem,
    tiling: GradientTiling,
    arrays: tuple[Any, ...],
    scratch: tuple[Any, Any, Any],
    scale: float,
) -> list[Launch]:
    """Return the launches for arrays of a user: Q, K, V, O, log_sum_exp, dO, dQ, dK, dV."""
    names = ("q", "k", "v", "o", "log_sum_exp", "d_o", "dq", "dk", "dv")
    operands = {
        name: _rows(device, array, name, fresh=name.startswith("d") and name != "d_o")
        for name, array in zip(names, arrays, strict=True)
    }
    own = [_rows(device, each, name, True).array for each, name in zip(
        scratch, ("dq's sums", "statistics", "turns"), strict=True)]  # fmt: skip
    return KERNEL.launches(
        device, module, problem, tiling, GradientArrays(**operands, sums=own[0],
        statistics=own[1], turns=own[2]), scale,
    )  # fmt: skip


def _scratch(q: Any, problem: Problem, tiling: GradientTiling) -> tuple[Any, Any, Any]:
    """Return memory for dQ's sums, statistics and turns, of q's library and place."""
    sums, statistics, turns = (
        empty_like(q, (1, count), np.dtype(np.float32), "float32")
        for count in workspace(problem, tiling)
    )
    return sums, statistics, turns


def _check(problem: Problem, q: Any, like_q: dict[str, Any], log_sum_exp: Any) -> None:
    """Check what the forward kernel returned, and the gradient of O.

    Raises:
        UserError: a shape or type that it must not have.
    """
    require_arrays(**like_q, log_sum_exp=log_sum_exp)
    for name, array in like_q.items():
        if tuple(array.shape) != tuple(q.shape) or type_name(array) != problem.element:
            raise UserError(
                f"{name} is {type_name(array)} of {tuple(array.shape)}; it must be as q, "
                f"{problem.element} of {tuple(q.shape)}"
            )
    rows = (problem.heads, problem.queries)
    shape = rows if problem.lengths else (problem.batch, *rows)
    if tuple(log_sum_exp.shape) != shape or type_name(log_sum_exp) != "float32":
        raise UserError(
            f"log_sum_exp is {type_name(log_sum_exp)} of {tuple(log_sum_exp.shape)}; it must be "
            f"what fmha returned, float32 of {shape}"
        )


def _rows(device: Any, array: Any, name: str, fresh: bool = False) -> Operand:
    """Return an array as a matrix of rows of its last dimension."""
    contiguous = array.is_contiguous() if is_tensor(array) else array.flags.c_contiguous
    if not contiguous:
        raise UserError(f"{name} is not contiguous; pass a contiguous copy")
    return adopted(device, array.reshape(-1, array.shape[-1]), name, fresh)
