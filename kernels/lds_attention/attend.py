"""FP8 attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lanemap.benching.arrays import adopted, empty_like, is_tensor, number, on_gpu
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch, device_for, loaded
from lanemap.errors import UserError

from .paths import DEFAULT, PATHS, QUERIES, Path
from .problem import Problem, problem_of
from .source import NAME, TARGET, assembly

Descale = Any
_DESCALES = ("q_descale", "k_descale", "v_descale")


def attend(
    q: Any,
    k: Any,
    v: Any,
    descales: tuple[Descale, Descale, Descale] = (None, None, None),
    causal: bool = False,
    softmax_scale: float | None = None,
    output: str = "bfloat16",
    device: Any = None,
    path: Path | None = None,
) -> Any:
    """Return O; see `kernels/lds_attention/host.py`.

    Raises:
        UserError: shapes, types, descales or a scale that the kernel does not support.
        MissingEnvironment: there is no clang, or no AMD GPU for arrays that lie on one.
    """
    problem = problem_of(q, k, v, causal, output)
    kind = TYPES[problem.output]
    o = empty_like(q, tuple(q.shape), kind.dtype, kind.name)
    default = problem.head_dim**-0.5
    scale = default if softmax_scale is None else number(softmax_scale, "softmax_scale")
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    device = device_for(NAME, device, [TARGET], on_gpu(q))
    text = assembly(path or PATHS[DEFAULT], problem.head_dim, problem.causal, problem.output)
    launch(device, loaded(device, text), problem, (q, k, v, o), descales, scale)
    return o


def scores(q: Any, k: Any, device: Any, path: Path) -> Any:
    """Return Q @ K.T, (batch, heads, queries, keys) of float32: what the first product makes."""
    problem = problem_of(q, k, k, False, "bfloat16")
    shape = (problem.batch, problem.heads, problem.queries, problem.keys)
    s = empty_like(q, shape, np.dtype(np.float32), "float32")
    text = assembly(path, problem.head_dim, scores_only=True)
    launch(device, loaded(device, text), problem, (q, k, k, s), (None, None, None), 1.0)
    return s


def launch(
    device: Any,
    module: Any,
    problem: Problem,
    arrays: tuple[Any, Any, Any, Any],
    descales: tuple[Descale, Descale, Descale],
    scale: float,
) -> None:
    """Run a module of the kernel on a user's arrays; see `launch_of`."""
    names = ("q", "k", "v", "o")
    rows = [
        _rows(device, array, name, name == "o") for array, name in zip(arrays, names, strict=True)
    ]
    launch_of(device, module, problem, rows, descales, scale).run()


def launch_of(
    device: Any,
    module: Any,
    problem: Problem,
    arrays: Sequence[Any],
    descales: tuple[Descale, Descale, Descale],
    scale: float,
) -> Launch:
    """Return a launch of a module of the kernel.

    Args:
        device: A device from `lanemap.open_device`.
        module: The module that it loaded from `assembly`.
        problem: Sizes and types.
        arrays: Q, K, V, and what is written, of the device.
        descales: Scale factors of Q, K and V; see `kernels/lds_attention/host.py`.
        scale: Factor of the logits.
    """
    p = problem
    factors = [
        device.array(_descale(each, p, name), name=name)
        for each, name in zip(descales, _DESCALES, strict=True)
    ]
    sizes = (p.heads, p.heads // p.kv_heads, p.queries, p.keys)
    arguments = (
        *arrays, *factors, *map(np.int32, sizes), np.float32(scale * math.log2(math.e)),
    )  # fmt: skip
    grid = (-(-p.queries // QUERIES), p.heads, p.batch)
    return Launch(module[NAME], grid, 2 * QUERIES, arguments)


def _descale(given: Descale, problem: Problem, name: str) -> Any:
    """Return factors of each head of K and V, (batch, heads of K and V) of float32."""
    shape = (problem.batch, problem.kv_heads)
    if given is None:
        return np.ones(shape, np.float32)
    try:
        found = np.asarray(given.cpu() if is_tensor(given) else given, np.float32)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{name} is {given!r}; it must be a number or an array of shape {shape}"
        ) from error
    if found.shape not in ((), shape):
        raise UserError(f"{name} has shape {found.shape}; it must be a number or {shape}")
    if not (np.isfinite(found).all() and (found > 0).all()):
        raise UserError(f"{name} must hold positive, finite numbers only")
    return np.ascontiguousarray(np.broadcast_to(found, shape))


def _rows(device: Any, array: Any, name: str, fresh: bool) -> Any:
    contiguous = array.is_contiguous() if is_tensor(array) else array.flags.c_contiguous
    if not contiguous:
        raise UserError(f"{name} is not contiguous; pass a contiguous copy")
    return adopted(device, array.reshape(-1, array.shape[-1]), name, fresh).array
