"""Triton's tiles of ldmatrix and stmatrix, as linear layouts.

`lowerLdStMatrix` builds a tile from bits of (register element, lane) to bits of (offset in a row,
address), the lowest bits first. An address is the number of the lane that gives it.
"""

from __future__ import annotations

import re
from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import WARP, fragment
from lanemap.layout import LayoutMap, Space

_CODE = (
    "triton-lang/triton, third_party/nvidia/lib/TritonNVIDIAGPUToLLVM/Utility.cpp, "
    "lowerLdStMatrix (fullTile)"
)
# By element width, transposition and direction: where each bit of a thread's element number goes,
# and where each bit of the lane goes; further bits of the element number are matrices.
_TILES: dict[tuple[int, bool, bool], tuple[str, str]] = {
    (16, False, True): ("o", "ooaaa"),
    (16, False, False): ("o", "ooaaa"),
    (16, True, True): ("a", "aaooo"),
    (16, True, False): ("a", "aaooo"),
    (8, True, True): ("aao", "aaooo"),
    (8, True, False): ("ao", "aaooo"),
}


def _tile(match: re.Match[str]) -> LayoutMap:
    """The map of a load, or that of a store turned around."""
    bits, trans = int(match["bits"]), match["trans"] is not None
    load, count = match["op"] == "ldmatrix", int(match["count"])
    elements, lanes = _TILES[bits, trans, load]
    registers = count * (2 if load and bits == 8 else 1)
    chunk = Space("chunk", (("lane", WARP), ("bit", 128)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        element = (32 * register + bit) // bits
        # In the order in which the tile is multiplied together: each factor takes the next bits.
        order = _factors(elements, lanes, trans)
        place = {"o": 0 * element, "a": 0 * element}
        taken = {"o": 0, "a": 0}
        for side, position in order:
            to = (elements if side == "e" else lanes)[position]
            value = ((element if side == "e" else lane) >> position) & 1
            place[to] = place[to] + (value << taken[to])
            taken[to] += 1
        address = place["a"] + ((element >> len(elements)) << taken["a"])
        return {"lane": address, "bit": bits * place["o"] + bit % bits}

    loaded = LayoutMap.from_function(fragment(registers), chunk, source)
    return loaded if load else loaded.inverse()


def _factors(elements: str, lanes: str, trans: bool) -> list[tuple[str, int]]:
    """The bits of element ("e") and lane ("l") in the order of the tile's factors.

    Plain: registers to offsets, lanes to offsets, lanes to addresses. Transposed: registers to
    addresses, lanes to addresses, lanes to offsets, registers to offsets.
    """
    rounds = "ao" if trans else "oa"
    found: list[tuple[str, int]] = []
    for to in rounds:
        own = [("e", position) for position, where in enumerate(elements) if where == to]
        others = [("l", position) for position, where in enumerate(lanes) if where == to]
        found += others + own if trans and to == "o" else own + others
    return found


STATEMENTS = (
    Statement(
        "Triton, NVIDIA back end",
        _CODE,
        Level.HW_CI,
        r"(?P<op>ldmatrix|stmatrix)\.sync\.aligned\.m8n8\.x(?P<count>[124])(?P<trans>\.trans)?"
        r"\.shared\.b(?P<bits>16)",
        _tile,
    ),
    Statement(
        "Triton, NVIDIA back end",
        _CODE,
        Level.HW_CI,
        r"(?P<op>ldmatrix|stmatrix)\.sync\.aligned\.m16n(?:16|8)\.x(?P<count>[124])(?P<trans>\.trans)"
        r"\.shared\.b(?P<bits>8)",
        _tile,
    ),
)
