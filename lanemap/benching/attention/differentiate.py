"""Gradients of attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.benching.arrays import (
    Operand,
    adopted,
    empty_like,
    is_tensor,
    number,
    on_gpu,
    require_arrays,
    whole,
)
from lanemap.benching.attention.blackwell_gradient import BlackwellGradientKernel
from lanemap.benching.attention.gradient import (
    GradientArrays,
    GradientKernel,
    GradientTiling,
    workspace,
)
from lanemap.benching.attention.packed import ENDS
from lanemap.benching.attention.problem import Problem
from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.benching.homes import home_of, layout, require_no_capture
from lanemap.benching.launch import Launch, device_for, loaded
from lanemap.benching.plans import Plan, stand_in
from lanemap.errors import UserError

#: One for each target; the first is the default.
KERNELS = (GradientKernel(), BlackwellGradientKernel())
#: What is given and what is returned, in the order of calls and plans.
INPUTS, RESULTS = ("q", "k", "v", "o", "log_sum_exp", "d_o"), ("dq", "dk", "dv")
_NAME = "fmha's backward pass"


def plan(
    problem: Problem,
    forward: tuple[Any, Any, Any, Any, Any],
    d_o: Any,
    softmax_scale: float | None = None,
    deterministic: bool = False,
    device: Any = None,
    outputs: tuple[Any, Any, Any] | None = None,
    ends: tuple[Any, Any] | None = None,
) -> Plan:
    """Return what computes dQ, dK and dV of Q, K, V, O, log_sum_exp and dO.

    Args:
        problem: The problem that the arrays' shapes and types state.
        forward: Q, K and V, and what the forward kernel returned: O and log_sum_exp.
        d_o: The gradient of O.
        softmax_scale: Factor of the logits.
        deterministic: Whether dQ is added up in a fixed order.
        device: A device from `lanemap.open_device`.
        outputs: Arrays for the results, where the plan is for these arrays alone.
        ends: cu_seqlens of queries and keys, where `problem` does not know the lengths.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    q, k, v, o, log_sum_exp = forward
    default = problem.head_dim**-0.5
    scale = default if softmax_scale is None else number(softmax_scale, "softmax_scale")
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    KERNELS[0].check(problem)
    _check(problem, q, {"o": o, "d_o": d_o}, log_sum_exp)
    targets = [each.target for each in KERNELS]
    device = device_for(_NAME, device, targets, on_gpu(q))
    kernel = KERNELS[targets.index(device.target)]
    named = dict(zip(INPUTS, (*forward, d_o), strict=True))
    lengths = dict(zip(ENDS, ends or (), strict=False))
    home = home_of(device, named | lengths, (*RESULTS, "workspace"), _NAME)
    require_no_capture(device, home, _NAME, 'lanemap.kernel("fmha").backward')
    there = [_rows(device, array, name) for name, array in named.items()]
    known = [whole(device, array, name) for name, array in lengths.items()]
    kind = TYPES[problem.element]
    own = home.dtype(kind.dtype, kind.name)
    shapes = [tuple(int(size) for size in each.shape) for each in (q, k, v)]
    results = [
        stand_in(device, home, q, shape, own, name, kind.bytes)
        if outputs is None
        else _rows(device, outputs[i], name, fresh=True).array
        for i, (name, shape) in enumerate(zip(RESULTS, shapes, strict=True))
    ]
    tiling = kernel.choose(problem, deterministic)
    needed = workspace(problem, tiling)
    floats = home.dtype(np.dtype(np.float32), "float32")
    memory = stand_in(device, home, q, (sum(needed),), floats, "workspace", 4)
    launches = kernel.launches(
        device,
        loaded(device, kernel.ptx(problem, tiling)),
        problem,
        tiling,
        _arrays(there, [Operand(each, problem.head_dim * kind.bytes) for each in results],
                [memory.pointer(4 * sum(needed[:i])) for i in range(len(needed))]),
        scale,
        (known[0], known[1]) if known else None,
    )  # fmt: skip
    device.synchronize()  # the schedule must be there before other streams begin
    return Plan(
        f"{_NAME} of q {shapes[0]}, k and v {shapes[1]}, {problem.element}",
        {name: layout(array) for name, array in (named | lengths).items()},
        [(shape, own) for shape in shapes],
        None,
        device,
        home,
        launches,
        [*(each.array for each in there), *known, *results, memory],
        loose=("log_sum_exp", *ENDS),
        workspace=sum(needed),
        results=RESULTS,
    )


def differentiate(
    problem: Problem,
    forward: tuple[Any, Any, Any, Any, Any],
    d_o: Any,
    softmax_scale: float | None = None,
    deterministic: bool = False,
    device: Any = None,
) -> tuple[tuple[Any, Any, Any], Plan]:
    """Return dQ, dK and dV, and the plan of these arrays, which must live until then."""
    kind = TYPES[problem.element]
    dq, dk, dv = (
        empty_like(each, tuple(each.shape), kind.dtype, kind.name) for each in forward[:3]
    )
    made = plan(problem, forward, d_o, softmax_scale, deterministic, device, (dq, dk, dv))
    made.run((*forward, d_o, dq, dk, dv), len(RESULTS))
    return (dq, dk, dv), made


def prepared(
    kernel: GradientKernel,
    device: Any,
    module: Any,
    problem: Problem,
    tiling: GradientTiling,
    arrays: tuple[Any, ...],
    scratch: tuple[Any, Any, Any],
    scale: float,
) -> list[Launch]:
    """Return the launches for arrays of a user: Q, K, V, O, log_sum_exp, dO, dQ, dK, dV."""
    names = (*INPUTS, *RESULTS)
    rows = [
        _rows(device, array, name, fresh=name in RESULTS)
        for name, array in zip(names, arrays, strict=True)
    ]
    own = [_rows(device, each, name, True).array for each, name in zip(
        scratch, ("dq's sums", "statistics", "turns"), strict=True)]  # fmt: skip
    made = _arrays(rows[: len(INPUTS)], rows[len(INPUTS) :], own)
    return kernel.launches(device, module, problem, tiling, made, scale)


def _arrays(
    inputs: Sequence[Operand], results: Sequence[Operand], own: Sequence[Any]
) -> GradientArrays:
    """Return the operands by name; `own` are dQ's sums, statistics and turns."""
    operands = dict(zip((*INPUTS, *RESULTS), (*inputs, *results), strict=True))
    return GradientArrays(**operands, sums=own[0], statistics=own[1], turns=own[2])


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
