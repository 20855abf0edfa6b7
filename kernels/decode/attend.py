"""Decode attention of a user's arrays: NumPy's, CuPy's or PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.arrays import number, on_gpu, require_arrays, require_output, steps, whole
from lanemap.benching.attention.attend import rows_of
from lanemap.benching.attention.operands import window_of
from lanemap.benching.gemm.problem import TYPES, type_name
from lanemap.benching.homes import home_of, layout, require_no_capture
from lanemap.benching.launch import device_for, loaded, multiprocessors
from lanemap.benching.plans import Plan, out_layout, stand_in
from lanemap.benching.scratch import scratch_of
from lanemap.errors import UserError

from .kernel import NAME, Arrays, DecodeKernel, workspace
from .problem import Problem
from .tiling import Tiling, choose

KERNEL = DecodeKernel()


def plan(
    q: Any,
    k: Any,
    v: Any,
    lengths: Any = None,
    pages: Any = None,
    out: Any = None,
    causal: bool = False,
    softmax_scale: float | None = None,
    window_size: tuple[int, int] = (-1, -1),
    device: Any = None,
    tiling: Tiling | None = None,
) -> Plan:
    """Return what computes O and the logarithm of each row's sum; see `kernels/decode/host.py`.

    Raises:
        UserError: shapes, types or a scale that the kernel does not support, in a sentence.
        MissingEnvironment: NVRTC is not here.
    """
    problem = problem_of(q, k, v, lengths, pages, window_of(causal, window_size))
    scale = problem.head_dim**-0.5 if softmax_scale is None else number(
        softmax_scale, "softmax_scale")  # fmt: skip
    if not 0 < scale < float("inf"):
        raise UserError(f"softmax_scale is {scale}; it must be positive and finite")
    device = device_for(NAME, device, (KERNEL.target,), on_gpu(q))
    given = {"cache_seqlens": lengths, "block_table": pages}
    inputs = {"q": q, "k_cache": k, "v_cache": v}
    inputs |= {name: each for name, each in given.items() if each is not None}
    results = _results(q, problem)
    names = [name for name, *_ in results]
    named = dict(inputs)
    if out is not None:
        named |= _checked(out, results)
    home = home_of(device, named, () if out is not None else names, NAME)
    require_no_capture(device, home, NAME)
    tiling = tiling or choose(problem)
    count = multiprocessors(device)
    rows = {name: rows_of(device, inputs[name], name) for name in ("q", "k_cache", "v_cache")}
    others = {name: whole(device, inputs[name], name) for name in given if name in inputs}
    kinds = [(shape, home.dtype(kind, name)) for _, shape, kind, name in results]
    made = [
        whole(device, named[name], name, fresh=True)
        if out is not None
        else stand_in(device, home, q, shape, home.dtype(kind, dtype), name, kind.itemsize)
        for name, shape, kind, dtype in results
    ]
    words, joined = workspace(problem, tiling.grid(problem, count)), tiling.joined
    scratch = scratch_of(device).of(0, *((1, words) if joined else (words, 1)))
    arrays = Arrays(
        rows["q"], rows["k_cache"], rows["v_cache"], made[0], made[1], others.get("cache_seqlens"),
        others.get("block_table"), scratch[joined], int(k.shape[0]),
    )  # fmt: skip
    module = loaded(device, KERNEL.ptx(problem, tiling))
    launches = KERNEL.launches(
        device, module, problem, tiling, arrays, scale, count, tuple(scratch)
    )
    operands = [*(each.array for each in rows.values()), *others.values(), *made]
    return Plan(
        f"{NAME} of q {tuple(q.shape)}, k and v {tuple(k.shape)}, {problem.element}",
        {name: layout(array) for name, array in inputs.items()},
        kinds,
        out_layout(out),
        device,
        home,
        launches,
        operands,
        loose=("cache_seqlens", "block_table", "log_sum_exp"),
    )


def problem_of(
    q: Any, k: Any, v: Any, lengths: Any, pages: Any, window: tuple[int, int]
) -> Problem:
    """Return the problem of a user's arrays.

    Raises:
        UserError: they do not fit each other, or `Problem` refuses them.
    """
    require_arrays(q=q, k_cache=k, v_cache=v)
    shapes = [tuple(int(size) for size in each.shape) for each in (q, k, v)]
    if any(len(shape) != 4 for shape in shapes):
        raise UserError(
            f"q, k_cache and v_cache have shapes {shapes[0]}, {shapes[1]} and {shapes[2]}; they "
            "must be (batch, length, heads, head dimension), or with block_table (pages, keys of "
            "a page, heads, head dimension) of k_cache and v_cache"
        )
    kinds = [type_name(each) for each in (q, k, v)]
    if len(set(kinds)) != 1:
        raise UserError(f"q, k_cache and v_cache are {', '.join(kinds)}; they must have one dtype")
    (batch, queries, heads, dim), (pieces, keys, kv_heads, _) = shapes[0], shapes[1]
    if shapes[1] != shapes[2] or shapes[1][3] != dim or (pages is None and pieces != batch):
        raise UserError(
            f"q has shape {shapes[0]}, k_cache {shapes[1]} and v_cache {shapes[2]}; k_cache and "
            "v_cache must have the same shape, with the head dimension of q"
            + ("" if pages is not None else ", and its batch unless there is a block_table")
        )
    page = 0
    if pages is not None:
        if keys < 1 or pieces < 1:
            raise UserError(f"k_cache has shape {shapes[1]}; it must have a page with a key")
        page, keys = keys, keys * _integers("block_table", pages, (batch, None))[1]
    if lengths is not None:
        _integers("cache_seqlens", lengths, (batch,))
    return Problem(batch, queries, keys, heads, kv_heads, dim, page, *window, kinds[0])


def _integers(name: str, array: Any, expected: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the shape of a contiguous array of int32.

    Raises:
        UserError: it has another shape or type.
    """
    require_arrays(**{name: array})
    shape = tuple(int(size) for size in array.shape)
    fits = len(shape) == len(expected) and all(
        known in (None, size) for size, known in zip(shape, expected, strict=True)
    )
    if not fits or type_name(array) != "int32":
        wanted = ", ".join("pages of a sequence" if n is None else str(n) for n in expected)
        raise UserError(f"{name} is {type_name(array)} of {shape}; it must be int32 of ({wanted})")
    contiguous = tuple(4 * int(np.prod(shape[i + 1 :])) for i in range(len(shape)))
    if any(n > 1 and s != c for n, s, c in zip(shape, steps(array), contiguous, strict=True)):
        raise UserError(f"{name} is not contiguous; pass a contiguous copy")
    return shape


