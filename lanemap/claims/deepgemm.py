"""DeepGEMM's epilogue on Blackwell: all four warps load with the same address, lane 0.

`sm100_store_cd` adds nothing for the warp to the tensor-memory address (it does in debug builds,
for the simulator), loads 32x32b, and stores thread t of warp w as row 32*w + t: D of M = 128.
"""

from __future__ import annotations

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import lane_zero_reaches_own_quadrant, lanes_are_rows

_FILE = "deepseek-ai/DeepGEMM, deep_gemm/include/deep_gemm/epilogue/sm100_store_cd.cuh at ed83aa2"


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
)
