"""Gradients of attention in float64, and how far a kernel of 16-bit types may be from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.attention.problem import Problem
from tests.kernels.attention import ROUNDING, SMALL, TYPES, visible


def operands(problem: Problem, seed: int = 0, size: float = 1) -> list[Any]:
    """Return Q, K, V and dO of N(0, 1), Q of N(0, size^2)."""
    rng, p = np.random.default_rng(seed), problem

    def normal(length: int, heads: int, size: float = 1) -> Any:
        shape = (length, heads, p.head_dim) if p.lengths else (p.batch, length, heads, p.head_dim)
        return (size * rng.standard_normal(shape)).astype(TYPES[p.element])

    return [
        normal(p.queries, p.heads, size),
        normal(p.keys, p.kv_heads),
        normal(p.keys, p.kv_heads),
        normal(p.queries, p.heads),
    ]


def one(problem: Problem, arrays: Any, scale: float) -> tuple[list[Any], list[Any]]:
    """O, log_sum_exp, dQ, dK, dV of one sequence, and the bounds of the gradients' errors.

    The kernel rounds P before it multiplies dO, P again in dS = P (dP - D), and dS before it
    multiplies K and Q. It has D of the O that was rounded. A weight errs by what its logit errs.
    """
    q, k, v, d_o = (each.astype(np.float64) for each in arrays)
    group, unit = problem.heads // problem.kv_heads, ROUNDING[problem.element]
    k, v = (np.repeat(each, group, axis=1) for each in (k, v))
    logits = np.einsum("shd,thd->hst", q, k) * scale
    seen = visible(len(q), len(k), (problem.left, problem.right))
    most = np.where(seen, logits, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    most = np.where(np.isinf(most), 0, most)
    p = np.where(seen, np.exp(np.where(seen, logits - most, 0)), 0)
    total = p.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore"):
        log_sum = (np.log(total) + most)[..., 0]
    p /= np.where(total > 0, total, 1)
    o = np.einsum("hst,thd->shd", p, v)
    sums = np.einsum("shd,shd->hs", d_o, o)[..., None]
    factor = np.einsum("shd,thd->hst", d_o, v) - sums
    ds = p * factor
    # Of P: its rounding, and its logit's error. Of dS: P's, its own rounding, and D's of rounded O.
    slack = SMALL * (1 + np.abs(logits).max(initial=0))
    p_error = p * (unit + slack) + 2.0**-25 * (p > 0)
    sums_error = unit * np.einsum("shd,shd->hs", np.abs(d_o), np.abs(o))[..., None] + slack
    ds_error = np.abs(factor) * p_error + np.abs(ds) * unit + p * sums_error + 2.0**-24 * (p > 0)
    found = [
        np.einsum("hst,thd->shd", ds, k) * scale,
        np.einsum("hst,shd->thd", ds, q) * scale,
        np.einsum("hst,shd->thd", p, d_o),
    ]
    errors = [
        np.einsum("hst,thd->shd", ds_error, np.abs(k)) * scale,
        np.einsum("hst,shd->thd", ds_error, np.abs(q)) * scale,
        np.einsum("hst,shd->thd", p_error, np.abs(d_o)),
    ]
    for of in (found, errors):
        for i in (1, 2):
            of[i] = of[i].reshape(len(k), problem.kv_heads, group, problem.head_dim).sum(axis=2)
    bounds = [
        each + unit * np.abs(exact) + 2.0**-24 for each, exact in zip(errors, found, strict=True)
    ]
    return [o, log_sum, *found], bounds


def forward(problem: Problem, arrays: Any, scale: float) -> tuple[Any, Any, list[Any], list[Any]]:
    """O, log_sum_exp as a forward kernel leaves them, the gradients, and their bounds."""
    firsts, parts = np.zeros(2, int), []
    for i, (queries, keys) in enumerate(problem.sequences):
        if problem.lengths:
            of = [slice(at, at + n) for at, n in zip(firsts, (queries, keys), strict=True)]
            mine = [array[of[j in (1, 2)]] for j, array in enumerate(arrays)]
            firsts += queries, keys
        else:
            mine = [array[i] for array in arrays]
        parts.append(one(problem, mine, scale))

    def joined(which: int, of: int, axis: int = 0) -> Any:
        every = [part[which][of] for part in parts]
        return np.concatenate(every, axis) if problem.lengths else np.stack(every)

    o = np.ascontiguousarray(joined(0, 0).astype(TYPES[problem.element]))
    log_sum = np.ascontiguousarray(joined(0, 1, 1), np.float32)
    return o, log_sum, [joined(0, i) for i in (2, 3, 4)], [joined(1, i) for i in range(3)]


def check(answers: Any, right: list[Any], bounds: list[Any]) -> float:
    """Assert that gradients are near; return the part of the tolerance that is used."""
    used = 0.0
    for name, seen, exact, bound in zip(("dQ", "dK", "dV"), answers, right, bounds, strict=True):
        seen = seen.astype(np.float64)
        assert np.isfinite(seen).all(), name
        part = float((np.abs(seen - exact) / bound).max(initial=0))
        assert part <= 1, (name, part)
        used = max(used, part)
    return used
