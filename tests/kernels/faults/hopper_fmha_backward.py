"""Faults that people make in the backward pass of attention on Hopper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

import lanemap
from lanemap.benching.arrays import Operand
from lanemap.benching.attention.gradient import (
    GradientArrays,
    GradientKernel,
    GradientTiling,
    workspace,
)
from lanemap.benching.attention.problem import Problem
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite
from tests.kernels.gradients import forward, operands

#: Two tiles of keys, of which the last one ends early; five tiles of queries of two heads that
#: share one of K and V; a mask, and queries that see no key.
PROBLEM = Problem(1, 300, 230, 2, 1, 128, -1, 0)
_OWN, _ROWS, _WORK, _SCORES = "", *(f"gradient_{each}.h" for each in ("rows", "work", "scores"))
_UNORDERED = "nothing orders this after phase"


def deterministic(kernel: GradientKernel) -> GradientTiling:
    """What the host asks for instead: tiles of keys that add to dQ in a fixed order."""
    return kernel.choose(PROBLEM, True)


def outcome(
    kernel: GradientKernel,
    texts: Mapping[str, str],
    host: Callable[[Any], GradientTiling] | None,
    strict: bool,
) -> float:
    """Which part of dQ, dK or dV is outside the tolerance."""
    p, tiling = PROBLEM, (host or (lambda each: each.choose(PROBLEM, False)))(kernel)
    device: Any = lanemap.open_device(kernel.target, device="emulator", strict=strict)
    scale = p.head_dim**-0.5
    module = device.load(kernel.compile(p, tiling, texts))
    q, k, v, d_o = operands(p, 1, 2)
    o, log_sum, right, bounds = forward(p, (q, k, v, d_o), scale)
    row = p.head_dim * p.element_bytes
    rows = [Operand(device.array(each), row) for each in (q, k, v, o, d_o)]
    results = [device.empty(each.shape, each.dtype) for each in (q, k, v)]
    own = [device.empty((count,), np.float32) for count in workspace(p, tiling)]
    arrays = GradientArrays(
        *rows, Operand(device.array(log_sum), 4), *(Operand(each, row) for each in results), *own
    )
    for launch in kernel.launches(device, module, p, tiling, arrays, scale):
        launch.run()
    return max(
        float((~(np.abs(each.get().astype(np.float64) - exact) <= bound)).mean())
        for each, exact, bound in zip(results, right, bounds, strict=True)
    )


#: Of what targets share: rows, and the walk through keys and queries.
SHARED = (
    Fault("Turns do not begin with zeros", ORDER, "hazard", "nothing had written",
          _ROWS, "turns[block * CHUNKS + threadIdx.x] = 0;", ";", host=deterministic),
    Fault("dQ's sums do not begin with zeros", ORDER, "hazard", "which nothing had written",
          _ROWS, "i < BLOCK_FLOATS / 4; i += ROW_THREADS)", "i < 0; i += ROW_THREADS)"),
    Fault("The second head adds to dQ of the first", LAYOUT, "wrong", "", _WORK,
          "block += sizes.tiles - (work.end - work.first);",
          "block -= work.end - work.first;"),
    Fault("A query sees the key after its last one", ARITHMETIC, "wrong", "", _WORK,
          "max(0, key - own - right)", "max(0, key - own - right - 1)"),
    Fault("A query that sees no key keeps a logarithm of -inf", ARITHMETIC, "wrong", "", _ROWS,
          "if (natural != minus_infinity()) logarithm", "logarithm"),
)  # fmt: skip
STAGES = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(stage.empty(), stage.parity ^ 1);\n", ""),
    Fault("The producer waits for the wrong phase", ORDER, "hazard", "lacks",
          _OWN, "mbarrier_wait(stage.empty(), stage.parity ^ 1)",
          "mbarrier_wait(stage.empty(), stage.parity)"),
    Fault("The full barrier of queries forgets their statistics", ORDER, "hazard", _UNORDERED,
          _OWN, "mbarrier_expect(stage.full(), QUERIES_BYTES + STATISTIC_BYTES)",
          "mbarrier_expect(stage.full(), QUERIES_BYTES)"),
    Fault("The full barrier of keys expects too many bytes", ORDER, "hazard",
          "lacks 0 of its 1 arrivals and 16 bytes", _OWN,
          "mbarrier_expect(full, KEYS_BYTES)", "mbarrier_expect(full, KEYS_BYTES + 16)"),
    Fault("A consumer does not wait for K", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(k_full(base), 0);\n", ""),
    Fault("A consumer does not wait for V", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(v_full(base), 0);\n", ""),
    Fault("A consumer does not wait for the next Q", ORDER, "hazard", _UNORDERED,
          _OWN, "    mbarrier_wait(next.full(), next.parity);\n", ""),
    Fault("A consumer does not wait for dO", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(d_o.full(), d_o.parity);\n", ""),
    Fault("The empty barrier counts one consumer", ORDER, "hazard",
          "nothing orders it after phase", _OWN, ".empty(), 4 * CONSUMERS)", ".empty(), 4)"),
    Fault("No barrier between mbarrier.init and its use", ORDER, "hazard",
          "a barrier, or release and acquire, is missing", _OWN, "  __syncthreads();\n", ""),
    Fault("No __syncwarp before a lane releases a stage for its warp", ORDER, "strict",
          "before another lane of that warp arrived", _OWN,
          "  __syncwarp();\n  if (lane == 0) mbarrier_arrive(empty, 0);",
          "  if (lane == 0) mbarrier_arrive(empty, 0);"),
)  # fmt: skip
PRODUCTS = (
    Fault("Consumers do not meet before dQ", ORDER, "hazard",
          "reads shared memory at byte",
          _OWN, "  consumers_meet();\n  pin_weights(state.ds);", "  pin_weights(state.ds);"),
    Fault("Consumers do not meet before dK overwrites K", ORDER, "hazard", "ordered",
          _OWN, "  consumers_meet();  // both have read K\n", ""),
    Fault("Steps share one tile of dS", ORDER, "hazard", "ordered",
          _OWN, "base + DS_TILES + step % 2 * KEYS_PART", "base + DS_TILES"),
    Fault("No wgmma.fence before dV", ORDER, "hazard",
          "one is missing between the write and this wgmma", _OWN,
          "  wgmma_fence();\n  multiply_weights(dv", "  multiply_weights(dv"),
    Fault("S is read before its products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN,
          "    wgmma_wait<1>();\n    pin(state.s);\n", ""),
    Fault("dP is read before its products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN, "  wgmma_wait<1>();\n  pin(dp);\n", ""),
    Fault("dQ is read before its products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN, "  wgmma_wait<1>();\n  pin(dq);\n", ""),
    Fault("Gradients are read before their products are done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _OWN,
          "  wgmma_wait<0>();\n  pin(dk);\n  pin(dv);\n", ""),
    Fault("Q is released before dK has read it", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _OWN,
          "  wgmma_wait<1>();\n  pin_weights(state.ds);\n"
          "  if (!first) release(QStage(base, step - 1).empty(), lane);\n",
          "  if (!first) release(QStage(base, step - 1).empty(), lane);\n"
          "  wgmma_wait<1>();\n  pin_weights(state.ds);\n"),
    Fault("dO is released before dV has read it", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _OWN,
          "  wgmma_wait<0>();\n  pin(dv);\n  pin_weights(p);\n"
          "  release(d_o.empty(), lane);\n",
          "  release(d_o.empty(), lane);\n"
          "  wgmma_wait<0>();\n  pin(dv);\n  pin_weights(p);\n"),
    Fault("No fence.proxy.async between dS and the product that reads it", ORDER, "hazard",
          "fence.proxy.async", _OWN,
          "  fence_proxy_async();\n  if (!first) addends", "  if (!first) addends"),
)  # fmt: skip
ADDITIONS = (
    Fault("No fence.proxy.async before the last dQ is added", ORDER, "hazard",
          "fence.proxy.async is missing between them", _OWN,
          "  fence_proxy_async();\n  addends.add(", "  addends.add("),
    Fault("No __syncwarp before dQ is added", ORDER, "strict",
          "__syncwarp() (bar.warp.sync) by both lanes is missing", _OWN,
          "    __syncwarp();\n    if (lane == 0) {\n      long long at",
          "    if (lane == 0) {\n      long long at"),
    Fault("dQ is overwritten while an addition reads it", ORDER, "hazard", "wait_group.read",
          _OWN, "      tma_store_wait_read<0>();\n#endif", "#endif"),
    Fault("No fence.proxy.async before a gradient's store", ORDER, "hazard",
          "fence.proxy.async is missing between them", _OWN,
          "part * 32, warp, lane);\n  fence_proxy_async();\n", "part * 32, warp, lane);\n"),
)  # fmt: skip
PLACES = (
    Fault("Both consumers take the same keys", LAYOUT, "wrong", "", _OWN,
          "operand_descriptor(keys) + consumer * descriptor_block()", "operand_descriptor(keys)"),
    Fault("The second part of K lies where the first does", LAYOUT, "wrong", "", _OWN,
          "(i / 4 * KEYS_PART >> 4)", "0"),
    Fault("The step of dS and K along keys is that of 8", LAYOUT, "wrong", "", _OWN,
          "return 2 * (value_byte(0, 8, 0)", "return 1 * (value_byte(0, 8, 0)"),
    Fault("LBO of Q and dO is that of one row", LAYOUT, "wrong", "", _OWN,
          "transposed_descriptor(queries, QUERIES_PART)", "transposed_descriptor(queries, 128)"),
    Fault("SBO of an operand with rows along k is half of it", LAYOUT, "wrong", "", _OWN,
          "part >> 4 << 16 | eight >> 4 << 32", "part >> 4 << 16 | eight >> 5 << 32"),
    Fault("dQ's columns are those of the first consumer", LAYOUT, "wrong", "", _OWN,
          "keys + column / 64 * KEYS_PART", "keys"),
    Fault("dS is written past the swizzle", LAYOUT, "hazard",
          "without being ordered after", _SCORES,
          "stmatrix_x4(box ^ d_column", "stmatrix_x4(box + d_column"),
    Fault("P's registers are those of S with rows exchanged", LAYOUT, "wrong", "", _SCORES,
          "p[i / 8][i % 8 / 2] = pack(s[i], s[i + 1])",
          "p[i / 8][i % 8 / 2] = pack(s[i + 2], s[i + 3])"),
    Fault("The halves of a packed pair are exchanged", LAYOUT, "wrong", "", _SCORES,
          "i % 8 / 2 + j / 2], j % 2)", "i % 8 / 2 + j / 2], 1 - j % 2)"),
    Fault("Both queries of a pair have the logarithm of the first", LAYOUT, "wrong", "", _SCORES,
          "-logarithm[j % 2]", "-logarithm[0]"),
    Fault("Sums of dO * O are read where the logarithms are", LAYOUT, "wrong", "", _OWN,
          "maps.d_o, from + TILE_M,", "maps.d_o, from,"),
    Fault("A chunk of dQ is rounded into the rows of the next warp", LAYOUT, "wrong", "", _OWN,
          "chunk = reg / registers * 4 + warp;", "chunk = reg / registers * 4 + (warp ^ 1);"),
    Fault("Both keys of a thread have the mask of the first", LAYOUT, "wrong", "", _SCORES,
          "int mine = key + d_row(warp, lane, 2 * half, 0);",
          "int mine = key + d_row(warp, lane, 0, 0);"),
)  # fmt: skip
FORMULAS = (
    Fault("dP lacks the sum of dO * O", ARITHMETIC, "wrong", "", _SCORES,
          "(dp[i + j] - sum[j % 2])", "dp[i + j]"),
    Fault("dK lacks the scale", ARITHMETIC, "wrong", "", _OWN, "dk[i] *= sizes.softmax_scale",
          "dk[i] *= 1"),
    Fault("The second step overwrites dV", ARITHMETIC, "wrong", "", _OWN,
          "multiply_weights(dv, p, d_o.data(), !first)",
          "multiply_weights(dv, p, d_o.data(), false)"),
)  # fmt: skip
FAULTS = (*SHARED, *STAGES, *PRODUCTS, *ADDITIONS, *PLACES, *FORMULAS)
QUICK = ("P's registers are those of S with rows exchanged",)
SUITES = (Suite("fmha", "backward_sm_90a", FAULTS, partial(outcome, GradientKernel()), QUICK),)
