"""Identity tags: memory filled so that every cell holds its own number.

A cell of w bits has 2**w values, so one image of a memory can name at most 2**w cells. A memory of
n cells takes ceil(log2(n) / w) images, the *passes*. Pass p holds slice p (bits p*w .. p*w + w - 1)
of every cell's number. One more pass, the check, holds the complement of the XOR of all slices. A
value that is not one whole cell (a constant, an XOR of two cells) fails the check and is not read
as a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

Integers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Tagging:
    """How a memory is filled with identities.

    Attributes:
        memory_bytes: size of the memory.
        cell_bits: width of one cell, 1 to 16 bits.
        slot_bytes: size of a slot. Slots tile the memory, and cells fill the start of each slot.
        cells_per_slot: cells in a slot; the rest of the slot is zero.
    """

    memory_bytes: int
    cell_bits: int
    slot_bytes: int
    cells_per_slot: int

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit together.

        Raises:
            UserError: a width outside 1..16, or slots that do not tile the memory.
        """
        if not 1 <= self.cell_bits <= 16:
            raise UserError(f"a tag cell has 1 to 16 bits, not {self.cell_bits}")
        if self.slot_bytes < 1 or self.memory_bytes % self.slot_bytes:
            raise UserError(
                f"slots of {self.slot_bytes} bytes do not tile {self.memory_bytes} bytes; "
                "give a slot size that divides the memory"
            )
        if not 1 <= self.cells_per_slot <= self.slot_bytes * 8 // self.cell_bits:
            raise UserError(
                f"{self.cells_per_slot} cells of {self.cell_bits} bits do not fit in a slot of "
                f"{self.slot_bytes} bytes"
            )

    @property
    def cells(self) -> int:
        """Number of cells in the memory."""
        return self.memory_bytes // self.slot_bytes * self.cells_per_slot

    @property
    def slices(self) -> int:
        """Number of passes that a tag takes, without the check."""
        return max(1, -(-(self.cells - 1).bit_length() // self.cell_bits))

    @property
    def passes(self) -> int:
        """Number of images: the slices and the check."""
        return self.slices + 1

    def positions(self) -> Integers:
        """Bit position of each cell's lowest bit in the memory, shape (cells,)."""
        slot, within = np.divmod(np.arange(self.cells, dtype=np.int64), self.cells_per_slot)
        first: Integers = slot * (self.slot_bytes * 8) + within * self.cell_bits
        return first

    def values(self) -> npt.NDArray[np.int32]:
        """Return the contents of each cell in each pass, shape (passes, cells)."""
        # int32 takes half the time of int64, and there are fewer than 2**31 cells.
        identity = np.arange(self.cells, dtype=np.int32)
        mask = (1 << self.cell_bits) - 1
        slices = [(identity >> (p * self.cell_bits)) & mask for p in range(self.slices)]
        check = np.bitwise_xor.reduce(np.stack(slices), axis=0) ^ mask
        return np.stack([*slices, check])

    def images(self) -> Bytes:
        """The memory in each pass, shape (passes, memory_bytes), bits little-endian in a byte."""
        return _images(self)

    @property
    def names_every_cell(self) -> bool:
        """Whether reading all tags back identifies every cell."""
        return bool(np.array_equal(self.identify(self.values()), np.arange(self.cells)))

    def identify(self, values: npt.NDArray[Any]) -> Integers:
        """The cell that each received value came from.

        Args:
            values: what was received, shape (passes, ...), each below 2**cell_bits.

        Returns:
            The cell's number, shape (...); -1 if the check fails or no cell has that number.
        """
        received = np.asarray(values)
        if received.shape[0] != self.passes:
            raise UserError(f"identities take {self.passes} passes, {received.shape[0]} were given")
        slices = received[:-1]
        identity = np.zeros(received.shape[1:], dtype=np.int64)
        check = np.full(received.shape[1:], (1 << self.cell_bits) - 1, dtype=received.dtype)
        for number, part in enumerate(slices):
            identity |= part.astype(np.int64) << (number * self.cell_bits)
            check ^= part
        return np.where((check == received[-1]) & (identity < self.cells), identity, -1)


@lru_cache(maxsize=16)
def _images(tagging: Tagging) -> Bytes:
    """The images of a tagging, cached because all points of a probe share them."""
    width, per_slot = tagging.cell_bits, tagging.cells_per_slot
    values = tagging.values().astype(np.uint16)
    bits = np.empty((*values.shape, width), dtype=np.uint8)
    for bit in range(width):
        bits[..., bit] = (values >> bit) & 1
    slots = bits.reshape(-1, per_slot * width)
    padding = tagging.slot_bytes * 8 - per_slot * width
    packed = np.packbits(np.pad(slots, ((0, 0), (0, padding))), axis=1, bitorder="little")
    images = packed.reshape(tagging.passes, tagging.memory_bytes)
    images.setflags(write=False)
    return images


def whole_memory(memory_bytes: int, cell_bits: int) -> Tagging:
    """A tagging whose cells tile the whole memory (widths that divide a byte, or whole bytes).

    Raises:
        UserError: the cells do not tile the memory.
    """
    if memory_bytes * 8 % cell_bits:
        raise UserError(f"cells of {cell_bits} bits do not tile {memory_bytes} bytes")
    return Tagging(memory_bytes, cell_bits, memory_bytes, memory_bytes * 8 // cell_bits)


def fields(words: npt.NDArray[Any], cell_bits: int) -> Integers:
    """Cut little-endian 32-bit words into cells.

    Args:
        words: shape (..., registers), 32-bit words, register 0 lowest.
        cell_bits: width of a cell; it divides registers * 32.

    Returns:
        Shape (..., registers * 32 // cell_bits), lowest cell first.
    """
    bits = word_bits(words)
    cells = bits.reshape(*bits.shape[:-1], bits.shape[-1] // cell_bits, cell_bits)
    weights = np.int64(1) << np.arange(cell_bits, dtype=np.int64)
    joined: Integers = cells.astype(np.int64) @ weights
    return joined


def word_bits(words: npt.NDArray[Any]) -> Bytes:
    """The bits of little-endian 32-bit words, shape (..., registers * 32), lowest first."""
    little = np.ascontiguousarray(words, dtype="<u4")
    octets = little.view(np.uint8).reshape(*little.shape[:-1], little.shape[-1] * 4)
    return np.unpackbits(octets, axis=-1, bitorder="little")
