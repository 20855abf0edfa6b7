"""Tensor copies: where each byte of a box lies in shared memory, for every swizzle.

Some maps have other bits than the driver gives them: none of these may change where a byte goes.
"""

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
from lanemap.targets import features_of

PERIOD = 1024
AXES = (("line", 8), ("unit", 8), ("byte", 16), ("bit", 8))
SPACES = Geometry(Space("shared", AXES), Space("linear", AXES), 1)
VARIANT = "cp.async.bulk.tensor.swizzle_{}"
# Bytes from a row to the next by the driver's name of the swizzle; atoms came with sm_100.
PITCHES = {
    "none": 128, "32b": 32, "64b": 64, "128b": 128, "128b_atom_32b": 128, "128b_atom_64b": 128,
}  # fmt: skip
NAMING = Words("bit of shared memory", "bit of the rows in linear order", "zero or one")
WORD = 8 * 8  # the first bit of the word at byte 8 of a map
UPPER_HALF = ((1 << 512) - 1) << 512
# Where the box begins: byte of a line, line, and byte of shared memory; bits of the map to invert.
PLACES = {
    "first": (0, 0, 0, 0), "inside": (64, 3, 1024, 0), "line_1": (32, 5, 128, 0),
    "line_6": (48, 2, 768, 0), "line_11": (80, 1, 1408, 0),
    "bit_21": (16, 4, 256, 1 << WORD + 21), "bit_22": (32, 7, 512, 1 << WORD + 22),
    "upper_half": (48, 6, 896, UPPER_HALF),
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
    x, y, base, inverted = state.choose("place", PLACES)
    device, found = state.device, []
    atoms = "swizzle atomicity" in features_of(device.target)
    names = [name for name in PITCHES if atoms or "atom" not in name]
    for name in names:
        pitch = PITCHES[name]
        box = Box(pitch, PERIOD // pitch, x, y, base, pitch)
        shared, _ = launch(device, state.entry("load"), box, swizzle=name, inverted=inverted)
        # cell c of a period is the byte at an address that is c modulo 1024
        offsets = (np.arange(PERIOD) - base) % PERIOD
        found.append(
            TagReading(
                VARIANT.format(name),
                str(state["place"]),
                f"a box of {box.rows} rows from byte {x} of line {y} on, to byte {base}",
                1,
                TAGS.passes,
                bits_of(shared, base + offsets),
                bit_numbers(box.tensor_bytes().reshape(-1)[offsets]),
            )
        )
    return found
