"""Scales of block-scaled `mma.sync`: which byte of which thread scales which elements.

Each row of A and each column of B is cut along k into as many blocks as `.scale_vec` says, and each
block has a scale of 8 bits. A register of every thread holds them; two selectors say which of its
bytes count, and those of which threads of a quad:

* Two threads of a quad scale A: with `thread` s they are 2*s for row g = lane/4 and 2*s + 1 for row
  g + 8. One scales B: `thread` itself for column g.
* `byte` is the byte of the first block; that of block b is `byte` + b.

The selectors of the ISA are `{byte-id, thread-id}`. Which thread of a pair has row g, its figure
shows; CUTLASS (mma_traits_sm120.hpp, SFALayout) has the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.mma_sync import LANES, NARROW
from lanemap.model.variant import Variant
from lanemap.targets import modeled

#: Rows of A and columns of B.
LINES = {"A": 16, "B": 8}
#: Threads of a quad that can be selected.
THREADS = {"A": 2, "B": 4}
#: Legal first bytes by the number of blocks.
BYTES = {1: (0, 1, 2, 3), 2: (0, 2), 4: (0,)}


def scale_name(operand: str, blocks: int, byte: int, thread: int) -> str:
    """The variant's name: `mma.sync.m16.scale_vec::2X.byte2.thread1:SFA`.

    Args:
        operand: "A" or "B".
        blocks: Blocks along k: N of `.scale_vec::NX`.
        byte: The selector byte-id.
        thread: The selector thread-id.
    """
    side = f"{'m' if operand == 'A' else 'n'}{LINES[operand]}"
    return f"mma.sync.{side}.scale_vec::{blocks}X.byte{byte}.thread{thread}:SF{operand}"


def selectors(operand: str, blocks: int) -> Iterator[tuple[int, int]]:
    """Every legal pair of byte-id and thread-id (PTX ISA, Block Scaling for mma.sync)."""
    return ((byte, thread) for byte in BYTES[blocks] for thread in range(THREADS[operand]))


def scale_map(operand: str, blocks: int, byte: int, thread: int) -> LayoutMap:
    """The register of scales and the blocks that they scale: matrix row or column, block, bit 8."""
    register = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))
    axis = "row" if operand == "A" else "column"
    matrix = Space("matrix", ((axis, LINES[operand]), ("block", blocks), ("bit", 8)))
    threads = LINES[operand] // 8

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        own, block = lane % 4 - threads * thread, bit // 8 - byte
        given = (own >= 0) & (own < threads) & (block >= 0) & (block < blocks)
        line = lane // 4 + 8 * own
        return {axis: line, "block": np.where(given, block, UNDEFINED), "bit": bit % 8}

    return LayoutMap.from_function(register, matrix, source)


def variants() -> list[Variant]:
    """The scales of A and of B for every number of blocks and every pair of selectors."""
    targets = modeled(NARROW)
    words = {"A": "row l/4 + 8*(l%2) of lane l", "B": "column l/4 of lane l"}
    return [
        Variant(
            name=scale_name(operand, blocks, byte, thread),
            targets=targets,
            family="mma.sync scales",
            formula=f"byte {byte} + b: block b of {words[operand]}, where "
            + (f"l%4/2 is {thread}" if operand == "A" else f"l%4 is {thread}"),
            citations=("NVIDIA PTX ISA, Block Scaling for mma.sync",),
            legality=f"{', '.join(targets)}; .sync.aligned: all threads of the warp, converged",
            build=partial(scale_map, operand, blocks, byte, thread),
            rest="not read",
        )
        for operand in LINES
        for blocks in BYTES
        for byte, thread in selectors(operand, blocks)
    ]
