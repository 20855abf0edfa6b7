"""Operands in shared memory, in plain numbers: swizzles, and where an element of a tile lies.

The build of the emulator's C runs this by its path, so it imports nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Swizzle:
    """One swizzling mode.

    Attributes:
        name: Short name.
        width: Bytes of a row of an atom; 16 for no swizzle.
        mask: Bits 7 and up of the address that are XORed into it.
        shift: How far down.
        code: In a tcgen05 descriptor, bits 61 to 63.
        formula: In words.
        majors: Which operands have it.
    """

    name: str
    width: int
    mask: int
    shift: int
    code: int
    formula: str
    majors: tuple[str, ...] = ("k", "mn")

    def __call__(self, address: Any) -> Any:
        """The address (bytes, absolute) where the byte of a linear address lies."""
        return address ^ (((address >> 7) & self.mask) << self.shift)


SWIZZLES = {
    swizzle.name: swizzle
    for swizzle in (
        Swizzle("none", 16, 0, 4, 0, "the address itself"),
        Swizzle("32b", 32, 1, 4, 6, "address ^ ((address >> 7) & 1) << 4"),
        Swizzle("64b", 64, 3, 4, 4, "address ^ ((address >> 7) & 3) << 4"),
        Swizzle("128b", 128, 7, 4, 2, "address ^ ((address >> 7) & 7) << 4"),
        Swizzle("128b_atom32b", 128, 3, 5, 1, "address ^ ((address >> 7) & 3) << 5", ("mn",)),
    )
}


@dataclass(frozen=True)
class Tile:
    """An operand tile in shared memory.

    Attributes:
        major: "k" or "mn": which index is contiguous.
        swizzle: A name of `SWIZZLES`.
        bits: Width of an element.
        rows: M or N of the tile.
        depth: K of the tile.
        leading_bytes: LBO.
        stride_bytes: SBO.
    """

    major: str
    swizzle: str
    bits: int
    rows: int
    depth: int
    leading_bytes: int
    stride_bytes: int

    @property
    def unit(self) -> int:
        """Elements in 16 bytes."""
        return 128 // self.bits

    def offset(self, row: Any, k: Any) -> Any:
        """Byte (bit for elements below a byte: see `bit_offset`) before the swizzle."""
        return self.bit_offset(row, k) // 8

    def bit_offset(self, row: Any, k: Any) -> Any:
        """Bits from the start of the tile to an element, before the swizzle."""
        unit, leading, stride = self.unit, 8 * self.leading_bytes, 8 * self.stride_bytes
        width = 8 * SWIZZLES[self.swizzle].width
        if self.major == "k":
            across = row % 8 * width + row // 8 * stride
            if self.swizzle == "none":
                return across + k // unit * leading + k % unit * self.bits
            return across + k * self.bits
        per_row = width // self.bits
        along, block = row % per_row * self.bits, row // per_row
        step = 4 if self.swizzle == "128b_atom32b" else 8
        down, group = k % step * width, k // step
        if self.swizzle == "none":
            return along + block * stride + down + group * leading
        return along + block * leading + down + group * stride


@dataclass(frozen=True)
class Column:
    """The distance that one bit of a row's or k's number adds to a place, before the swizzle.

    Attributes:
        bits: Bits.
        leading: How many LBO.
        stride: How many SBO.
    """

    bits: int
    leading: int
    stride: int


def columns(major: str, swizzle: str, bits: int, count: int) -> dict[str, list[Column]]:
    """The canonical layout by bits of "row" and "k", lowest first: a place is the sum of some.

    Args:
        major: "k" or "mn".
        swizzle: A name of `SWIZZLES`.
        bits: Width of an element.
        count: How many bits of each.
    """

    def offset(leading: int, stride: int, place: tuple[int, int]) -> int:
        return Tile(major, swizzle, bits, 0, 0, leading, stride).bit_offset(*place)  # type: ignore[no-any-return]

    return {
        index: [
            Column(
                offset(0, 0, place),
                (offset(1, 0, place) - offset(0, 0, place)) // 8,
                (offset(0, 1, place) - offset(0, 0, place)) // 8,
            )
            for place in places
        ]
        for index, places in {
            "row": [(1 << bit, 0) for bit in range(count)],
            "k": [(0, 1 << bit) for bit in range(count)],
        }.items()
    }
