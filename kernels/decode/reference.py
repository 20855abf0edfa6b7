"""The reference for rows of decode attention: that of attention, whose bound holds here too."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.attention import problem as attention
from lanemap.benching.attention import reference

from .problem import Problem

_LEAST = 2.0**-126


def row(
    problem: Problem, q: Any, k: Any, v: Any, query: int, o: Any, log_sum_exp: float
) -> npt.NDArray[np.float64]:
    """Return which part of its bound each error of a row uses: those of O, then log_sum_exp's.

    The sums of parts are f32, and a part is scaled by one more ex2.approx. Both are small beside
    what the bound allows for each weight (`_SMALL`), and P is rounded to the operands' type as in
    attention of many queries.

    Args:
        problem: Types and window.
        q: (head dimension,), of the query and head.
        k: Keys of the sequence, (keys, head dimension), of the head that the query's shares.
        v: As `k`.
        query: Its number.
        o: The row of O.
        log_sum_exp: Its logarithm of the sum of exponentials.
    """
    keys = len(k)
    if keys == 0:
        return np.where(np.append(o.astype(np.float64) == 0, log_sum_exp == -np.inf), 0.0, np.inf)
    whole = attention.Problem(
        1, problem.queries, keys, problem.heads, problem.kv_heads, problem.head_dim, problem.left,
        problem.right, problem.element,
    )  # fmt: skip
    right = reference.row(whole, q, k, v, query, (problem.queries, keys))
    errors = np.abs(o.astype(np.float64) - right.o) / np.maximum(right.o_error, _LEAST)
    same = log_sum_exp == right.log_sum_exp
    other = 0.0 if same else abs(log_sum_exp - right.log_sum_exp) / max(right.log_error, _LEAST)
    return np.append(errors, other)
