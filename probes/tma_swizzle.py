"""Tensor copies: where each byte of a box lies in shared memory, for every swizzle."""

from __future__ import annotations

import numpy as np

from lanemap.layout import Space
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tma.kernel import (
    SHARED_BYTES,
    TAGS,
    Box,
    bit_numbers,
    bits_of,
    launch,
    sources,
)
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading, Words

PERIOD = 1024
AXES = (("line", 8), ("unit", 8), ("byte", 16), ("bit", 8))
SPACES = Geometry(Space("shared", AXES), Space("linear", AXES), 1)
VARIANT = "cp.async.bulk.tensor.swizzle_{}"
# Bytes from a row to the next by the driver's name of the swizzle; sm_90a has the first four.
PITCHES = {
    "none": 128, "32b": 32, "64b": 64, "128b": 128, "128b_atom_32b": 128, "128b_atom_64b": 128,
}  # fmt: skip
NAMING = Words("bit of shared memory", "bit of the rows in linear order", "zero or one")
# Where the box begins: byte of a line, line, and byte of shared memory.
PLACES = {
    "first": (0, 0, 0), "inside": (64, 3, 1024), "line_1": (32, 5, 128), "line_6": (48, 2, 768),
    "line_11": (80, 1, 1408),
}  # fmt: skip


@axis("place", tuple(PLACES))
@probe(
    "cp.async.bulk.tensor",
    source=sources(),
    analysis=TaggedMoves(
        {VARIANT.format(name): SPACES for name in PITCHES}, TAGS, NAMING, SHARED_BYTES * 8
    ),
)
def tma_swizzle(state: State) -> list[TagReading]:
    """Which bit of a box in linear order does each bit of shared memory receive?"""
    x, y, base = state.choose("place", PLACES)
    device, found = state.device, []
    names = [name for name in PITCHES if device.target != "sm_90a" or "atom" not in name]
    for name in names:
        pitch = PITCHES[name]
        box = Box(pitch, PERIOD // pitch, x, y, base, pitch)
        shared, _ = launch(device, state.entry("load"), box, swizzle=name)
        # cell c of a period is the byte at an address that is c modulo 1024
        offsets = (np.arange(PERIOD) - base) % PERIOD
        found.append(TagReading(
            VARIANT.format(name), str(state["place"]),
            f"a box of {box.rows} rows from byte {x} of line {y} on, to byte {base}",
            1, TAGS.passes, bits_of(shared, base + offsets),
            bit_numbers(box.tensor_bytes().reshape(-1)[offsets]),
        ))  # fmt: skip
    return found
