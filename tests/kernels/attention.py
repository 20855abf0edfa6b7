"""Operands of attention, what they must give in float64, and how far a kernel may be from it."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from lanemap.benching.attention.attend import Given
from lanemap.benching.attention.problem import Problem

TYPES: dict[str, Any] = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
}
#: Half a unit in the last place of a type.
ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11, "float8_e4m3fn": 2.0**-4}
#: ex2.approx and lg2.approx have errors near 2^-22, the polynomial of sm_100a one of 2^-18.3; f32
#: sums of some hundred terms.
SMALL = 2.0**-18
#: wgmma keeps 13 bits below the largest addend of FP8; it truncates 32 products, the sum so far and
#: the new sum (results/sm_90a/cuda/tensor_cores.json): less than 34 x 2^-12 of the largest.
FP8_STEP = 34 * 2.0**-12
#: tcgen05.mma keeps 25 (docs/tensor-core-numerics.md).
BLACKWELL_FP8_STEP = 34 * 2.0**-24
#: Greatest relative error of tanh.approx.f32 (PTX ISA 9.0, "tanh"); slopes and distances in f32.
TANH, BIAS = 2.0**-11, 2.0**-21
PLAIN = Given()


def operands(problem: Problem, seed: int = 0, size: float = 1) -> tuple[Any, Any, Any]:
    """Return Q, K and V of N(0, size^2)."""
    rng = np.random.default_rng(seed)
    p, kind = problem, TYPES[problem.element]

    def normal(length: int, heads: int, row: int) -> Any:
        shape = (length, heads, row) if p.lengths else (p.batch, length, heads, row)
        return (size * rng.standard_normal(shape)).astype(kind)

    q, k = normal(p.queries, p.heads, p.head_dim), normal(p.keys, p.kv_heads, p.head_dim)
    return q, k, normal(p.keys, p.kv_heads, p.values)


def visible(queries: int, keys: int, window: tuple[int, int]) -> Any:
    """Which keys each query sees, (queries, keys), by distance from its own key."""
    own = np.arange(queries)[:, None] + keys - queries
    distance = np.arange(keys)[None, :] - own
    left, right = window
    return ((distance >= -left) | (left < 0)) & ((distance <= right) | (right < 0))


def truncated(q: Any, k: Any, step: float) -> Any:
    """How far FP8's truncation moves each q @ k.T, (heads, queries, keys).

    A wgmma has 32 columns: its largest addend is a product, or the sum so far.
    """
    total, sums = 0.0, 0.0
    for i in range(0, q.shape[-1], 32):
        products = np.einsum("shd,thd->hstd", q[..., i : i + 32], k[..., i : i + 32])
        sums = sums + products.sum(axis=-1)
        total = total + np.maximum(np.abs(products).max(axis=-1), np.abs(sums))
    return step * total


def truncated_o(weights: Any, v: Any, step: float) -> Any:
    """The same of weights @ v, (queries, heads, head dimension).

    The kernel takes tiles of keys from the last to the first, here of 128, and 32 keys at once of
    each; how many a tile has hardly matters.
    """
    starts = [
        i
        for tile in reversed(range(0, len(v), 128))
        for i in range(tile, min(tile + 128, len(v)), 32)
    ]
    total, sums = 0.0, 0.0
    for i in starts:
        of = weights[..., i : i + 32], v[i : i + 32]
        sums = sums + np.einsum("hst,thd->shd", *of)
        largest = np.einsum("hst,thd->hstd", of[0], np.abs(of[1])).max(axis=2)
        total = total + np.maximum(largest.transpose(1, 0, 2), np.abs(sums))
    return step * total


def one(
    problem: Problem,
    q: Any,
    k: Any,
    v: Any,
    scale: float,
    given: Given = PLAIN,
    sequence: int = 0,
    step: float = FP8_STEP,
) -> tuple[Any, Any, Any, Any]:
    """O of one sequence, the bound of its error, the logarithm of the sum and its bound."""
    q, k, v = (each.astype(np.float64) for each in (q, k, v))
    k, v = (np.repeat(each, problem.heads // problem.kv_heads, axis=1) for each in (k, v))
    logits = np.einsum("shd,thd->hst", q, k) * scale
    inexact: Any = 0.0
    if given.softcap:
        logits = given.softcap * np.tanh(logits / given.softcap)
        inexact = TANH * np.abs(logits)
    if given.alibi_slopes is not None:
        slopes = np.atleast_2d(given.alibi_slopes)[
            sequence % len(np.atleast_2d(given.alibi_slopes))
        ]
        own = np.arange(len(q))[:, None] + len(k) - len(q)
        bias = slopes.astype(np.float64)[:, None, None] * np.abs(np.arange(len(k)) - own)
        logits, inexact = logits - bias, inexact + BIAS * np.abs(bias)
    seen = visible(len(q), len(k), (problem.left, problem.right))
    logits = np.where(seen, logits, -np.inf)
    sinks = np.full(problem.heads, -np.inf) if given.sinks is None else given.sinks
    sinks = sinks.astype(np.float64)[:, None, None]
    most = np.maximum(logits.max(axis=-1, keepdims=True, initial=-np.inf), sinks)
    most = np.where(np.isinf(most), 0, most)
    weights = np.exp(logits - most)
    total = weights.sum(axis=-1, keepdims=True) + np.exp(sinks - most)
    weights /= np.where(total > 0, total, 1)
    o = np.einsum("hst,thd->shd", weights, v)
    # Logits are sums in f32, so their error grows with their size, and it multiplies a weight.
    slack = SMALL * (1 + np.abs(most).max(initial=0)) * np.ones(logits.shape) + inexact
    if problem.element == "float8_e4m3fn":
        slack += truncated(q, k, step) * scale
    # Rounded weights move O by at most `unit` of the sum of |P V|.
    unit, last = ROUNDING[problem.element], ROUNDING[problem.output]
    spread = np.einsum("hst,thd->shd", weights * (unit + 2 * slack), np.abs(v))
    error = spread + last * np.abs(o)
    if problem.element == "float8_e4m3fn":
        # FP8's smallest step of a weight times 2^-8 is 2^-17.
        error += truncated_o(weights, v, step) + 2.0**-18 * np.einsum("thd->hd", np.abs(v))[None]
    # A weight below 2^-14 is subnormal in fp16: half of its last place is 2^-25.
    error += 2.0**-25 * (1 + np.einsum("thd->hd", np.abs(v))[None])
    with np.errstate(divide="ignore"):
        log_sum = (np.log(total) + most)[..., 0]
    log_error = (weights * slack).sum(axis=-1) + SMALL * (1 + np.abs(most).max(initial=0))
    return o, error, log_sum, log_error + SMALL * np.abs(np.nan_to_num(log_sum, neginf=0))


def check(
    problem: Problem,
    arrays: Any,
    answers: Any,
    scale: float,
    given: Given = PLAIN,
    step: float = FP8_STEP,
) -> float:
    """Assert that O and the logarithms are near; return the part of the tolerance that is used."""
    o, log_sum = (np.asarray(each, np.float64) for each in answers)
    used, first = 0.0, np.zeros(2, int)
    for i, (queries, keys) in enumerate(problem.sequences):
        if problem.lengths:
            at = slice(first[0], first[0] + queries)
            of = slice(first[1], first[1] + keys)
            mine = arrays[0][at], arrays[1][of], arrays[2][of]
            seen = o[at], log_sum[:, at]
            first += queries, keys
        else:
            mine, seen = tuple(each[i] for each in arrays), (o[i], log_sum[i])
        right, error, right_log, log_error = one(problem, *mine, scale, given, i, step)
        assert np.isfinite(seen[0]).all()
        part = (np.abs(seen[0] - right) / error).max(initial=0)
        assert part <= 1
        used = max(used, part)
        some = np.isfinite(right_log)
        assert (np.isneginf(seen[1]) == ~some).all()
        assert (np.abs(seen[1][some] - right_log[some]) <= log_error[some]).all()
    return used
