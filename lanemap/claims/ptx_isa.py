"""NVIDIA's PTX ISA, where it contradicts itself or other sources contradict it.

16x32bx2: the text has two accesses of shape 16x32b, both on 16 lanes; the figure draws the
fragment of threads 16 to 31 on lanes 16 to 31. The lane field of taddr: the text demands the lane
of the warp's own quadrant.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import ACCESS, REACHED, as_direction, load
from lanemap.layout import UNDEFINED, LayoutMap

_ISA = "NVIDIA PTX ISA, tcgen05 {}"
_SPLIT = r"tcgen05\.(?P<op>ld|st)\.16x32bx2\.x(?P<repeat>\d+)(?P<halves>\.(?:pack|unpack)::16b)?"


def _split(lanes: int, match: re.Match[str]) -> LayoutMap:
    """The two halves of a warp, on 16 lanes or on 32."""
    repeat = int(match["repeat"])
    loaded = load(
        repeat,
        lanes,
        2 * repeat,
        match["halves"] is not None,
        lambda thread, register: (thread % lanes, register + repeat * (thread // 16)),
    )
    return as_direction(match["op"], loaded)


def _own_quadrant(match: re.Match[str]) -> LayoutMap:
    """32 lanes from the lane in taddr, which must be the first of the warp's own 32."""

    def reached(warp: Any, taddr_lane: Any, lane: Any) -> dict[str, Any]:
        return {"lane": np.where(taddr_lane == 32 * warp, taddr_lane + lane, UNDEFINED)}

    return LayoutMap.from_function(ACCESS, REACHED, reached)


STATEMENTS = (
    Statement(
        "PTX ISA, text",
        _ISA.format("data movement shapes and tcgen05.ld: .16x32bx2 is two accesses of .16x32b"),
        Level.ISA,
        _SPLIT,
        lambda match: _split(16, match),
        reading="imm puts the second access after the first",
    ),
    Statement(
        "PTX ISA, figure of 16x32bx2",
        _ISA.format("data movement shapes: figure of the matrix fragment for shape .16x32bx2"),
        Level.ISA,
        _SPLIT,
        lambda match: _split(32, match),
        reading="the figure's lanes 16 to 31 taken for those of threads 16 to 31; imm as above",
    ),
    Statement(
        "PTX ISA, text",
        _ISA.format(
            "tensor memory access: a warp reaches the 32 lanes of its quadrant, by address"
        ),
        Level.ISA,
        r"tcgen05\.ld\.32x32b:taddr",
        _own_quadrant,
        reading="any other lane in taddr is outside what the text allows",
    ),
)
