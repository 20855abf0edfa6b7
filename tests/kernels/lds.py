"""What tests of lds_attention share: operands, and attention in float64 with error bounds."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import lanemap
from lanemap.benching.lds.problem import Problem

E4M3 = ml_dtypes.float8_e4m3fn
#: Half a unit in the last place: of a weight in e4m3, which has 4 significant bits; of O.
P_ROUNDING = 2.0**-4
O_ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11}
#: Weights are kept 2^8 times; half of e4m3's least number, 2^-9, is 2^-10.
P_LEAST = 2.0**-18
#: Sums of some hundred products in f32, and v_exp_f32, which errs by 1 unit in the last place.
SMALL = 2.0**-18
#: Batch, queries, keys, heads, heads of K and V: tails of both and of tiles; grouped heads; one.
SHAPES = ((1, 100, 90, 2, 1), (2, 130, 200, 2, 2), (1, 1, 65, 1, 1))


def device() -> Any:
    return lanemap.open_device("gfx950", device="emulator")


def operands(problem: Problem, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    p = problem

    def normal(length: int, heads: int) -> Any:
        return rng.standard_normal((p.batch, length, heads, p.head_dim)).astype(E4M3)

    return normal(p.queries, p.heads), normal(p.keys, p.kv_heads), normal(p.keys, p.kv_heads)


def expected(problem: Problem, q: Any, k: Any, v: Any, scale: float) -> tuple[Any, Any]:
    """O and the bound of its error, in float64."""
    p, group = problem, problem.heads // problem.kv_heads
    q, k, v = (each.astype(np.float64) for each in (q, k, v))
    k, v = (np.repeat(each, group, axis=2) for each in (k, v))
    logits = np.einsum("bshd,bthd->bhst", q, k) * scale
    if p.causal:
        last = np.arange(p.queries)[:, None] + p.keys - p.queries
        logits = np.where(np.arange(p.keys)[None, :] <= last, logits, -np.inf)
    most = logits.max(axis=-1, keepdims=True)
    most = np.where(np.isinf(most), 0, most)
    weights = np.exp(logits - most)
    seen = weights > 0
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total > 0, total, 1)
    o = np.einsum("bhst,bthd->bshd", weights / total, v)
    # A weight errs by its rounding, or by e4m3's least number where it is small; the sum by which
    # O is divided is that of weights not rounded.
    error = P_ROUNDING * weights + P_LEAST * seen + SMALL * (1 + np.abs(most)) * weights
    bound = np.einsum("bhst,bthd->bshd", error / total, np.abs(v))
    return o, bound + (O_ROUNDING[p.output] + SMALL) * np.abs(o) + 2.0**-25
