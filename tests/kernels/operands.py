"""Operands of products whose result is known exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.benching.gemm.problem import TYPES, Problem


def integers(problem: Problem, seed: int = 0) -> tuple[Any, Any, Any]:
    """Operands whose sums every accumulation keeps exactly, and A @ B.T by NumPy's integers."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-2, 3, (problem.m, problem.k)), rng.integers(-2, 3, (problem.n, problem.k))
    kind = TYPES[problem.element].dtype
    return a.astype(kind), b.astype(kind), (a @ b.T).astype(TYPES[problem.output].dtype)
