"""What tests of decode share: caches with garbage where nothing may look, and what must come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.problem import Problem as Attention
from lanemap.benching.launch import loaded
from lanemap_kernels.decode.kernel import Arrays, DecodeKernel, workspace
from lanemap_kernels.decode.problem import Problem
from lanemap_kernels.decode.tiling import Tiling
from tests.kernels.attention import TYPES, one


@dataclass(frozen=True)
class Cache:
    """Operands of a problem: q, k_cache, v_cache, cache_seqlens, block_table (None without pages).

    Keys and values that no query sees are NaN, and so are pages that no sequence has; entries of
    the block table that lead to no key are far outside the cache.
    """

    problem: Problem
    q: Any
    k: Any
    v: Any
    lengths: Any
    table: Any

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `decode` behind q, k and v."""
        p = self.problem
        given = {"cache_seqlens": self.lengths, "window_size": (p.left, p.right)}
        return given if self.table is None else {**given, "block_table": self.table}


def made(problem: Problem, seed: int = 0, size: float = 1) -> Cache:
    """Return operands of N(0, 1), Q of N(0, size^2)."""
    p, rng, kind = problem, np.random.default_rng(seed), TYPES[problem.element]
    q = (size * rng.standard_normal((p.batch, p.queries, p.heads, p.head_dim))).astype(kind)
    whole = rng.standard_normal((2, p.batch, p.keys, p.kv_heads, p.head_dim)).astype(kind)
    left = p.reach[0]
    for sequence, keys in enumerate(p.of_each):
        whole[:, sequence, keys:] = np.nan
        whole[:, sequence, : max(0, keys - p.queries - left)] = np.nan
    lengths = np.array(p.of_each, np.int32)
    if not p.page:
        return Cache(p, q, whole[0], whole[1], lengths, None)
    each = p.keys // p.page
    pages = rng.permutation(p.batch * each + 3)[: p.batch * each].astype(np.int32)
    shape = p.batch * each + 3, p.page, p.kv_heads, p.head_dim
    k, v = (np.full(shape, np.nan, kind) for _ in range(2))
    k[pages], v[pages] = (x.reshape(-1, *shape[1:]) for x in whole)
    table = pages.reshape(p.batch, each).copy()
    for sequence, keys in enumerate(p.of_each):
        table[sequence, -(-keys // p.page) :] = 1 << 30
        table[sequence, : max(0, keys - p.queries - left) // p.page] = -(1 << 30)
    return Cache(p, q, k, v, lengths, table)


def rows_of(cache: Cache, array: Any, sequence: int) -> tuple[Any, int]:
    """Return the keys or values of a sequence that queries see, and how many come before."""
    p = cache.problem
    keys = p.of_each[sequence]
    first = max(0, keys - p.queries - p.reach[0])
    if not p.page:
        return array[sequence, first:keys], first
    places = np.arange(first, keys)
    return array[cache.table[sequence, places // p.page], places % p.page], first


def launched(
    cache: Cache, tiling: Tiling, multiprocessors: int, device: Any, text: str = ""
) -> tuple[Any, Any]:
    """O and log_sum_exp by so many CTAs, in memory that nothing has written."""
    p, kernel = cache.problem, DecodeKernel()
    q, k, v, lengths, pages = (
        None if each is None else device.array(each)
        for each in (cache.q, cache.k, cache.v, cache.lengths, cache.table)
    )
    o = device.empty(cache.q.shape, cache.q.dtype)
    sums = device.empty((p.batch, p.heads, p.queries), np.float32)
    words = workspace(p, tiling.grid(p, multiprocessors))
    memory = (device.zeros if tiling.joined else device.empty)(words, np.float32)
    rows = [
        Operand(here, there.strides[2], there.strides[:3])
        for here, there in ((q, cache.q), (k, cache.k), (v, cache.v))
    ]
    arrays = Arrays(*rows, o, sums, lengths, pages, memory, cache.k.shape[0])
    module = loaded(device, text or kernel.ptx(p, tiling))
    for launch in kernel.launches(
        device, module, p, tiling, arrays, p.head_dim**-0.5, multiprocessors
    ):
        launch.run()
    assert text or not tiling.joined or not memory.get().any()
    return o.get(), sums.get()


def outside(cache: Cache, o: Any, log_sum_exp: Any, scale: float | None = None) -> float:
    """Return which part of O and log_sum_exp is outside the bounds of attention."""
    p, wrong = cache.problem, []
    for sequence, keys in enumerate(p.of_each):
        mine, sums = o[sequence].astype(np.float64), log_sum_exp[sequence]
        if keys == 0:
            wrong += [(mine != 0).ravel(), (sums != -np.inf).ravel()]
            continue
        k, first = rows_of(cache, cache.k, sequence)
        v, _ = rows_of(cache, cache.v, sequence)
        problem = Attention(
            1, p.queries, keys - first, p.heads, p.kv_heads, p.head_dim, p.left, p.right, p.element
        )
        right, error, log_sum, log_error = one(
            problem, cache.q[sequence], k, v, scale or p.head_dim**-0.5
        )
        with np.errstate(invalid="ignore"):
            off = ~(np.abs(sums - log_sum) <= log_error) & (sums != log_sum)
        wrong += [~(np.abs(mine - right) <= error).ravel(), off.ravel()]
    return float(np.mean(np.concatenate(wrong)))
