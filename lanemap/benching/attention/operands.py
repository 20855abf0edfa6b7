"""The problem that a user's arrays state: shapes, types, cumulative lengths, descales."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from lanemap.benching.arrays import (
    is_tensor,
    number,
    on_gpu,
    require_arrays,
    warn_of_heads_first,
)
from lanemap.benching.attention.packed import stays_there
from lanemap.benching.attention.problem import ADDITIONS, ALL, UNKNOWN, Problem
from lanemap.benching.gemm.problem import type_name
from lanemap.devices.values import integer
from lanemap.errors import UserError


def window_of(causal: bool, window_size: Any) -> tuple[int, int]:
    """Return the window of both arguments: causal=True lets no query see a key after its own.

    Raises:
        UserError: `window_size` is no pair of integers.
    """
    try:
        left, right = (operator.index(side) for side in window_size)
    except (TypeError, ValueError):
        raise UserError(f"window_size is {window_size!r}; it must be (left, right)") from None
    return left, 0 if causal else right


def problem_of(
    q: Any, k: Any, v: Any, window: tuple[int, int] = (ALL, ALL), callers: int = 2
) -> Problem:
    """Return the attention of arrays of NumPy, CuPy or PyTorch.

    Args:
        q: (batch, queries, heads, head dimension).
        k: (batch, keys, heads of K and V, head dimension).
        v: As k.
        window: See `Problem`.
        callers: See `warn_of_heads_first`.

    Raises:
        UserError: the arrays do not fit each other, or `Problem` refuses them.
    """
    shapes = _shapes(q, k, v, 4, "(batch, length, heads, head dimension)")
    warn_of_heads_first(shapes[1], callers)
    if shapes[1][:3] != shapes[2][:3] or (shapes[0][0], shapes[0][3]) != shapes[1][::3]:
        raise UserError(
            f"q has shape {shapes[0]}, k {shapes[1]} and v {shapes[2]}; k and v must have the "
            "same batch, length and heads, and k the batch and head dimension of q"
        )
    (batch, queries, heads, dim), (_, keys, kv_heads, _) = shapes[0], shapes[1]
    return Problem(
        batch, queries, keys, heads, kv_heads, dim, *window, _element(q, k, v),
        value_dim=_values(shapes),
    )  # fmt: skip


def packed_problem_of(
    q: Any,
    k: Any,
    v: Any,
    window: tuple[int, int],
    cu_seqlens: tuple[Any, Any],
    max_seqlens: tuple[int | None, int | None] = (None, None),
) -> Problem:
    """Return the attention of sequences of several lengths, which lie one after another.

    Args:
        q: (all queries, heads, head dimension).
        k: (all keys, heads of K and V, head dimension).
        v: As k.
        window: See `Problem`.
        cu_seqlens: Where the sequences of q begin, and its length at the end; the same of k. On a
            GPU they stay there, see `packed.stays_there`.
        max_seqlens: The longest sequence's queries and keys, at least.

    Raises:
        UserError: the arrays do not fit each other, or `Problem` refuses them.
    """
    shapes = _shapes(q, k, v, 3, "(all sequences' length, heads, head dimension) with cu_seqlens")
    if shapes[1][:2] != shapes[2][:2] or shapes[0][2] != shapes[1][2]:
        raise UserError(
            f"q has shape {shapes[0]}, k {shapes[1]} and v {shapes[2]}; k and v must have the "
            "same length and heads, and k the head dimension of q"
        )
    if cu_seqlens[0] is None or cu_seqlens[1] is None:
        raise UserError("cu_seqlens_q and cu_seqlens_k must be given together")
    there = stays_there(q, cu_seqlens)
    counts, text = [int(each.shape[0]) - 1 for each in cu_seqlens] if there else [0, 0], UNKNOWN
    if not there or not on_gpu(q):
        lengths = [
            _lengths(cu, f"cu_seqlens_{name}", name, shape[0], most)
            for cu, name, shape, most in zip(cu_seqlens, "qk", shapes, max_seqlens, strict=False)
        ]
        counts = [len(each) for each in lengths]
    if counts[0] != counts[1]:
        raise UserError(f"cu_seqlens_q has {counts[0]} sequences and cu_seqlens_k {counts[1]}")
    if not there:
        text = "/".join(f"{each}x{other}" for each, other in zip(*lengths, strict=True))
    (queries, heads, dim), (keys, kv_heads, _) = shapes[0], shapes[1]
    return Problem(
        counts[0], queries, keys, heads, kv_heads, dim, *window, _element(q, k, v), text,
        _values(shapes),
    )  # fmt: skip


def with_additions(problem: Problem, softcap: Any, alibi_slopes: Any, sinks: Any) -> Problem:
    """Return the problem with what is done to its logits.

    Raises:
        UserError: a number, shape or type that they must not have.
    """
    given = (softcap or None, alibi_slopes, sinks)
    if all(each is None for each in given):
        return problem
    if not 0 <= number(softcap, "softcap") < float("inf"):
        raise UserError(f"softcap is {softcap}; it must be positive and finite, or 0 for none")
    heads = (problem.heads,)
    if alibi_slopes is not None:
        both = (heads, (problem.batch, *heads))
        _check_numbers(alibi_slopes, "alibi_slopes", both, "(heads of q) or (batch, heads of q)")
    if sinks is not None:
        _check_numbers(sinks, "sinks", (heads,), "(heads of q)")
    added = [name for name, each in zip(ADDITIONS, given, strict=True) if each is not None]
    return replace(problem, added="+".join(added))


def descale(value: Any, name: str, problem: Problem) -> Any:
    """Return a descale as an f32 array of (batch, heads of K and V): the user's own, or a new one.

    Raises:
        UserError: a shape or type that it must not have, or any where the type is not FP8.
    """
    shape = problem.batch, problem.kv_heads
    if value is not None and problem.element_bytes != 1:
        raise UserError(
            f"{name} is for float8_e4m3fn only, but q, k and v are {problem.element}; leave it out"
        )
    if value is None or isinstance(value, (int, float)):
        return np.full(shape, 1 if value is None else value, np.float32)
    require_arrays(**{name: value})
    if tuple(value.shape) != shape or type_name(value) != "float32":
        raise UserError(
            f"{name} is {type_name(value)} of {tuple(value.shape)}; it must be a number, or "
            f"float32 of (batch, heads of k and v), which is {shape}"
        )
    return value


def _check_numbers(value: Any, name: str, shapes: tuple[Any, ...], words: str) -> None:
    require_arrays(**{name: value})
    if tuple(value.shape) not in shapes or type_name(value) != "float32":
        raise UserError(
            f"{name} is {type_name(value)} of {tuple(value.shape)}; it must be float32 of {words}, "
            f"which is {' or '.join(map(str, shapes))}"
        )


def _values(shapes: list[tuple[int, ...]]) -> int:
    """Return `Problem.value_dim`."""
    return 0 if shapes[2][-1] == shapes[0][-1] else shapes[2][-1]


def _shapes(q: Any, k: Any, v: Any, dimensions: int, words: str) -> list[tuple[int, ...]]:
    require_arrays(q=q, k=k, v=v)
    shapes = [tuple(int(size) for size in each.shape) for each in (q, k, v)]
    if any(len(shape) != dimensions for shape in shapes):
        raise UserError(
            f"q, k and v must have shape {words}, not {shapes[0]}, {shapes[1]}, {shapes[2]}"
        )
    return shapes


def _element(q: Any, k: Any, v: Any) -> str:
    names = [type_name(each) for each in (q, k, v)]
    if len(set(names)) != 1:
        raise UserError(f"q, k and v are {', '.join(names)}; they must have one dtype")
    return names[0]


def _lengths(cu_seqlens: Any, name: str, operand: str, total: int, most: int | None) -> list[int]:
    """Return the sequences' lengths."""
    host = cu_seqlens.get() if hasattr(cu_seqlens, "get") else cu_seqlens
    values = np.asarray(host.tolist() if is_tensor(host) else host)
    if values.ndim != 1 or len(values) < 2 or values.dtype.kind not in "iu":
        raise UserError(f"{name} must be a one-dimensional array of at least two integers")
    lengths = [int(length) for length in np.diff(values.astype(np.int64))]
    if values[0] != 0 or min(lengths) < 0 or values[-1] != total:
        raise UserError(
            f"{name} must rise from 0 to the length of {operand}, {total}; it goes from "
            f"{values[0]} to {values[-1]}" + (" and falls between" if min(lengths) < 0 else "")
        )
    if most is not None and integer(most, f"max_seqlen_{operand}") < max(lengths):
        raise UserError(
            f"max_seqlen_{operand} is {most}, but {operand} has a sequence of length {max(lengths)}"
        )
    return lengths
