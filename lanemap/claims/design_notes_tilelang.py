"""The TileLang design notes that this project grew from: P stored with `.unpack::16b`.

They store the bf16 P of a chained GEMM by `tcgen05.st` with `.unpack::16b`, one element to a
column, where the MMA reads A two elements to a column.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import matrix, tensor_memory
from lanemap.layout import UNDEFINED, LayoutMap


def _unpacked(match: re.Match[str]) -> LayoutMap:
    """Element k alone in column k, low half; 8 of the 16 elements fit the operand's columns."""

    def source(lane: Any, column: Any, bit: Any) -> dict[str, Any]:
        return {"row": lane, "k": column, "bit": np.where(bit < 16, bit, UNDEFINED)}

    return LayoutMap.from_function(tensor_memory(128, 8), matrix("row", "k", 128, 16, 16), source)


STATEMENTS = (
    Statement(
        "design notes, TileLang",
        "design notes that the project grew from: tcgen05.st and gemm_ts, section 4",
        Level.DOCUMENT,
        r"tcgen05\.mma\.cta_group::1\.kind::f16\.m128\.(?:f16|bf16):A",
        _unpacked,
        reading="what .unpack::16b leaves in the 8 columns that the MMA reads",
    ),
)
