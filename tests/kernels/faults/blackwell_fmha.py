"""Faults of fmha for sm_100a."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from lanemap.benching.attention.blackwell import BlackwellTiling
from lanemap.benching.attention.problem import Problem
from tests.kernels.attention import BLACKWELL_FP8_STEP, one, operands
from tests.kernels.attention_sm_100a import KERNEL, launched
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite

_OWN, _SOFTMAX, _COMMON = "", "blackwell_softmax.h", "blackwell.h"
_OUTPUT = "output.h"
#: Two CTAs go on from pair to pair of tiles of queries, of which the last has one tile; grouped
#: heads; the causal mask cuts tiles of keys, which are up to six.
PROBLEM, SCALE = Problem(1, 600, 700, 4, 2, 128, -1, 0), 0.25
#: Of FP8 rows have 64 bytes. Scales of Q, K and V, for each head.
FP8_PROBLEM = Problem(1, 130, 600, 2, 2, 64, element="float8_e4m3fn")
DESCALES = np.array([[0.5, 2], [1.5, 1], [3, 0.75]], np.float32)
#: Keys that are larger come after others, so that O must be rescaled.
_LARGE_KEYS, _LARGER = 300, 2

LOAD = (
    Fault("The load does not wait for an empty stage", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "  mbarrier_wait(ring.empty(), ring.parity ^ 1);\n", ""),
    Fault("The load waits for the wrong phase", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN,
          "mbarrier_wait(ring.empty(), ring.parity ^ 1)",
          "mbarrier_wait(ring.empty(), ring.parity)"),
    Fault("The full barrier expects too few bytes", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "mbarrier_expect(full, TILE_BYTES);", "mbarrier_expect(full, PART_BYTES);"),
    Fault("Q is loaded over the Q that products still read", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "        mbarrier_wait(at(ring.base, Q_EMPTY, half), (q_parity >> half & 1) ^ 1);\n", ""),
    Fault("Grouped heads load K of the head of Q", LAYOUT, "wrong", "", _OWN,
          "tile * TILE_N, work.head / group,", "tile * TILE_N, work.head % group,"),
    Fault("The parts of a tile are loaded in the other order", LAYOUT, "wrong", "", _OWN,
          "map, part * SWIZZLE / ELEMENT_BYTES, row, head,",
          "map, (PARTS - 1 - part) * SWIZZLE / ELEMENT_BYTES, row, head,"),
)  # fmt: skip
MMA = (
    Fault("The first S does not wait for K", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "  mbarrier_wait(ring.full(), ring.parity);\n  for", "  for"),
    Fault("S does not wait for Q", ORDER, "hazard",
          "which nothing had written", _OWN,
          "    mbarrier_wait(at(given.base, Q_FULL, half), parities.q >> half & 1);\n", ""),
    Fault("O does not wait for V", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "    mbarrier_wait(v.full(), v.parity);\n", ""),
    Fault("O does not wait for P", ORDER, "hazard",
          "without being ordered after `tcgen05.st", _OWN,
          "      mbarrier_wait(at(given.base, P_FULL, half), parities.p >> half & 1);\n", ""),
    Fault("O does not wait for its correction", ORDER, "hazard",
          "a barrier or mbarrier that orders warp", _OWN,
          "      mbarrier_wait(at(given.base, CORRECTED, half), parities.p >> half & 1);\n", ""),
    Fault("No fence after P is handed over", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "      tcgen05_fence_after_thread_sync();\n      multiply_values",
          "      multiply_values"),
    Fault("A stage of V is never committed", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN,
          "      if (last_half) mma_commit(v.empty());\n", ""),
    Fault("A stage of V is released before its products are complete", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "      if (last_half) mma_commit(v.empty());",
          "      if (last_half) mbarrier_arrive(v.empty(), 0);"),
    Fault("A stage of V is released by the first tile of queries", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "      if (last_half) mma_commit(v.empty());",
          "      if (half == 0) mma_commit(v.empty());"),
    Fault("S is handed over by an arrival instead of a commit", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "      mma_commit(at(given.base, S_FULL, half));\n      if (left",
          "      mbarrier_arrive(at(given.base, S_FULL, half), 0);\n      if (left"),
    Fault("O is handed over by an arrival instead of a commit", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "mma_commit(at(given.base, O_FULL, half));",
          "mbarrier_arrive(at(given.base, O_FULL, half), 0);"),
    Fault("Q is released a tile of keys too early", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "if (left == 1) mma_commit", "if (left == 2) mma_commit"),
    Fault("S of the other tile of queries is overwritten", LAYOUT, "hazard",
          "a barrier or mbarrier that orders warp", _OWN,
          "      multiply_keys(given.columns + s_column(half), ",
          "      multiply_keys(given.columns + s_column(half ^ 1), "),
    Fault("Every tile of keys overwrites O", ARITHMETIC, "wrong", "", _OWN,
          "left < tiles_of(work) - 1);", "false);"),
    Fault("O is added to before it is zero", ARITHMETIC, "hazard",
          "decide the matrix operand", _OWN,
          "left < tiles_of(work) - 1);", "true);"),
    Fault("O reads P of the other tile of queries", LAYOUT, "hazard",
          "decide the matrix operand", _OWN,
          "given.columns + p_column(half), v.data()",
          "given.columns + p_column(half ^ 1), v.data()"),
    Fault("P's k step is twice too long", LAYOUT, "wrong", "", _OWN,
          "p + i * KEYS_STEP", "p + 2 * i * KEYS_STEP"),
    Fault("V's k step is half as long", LAYOUT, "wrong", "", _OWN,
          "step = STEP / 8 * (value_byte", "step = STEP / 16 * (value_byte"),
    Fault("The second half of Q and K is not stepped to", LAYOUT, "wrong", "", _OWN,
          "(i / steps * PART_BYTES >> 4) + ", ""),
    Fault("V's descriptor exchanges LBO and SBO", LAYOUT, "wrong", "", _OWN,
          "(PART_BYTES >> 4) << 16 |\n         eight_keys >> 4 << 32",
          "(PART_BYTES >> 4) << 32 |\n         eight_keys >> 4 << 16"),
    Fault("V's descriptor says no swizzle", LAYOUT, "hazard",
          "nothing orders this after phase", _OWN,
          "eight_keys >> 4 << 32 | 1ull << 46 | swizzle_code(SWIZZLE);",
          "eight_keys >> 4 << 32 | 1ull << 46;"),
    Fault("The instruction descriptor says that V is K-major", LAYOUT, "wrong", "", _OWN,
          " | 1u << 16;", ";"),
    Fault("SBO of Q and K is half of what 8 rows take", LAYOUT, "wrong", "", _COMMON,
          "eight_rows >> 4 << 32", "eight_rows >> 5 << 32"),
)  # fmt: skip
SOFTMAX = (
    Fault("The softmax does not wait for S", ORDER, "hazard",
          "decide the branch; they come from tensor memory", _OWN,
          "    mbarrier_wait(at(given.base, S_FULL, place.half), parity);\n", ""),
    Fault("No fence after S is complete", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "    tcgen05_fence_after_thread_sync();\n    load_logits", "    load_logits"),
    Fault("No wait for the loads of S", ORDER, "hazard",
          "tcgen05.wait::ld by its own warp", _SOFTMAX,
          "  tcgen05_wait_ld(s);\n", ""),
    Fault("A load has the other half of S", LAYOUT, "wrong", "", _SOFTMAX,
          "(s[LOADED]), address + LOADED", "(s[LOADED]), address"),
    Fault("S is loaded from the lanes of another warp", LAYOUT, "strict",
          "can access only the 32 lanes from", _OWN,
          "s_column(place.half) + place.lanes());",
          "s_column(place.half) + (place.lanes() ^ 32 << 16));"),
    Fault("No wait for the stores of P", ORDER, "hazard",
          "tcgen05.wait::st by warp", _SOFTMAX,
          "#endif\n  tcgen05_wait_st();\n", "#endif\n"),
    Fault("No fence before P is handed over", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _OWN,
          "place.lanes());\n    tcgen05_fence_before_thread_sync();\n    arrive",
          "place.lanes());\n    arrive"),
    Fault("One warp of the softmax speaks for four", ORDER, "hazard",
          "nothing orders it after phase", _OWN,
          "mbarrier_init(at(base, P_FULL, i), 4);", "mbarrier_init(at(base, P_FULL, i), 1);"),
    Fault("P's halves get columns of their own (.unpack::16b)", LAYOUT, "hazard",
          "decide the matrix operand", _SOFTMAX,
          "tcgen05_st_32x32b_x64(p,", "tcgen05_st_32x32b_x64_unpack_16b(p,"),
    Fault("P is stored a column too far", LAYOUT, "wrong", "", _OWN,
          "p_column(place.half) + place", "p_column(place.half) + 1 + place"),
    Fault("The halves of a packed pair are exchanged", LAYOUT, "wrong", "", _OUTPUT,
          '"f"(high), "f"(low));\n#endif', '"f"(low), "f"(high));\n#endif'),
    Fault("The causal mask shows a key too many", ARITHMETIC, "wrong", "", _SOFTMAX,
          "logit_key(lane, i) >= end ||", "logit_key(lane, i) > end ||"),
    Fault("A tile that the mask cuts counts as whole", ARITHMETIC, "wrong", "", _OWN,
          "first_row + ROWS - 1, tile))", "first_row + ROWS - 1, tile - 1))"),
    Fault("The sum is not rescaled", ARITHMETIC, "wrong", "", _SOFTMAX,
          "sum = fmaf(sum, factor, ", "sum = fmaf(sum, 1, "),
    Fault("The maximum is taken, but no factor", ARITHMETIC, "wrong", "", _SOFTMAX,
          "maximum = far ? most : maximum;", "maximum = most;"),
    Fault("A coefficient of the polynomial is that of another degree", ARITHMETIC, "wrong", "",
          _SOFTMAX, "0.69304484f", "0.69511682f"),
    Fault("The polynomial's exponent has the bias of another base", ARITHMETIC, "wrong", "",
          _SOFTMAX, "12582912 + 127;", "12582912 + 126;"),
    Fault("A factor is overwritten before it is read", ORDER, "hazard",
          "nothing orders it after phase", _OWN,
          "  mbarrier_wait(at(given.base, CORRECTED, place.half), parity);\n", ""),
)  # fmt: skip
CORRECTION = (
    Fault("The correction does not wait for the factor", ORDER, "hazard",
          "decide the branch; they come from shared memory", _OWN,
          "  mbarrier_wait(at(given.base, STATISTIC_FULL, place.half), parities.statistic"
          " >> place.half & 1);\n", ""),
    Fault("No fence after the factor", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "  tcgen05_fence_after_thread_sync();\n  return", "  return"),
    Fault("O is not rescaled", ARITHMETIC, "wrong", "", _OWN,
          "if (__any_sync(~0u, factor != 1)) {", "if (__any_sync(~0u, factor > 1)) {"),
    Fault("No wait for the loads of O that is rescaled", ORDER, "strict",
          "a wait for tcgen05.ld (tcgen05.wait::ld) is missing", _OWN,
          "      tcgen05_wait_ld(d);\n#pragma unroll\n      for (int i = 0; i < 32; ++i) d",
          "#pragma unroll\n      for (int i = 0; i < 32; ++i) d"),
    Fault("No wait for the stores of O that was rescaled", ORDER, "hazard",
          "tcgen05.wait::st by warp", _OWN,
          "    tcgen05_wait_st();\n    tcgen05_fence_before_thread_sync();\n  }",
          "    tcgen05_fence_before_thread_sync();\n  }"),
    Fault("No fence before O is handed back", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _OWN,
          "    tcgen05_wait_st();\n    tcgen05_fence_before_thread_sync();\n  }",
          "    tcgen05_wait_st();\n  }"),
    Fault("O is read before its last product is complete", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "    mbarrier_wait(at(given.base, O_FULL, place.half), parities.o >> place.half & 1);\n",
          ""),
    Fault("No fence before O is free for the next tile", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _OWN,
          "  // The next tile of queries may begin its O.\n  tcgen05_fence_before_thread_sync();\n",
          ""),
    Fault("A box is overwritten while a store reads it", ORDER, "hazard",
          "but a barrier is missing between them", _OWN,
          "    if (column % 64 == 0)\n      mbarrier_wait(at(given.base, BOX_EMPTY, parities.box),"
          " parities.boxes ^ 1);\n", ""),
    Fault("No fence.proxy.async before the TMA store", ORDER, "hazard",
          "fence.proxy.async is missing between them", _OWN,
          "    fence_proxy_async();\n", ""),
    Fault("O is written without the swizzle", LAYOUT, "wrong", "", _OUTPUT,
          "swizzle_unit(line & 7, unit, 0, 0) * 16", "unit * 16"),
)  # fmt: skip
STORE = (
    Fault("The store does not wait for a box", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN,
          "    mbarrier_wait(at(given.base, BOX_FULL, box), parity);\n", ""),
    Fault("A box is released before the store has read it", ORDER, "hazard",
          "wait_group.read by warp", _OWN,
          "    tma_store_wait_read<0>();\n    mbarrier_arrive(at(given.base, BOX_EMPTY",
          "    mbarrier_arrive(at(given.base, BOX_EMPTY"),
    Fault("No barrier between mbarrier.init and its use", ORDER, "hazard",
          "initialization is missing before this", _OWN,
          "allocate_columns(base + SLOT);\n  barrier_of_all();", "allocate_columns(base + SLOT);"),
    Fault("Tensor memory is freed while O is read", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _OWN,
          "  barrier_of_all();\n  if (warp == MMA_WARP) free", "  if (warp == MMA_WARP) free"),
    Fault("Tensor memory is never freed", ORDER, "hazard",
          "are not deallocated when the CTA ends", _OWN,
          "  if (warp == MMA_WARP) free_columns(given.columns);\n", ""),
)  # fmt: skip


def fp8(_: Any) -> Problem:
    """What the host computes instead: the problem of FP8."""
    return FP8_PROBLEM


FP8 = (
    Fault("FP8: the logarithm forgets that P was multiplied by 2^8", ARITHMETIC, "wrong", "",
          _SOFTMAX, "log2_approx(sum) - WEIGHT_BITS", "log2_approx(sum)", host=fp8),
    Fault("FP8: a product of values takes 16 keys", LAYOUT, "wrong", "", _OWN,
          "step = STEP / 8 * (value_byte", "step = 2 * (value_byte", host=fp8),
    Fault("FP8: V's descriptor says the 128-byte swizzle", LAYOUT, "hazard",
          "nothing orders this after phase", _OWN,
          "swizzle_code(SWIZZLE)", "swizzle_code(128)", host=fp8),
    Fault("FP8: the descriptors of Q and K say the 128-byte swizzle", LAYOUT, "hazard",
          "decide the matrix operand", _COMMON, "? 2ull : 4ull", "? 2ull : 2ull", host=fp8),
    Fault("FP8: weights of a pair are exchanged", LAYOUT, "wrong", "", _SOFTMAX,
          "pack_e4m3(four[0], four[1],", "pack_e4m3(four[1], four[0],", host=fp8),
    Fault("FP8: four weights are packed in pairs of 16 bits", LAYOUT, "refused",
          "registers of S are not those of P", _SOFTMAX,
          "WEIGHTS = 4 / ELEMENT_BYTES", "WEIGHTS = 2", host=fp8),
    Fault("FP8: V's scale is that of the next head", ARITHMETIC, "wrong", "", _OWN,
          "given.descales.v[i]", "given.descales.v[i ^ 1]", host=fp8),
    Fault("FP8: logits lack K's scale", ARITHMETIC, "wrong", "", _OWN,
          "given.descales.q[i] * given.descales.k[i]", "given.descales.q[i]", host=fp8),
)  # fmt: skip


@cache
def expected(problem: Problem) -> tuple[Any, Any]:
    """Q, K and V; O, the bound of its error, log_sum_exp and its own, of the one sequence."""
    q, k, v = operands(problem)
    if problem is PROBLEM:
        k[:, :_LARGE_KEYS] *= _LARGER
        return (q, k, v), one(problem, q[0], k[0], v[0], SCALE)
    heads = [
        one(replace(problem, heads=1, kv_heads=1), *(each[0, :, i : i + 1] for each in (q, k, v)),
            SCALE * float(DESCALES[0, i] * DESCALES[1, i]), step=BLACKWELL_FP8_STEP)
        for i in range(problem.heads)
    ]  # fmt: skip
    o, error = (np.concatenate([each[i] for each in heads], axis=1) for i in (0, 1))
    log_sum, log_error = (np.concatenate([each[i] for each in heads]) for i in (2, 3))
    factor = DESCALES[2][:, None].astype(np.float64)
    return (q, k, v), (o * factor, error * factor, log_sum, log_error)


def outcome(texts: Mapping[str, str], host: Callable[[Any], Problem] | None, strict: bool) -> float:
    """Which part of O or of log_sum_exp is outside its tolerance, whichever is more."""
    problem = host(None) if host else PROBLEM
    arrays, (right, error, right_log, log_error) = expected(problem)
    tiling = KERNEL.choose(problem)
    assert isinstance(tiling, BlackwellTiling)
    text = KERNEL.compile(problem, tiling, texts)
    o, log_sum = launched(
        text, problem, tiling, arrays, SCALE, strict=strict, multiprocessors=2, descales=DESCALES
    )
    near = np.abs(o[0].astype(np.float64) - right) <= error
    near_log = np.abs(log_sum - right_log) <= log_error
    return 1 - float(min(near.mean(), near_log.mean()))


SUITES = (
    Suite("fmha", "sm_100a", (*LOAD, *MMA, *SOFTMAX, *CORRECTION, *STORE, *FP8), outcome,
          ("No wait for the stores of P",)),
)  # fmt: skip
