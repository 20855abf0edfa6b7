"""Faults of ss_gemm and ts_gemm for sm_90a."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

import lanemap
from lanemap.benching.arrays import adopted
from lanemap.benching.find import host
from lanemap.benching.gemm.problem import FinishedProblem, Problem
from lanemap.benching.gemm.tiling import Tiling
from tests.kernels.faults import LAYOUT, ORDER, Fault, Suite
from tests.kernels.operands import integers

#: Two stages for eleven blocks of k, two CTAs that share B, three boxes for each warp, of which the
#: tile ends in the last one. Two clusters have a tile each and share a third one.
TILING, PROBLEM = Tiling(columns=144, stages=2, shared=1), Problem(256, 384, 704)
#: Tiles of C transposed, which several turns of CTAs store in two boxes each; those of which two
#: CTAs have a half of k each.
TRANSPOSED = Tiling(columns=144, stages=2, cluster_m=1, swapped=1)
ALONG_K = Tiling(columns=64, stages=4, cluster_m=1, swapped=1, cluster_k=2)
SLICES = Tiling(columns=96, stages=4, cluster_m=1, cluster_k=4)
#: Two clusters have a part of the k of one tile each, and share that among two CTAs.
IN_PARTS = Problem(128, 64, 2048), replace(ALONG_K, columns=128, shared=1)
#: The same, where the second one waits for what the first one has; its last CTA has more stages.
WAITING = Problem(128, 64, 2112), replace(ALONG_K, columns=128, shared=2, once=1)
#: Each CTA has one tile, whose boxes of C lie in its stages.
ONCE = Tiling(columns=192, stages=2, cluster_m=1, once=1)
#: A tile so narrow that several warps copy.
NARROW = Problem(64, 48, 704), Tiling(columns=16, stages=2, cluster_m=1, consumers=1)
QUICK = (
    "No fence.proxy.async before the TMA store",
    "The sums of the other CTA are read before they are there",
)

_PARTS, _SUMS, _WAITING = "hopper_parts.h", "hopper_sums.h", "waiting_sums.h"

#: Of kernels whose CTAs share stages, and store tiles by boxes: grouped_gemm has them too.
PIPELINED = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard",
          "arrivals are more than", "hopper_gemm.h",
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n", ""),
    Fault("The empty barrier counts one CTA's consumers", ORDER, "hazard",
          "nothing orders it after phase 0", "hopper_gemm.h",
          "CONSUMERS * RELEASING_WARPS * SHARING)", "CONSUMERS * RELEASING_WARPS)"),
    Fault("A stage is released in the own CTA only", ORDER, "hazard",
          "nothing orders this after phase", "hopper_gemm.h",
          "CLUSTER_K > 1 ? cluster_rank() : lane", "cluster_rank()"),
    Fault("The multicast leaves out the other CTA", ORDER, "hazard",
          "lacks 0 of its 1 arrivals and 9216 bytes", "hopper_gemm.h",
          "((1u << CLUSTER_M) - 1) << (in_n * CLUSTER_M)", "1u << rank"),
    Fault("A CTA ends while the other one arrives there", ORDER, "hazard",
          "after that CTA has ended", "hopper_gemm.h",
          "arrives there.\n  if constexpr (CTAS > 1) cluster_barrier();", "arrives there.\n"),
    Fault("No fence.proxy.async before the TMA store", ORDER, "hazard",
          "fence.proxy.async is missing between them", "hopper_gemm.h",
          "    fence_proxy_async();\n    __syncwarp();", "    __syncwarp();"),
    Fault("A box is overwritten while a store reads it", ORDER, "hazard",
          "cp.async.bulk.commit_group and wait_group.read by its own warp is missing",
          "hopper_gemm.h", "      else tma_store_wait_read<1>();\n", ""),
)  # fmt: skip
SHARED = (
    *PIPELINED,
    Fault("The producer waits for the wrong phase", ORDER, "hazard",
          "lacks", "hopper_gemm.h",
          "mbarrier_wait(pipe.empty(), pipe.parity ^ 1)",
          "mbarrier_wait(pipe.empty(), pipe.parity)"),
    Fault("All warps that copy begin with the first stage", ORDER, "hazard",
          "nothing orders it after phase 0, in which warp 0 arrived", "hopper_gemm.h",
          "      pipe.advance(next);\n", "", host=lambda _: NARROW),
    Fault("More warps copy than there are stages", ORDER, "hazard",
          "writes shared memory at byte 0x0, which", "hopper_gemm.h",
          "STAGES < COPYING ? STAGES : COPYING", "COPYING", host=lambda _: NARROW),
    Fault("The full barrier expects too few bytes", ORDER, "hazard",
          "nothing orders this after phase", "hopper_gemm.h",
          "mbarrier_expect(pipe.full(), LOADED_BYTES)", "mbarrier_expect(pipe.full(), A_BYTES)"),
    Fault("No barrier between mbarrier.init and its use", ORDER, "hazard",
          "without being ordered after the write", "hopper_gemm.h",
          "  if constexpr (SHARING > 1) cluster_barrier();\n  else",
          "  if constexpr (SHARING <= 1)"),
    Fault("Rows and columns of A's box are exchanged", LAYOUT, "wrong",
          "", "hopper_gemm.h",
          "tma_load(to + first * 128, map, inner, outer,",
          "tma_load(to + first * 128, map, outer, inner,"),
    Fault("A CTA ends while a store may still read its box", ORDER, "strict",
          "the CTA may end before this copy has read its shared memory", "hopper_gemm.h",
          "    if (lane == 0) tma_store_wait_read<0>();\n", ""),
    Fault("No __syncwarp before the TMA store", ORDER, "strict",
          "__syncwarp() (bar.warp.sync) by both lanes is missing", "hopper_gemm.h",
          "    fence_proxy_async();\n    __syncwarp();", "    fence_proxy_async();"),
    Fault("SBO is half of what 8 rows take", LAYOUT, "wrong",
          "", "hopper.h", "eight_rows >> 4 << 32", "eight_rows >> 5 << 32"),
    Fault("The descriptor says the 64-byte swizzle", LAYOUT, "wrong",
          "", "hopper.h", "swizzle_bytes == 128 ? 1 : 2", "swizzle_bytes == 128 ? 2 : 1"),
    Fault("C is written without the swizzle", LAYOUT, "wrong",
          "", "output.h", "swizzle_unit(line & 7, unit, 0, 0) * 16", "unit * 16"),
    Fault("The halves of a packed pair are exchanged", LAYOUT, "wrong",
          "", "output.h",
          '"=r"(both) : "f"(high), "f"(low));\n#endif',
          '"=r"(both) : "f"(low), "f"(high));\n#endif'),
    Fault("A part of a tile arrives without release and acquire", ORDER, "hazard",
          "release", _SUMS, "atom.global.inc.acq_rel.gpu", "atom.global.inc.relaxed.gpu"),
    Fault("The first part of a tile takes itself for the last", ORDER, "hazard",
          "without being ordered after the read by warp", _SUMS,
          "if (!last) return false;", ""),
    Fault("Both parts of a tile are kept in one place", LAYOUT, "hazard",
          "without being ordered after", _SUMS,
          "sums + work.part * PART * QUADS * 32", "sums"),
    Fault("Both parts of a tile begin at its first stage", LAYOUT, "wrong",
          "", "hopper_gemm.h", "(work.begin + (backward", "((backward"),
    Fault("The last of two parts adds its own part again", LAYOUT, "wrong",
          "", _SUMS, "part == work.part) continue", "part != work.part) continue"),
    Fault("The last column of tiles is not the first one of its map", LAYOUT, "wrong",
          "", "hopper_gemm.h", "c.whole_tiles ? tile : tile - c.whole_tiles", "1 ? tile : tile"),
    Fault("The first store of a tile does not wait for the last one of the tile before", ORDER,
          "hazard", "wait_group.read by its own warp is missing", "hopper_gemm.h",
          "      if (i == 0 && stores % 2) tma_store_wait_read<0>();\n      else tma",
          "      tma"),
    Fault("B's k step is twice too long", LAYOUT, "hazard",
          "nothing orders this after phase", "", "b + {B}", "b + 2 * {B}"),
)  # fmt: skip
_TRANSPOSED = (
    Fault("A warpgroup's box is overwritten while a store reads it", ORDER, "hazard",
          "cp.async.bulk.commit_group and wait_group.read by warp 4 is missing", "hopper_gemm.h",
          "  if (warp == 0 && lane == 0) tma_store_wait_read<0>();\n  named", "  named"),
    Fault("One warp alone waits until a store has read the box", ORDER, "hazard",
          "fence.proxy.async and a barrier are missing between them", "hopper_gemm.h",
          "  named_barrier<128>(1 + consumer);\n  write", "  write"),
    Fault("A box is stored before all warps have written it", ORDER, "hazard",
          "fence.proxy.async and a barrier are missing between them", "hopper_gemm.h",
          "  named_barrier<128>(1 + consumer);\n  if (warp == 0 && lane == 0) tma_store(",
          "  if (warp == 0 && lane == 0) tma_store("),
    Fault("No fence.proxy.async by the warps that write a box together", ORDER, "hazard",
          "fence.proxy.async is missing between them", "hopper_gemm.h",
          "  fence_proxy_async();\n  named", "  named"),
    Fault("Rows and columns of a box of C transposed are exchanged", LAYOUT, "hazard",
          "wait_group by warp 4 is missing between them", "hopper_gemm.h",
          "tma_store(c, column, row + first,", "tma_store(c, row + first, column,"),
    Fault("The second box of a tile has the columns of the first", LAYOUT, "wrong",
          "", "hopper_gemm.h", "d, first, warp, lane)", "d, 0, warp, lane)"),
)  # fmt: skip
_ALONG_K = (
    Fault("Sums are left in a stage that the other consumer multiplies", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _SUMS,
          "  named_barrier<128 * CONSUMERS>(1 + CONSUMERS);\n", ""),
    Fault("The sums of the other CTA are read before they are there", ORDER, "hazard",
          "nothing orders this after phase 1 of the mbarrier", _SUMS,
          "  cluster_barrier();\n  unsigned slice", "  unsigned slice"),
    Fault("Both CTAs of a tile add the first slice", LAYOUT, "wrong",
          "", _SUMS, "slice = own + rank * (SLICE / 8) * 512", "slice = own"),
    Fault("Both CTAs of a tile multiply the first half of k", LAYOUT, "wrong",
          "", "hopper_tiles.h", "work.begin += first;", ""),
)  # fmt: skip
#: The same of C itself, in slices of 24 columns, of which the last ones of a box are zeros.
_SLICES = (
    Fault("All CTAs of a cluster along k store the first slice", LAYOUT, "hazard",
          "is missing between them", "hopper_gemm.h",
          "place.tile * CLUSTER_K + rank", "place.tile * CLUSTER_K"),
)  # fmt: skip
_IN_PARTS = (
    Fault("A cluster's part of k begins at the first stage of the tile", LAYOUT, "wrong",
          "", "hopper_tiles.h", "work.begin += first;", "work.begin = first;"),
    Fault("Both CTAs of a cluster keep their slices in one place", ORDER, "hazard",
          "without being ordered after", _SUMS,
          "first = (work.slot * CTAS + rank) * WARPS", "first = (work.slot * CTAS) * WARPS"),
)  # fmt: skip
_OF_WAITING = (
    Fault("Sums that another CTA leaves are added before they are there", ORDER, "wrong",
          "", _WAITING, "    if (__any_sync(~0u, !all)) continue;\n", ""),
    Fault("Sums are left for another CTA by stores that are no strong ones", ORDER, "hazard",
          "without being ordered after the write by", _WAITING,
          "st.relaxed.gpu.global.v4.f32", "st.global.v4.f32"),
    Fault("A sum of 0 does not say that it is there", ORDER, "hazard",
          "waits in a loop for others", _WAITING, "x[i] == 0 ? -0.f : x[i]", "x[i]"),
    Fault("All parts of a tile are left in one place", LAYOUT, "hazard",
          "waits in a loop for others", _SUMS, "sums + part * APART + i * 32", "sums + i * 32"),
    Fault("All CTAs of the last cluster add the first slice of what is left", LAYOUT, "hazard",
          "without being ordered after", _SUMS,
          "sums += rank * OF_SLICE * 32", "sums += 0"),
    Fault("The last part of a tile is not added", LAYOUT, "wrong",
          "", _SUMS, "OWN_IS_LAST ? parts - 1 : parts,", "parts - 1,"),
)  # fmt: skip
_ONCE = (
    Fault("C is written to stages that the other consumer multiplies", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", "hopper_gemm.h",
          "  if constexpr (ONCE) named_barrier<128 * CONSUMERS>(1 + CONSUMERS);", ""),
)  # fmt: skip
_ADJACENT = (
    Fault("LBO and SBO of an operand that lies transposed are exchanged", LAYOUT, "wrong",
          "", _PARTS, "box >> 4 << 16 | eight >> 4 << 32", "box >> 4 << 32 | eight >> 4 << 16"),
    Fault("The second box of an operand that lies transposed has the rows of the first", LAYOUT,
          "wrong", "", "hopper_gemm.h", "inner = transposed ? row + first",
          "inner = transposed ? row"),
)  # fmt: skip
LYING = FinishedProblem(256, 384, 704, a_transposed=True, b_transposed=True)
#: Their `host` gives the problem and the tile that they are in.
OF_TRANSPOSED = (
    *(replace(each, host=lambda _: (PROBLEM, TRANSPOSED)) for each in _TRANSPOSED),
    *(replace(each, host=lambda _: (PROBLEM, ALONG_K)) for each in _ALONG_K),
    *(replace(each, host=lambda _: (PROBLEM, SLICES)) for each in _SLICES),
    *(replace(each, host=lambda _: IN_PARTS) for each in _IN_PARTS),
    *(replace(each, host=lambda _: WAITING) for each in _OF_WAITING),
    *(replace(each, host=lambda _: (PROBLEM, ONCE)) for each in _ONCE),
    *(replace(each, host=lambda _: (LYING, Tiling(stages=2, cluster_m=1))) for each in _ADJACENT),
)
#: Of kernels whose consumers take A from shared memory.
PARTS = (
    Fault("A consumer does not wait for a full stage", ORDER, "hazard",
          "which nothing had written", _PARTS,
          "  mbarrier_wait(pipe.full(), pipe.parity);\n", ""),
    Fault("No wgmma.fence", ORDER, "hazard",
          "one is missing before its first wgmma", _PARTS, "  wgmma_fence();\n", ""),
)  # fmt: skip
#: Of those whose sums stay in registers until all of k is multiplied.
MULTIPLIED = (
    *PARTS,
    Fault("D is read before the last wgmma is done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", "",
          "  wgmma_wait<0>();\n  pin_blocks(d);\n  for (; before", "  for (; before"),
    Fault("A stage is released before wgmma has read it", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", "", "      wgmma_wait<AHEAD>();\n", ""),
    Fault("Every stage overwrites D", LAYOUT, "wrong",
          "", _PARTS, "add || step > 0", "step > 0"),
    Fault("Both consumers multiply the same rows", LAYOUT, "wrong",
          "", _PARTS, "pipe.a() + consumer * ROWS * 128", "pipe.a()"),
)  # fmt: skip
SS = (
    *MULTIPLIED,
    Fault("No wgmma.commit_group", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _PARTS, "  wgmma_commit();\n", ""),
    Fault("A stage is released while one more may be in the tensor core", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", "",
          "wgmma_wait<AHEAD>", "wgmma_wait<AHEAD + 1>"),
    Fault("D is added to before it is zero", LAYOUT, "hazard",
          "undefined bits 0xffffffff decide the matrix operand", "",
          "descriptor<B_TRANSPOSED>(pipe.b()), false);",
          "descriptor<B_TRANSPOSED>(pipe.b()), true);"),
)  # fmt: skip
TS = (
    Fault("A consumer does not wait for a full stage", ORDER, "hazard",
          "undefined bits 0xffffffff decide the matrix operand", "",
          "  mbarrier_wait(pipe.full(), pipe.parity);\n", ""),
    Fault("One warp releases for what four have read", ORDER, "hazard",
          "without being ordered after the read by warp", "",
          "RELEASING_WARPS = 4", "RELEASING_WARPS = 1"),
    Fault("No wgmma.fence", ORDER, "hazard",
          "one is missing before its first wgmma", "", "  wgmma_fence();\n", ""),
    Fault("A's registers are loaded while wgmma reads them", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", "",
          "load(odd, pipe, consumer, warp, lane);\n    multiply(d, odd,",
          "load(even, pipe, consumer, warp, lane);\n    multiply(d, even,"),
    Fault("D is read before the last wgmma is done", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", "", "  wgmma_wait<0>();\n  pin_blocks(d);\n", ""),
    Fault("A stage is released before wgmma has read B", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", "",
          "    wgmma_wait<1>();\n    if (block > 0)", "    if (block > 0)"),
    Fault("Every stage overwrites D", LAYOUT, "wrong",
          "", "", "add || step > 0", "step > 0"),
    Fault("A fragment is loaded for every other k step", LAYOUT, "wrong",
          "", "", "step * STEP + k, 0)", "(step & 2) * STEP + k, 0)"),
    Fault("The registers of A's upper and lower rows are exchanged", LAYOUT, "wrong",
          "", "", "fragment_row(warp, to, r, element)", "fragment_row(warp, to, r ^ 1, element)"),
)  # fmt: skip


def faults(kernel: str) -> tuple[Fault, ...]:
    """Those of both kernels, with the name that a source has for a step of B, and its own."""
    step, file = ("b_step", _PARTS) if kernel == "ss_gemm" else ("descriptor_step(step * STEP)", "")
    shared = [
        replace(each, file=file, old=each.old.format(B=step), new=each.new.format(B=step))
        if "{B}" in each.old
        else each
        for each in SHARED
    ]
    return (*shared, *((*OF_TRANSPOSED, *SS) if kernel == "ss_gemm" else TS))


def outcome(kernel: str, texts: Mapping[str, str], other: Any, strict: bool) -> float:
    """Which part of C is wrong; `other` gives another problem and tile than these."""
    problem, tiling = other((PROBLEM, TILING)) if other else (PROBLEM, TILING)
    a, b, expected = integers(problem)
    a, b = (
        np.ascontiguousarray(each.T) if transposed else each
        for each, transposed in zip((a, b), problem.transposed, strict=True)
    )
    c = np.zeros((problem.m, problem.n), ml_dtypes.bfloat16)
    made = host(kernel).KERNEL
    device: Any = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    module = device.load(made.compile(problem, tiling, texts))
    operands = [adopted(device, *each) for each in zip((a, b, c), "ABC", strict=True)]
    made.launch(device, module, problem, tiling, *operands, multiprocessors=4).run()
    return float((c != expected).mean())


SUITES = (
    Suite("ss_gemm", "sm_90a", faults("ss_gemm"), partial(outcome, "ss_gemm"), QUICK),
    Suite(
        "ts_gemm",
        "sm_90a",
        faults("ts_gemm"),
        partial(outcome, "ts_gemm"),
        ("One warp releases for what four have read",),
    ),
)
