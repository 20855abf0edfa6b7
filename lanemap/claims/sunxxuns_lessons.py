"""The formula that the same fork noted down: output[k] = LDS[(base >> 3) + 16*k].

It speaks of addresses 8*lane, where base >> 3 is the lane; it holds for the first 16 lanes.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import LayoutMap


def _read(match: re.Match[str]) -> LayoutMap:
    def rule(lane: Any, element: Any) -> tuple[Any, Any]:
        base = 8 * lane
        address = (base >> 3) + 16 * element
        return address // 8, address % 8

    return transpose_read(8, rule)


STATEMENTS = (
    Statement(
        "sunxxuns/aiter, .lessons",
        "sunxxuns/aiter, .lessons and comments of hsa/gfx950/fmha_v3_fwd_fp8: "
        "output[k] = LDS[(base >> 3) + k*16]",
        Level.DOCUMENT,
        r"ds_read_b64_tr_b8",
        _read,
        reading="with base = 8*lane, the byte at an address lies in the chunk of lane address/8",
        condition="lane l gives the address 8*l",
    ),
)
