"""What tests of lds_attention share: the device, shapes and operands."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import lanemap
import lanemap.benching
from lanemap_kernels.lds_attention.problem import Problem

E4M3 = ml_dtypes.float8_e4m3fn
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
