"""DeepGEMM on Blackwell: its epilogue, and the scales of its pairs of CTAs.

All four warps of the epilogue load with the same address, lane 0: `sm100_store_cd` adds nothing for
the warp to the tensor-memory address (it does in debug builds, for the simulator), loads 32x32b,
and stores thread t of warp w as row 32*w + t: D of M = 128.

`sm100_fp8_gemm_1d1d` multiplies with M = 256 over two CTAs. Each loads the scales of its own 128
rows of A, and those of all BLOCK_N rows of B, as rows of 16 bytes, four scales of row r + 32*i in
word i; one thread then copies both CTAs' by UTCCP_4x32dp128bit_2cta. Word i becomes column i in the
lanes of all four warps. The scales are UE8M0, one for 32 elements, and byte k is that of step k.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import lane_zero_reaches_own_quadrant, lanes_are_rows, tensor_memory
from lanemap.layout import UNDEFINED, LayoutMap, Space

_FILE = "deepseek-ai/DeepGEMM, deep_gemm/include/deep_gemm/epilogue/sm100_store_cd.cuh at ed83aa2"
_SCALES = (
    "deepseek-ai/DeepGEMM, deep_gemm/include/deep_gemm/impls/sm100_fp8_gemm_1d1d.cuh at 18cd5aa"
)


def _scales(match: re.Match[str]) -> LayoutMap:
    """The scales of a pair: step k's in byte k of the columns of a CTA's own rows, or of all N."""
    step, of_a = int(match["id"]), match["n"] is None
    rows = 128 if of_a else int(match["n"])
    tmem = tensor_memory(128, rows // 32, 2)
    axes = (("row", 2 * rows if of_a else rows), ("block", 1), ("bit", 8))
    held = Space("scales", axes if of_a else (("half", 2), *axes))

    def source(cta: Any, lane: Any, column: Any, bit: Any) -> dict[str, Any]:
        # A word of 4 steps is a column: word i of a row of 16 bytes in lanes r, r + 32, ..
        row = lane % 32 + 32 * column
        found = {"row": row + rows * cta} if of_a else {"half": cta, "row": row}
        block = np.where(bit // 8 == step, 0, UNDEFINED)
        return found | {"block": block, "bit": bit % 8}

    return LayoutMap.from_function(tmem, held, source)


STATEMENTS = (
    Statement(
        "DeepGEMM",
        _FILE,
        Level.HW_RUN,
        r"tcgen05\.ld\.32x32b:taddr",
        lambda match: lane_zero_reaches_own_quadrant(),
    ),
    Statement(
        "DeepGEMM",
        _FILE,
        Level.HW_RUN,
        r"tcgen05\.mma\.cta_group::1\.m128n(?P<n>\d+)\.f32:D",
        lambda match: lanes_are_rows(int(match["n"])),
        reading="thread t of warp w stores what it loads as row 32*w + t",
    ),
    Statement(
        "DeepGEMM",
        _SCALES,
        Level.HW_RUN,
        r"tcgen05\.mma\.cta_group::2\.m256(?:\.n(?P<n>\d+))?\.scale_vec::1X\.id(?P<id>\d)"
        r":SF[AB]",
        _scales,
        reading="transposed words of four steps, copied to the lanes of all four warps",
    ),
)
