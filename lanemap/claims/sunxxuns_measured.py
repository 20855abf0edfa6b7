"""Three lanes of `ds_read_b64_tr_b8` that the author of a public fork of AITER measured.

LDS[i] = i % 256, and lane l gives the address 8*l. A byte that was read is thus its own address,
and address / 8 is the lane whose chunk it lies in.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import UNDEFINED, LayoutMap

READ = {
    0: (0, 16, 32, 48, 64, 80, 96, 112),
    1: (1, 17, 33, 49, 65, 81, 97, 113),
    8: (8, 24, 40, 56, 72, 88, 104, 120),
}


def _read(match: re.Match[str]) -> LayoutMap:
    addresses = np.full((64, 8), UNDEFINED)
    for lane, values in READ.items():
        addresses[lane] = values

    def rule(lane: Any, element: Any) -> tuple[Any, Any]:
        address = addresses[lane, element]
        said = address >= 0
        return np.where(said, address // 8, UNDEFINED), np.where(said, address % 8, UNDEFINED)

    return transpose_read(8, rule)


STATEMENTS = (
    Statement(
        "sunxxuns/aiter, measured lanes",
        "sunxxuns/aiter at a5559151, hsa/gfx950/fmha_v3_fwd_fp8: lanes 0, 1 and 8 on an MI355X",
        Level.HW,
        r"ds_read_b64_tr_b8",
        _read,
        reading="of bytes 0 to 127 a value is its own address; the other lanes are unsaid",
    ),
)
