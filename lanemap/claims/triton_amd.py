"""Triton's AMD back end: how it lays out lane addresses for LDS transpose reads of CDNA4.

`lowerDsReadTr` describes an instruction by a linear map from the destination register's element
and lane to an offset inside a chunk and the lane that gives the chunk's address. The lowest lane
bits, as many as elements of a chunk have bits of index, are the offset. The address lane is made
of, in this order: the next lane bits within the group of 16, the element's bits, the other lane
bits.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import LayoutMap

GROUP_BITS = 4
LANE_BITS = 6


def _read(match: re.Match[str]) -> LayoutMap:
    bits = int(match["bits"])
    offset_bits = (64 // bits).bit_length() - 1

    def rule(lane: Any, element: Any) -> tuple[Any, Any]:
        address = 0 * lane
        inputs = [lane >> bit for bit in range(offset_bits, GROUP_BITS)]
        inputs += [element >> bit for bit in range(offset_bits)]
        inputs += [lane >> bit for bit in range(GROUP_BITS, LANE_BITS)]
        for position, value in enumerate(inputs):
            address = address | ((value & 1) << position)
        return address, lane & ((1 << offset_bits) - 1)

    return transpose_read(bits, rule)


STATEMENTS = (
    Statement(
        "Triton, AMD back end",
        "triton-lang/triton, third_party/amd/lib/TritonAMDGPUToLLVM/MemoryOpToLLVM.cpp, "
        "lowerDsReadTr: fullTile for CDNA4",
        Level.HW_CI,
        r"ds_read_b64_tr_b(?P<bits>16|8)",
        _read,
    ),
)
