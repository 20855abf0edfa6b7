"""Faults of fp8_gemm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.tiling import Tiling
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite
from tests.kernels.faults.blackwell_gemm import COMMON
from tests.kernels.faults.hopper_gemm import PARTS
from tests.kernels.scaled import computed_with, exact, kernel_of, problem_of

#: Ten blocks of k in two stages; a cluster has two tiles in turn, the second through k backward.
PROBLEM = problem_of(512, 512, 1280, "float32")
HOPPER_TILING = Tiling(columns=256, stages=2)
BLACKWELL_TILING = BlackwellTiling(columns=128, stages=2, cluster_m=2)
_STAGES, _PARTS, _SUMS = "hopper_scaled.h", "hopper_parts.h", "blackwell_blocks.h"
_SCALES = "block_scales.h"


def narrow(tiling: Tiling) -> Tiling:
    """A tile of one part: its stages are added while the next one is multiplied."""
    return replace(tiling, columns=128, stages=4)


#: Of how scales lie, for every target.
SCALES = (
    Fault("Scales of A are read behind its last row", LAYOUT, "hazard",
          "outside", _SCALES, "min(row, rows - 1)", "row + rows"),
    Fault("Strides of A's scales are exchanged", LAYOUT, "wrong", "", _SCALES,
          "at * a_row + static_cast<unsigned long long>(block) * a_block",
          "at * a_block + static_cast<unsigned long long>(block) * a_row"),
    Fault("A block of B has the scale of 64 rows", LAYOUT, "wrong", "", _SCALES,
          "column / 128", "column / 64"),
    Fault("B's scales do not follow k", LAYOUT, "wrong", "", _SCALES,
          "at * b_row + static_cast<unsigned long long>(block) * b_block", "at * b_row"),
)  # fmt: skip
HOPPER = (
    *SCALES,
    *PARTS,
    Fault("A part is added before it is complete", ORDER, "hazard",
          "a wait for its wgmma-group", _STAGES,
          "      wgmma_wait<0>();\n    }\n    pin(d[part % 2][0]);\n",
          "    }\n    pin(d[part % 2][0]);\n"),
    Fault("A stage is released before its last part is multiplied", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _STAGES,
          "if (part == PARTS - 1) release", "if (part == PARTS - 2) release"),
    Fault("A stage is never released", ORDER, "hazard", "lacks", _STAGES,
          "    if (part == PARTS - 1) release(pipe.empty(), warp, lane);\n", ""),
    Fault("A stage is released by each part", ORDER, "hazard",
          "wgmma.wait_group for it", _STAGES, "if (part == PARTS - 1) release", "release"),
    Fault("A part is added while it is in the tensor core", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _STAGES,
          "begin(d[(part + 1) % 2], pipe, a, part + 1);\n      wgmma_wait<1>();\n",
          "begin(d[(part + 1) % 2], pipe, a, part + 1);\n"),
    Fault("The sum of the part that comes next is added", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _STAGES,
          "add(sum, d[part % 2], part, scales);", "add(sum, d[(part + 1) % 2], part, scales);"),
    Fault("The tensor core goes on from the stage before", ARITHMETIC, "hazard",
          "decide", _STAGES, "multiply(d, a, b, false)", "multiply(d, a, b, true)"),
    Fault("Every stage overwrites the sum", ARITHMETIC, "wrong", "", _STAGES,
          "scale[line_of(i)], own)", "scale[line_of(i)], 0)"),
    Fault("A stage has the scales of one that comes later", LAYOUT, "wrong", "", _STAGES,
          "      StageScales now = ahead[i];\n"
          "      ahead[i].load(scales, share, first + i + AHEAD, warp, lane);\n",
          "      ahead[i].load(scales, share, first + i + AHEAD, warp, lane);\n"
          "      StageScales now = ahead[i];\n"),
    Fault("Scales go forward where k goes backward", LAYOUT, "wrong", "", _STAGES,
          "stage = share.stage(i);", "stage = share.begin + i;"),
    Fault("Both rows of a thread have the first one's scale", LAYOUT, "wrong", "", _STAGES,
          "scale[line_of(i)], own)", "scale[0], own)"),
    Fault("Both halves of a tile have the first one's scale of B", LAYOUT, "wrong", "", _STAGES,
          "scales.b[part]", "scales.b[0]"),
    Fault("Both consumers have the scales of the first one's rows", LAYOUT, "wrong", "",
          "hopper_gemm.h", "place.row + consumer * ROWS,\n                     place.column};",
          "place.row,\n                     place.column};"),
    Fault("The second half of a tile multiplies the first half of B", LAYOUT, "wrong", "", _STAGES,
          " + part * PART_N / 64 * descriptor_block()", ""),
    Fault("A stage is added while it is in the tensor core", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _STAGES,
          "wait_for_rows(pipe, consumer), 0);\n      wgmma_wait<1>();\n",
          "wait_for_rows(pipe, consumer), 0);\n", narrow),
    Fault("A stage is released while it is in the tensor core", ORDER, "hazard",
          "without being ordered after `wgmma.mma_async", _STAGES,
          "    unsigned empty = pipe.empty();\n",
          "    unsigned empty = pipe.empty();\n    release(empty, warp, lane);\n", narrow),
    Fault("The sum of the stage that comes next is added", ORDER, "hazard",
          "is accessed while `wgmma.mma_async", _STAGES,
          "add(sum, d[i % 2], 0, scales[i]);", "add(sum, d[(i + 1) % 2], 0, scales[i]);", narrow),
    Fault("A stage has the scales of the one after it", LAYOUT, "wrong", "", _STAGES,
          "add(sum, d[i % 2], 0, scales[i]);", "add(sum, d[i % 2], 0, scales[(i + 1) % AHEAD]);",
          narrow),
)  # fmt: skip
#: Of `COMMON`, what a stage does to D is another thing here.
_OTHERS = ("Every stage overwrites D", "D is added to before it is zero")
BLACKWELL = (
    *(each for each in COMMON if each.name not in _OTHERS),
    *SCALES,
    Fault("Accumulators hold two stages, of which one is added", ARITHMETIC, "hazard",
          "lacks", _SUMS, "block < k_blocks; ++block)\n    accumulate(pipe, sum, 1,",
          "block < k_blocks; block += 2)\n    accumulate(pipe, sum, 2,"),
    Fault("The tensor core goes on from the stage before", ARITHMETIC, "hazard",
          "decide the matrix operand", _SUMS, "DESCRIPTOR, step > 0)", "DESCRIPTOR, true)"),
    Fault("Every stage overwrites the sum", ARITHMETIC, "wrong", "", _SUMS,
          "scale[line_of(i)], own)", "scale[line_of(i)], 0)"),
    Fault("A stage has the scales of the one before", LAYOUT, "wrong", "", _SUMS,
          "scales, place, block + 1, rank", "scales, place, block, rank"),
    Fault("The second CTA has the first one's scales of A", LAYOUT, "wrong", "", _SUMS,
          "Part part = {int(rank), int(warp), 0};\n#pragma unroll\n    for (int line",
          "Part part = {0, int(warp), 0};\n#pragma unroll\n    for (int line"),
    Fault("All warps have the first one's scales of A", LAYOUT, "wrong", "", _SUMS,
          "Part part = {int(rank), int(warp), 0};\n#pragma unroll\n    for (int line",
          "Part part = {int(rank), 0, 0};\n#pragma unroll\n    for (int line"),
    Fault("Boxes do not take turns from tile to tile", ORDER, "hazard",
          "wait_group.read by its own warp is missing", _SUMS, "++i, turn ^= 1)", "++i)"),
    Fault("Tensor memory is freed while the epilogue loads it", ORDER, "hazard",
          "deallocates tensor memory", "blackwell_gemm.h",
          "  barrier_of_all();\n  if (warp == MMA_WARP) free", "  if (warp == MMA_WARP) free"),
)  # fmt: skip


def outcome(target: str, texts: Mapping[str, str], change: Any, strict: bool) -> float:
    """Which part of C is wrong; `change` makes another tile of the one that is computed."""
    tiling = HOPPER_TILING if target == "sm_90a" else BLACKWELL_TILING
    tiling = change(tiling) if change else tiling
    given, expected = exact(PROBLEM)
    text = kernel_of(target).compile(PROBLEM, tiling, texts)
    c = computed_with(text, target, PROBLEM, tiling, given, strict=strict, multiprocessors=2)
    return float(np.mean(c != expected))


SUITES = (
    Suite("fp8_gemm", "sm_90a", HOPPER, partial(outcome, "sm_90a"),
          ("Scales go forward where k goes backward",)),
    Suite("fp8_gemm", "sm_100a", BLACKWELL, partial(outcome, "sm_100a"), ()),
)  # fmt: skip
