"""FlashMLA on Blackwell: all four warps pass lane 0, or 16 for the upper half of a quadrant."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import ACCESS, REACHED
from lanemap.layout import UNDEFINED, LayoutMap


def _low_lanes(match: re.Match[str]) -> LayoutMap:
    def reached(warp: Any, taddr_lane: Any, lane: Any) -> dict[str, Any]:
        within = taddr_lane + lane
        said = ((taddr_lane == 0) | (taddr_lane == 16)) & (within < 32)
        return {"lane": np.where(said, 32 * warp + within, UNDEFINED)}

    return LayoutMap.from_function(ACCESS, REACHED, reached)


STATEMENTS = (
    Statement(
        "FlashMLA",
        "deepseek-ai/FlashMLA at 9241ae3, csrc/sm100: its tensor-memory loads and stores",
        Level.HW_RUN,
        r"tcgen05\.ld\.32x32b:taddr",
        _low_lanes,
        reading="lane 16 is passed with 16-lane shapes, of which lanes 0 to 15 are counted here",
    ),
)
