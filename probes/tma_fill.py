"""Tensor copies at the tensor's edges: what a load fills in, and what a store leaves alone."""

from __future__ import annotations

import numpy as np

from lanemap.layout import Space
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tma.kernel import (
    LINE_BYTES,
    SHARED_BYTES,
    TAGS,
    TENSOR_BYTES,
    Box,
    bit_numbers,
    bits_of,
    launch,
    sources,
)
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading, Words

ROWS, WIDTH = 8, 64
AXES = (("row", ROWS), ("byte", WIDTH), ("bit", 8))
LOADED = Geometry(Space("shared", AXES), Space("tensor", AXES), 1)
STORED = Geometry(Space("tensor", AXES), Space("shared", AXES), 1)
VARIANT = "cp.async.bulk.tensor.out_of_bounds"
# By name: the type of the elements, its bytes, and the map's fill.
FILLS = {
    "zero": ("uint8", 1, "none"), "zero.float32": ("float32", 4, "none"),
    "nan.float16": ("float16", 2, "nan_request_zero_fma"),
    "nan.bfloat16": ("bfloat16", 2, "nan_request_zero_fma"),
    "nan.float32": ("float32", 4, "nan_request_zero_fma"),
    "nan.float64": ("float64", 8, "nan_request_zero_fma"),
}  # fmt: skip
# How far into the box the tensor reaches: bytes of a row, and rows.
EDGES = {"begin": (-40, -5), "end": (40, 5), "end_of_row": (8, 8), "beyond": (-8, 8)}
# Where the tensor ends: lines and bytes of a line, in both places multiples of 8.
PLACES = {"small": (20, 104), "large": (30, 184)}
NAMING = Words("bit of the box", "bit of the box on the other side", "zero, one or unchanged")


def _box(edge: str, sizes: tuple[int, int]) -> Box:
    """The box over an edge of a tensor of so many lines and bytes of a line."""
    width, rows = EDGES[edge]
    if edge == "begin":
        return Box(WIDTH, ROWS, -(WIDTH + width) // 16 * 16, -(ROWS + rows), 0, WIDTH)
    return Box(WIDTH, ROWS, (sizes[1] - width) // 16 * 16, sizes[0] - rows, 0, WIDTH)


def _numbers(box: Box) -> np.ndarray:
    """The tags of the box's bytes in the tensor; those that the array lacks get unused ones."""
    places = box.tensor_bytes()
    known = box.inside((TENSOR_BYTES // LINE_BYTES, LINE_BYTES))
    unused = TENSOR_BYTES + SHARED_BYTES + np.arange(places.size).reshape(places.shape)
    return bit_numbers(np.where(known, places, unused))


def _geometries() -> dict[str, Geometry]:
    found = {f"{VARIANT}.store.{edge}": STORED for edge in EDGES if edge != "begin"}
    for edge in EDGES:
        found |= {f"{VARIANT}.load.{edge}.{fill}": LOADED for fill in FILLS}
    return found


@axis("tensor", tuple(PLACES))
@probe(
    VARIANT,
    source=sources(),
    analysis=TaggedMoves(_geometries(), TAGS, NAMING, SHARED_BYTES * 8),
)
def tma_fill(state: State) -> list[TagReading]:
    """What does a copy make of the bytes of a box that lie outside of the tensor?"""
    sizes, name = state.choose("tensor", PLACES), str(state["tensor"])
    own = np.arange(ROWS * WIDTH)
    found = []
    for edge in EDGES:
        box = _box(edge, sizes)
        said = f"a box at byte {box.x} of line {box.y} of {sizes[0]} lines of {sizes[1]} bytes"
        for fill, (dtype, item, mode) in FILLS.items():
            shared, _ = launch(
                state.device, state.entry("load"), box, sizes, dtype=dtype, oob_fill=mode, item=item
            )
            found.append(
                TagReading(
                    f"{VARIANT}.load.{edge}.{fill}",
                    name,
                    said,
                    1,
                    TAGS.passes,
                    bits_of(shared, own),
                    _numbers(box),
                )
            )
        if edge == "begin":  # an H200 stops at a store that begins before the tensor
            continue
        _, tensor = launch(state.device, state.entry("store"), box, sizes)
        places = box.tensor_bytes()
        found.append(
            TagReading(
                f"{VARIANT}.store.{edge}",
                name,
                said,
                1,
                TAGS.passes,
                bits_of(tensor, places),
                bit_numbers(TENSOR_BYTES + own),
                bit_numbers(places),
            )
        )
    return found
