"""Faults of ss_gemm and ts_gemm for sm_100a."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from lanemap.benching.find import host
from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.problem import Problem
from tests.kernels.blackwell import launched
from tests.kernels.faults import LAYOUT, ORDER, Fault, Suite, adapted
from tests.kernels.operands import integers

_GEMM, _OUTPUT, _OWN = "blackwell_gemm.h", "output.h", ""
_SUMS, _BOXES = "blackwell_accumulator.h", "blackwell_output.h"
_DESCRIPTORS = "blackwell.h"
#: A pair of CTAs takes four tiles in turn; two stages for five blocks of k.
PROBLEM = Problem(512, 256, 320)

#: Of sums in tensor memory, of their way to C and of descriptors: every GEMM of sm_100a has them.
COMMON = (
    Fault("A stage is never committed", ORDER, "hazard",
          "lacks 1 of its", _SUMS, "    mma_commit(pipe.empty());\n", ""),
    Fault("A stage is released before its products are complete", ORDER, "hazard",
          "tcgen05.commit and a wait for i", _SUMS,
          "    mma_commit(pipe.empty());\n", "    mbarrier_arrive(pipe.empty(), 0);\n"),
    Fault("The accumulator is never committed", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _SUMS, "  mma_commit(sum.full());\n", ""),
    Fault("The accumulator is released by an arrival instead of a commit", ORDER, "hazard",
          "tcgen05.commit and a wait for i", _SUMS,
          "  mma_commit(sum.full());\n", "  mbarrier_arrive(sum.full(), 0);\n"),
    Fault("The epilogue does not wait for the accumulator", ORDER, "hazard",
          "nothing orders it after phase", _SUMS,
          "  mbarrier_wait(sum.full(), sum.parity);\n", ""),
    Fault("The epilogue waits for the wrong phase", ORDER, "hazard",
          "a barrier or mbarrier that orders warp", _SUMS,
          "  mbarrier_wait(sum.full(), sum.parity);\n",
          "  mbarrier_wait(sum.full(), sum.parity ^ 1);\n"),
    Fault("The next sum does not wait for the epilogue", ORDER, "hazard",
          "a barrier or mbarrier that orders warp", _SUMS,
          "  mbarrier_wait(sum.empty(), sum.parity ^ 1);\n", ""),
    Fault("One warp of the epilogue speaks for four", ORDER, "hazard",
          "nothing orders it after phase", _SUMS,
          "    mbarrier_init(sum.empty(), 4 * CLUSTER_M);",
          "    mbarrier_init(sum.empty(), CLUSTER_M);"),
    Fault("No fence after the accumulator is full", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _SUMS,
          "  mbarrier_wait(sum.full(), sum.parity);\n  tcgen05_fence_after_thread_sync();\n",
          "  mbarrier_wait(sum.full(), sum.parity);\n"),
    Fault("No fence before the accumulator is released", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _SUMS,
          "      tcgen05_fence_before_thread_sync();\n      __syncwarp();", "      __syncwarp();"),
    Fault("No wait for the loads of the accumulator", ORDER, "hazard",
          "tcgen05.wait::ld by warp", _SUMS, "    tcgen05_wait_ld(d);\n", ""),
    Fault("No fence.proxy.async before the TMA store", ORDER, "hazard",
          "fence.proxy.async is missing between them", _BOXES, "  fence_proxy_async();\n", ""),
    Fault("A box is overwritten while a store reads it", ORDER, "hazard",
          "wait_group.read by its own warp is missing", _BOXES,
          "  if (lane == 0) tma_store_wait_read<1>();\n", ""),
    Fault("Every stage overwrites D", LAYOUT, "wrong",
          "", _OWN, "add || step > 0", "step > 0"),
    Fault("D is added to before it is zero", LAYOUT, "hazard",
          "decide the matrix operand", _SUMS, "pipe, block > 0);", "pipe, true);"),
    Fault("The second accumulator lies in the first one's columns", LAYOUT, "hazard",
          "without being ordered after `tcgen05.ld", _SUMS,
          "columns + index * TILE_N;", "columns + index * TILE_N / 2;"),
    Fault("SBO is half of what 8 rows take", LAYOUT, "wrong",
          "", _DESCRIPTORS, "eight_rows >> 4 << 32", "eight_rows >> 5 << 32"),
    Fault("The descriptor says the 64-byte swizzle", LAYOUT, "wrong",
          "", _DESCRIPTORS, "swizzle_bytes == 128 ? 2ull", "swizzle_bytes == 128 ? 4ull"),
    Fault("The descriptor lacks the fixed bit of sm_100a", LAYOUT, "hazard",
          "bits 46-48 must be 0b001", _DESCRIPTORS, " | 1ull << 46", ""),
    Fault("A warp loads the lanes of another one", LAYOUT, "strict",
          "can access only the 32 lanes from", _SUMS,
          "+ (32 * warp << 16));", "+ (32 * (warp ^ 1) << 16));"),
    Fault("The epilogue loads a column too far", LAYOUT, "hazard",
          "without being ordered after `tcgen05.ld", _SUMS,
          "sum.address() + i * BOX_COLUMNS +", "sum.address() + 1 + i * BOX_COLUMNS +"),
    Fault("C is written without the swizzle", LAYOUT, "wrong",
          "", _OUTPUT, "swizzle_unit(line & 7, unit, 0, 0) * 16", "unit * 16"),
)  # fmt: skip
#: Of the stages and of tensor memory: every GEMM of sm_100a has them, in files of its own.
PIPELINE = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard",
          "arrivals are more than the 0 that phase 0 of the mbarrier", _GEMM,
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n    unsigned k", "    unsigned k"),
    Fault("The producer waits for the wrong phase", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _GEMM,
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n    unsigned k",
          "    mbarrier_wait(pipe.empty(), pipe.parity);\n    unsigned k"),
    Fault("No products wait for a full stage", ORDER, "hazard",
          "nothing orders this after phase", _SUMS,
          "    mbarrier_wait(pipe.full(), pipe.parity);\n", ""),
    Fault("No barrier between mbarrier.init and its use", ORDER, "hazard",
          "a barrier, or release and acquire, is missing between them", _GEMM,
          "(base + SLOT);\n  barrier_of_all();", "(base + SLOT);\n"),
    Fault("Tensor memory is freed while the epilogue loads it", ORDER, "hazard",
          "a barrier or mbarrier that orders warp", _GEMM,
          "  barrier_of_all();\n  if (warp == MMA_WARP) free", "  if (warp == MMA_WARP) free"),
    Fault("Tensor memory is never freed", ORDER, "hazard",
          "are not deallocated when the CTA ends", _GEMM,
          "  if (warp == MMA_WARP) free_columns(columns);\n", ""),
)  # fmt: skip
#: Those of them that a kernel's own file has, where its entry does not call `roles`.
IN_ENTRY = (
    "No barrier between mbarrier.init and its use",
    "Tensor memory is freed while the epilogue loads it",
    "Tensor memory is never freed",
)
#: Where no moving warp takes part.
EMPTIED = (
    Fault("No fence after the accumulator is empty", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _SUMS,
          "  mbarrier_wait(sum.empty(), sum.parity ^ 1);\n  tcgen05_fence_after_thread_sync();\n",
          "  mbarrier_wait(sum.empty(), sum.parity ^ 1);\n"),
)  # fmt: skip
#: Of a pair of CTAs.
PAIR = (
    Fault("The pair's commit reaches its own CTA alone", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _DESCRIPTORS,
          '"r"(barrier), "h"(static_cast<unsigned short>(3))',
          '"r"(barrier), "h"(static_cast<unsigned short>(1))'),
    Fault("The second CTA's bytes are not expected", ORDER, "hazard",
          "nothing orders this after phase", _GEMM,
          "pipe.full(), STAGE_BYTES * CTAS)", "pipe.full(), STAGE_BYTES)"),
    Fault("Both CTAs load the same half of B", LAYOUT, "wrong",
          "", _GEMM, "place.column + rank * (TILE_N / CTAS)", "place.column"),
)  # fmt: skip
SHARED = (
    *COMMON,
    Fault("The descriptor says no swizzle, so LBO counts", LAYOUT, "wrong",
          "", _DESCRIPTORS, "swizzle_bytes == 128 ? 2ull", "swizzle_bytes == 128 ? 0ull"),
    Fault("The instruction descriptor says that B is N-major", LAYOUT, "wrong",
          "", _DESCRIPTORS, "| n / 8 << 17", "| 1u << 16 | n / 8 << 17"),
    Fault("The instruction descriptor exchanges bf16 and f16", LAYOUT, "wrong",
          "", _DESCRIPTORS, "ELEMENT_BF16 << 7 | ELEMENT_BF16 << 10", "0u << 7 | 0u << 10"),
    Fault("The instruction descriptor has half of N", LAYOUT, "wrong",
          "", _DESCRIPTORS, "n / 8 << 17", "n / 16 << 17"),
    Fault("The instruction descriptor has M of another pair", LAYOUT, "wrong",
          "", _DESCRIPTORS, "m / 16 << 24", "m / 32 << 24"),
    Fault("The halves of a packed pair are exchanged", LAYOUT, "wrong",
          "", _OUTPUT,
          '"=r"(both) : "f"(high), "f"(low));\n#endif',
          '"=r"(both) : "f"(low), "f"(high));\n#endif'),
)  # fmt: skip
SS = (
    *PIPELINE,
    *EMPTIED,
    *PAIR,
    Fault("B's k step is twice too long", LAYOUT, "hazard",
          "nothing orders this after phase", _OWN, "a + k, b + k", "a + k, b + 2 * k"),
    Fault("Rows and columns of A's box are exchanged", LAYOUT, "wrong",
          "", _GEMM,
          "tma_load_for_pair(pipe.a(), a, k, a_row,",
          "tma_load_for_pair(pipe.a(), a, a_row, k,"),
)  # fmt: skip
TS = (
    *adapted(PIPELINE, {
        "The producer does not wait for an empty stage": {
            "message": "a run in another order would count the two the other way round"},
        "No barrier between mbarrier.init and its use": {"message": "decide the address"},
    }),
    *adapted(PAIR, {"The second CTA's bytes are not expected": {
        "old": "pipe.full(), B_BYTES * CTAS)", "new": "pipe.full(), B_BYTES)"}}),
    Fault("B's k step is twice too long", LAYOUT, "hazard",
          "nothing orders this after phase", _OWN,
          "b + descriptor_step(step * STEP)", "b + 2 * descriptor_step(step * STEP)"),
    Fault("A is not waited for before it is read", ORDER, "hazard",
          "a barrier, or release and acquire, is missing between them", _OWN,
          "  mbarrier_wait(pipe.a_full(), pipe.parity);\n", ""),
    Fault("No wait for the stores of A", ORDER, "hazard",
          "tcgen05.wait::st by warp", _OWN, "  tcgen05_wait_st();\n", ""),
    Fault("No fence before A is handed over", ORDER, "strict",
          "tcgen05.fence::before_thread_sync by warp", _OWN,
          "  tcgen05_fence_before_thread_sync();\n  __syncwarp();", "  __syncwarp();"),
    Fault("No fence after A is handed over", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "  mbarrier_wait(pipe.a_moved(), pipe.parity);\n  tcgen05_fence_after_thread_sync();\n",
          "  mbarrier_wait(pipe.a_moved(), pipe.parity);\n"),
    Fault("The products do not wait for A", ORDER, "hazard",
          "decide the matrix operand", _OWN, "  mbarrier_wait(pipe.a_moved(), pipe.parity);\n", ""),
    Fault("A stage is released though its A is not read", ORDER, "hazard",
          "nothing orders it after phase 0", _GEMM,
          "mbarrier_init(pipe.empty(), 1 + MOVERS);", "mbarrier_init(pipe.empty(), 1);"),
    Fault("A's halves get columns of their own (.unpack::16b)", LAYOUT, "hazard",
          "decide the matrix operand", _OWN, "#if UNPACK", "#if 1"),
    Fault("A's k step is 16 columns", LAYOUT, "hazard",
          "a barrier or mbarrier that orders warp", _OWN,
          "STEP_COLUMNS * step", "2 * STEP_COLUMNS * step"),
    Fault("A is stored a column too far", LAYOUT, "hazard",
          "decide the matrix operand", _OWN,
          "pipe.stage * A_COLUMNS + (32", "pipe.stage * A_COLUMNS + 1 + (32"),
    Fault("A is stored in the lanes of another warp", LAYOUT, "strict",
          "can access only the 32 lanes from", _OWN,
          "(32 * warp << 16));", "(32 * (warp ^ 1) << 16));"),
    Fault("A is read from shared memory without the swizzle", LAYOUT, "wrong",
          "", _OWN,
          "operand_byte(a_row(warp, lane, i), a_k(warp, lane, i), 0)",
          "a_row(warp, lane, i) * 128 + a_k(warp, lane, i) * ELEMENT_BYTES"),
)  # fmt: skip


def outcome(kernel: str, texts: Mapping[str, str], _: Any, strict: bool) -> float:
    """Which part of C is wrong; no fault edits the host side."""
    movers = 4 if kernel == "ts_gemm" else 0
    tiling = BlackwellTiling(columns=128, stages=2, cluster_m=2, movers=movers)
    a, b, expected = integers(PROBLEM)
    text = host(kernel).BLACKWELL.compile(PROBLEM, tiling, texts)
    c = launched(text, kernel, PROBLEM, tiling, a, b, strict=strict, multiprocessors=2)
    return float(np.mean(c != expected))


SUITES = (
    Suite("ss_gemm", "sm_100a", (*SHARED, *SS), partial(outcome, "ss_gemm"),
          ("The pair's commit reaches its own CTA alone",)),
    Suite("ts_gemm", "sm_100a", (*SHARED, *TS), partial(outcome, "ts_gemm"),
          ("The descriptor says the 64-byte swizzle",)),
)  # fmt: skip
