"""AITER's FP8 MLA kernel: the V read that makes its product right.

`make_layout_rv` gives each lane the address of 8 contiguous dims of one token; the comment says
which token and dim every element of the MFMA operand must be. Tokens lie in lines of 4 blocks.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import LayoutMap

LANES, BYTES = 64, 8
LINES = 4


def _given(lane: int) -> tuple[int, int, int]:
    """Line, token in the line, and first dim of the chunk whose address a lane gives."""
    group, inside = divmod(lane, 16)
    high, low = divmod(inside, 2)
    return high % LINES, group + LINES * (high // LINES), 8 * low


def _needed(lane: int, element: int) -> tuple[int, int, int]:
    """Line, token in the line, and dim that element `element` of a lane's operand must be."""
    return element % LINES, LINES * (element // LINES) + lane // 16, lane % 16


def _read(match: re.Match[str]) -> LayoutMap:
    chunks = {_given(lane): lane for lane in range(LANES)}
    givers = np.zeros((LANES, BYTES), dtype=np.int64)
    offsets = np.zeros((LANES, BYTES), dtype=np.int64)
    for lane in range(LANES):
        for element in range(BYTES):
            line, token, dim = _needed(lane, element)
            givers[lane, element] = chunks[line, token, dim - dim % 8]
            offsets[lane, element] = dim % 8

    def rule(lane: Any, element: Any) -> tuple[Any, Any]:
        return givers[lane, element], offsets[lane, element]

    return transpose_read(8, rule)


STATEMENTS = (
    Statement(
        "AITER opus MLA",
        "ROCm/aiter, opus MLA decode kernel for gfx950 with FP8 V, make_layout_rv",
        Level.HW_CI,
        r"ds_read_b64_tr_b8",
        _read,
        reading="the one map that brings the dims and tokens that the product needs from the "
        "chunks that the lanes address",
    ),
)
