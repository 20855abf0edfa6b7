"""The spaces of the variants' maps. Each source's file builds its maps in these.

Axes have the variants' names, because claims and models are compared cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space

WAVE = 64
WARP = 32
# Four warps, the lane of taddr that each passes, and its threads; which lane each reaches.
ACCESS = Space("access", (("warp", 4), ("taddr_lane", 128), ("lane", 32)))
REACHED = Space("tmem", (("lane", 128),))
# (lane, element of its registers) to (lane whose chunk, element of the chunk); -1 for unsaid.
ElementRule = Callable[[Any, Any], tuple[Any, Any]]
# (thread, register) to (lane, column) of tensor memory, relative to taddr.
Placement = Callable[[Any, Any], tuple[Any, Any]]


def transpose_read(element_bits: int, rule: ElementRule) -> LayoutMap:
    """The map on bits of an LDS transpose read of gfx950 from a rule on elements.

    Args:
        element_bits: 16, 8, 4 or 6; elements follow each other, low bits first.
        rule: Where each element comes from.

    Returns:
        "register": lane 64, register 2 (3 for 6 bits), bit 32; "chunk": lane 64, bit 64 (96).
    """
    bits = 96 if element_bits == 6 else 64
    register = Space("register", (("lane", WAVE), ("register", bits // 32), ("bit", 32)))
    chunk = Space("chunk", (("lane", WAVE), ("bit", bits)))

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        giver, element = rule(lane, place // element_bits)
        said = (np.asarray(giver) >= 0) & (np.asarray(element) >= 0)
        inside = element * element_bits + place % element_bits
        return {"lane": np.where(said, giver, UNDEFINED), "bit": np.where(said, inside, UNDEFINED)}

    return LayoutMap.from_function(register, chunk, source)


def fragment(registers: int) -> Space:
    """The registers of a warp: lane 32, register, bit 32."""
    return Space("register", (("lane", WARP), ("register", registers), ("bit", 32)))


def tensor_memory(lanes: int, columns: int, ctas: int = 1) -> Space:
    """Tensor memory: (cta,) lane, column, bit 32."""
    axes = (("lane", lanes), ("column", columns), ("bit", 32))
    return Space("tmem", (("cta", ctas), *axes) if ctas > 1 else axes)


def load(registers: int, lanes: int, columns: int, halves: bool, place: Placement) -> LayoutMap:
    """The map of a `tcgen05.ld` from where each register of a thread lies.

    Args:
        registers: Registers of a thread.
        lanes: Lanes of tensor memory reached.
        columns: 32-bit columns reached without `halves`; twice as many with it.
        halves: `.pack::16b`: half h of a register at column c lies in the low half of 2*c + h.
        place: Lane and column of a register, without `halves`.

    Returns:
        "register" lane 32, register, bit 32; "tmem" lane, column, bit 32.
    """

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        to_lane, column = place(lane, register)
        if not halves:
            return {"lane": to_lane, "column": column, "bit": bit}
        return {"lane": to_lane, "column": 2 * column + bit // 16, "bit": bit % 16}

    tmem = tensor_memory(lanes, columns * (2 if halves else 1))
    return LayoutMap.from_function(fragment(registers), tmem, source)


def as_direction(operation: str, loaded: LayoutMap) -> LayoutMap:
    """The map of "ld" as it is, that of "st" the other way."""
    return loaded if operation == "ld" else loaded.inverse()


def matrix(along: str, across: str, rows: int, columns: int, bits: int) -> Space:
    """A matrix: two named axes and the bits of an element."""
    return Space("matrix", ((along, rows), (across, columns), ("bit", bits)))


def lanes_are_rows(columns: int) -> LayoutMap:
    """D of M = 128 in tensor memory: a row in each lane, a column in each column."""
    return LayoutMap.from_function(
        tensor_memory(128, columns),
        matrix("row", "column", 128, columns, 32),
        lambda lane, column, bit: {"row": lane, "column": column, "bit": bit},
    )


def lane_zero_reaches_own_quadrant() -> LayoutMap:
    """A taddr of lane 0 reaches the warp's own 32 lanes from every warp."""

    def reached(warp: Any, taddr_lane: Any, lane: Any) -> dict[str, Any]:
        return {"lane": np.where(taddr_lane == 0, 32 * warp + lane, UNDEFINED)}

    return LayoutMap.from_function(ACCESS, REACHED, reached)
