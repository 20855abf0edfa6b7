"""Attention of e4m3 operands in float64, and how far a right result may be from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .problem import Problem

#: Half a unit in the last place: of a weight in e4m3, which has 4 significant bits; of O.
P_ROUNDING = 2.0**-4
O_ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11}
#: Weights are kept 2^8 times; half of e4m3's least number, 2^-9, is 2^-10.
P_LEAST = 2.0**-18
#: Sums of some hundred products in f32, and v_exp_f32, which errs by 1 unit in the last place.
SMALL = 2.0**-18


def expected(
    problem: Problem, q: Any, k: Any, v: Any, scale: float, queries: Any = None
) -> tuple[Any, Any]:
    """Return O and the bound of its error, in float64.

    Args:
        problem: Sizes, mask and type of O.
        q: (batch, queries, heads, head dimension).
        k: (batch, keys, heads of K and V, head dimension).
        v: As k.
        scale: Factor of the logits.
        queries: Numbers of those that are computed; all by default.
    """
    p, group = problem, problem.heads // problem.kv_heads
    rows = np.arange(p.queries) if queries is None else np.asarray(queries)
    q, k, v = (each.astype(np.float64) for each in (q[:, rows], k, v))
    k, v = (np.repeat(each, group, axis=2) for each in (k, v))
    logits = np.einsum("bshd,bthd->bhst", q, k, optimize=True) * scale
    if p.causal:
        last = rows[:, None] + p.keys - p.queries
        logits = np.where(np.arange(p.keys)[None, :] <= last, logits, -np.inf)
    most = logits.max(axis=-1, keepdims=True)
    most = np.where(np.isinf(most), 0, most)
    weights = np.exp(logits - most)
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total > 0, total, 1)
    o = np.einsum("bhst,bthd->bshd", weights / total, v, optimize=True)
    # A weight errs by its rounding, or by e4m3's least number where it is small; the sum by which
    # O is divided is that of weights not rounded.
    error = P_ROUNDING * weights + P_LEAST * (weights > 0) + SMALL * (1 + np.abs(most)) * weights
    bound = np.einsum("bhst,bthd->bshd", error / total, np.abs(v), optimize=True)
    return o, bound + (O_ROUNDING[p.output] + SMALL) * np.abs(o) + 2.0**-25
