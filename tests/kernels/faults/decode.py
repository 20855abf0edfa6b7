"""Faults that people make in decode attention with a paged cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

import lanemap
from lanemap_kernels.decode.kernel import DecodeKernel
from lanemap_kernels.decode.problem import Problem
from lanemap_kernels.decode.tiling import Tiling
from tests.kernels.decode import Cache, launched, made, outside
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite

#: Seven CTAs share two heads of four sequences, one of them empty: whole heads and parts, three
#: tiles in the ring, pages smaller than a tile, two queries with a window, logits of any size.
PROBLEM = Problem(4, 2, 1024, 8, 2, 128, 32, 900, 0, lengths="1024/0/777/3")
TILING, CTAS, SIZE = Tiling(128, 3), 7, 4.0
_OWN, _WORK, _SUMS = "", "decode_work.h", "decode_sums.h"


def second_launch(tiling: Tiling) -> Tiling:
    """The division where a launch of its own adds the parts."""
    return replace(tiling, joined=0)


def outcome(texts: Mapping[str, str], host: Callable[[Any], Any] | None, strict: bool) -> float:
    """Which part of O and log_sum_exp is outside the tolerance.

    `host` changes what is given, or the division.
    """
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    cache, tiling = made(PROBLEM, 3, SIZE), TILING
    given = cache
    if host is second_launch:
        tiling = host(tiling)
    elif host:
        given = host(cache)
    text = DecodeKernel().compile(PROBLEM, tiling, texts)
    found = launched(given, tiling, CTAS, device, text)
    return outside(cache, *found)


def _pairs_exchanged(cache: Cache) -> Cache:
    """The block table with pages exchanged two by two."""
    p = cache.problem
    table = np.where(np.abs(cache.table) < len(cache.k), cache.table ^ 1, cache.table)
    table = np.where(table < len(cache.k), table, cache.table)
    return Cache(p, cache.q, cache.k, cache.v, cache.lengths, np.ascontiguousarray(table))


def _values_are_keys(cache: Cache) -> Cache:
    """K and V exchanged."""
    return Cache(cache.problem, cache.q, cache.v, cache.k, cache.lengths, cache.table)


FAULTS = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard",
          "nothing orders this after phase 0 of the mbarrier", _OWN,
          "  mbarrier_wait(ring.empty(), ring.parity ^ 1);\n", ""),
    Fault("A stage is released before it is read", ORDER, "hazard",
          "wgmma.wait_group for it, by a warp of that warpgroup, is missing", _OWN,
          "    wgmma_wait<1>();\n    pin(s);\n    release(k, lane);\n",
          "    release(k, lane);\n    wgmma_wait<1>();\n    pin(s);\n"),
    Fault("The products do not wait for a full stage", ORDER, "hazard",
          "which nothing had written when", _OWN,
          "  mbarrier_wait(taken.full(), taken.parity);\n", ""),
    Fault("The full barrier counts every page of a tile", ORDER, "hazard",
          "lacks 0 of its 1 arrivals and 24576 bytes", _OWN,
          "mbarrier_expect(ring.full(), boxes * BOX_PART);",
          "mbarrier_expect(ring.full(), TILE_BYTES);"),
    Fault("Zeros are written without a fence of the async proxy", ORDER, "hazard",
          "through the generic proxy: fence.proxy.async is missing", _OWN,
          "  fence_proxy_async();\n  meet();\n", "  meet();\n"),
    Fault("The warps do not meet after zeros are written", ORDER, "hazard",
          "fence.proxy.async and a barrier are missing between them", _OWN,
          "  fence_proxy_async();\n  meet();\n", "  fence_proxy_async();\n"),
    Fault("No wait for the products of keys", ORDER, "hazard",
          "a wait for its wgmma-group", _OWN,
          "    wgmma_wait<1>();\n    pin(s);\n", "    pin(s);\n"),
    Fault("The weights are converted while they are multiplied", ORDER, "hazard",
          "a wait for its wgmma-group", _OWN,
          "    wgmma_wait<0>();\n    pin(o);\n    pin_weights(p);\n    release(v, lane);\n",
          "    release(v, lane);\n"),
    Fault("The weights' sums are added without a barrier", ORDER, "hazard",
          "which nothing had written", _OWN,
          "    __syncthreads();\n    if (warp == 0) {\n", "    if (warp == 0) {\n",
          second_launch),
    Fault("Parts are added before they are there", ORDER, "wrong", "", _SUMS,
          "      if (JOINS && __any_sync(~0u, none == 0)) continue;\n", ""),
    Fault("Sums are left by stores that are no strong ones", ORDER, "hazard",
          "without being ordered after the write by", _SUMS,
          "st.relaxed.gpu.global.v2.f32", "st.global.v2.f32"),
    Fault("What lies behind a sequence's end counts", LAYOUT, "hazard",
          "decide the matrix operand", _OWN,
          "return tile * TILE_N < low || (tile + 1) * TILE_N > end;", "return false;"),
    Fault("The rows of a page are those of its tile", LAYOUT, "wrong",
          "", _OWN,
          "return PAGED ? key % problem.page : key;", "return key;"),
    Fault("The parts of a box follow each other", LAYOUT, "hazard",
          "decide the matrix operand", _OWN,
          "part * KEYS_PART + box * BOX_PART, map", "(box * PARTS + part) * BOX_PART, map"),
    Fault("All heads have the first head's keys", LAYOUT, "wrong", "", _OWN,
          "    int head = part.head / problem.blocks;\n", "    int head = 0;\n"),
    Fault("A row loads the query of the head beside its own", LAYOUT, "wrong", "", _OWN,
          "place.head * problem.q_head", "(place.head ^ 1) * problem.q_head"),
    Fault("A query sees the key after its own", LAYOUT, "wrong", "", _WORK,
          "query + keys - problem.queries + problem.right + 1);",
          "query + keys - problem.queries + problem.right + 2);"),
    Fault("A CTA's last part takes the slot of its first", LAYOUT, "hazard",
          "wait in loops for others", _OWN,
          "2 * own_place() + !part.first, warp, lane);", "2 * own_place(), warp, lane);"),
    Fault("Parts are added as if their maxima were equal", ARITHMETIC, "wrong", "", _SUMS,
          "exp2_approx((own - base) * scale);", "1;"),
    Fault("The last CTA of a head is left out", ARITHMETIC, "wrong", "", _SUMS,
          "last = head.parts - 1;", "last = head.parts - 2;"),
    Fault("O is not scaled when the maximum grows", ARITHMETIC, "wrong", "", _OWN,
          "if (__any_sync(~0u, moved)) {", "if (__any_sync(~0u, moved) && tile == part.begin) {"),
    Fault("The block table has neighbors exchanged", LAYOUT, "wrong", host=_pairs_exchanged),
    Fault("K and V are exchanged", LAYOUT, "wrong", host=_values_are_keys),
)  # fmt: skip
SUITES = (
    Suite("decode", "sm_90a", FAULTS, outcome, ("The full barrier counts every page of a tile",)),
)