#: Name, shape, NumPy's type and the type's name.
_Result = tuple[str, tuple[int, ...], np.dtype[Any], str]


def _results(q: Any, problem: Problem) -> list[_Result]:
    kind = TYPES[problem.element]
    rows = problem.batch, problem.heads, problem.queries
    shape = tuple(int(size) for size in q.shape)
    return [
        ("o", shape, kind.dtype, kind.name),
        ("log_sum_exp", rows, np.dtype(np.float32), "float32"),
    ]


def _checked(out: Any, results: list[_Result]) -> dict[str, Any]:
    """Return the arrays that a caller gives for O and log_sum_exp, by name.

    Raises:
        UserError: they are no pair, or one has a shape, type or strides that it must not have.
    """
    if not isinstance(out, tuple) or len(out) != len(results):
        raise UserError("out must be a tuple of two arrays: for O and for log_sum_exp")
    for array, (name, shape, kind, dtype) in zip(out, results, strict=True):
        require_output(f"out's {name}", array)
        found = tuple(int(size) for size in array.shape)
        if found != shape or type_name(array) != dtype:
            raise UserError(
                f"out's {name} is {type_name(array)} of {found}; it must be {dtype} of {shape}"
            )
        apart = tuple(kind.itemsize * int(np.prod(shape[i + 1 :])) for i in range(len(shape)))
        if any(n > 1 and s != a for n, s, a in zip(shape, steps(array), apart, strict=True)):
            raise UserError(f"out's {name} is not contiguous; pass a contiguous array")
    return {name: array for array, (name, *_) in zip(out, results, strict=True)}
