"""Attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand, adopted, empty_like, is_tensor, on_gpu
from lanemap.benching.attention.kernel import TARGET, Arrays, launch, ptx
from lanemap.benching.attention.problem import Problem, problem_of
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.product import loaded, multiprocessors, opened
from lanemap.errors import UserError

#: K and V of the heads that are worked at together: less than the L2 cache of an H200.
_L2_BYTES = 32 << 20
WIDE, TALL = Tiling(128), Tiling(128, consumers=3, registers=(160, 32))
#: Below this number of queries a causal mask wastes more of a tall tile than it gains.
_QUERIES_OF_TALL = 2048


def choose(problem: Problem) -> Tiling:
    """Return the tile that is fastest on an H200, of those of README.md."""
    if problem.head_dim == 128:
        return WIDE
    return WIDE if problem.causal and problem.queries < _QUERIES_OF_TALL else TALL


def attend(
    q: Any, k: Any, v: Any, causal: bool, softmax_scale: float | None, device: Any,
    tiling: Tiling | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Return O and the logarithm of each row's sum of exponentials; see `kernels/fmha/host.py`.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    problem = problem_of(q, k, v, causal)
    scale = problem.head_dim**-0.5 if softmax_scale is None else float(softmax_scale)
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    device = device or opened(TARGET, "cuda" if on_gpu(q) else "emulator")
    o, log_sum_exp = _outputs(q, problem)
    tiling = tiling or choose(problem)
    arrays = Arrays(
        _rows(device, q, "q"), _rows(device, k, "k"), _rows(device, v, "v"),
        _rows(device, o, "o", True), _rows(device, log_sum_exp, "log_sum_exp", True),
    )  # fmt: skip
    module = loaded(device, ptx(problem, tiling))
    count = multiprocessors(device)
    launch(device, module, problem, tiling, arrays, scale, count, heads_together(problem)).run()
    return o, log_sum_exp


def heads_together(problem: Problem) -> int:
    """Return how many heads of Q are worked at together.

    Without a mask all tiles are equal, and heads need not be mixed to share the work.
    """
    shared = problem.heads // problem.kv_heads
    if not problem.causal:
        return shared
    each = 2 * problem.keys * problem.head_dim * problem.element_bytes
    return max(1, _L2_BYTES // each) * shared


def _outputs(q: Any, problem: Problem) -> tuple[Any, Any]:
    kind, rows = TYPES[problem.element], (problem.batch, problem.heads, problem.queries)
    o = empty_like(q, tuple(q.shape), kind.dtype, kind.name)
    return o, empty_like(q, rows, np.dtype(np.float32), "float32")


def _rows(device: Any, array: Any, name: str, fresh: bool = False) -> Operand:
    """Return an array as a matrix of rows of its last dimension."""
    contiguous = array.is_contiguous() if is_tensor(array) else array.flags.c_contiguous
    if not contiguous:
        raise UserError(f"{name} is not contiguous")
    return adopted(device, array.reshape(-1, array.shape[-1]), name, fresh)
