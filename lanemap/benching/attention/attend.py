"""Attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand, adopted, empty_like, is_tensor, number, on_gpu
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.operands import descale
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.errors import UserError

#: K and V of the heads that are worked at together: less than the L2 cache of an H200.
_L2_BYTES = 32 << 20


def attend(
    kernels: Sequence[AttentionKernel],
    problem: Problem,
    q: Any,
    k: Any,
    v: Any,
    softmax_scale: float | None = None,
    descales: tuple[Any, Any, Any] = (None, None, None),
    device: Any = None,
    tiling: Tiling | None = None,
) -> tuple[Any, Any]:
    """Return O and the logarithm of each row's sum of exponentials; see `kernels/fmha/host.py`.

    Args:
        kernels: What computes it, one for each target; the first one's is the target by default.
        problem: The problem that the arrays' shapes and types state.
        q: Queries.
        k: Keys.
        v: Values.
        softmax_scale: Factor of the logits.
        descales: Scale factors of q, k and v.
        device: A device from `lanemap.open_device`.
        tiling: A tile; by default the one that should be fastest.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    default = problem.head_dim**-0.5
    scale = default if softmax_scale is None else number(softmax_scale, "softmax_scale")
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    scales = [
        descale(value, f"{name}_descale", problem)
        for value, name in zip(descales, "qkv", strict=True)
    ]
    targets = [each.target for each in kernels]
    device = device_for(kernels[0].name, device, targets, on_gpu(q))
    kernel = kernels[targets.index(device.target)]
    o, log_sum_exp = outputs(q, problem)
    tiling = tiling or kernel.choose(problem)
    arrays = Arrays(
        _rows(device, q, "q"),
        _rows(device, k, "k"),
        _rows(device, v, "v"),
        _rows(device, o, "o", True),
        _rows(device, log_sum_exp, "log_sum_exp", True),
        _descales(device, scales) if problem.element_bytes == 1 else (),
    )
    module = loaded(device, kernel.ptx(problem, tiling))
    count = multiprocessors(device)
    together = heads_together(problem)
    kernel.launch(device, module, problem, tiling, arrays, scale, count, together).run()
    return o, log_sum_exp


def heads_together(problem: Problem) -> int:
    """Return how many heads of Q are worked at together.

    Without a mask all tiles are equal, and heads need not be mixed to share the work.
    """
    shared = problem.heads // problem.kv_heads
    if not problem.causal and not problem.lengths:
        return shared
    longest = max(keys for _, keys in problem.sequences)
    each = 2 * max(1, longest) * problem.head_dim * problem.element_bytes
    return max(1, _L2_BYTES // each) * shared


def outputs(q: Any, problem: Problem) -> tuple[Any, Any]:
    """Return new arrays for O and log_sum_exp, of q's library and place."""
    kind = TYPES[problem.output]
    rows: tuple[int, ...] = (problem.batch, problem.heads, problem.queries)
    if problem.lengths:
        rows = rows[1:]
    o = empty_like(q, tuple(q.shape), kind.dtype, kind.name)
    return o, empty_like(q, rows, np.dtype(np.float32), "float32")


def _descales(device: Any, values: Sequence[Any]) -> tuple[Operand, ...]:
    """Return descales on the device; those that were made here are on the host."""
    names = ("q_descale", "k_descale", "v_descale")
    return tuple(
        Operand(device.array(value, name=name), 4)
        if isinstance(value, np.ndarray)
        else _rows(device, value, name)
        for value, name in zip(values, names, strict=True)
    )


def _rows(device: Any, array: Any, name: str, fresh: bool = False) -> Operand:
    """Return an array as a matrix of rows of its last dimension."""
    contiguous = array.is_contiguous() if is_tensor(array) else array.flags.c_contiguous
    if not contiguous:
        raise UserError(f"{name} is not contiguous; pass a contiguous copy")
    return adopted(device, array.reshape(-1, array.shape[-1]), name, fresh)
