"""Where the fields of a tensor map lie in its 128 bytes, and the types of elements that it has.

Fitted to what the driver returned on an H200 (results/sm_90a/cuda/tensor_maps.json). Swizzle
atomicity and the types that only Blackwell has are those that ptxas 13.0 for sm_100a writes in its
machine code for tensormap.replace. The emulator's C has them from here (ptx/lower/facts.py), so
this module runs where a build does, without any dependency of lanemap.
"""

from __future__ import annotations

from typing import NamedTuple

BYTES, ALIGNMENT, DIMENSIONS = 128, 64, 5


class Field(NamedTuple):
    """A field: its first bit in the map, its width, and how far apart those of dimensions lie."""

    bit: int
    width: int
    step: int = 0

    def at(self, index: int) -> int:
        """First bit of the field of a dimension."""
        return self.bit + index * self.step


#: Strides are in units of 16 bytes. Sizes, steps, pixels and the rank are one less than they are.
FIELDS = {
    "address": Field(8 * 0x00, 64),
    "im2col": Field(8 * 0x08, 1),
    "rank": Field(8 * 0x08 + 4, 3),
    "type": Field(8 * 0x08 + 7, 4),
    "interleave": Field(8 * 0x08 + 11, 2),
    "swizzle": Field(8 * 0x08 + 13, 2),
    "fill": Field(8 * 0x08 + 15, 1),
    "rounds": Field(8 * 0x08 + 16, 1),
    "promotion": Field(8 * 0x08 + 17, 2),
    "atomicity": Field(8 * 0x08 + 19, 2),
    # tensormap.replace clears it with the swizzle; what it says is unknown.
    "unknown": Field(8 * 0x08 + 22, 1),
    "stride": Field(8 * 0x0C, 32, 32),
    "stride_high": Field(8 * 0x1C, 4, 4),
    "size": Field(8 * 0x20, 32, 32),
    "step": Field(8 * 0x34, 3, 3),
    "box": Field(8 * 0x37, 8, 8),
    # Corners of an im2col box, by the rank; they and the pixels lie where a tile has its box.
    "lower_3": Field(8 * 0x38, 16, 16),
    "lower_4": Field(8 * 0x38, 8, 8),
    "lower_5": Field(8 * 0x38, 5, 5),
    "upper_3": Field(8 * 0x3A, 16, 16),
    "upper_4": Field(8 * 0x3A, 8, 8),
    "upper_5": Field(8 * 0x3A, 5, 5),
    "pixels": Field(8 * 0x3C, 10),
    # What follows repeats what stands before; no instruction is known to look at it.
    "box_bytes": Field(8 * 0x40, 18),
    "plain": Field(8 * 0x48 + 4, 1),
    "span": Field(8 * 0x49, 3),
}

#: Types of elements in the order of the map's numbers: PTX's names, and bits in global memory.
ELEMENTS = {
    "U8": 8, "U16": 16, "U32": 32, "S32": 32, "U64": 64, "S64": 64, "F16": 16, "F32": 32,
    "F32_FTZ": 32, "F64": 64, "BF16": 16, "B4X16": 4, "B4X16_P64": 4, "B6X16_P32": 6,
}  # fmt: skip
