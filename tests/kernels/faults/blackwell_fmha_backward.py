"""Faults that people make in the backward pass of attention on Blackwell."""

from __future__ import annotations

from functools import partial

from lanemap.benching.attention.blackwell_gradient import BlackwellGradientKernel
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite
from tests.kernels.faults.hopper_fmha_backward import SHARED, outcome

_OWN, _SCORES = "", "blackwell_scores.h"
_ROWS, _WORK = (f"gradient_{each}.h" for each in ("rows", "work"))
_BLACKWELL = "blackwell.h"
_UNORDERED = "nothing orders this after phase"

LOADS = (
    Fault("The copies of Q do not wait for an empty stage", ORDER, "hazard",
          "without being ordered after the read by warp",
          _OWN, "    mbarrier_wait(q.empty(), q.parity ^ 1);\n", ""),
    Fault("The copies of dO do not wait for an empty stage", ORDER, "hazard",
          "writes asynchronously: nothing orders this",
          _OWN, "    mbarrier_wait(d_o.empty(), d_o.parity ^ 1);\n", ""),
    Fault("The full barrier of Q forgets the statistics", ORDER, "hazard", _UNORDERED,
          _OWN, "TILE_BYTES + 2 * STATISTIC_BYTES);", "TILE_BYTES);"),
    Fault("S does not wait for K", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(at(base, K_FULL), 0);\n", ""),
    Fault("dP does not wait for V", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(at(base, V_FULL), 0);\n", ""),
    Fault("S does not wait for Q", ORDER, "hazard", "decide the matrix operand",
          _OWN, "  mbarrier_wait(q.full(), q.parity);\n  multiply", "  multiply"),
    Fault("dP does not wait for dO", ORDER, "hazard", _UNORDERED,
          _OWN, "  mbarrier_wait(d_o.full(), d_o.parity);\n", ""),
    Fault("dO is released before dV has read it", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier",
          _OWN, "    mma_commit(d_o.empty());\n", "    mbarrier_arrive(d_o.empty(), 0);\n"),
    Fault("Q is released when dV is complete", ORDER, "hazard",
          "without being ordered after the read by warp",
          _OWN, "    mma_commit(d_o.empty());\n",
          "    mma_commit(d_o.empty());\n    mma_commit(q.empty());\n"),
)  # fmt: skip
PRODUCTS = (
    Fault("dV does not wait for P", ORDER, "hazard", "a barrier or mbarrier that orders warp",
          _OWN, "    mbarrier_wait(at(base, P_FULL), i % 2);\n", ""),
    Fault("dK does not wait for dS", ORDER, "hazard", "fence.proxy.async and a barrier are missing",
          _OWN, "    mbarrier_wait(at(base, DS_FULL), i % 2);\n", ""),
    Fault("dP overwrites dQ before it is read", ORDER, "hazard",
          "a barrier or mbarrier that orders warp",
          _OWN, "      mbarrier_wait(at(base, DQ_EMPTY), i % 2);\n", ""),
    Fault("The next S overwrites P before dV has read it", ORDER, "hazard",
          "a barrier or mbarrier that orders warp",
          _OWN, "    mbarrier_wait(at(base, P_FULL), i % 2);\n"
          "    tcgen05_fence_after_thread_sync();\n",
          "    if (i + 1 < steps) begin_scores(base, columns, i + 1);\n"
          "    mbarrier_wait(at(base, P_FULL), i % 2);\n    tcgen05_fence_after_thread_sync();\n"),
    Fault("S is read before it is complete", ORDER, "hazard",
          "tcgen05.commit and a wait for its mbarrier",
          _OWN, "    mbarrier_wait(at(base, S_FULL), i % 2);\n", ""),
    Fault("dP is read before it is complete", ORDER, "hazard",
          "a barrier or mbarrier that orders warp",
          _OWN, "    mbarrier_wait(at(base, DP_FULL), i % 2);\n", ""),
    Fault("dQ is read before it is complete", ORDER, "hazard", "nothing orders it after phase",
          _OWN, "    mbarrier_wait(at(base, DQ_FULL), step % 2);\n", ""),
    Fault("Gradients are read before they are complete", ORDER, "hazard",
          "a barrier or mbarrier that orders warp",
          _OWN, "    mbarrier_wait(at(base, DQ_FULL), (work.steps - 1) % 2);\n", ""),
    Fault("No wait for the stores of P", ORDER, "hazard", "tcgen05.wait::st",
          _OWN, "    tcgen05_wait_st();\n", ""),
    Fault("No fence before P is handed over", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _OWN,
          "    tcgen05_fence_before_thread_sync();\n    arrive(at(base, P_FULL)",
          "    arrive(at(base, P_FULL)"),
    Fault("No fence after P is handed over", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "    mbarrier_wait(at(base, P_FULL), i % 2);\n    tcgen05_fence_after_thread_sync();\n",
          "    mbarrier_wait(at(base, P_FULL), i % 2);\n"),
    Fault("No fence.proxy.async between dS and the products that read it", ORDER, "hazard",
          "fence.proxy.async", _OWN,
          "    fence_proxy_async();\n    tcgen05_fence_before", "    tcgen05_fence_before"),
    Fault("P counts the warps of one warpgroup", ORDER, "hazard", "nothing orders it after phase",
          _OWN, "at(base, P_FULL), 8)", "at(base, P_FULL), 4)"),
    Fault("dS counts the warps of one warpgroup", ORDER, "hazard", "nothing orders it after phase",
          _OWN, "at(base, DS_FULL), 8)", "at(base, DS_FULL), 4)"),
    Fault("No __syncwarp before a lane arrives for its warp", ORDER, "strict", "lane",
          _OWN, "  __syncwarp();\n  if (lane == 0) mbarrier_arrive(barrier, 0);",
          "  if (lane == 0) mbarrier_arrive(barrier, 0);"),
    Fault("Weights of both warpgroups lie in the first half of S", ORDER, "hazard",
          "a barrier or mbarrier that orders warp",
          _OWN, "tcgen05_st_32x32b_x32(p, own + S_COLUMN);",
          "tcgen05_st_32x32b_x32(p, own + S_COLUMN - mine.group * 32);"),
    Fault("Tensor memory is freed while warps still load it", ORDER, "hazard",
          "tensor memory", _OWN, "  // Role: all.\n  barrier_of_all();\n", "  // Role: all.\n"),
)  # fmt: skip
ADDITIONS = (
    Fault("No fence.proxy.async before dQ is added", ORDER, "hazard",
          "fence.proxy.async is missing between them", _OWN,
          "      fence_proxy_async();\n      __syncwarp();\n      if (lane == 0)\n        bulk",
          "      __syncwarp();\n      if (lane == 0)\n        bulk"),
    Fault("No __syncwarp before dQ is added", ORDER, "strict",
          "__syncwarp() (bar.warp.sync) by both lanes is missing", _OWN,
          "      fence_proxy_async();\n      __syncwarp();\n      if (lane == 0)\n        bulk",
          "      fence_proxy_async();\n      if (lane == 0)\n        bulk"),
    Fault("A chunk is overwritten while an addition reads it", ORDER, "hazard",
          "wait_group.read", _OWN, "      if (lane == 0) tma_store_wait_read<1>();\n", ""),
    Fault("A CTA ends while an addition may still read its chunk", ORDER, "strict",
          "before this copy has read its shared memory", _OWN,
          "#endif\n  }\n  if (lane == 0) tma_store_wait_read<0>();\n", "#endif\n  }\n"),
)  # fmt: skip
PLACES = (
    Fault("Both warpgroups write dS of the first one's queries", LAYOUT, "hazard",
          "without being ordered after the write",
          _OWN, "base + DS_TILE + mine.group * PART_BYTES", "base + DS_TILE"),
    Fault("dK begins at the columns of dV", LAYOUT, "wrong", "",
          _OWN, "DV_COLUMN = 256, DK_COLUMN = 256 + HEAD_DIM", "DV_COLUMN = 256, DK_COLUMN = 256"),
    Fault("The second part of K lies where the first does", LAYOUT, "wrong", "",
          _OWN, "(i / 4 * PART_BYTES >> 4) + descriptor", "descriptor"),
    Fault("The step of rows is that of 8", LAYOUT, "wrong", "",
          _OWN, "i * (2 * (value_byte", "i * (1 * (value_byte"),
    Fault("LBO of an operand with rows along k is that of one row", LAYOUT, "wrong", "",
          _OWN, "(PART_BYTES >> 4) << 16", "(128 >> 4) << 16"),
    Fault("The instruction descriptor of dQ says that A is K-major", LAYOUT, "wrong", "",
          _OWN, "QUERIES = GRADIENTS | 1u << 15", "QUERIES = GRADIENTS"),
    Fault("The instruction descriptor says that B is K-major", LAYOUT, "wrong", "",
          _OWN, "instruction_descriptor(ROWS, HEAD_DIM) | 1u << 16",
          "instruction_descriptor(ROWS, HEAD_DIM)"),
    Fault("P's step of 16 queries is 16 columns", LAYOUT, "wrong", "",
          _OWN, "i % 4 * QUERIES_STEP", "i % 4 * 16"),
    Fault("P of the second warpgroup follows that of the first", LAYOUT, "wrong", "",
          _OWN, "p + i / 4 * GROUP +", "p + i / 4 * 32 +"),
    Fault("dS is written without the swizzle", LAYOUT, "wrong", "", _SCORES,
          "tile + swizzled(row, half * 4 + i / 8)", "tile + row * 128 + (half * 4 + i / 8) * 16"),
    Fault("A warp loads the lanes of another one", LAYOUT, "strict",
          "can access only the 32 lanes from", _OWN,
          "return 32 * warp << 16;", "return 32 * (warp ^ 1) << 16;"),
    Fault("Sums of dO * O are read where the logarithms are", LAYOUT, "wrong", "",
          _OWN, "statistics + STATISTIC_BYTES,", "statistics,"),
    Fault("Statistics are those of the first warpgroup's queries", LAYOUT, "wrong", "",
          _OWN, "q.statistics() + mine.group * GROUP * 4", "q.statistics()"),
    Fault("A chunk of dQ is rounded into the rows of the next warp", LAYOUT, "wrong", "",
          _OWN, "(part * 2 + i) * 4 + warp;", "(part * 2 + i) * 4 + (warp ^ 1);"),
    Fault("The descriptor lacks the fixed bit of sm_100a", LAYOUT, "hazard",
          "bits 46-48 must be 0b001", _OWN, "eight >> 4 << 32 | 1ull << 46", "eight >> 4 << 32"),
    Fault("SBO of K-major operands is half of what 8 rows take", LAYOUT, "wrong",
          "", _BLACKWELL, "eight_rows >> 4 << 32", "eight_rows >> 5 << 32"),
)  # fmt: skip
FORMULAS = (
    Fault("dP lacks the sum of dO * O", ARITHMETIC, "wrong", "", _SCORES,
          "(__uint_as_float(d[i + j]) - sum[j])", "__uint_as_float(d[i + j])"),
    Fault("dK lacks the scale", ARITHMETIC, "wrong", "", _OWN,
          "maps.dk, work, sizes.softmax_scale, mine)", "maps.dk, work, 1, mine)"),
    Fault("The second step overwrites dV", ARITHMETIC, "wrong", "", _OWN,
          "columns + S_COLUMN, d_o.data(), i > 0)", "columns + S_COLUMN, d_o.data(), false)"),
    Fault("dK is added to before it is zero", ARITHMETIC, "hazard", "decide the matrix operand",
          _OWN, "q.data(), i > 0)", "q.data(), true)"),
)  # fmt: skip
FAULTS = (*SHARED, *LOADS, *PRODUCTS, *ADDITIONS, *PLACES, *FORMULAS)
QUICK = ("dP overwrites dQ before it is read",)
SUITES = (
    Suite("fmha", "backward_sm_100a", FAULTS, partial(outcome, BlackwellGradientKernel()), QUICK),
)
