"""Memory that a driver divides by itself, and the ledger where it says what it made and freed.

A driver in C (of emulator/drivers) allocates without asking: it takes the next addresses of a
reserve, and writes that to the ledger. Whoever uses the emulator next reads the ledger first, so
its allocations are known before anything can touch them.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from ctypes import c_uint64
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.host.managed import Arena, give_back
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

#: Bytes of a reserve, and of the memory for what is known of them: allocations lie apart, so that
#: a quarter is enough (`state_bytes`, and a page's rest).
RESERVE_BYTES = 1 << 28
STATE_BYTES = RESERVE_BYTES // 4
_ROWS, _WORDS_OF_ROW, _HEAD_BYTES = 4096, 3, 16
Bytes = NDArray[np.uint8]


class Row(NamedTuple):
    """A row of the ledger: an allocation, or, without bytes, that the one at `base` was freed.

    `state` is where the driver keeps what is known of the bytes.
    """

    base: int
    size: int
    state: int


def zeros(size: int) -> Bytes:
    """Return zeros that begin at a page; pages come into being when they are touched.

    Raises:
        UserError: the machine has not so much memory.
    """
    try:
        return np.frombuffer(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE), np.uint8)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot reserve {size} bytes of memory: {error}") from error


@dataclass(frozen=True)
class Reserve:
    """Addresses from `base` on, their bytes, and the memory for what is known of these."""

    base: int
    data: Bytes
    state: Bytes
    arena: Arena | None

    @classmethod
    def made(cls, base: int, arena: Arena | None) -> Reserve:
        """Make a reserve; in an `arena` another process reaches it.

        Raises:
            UserError: there is not so much memory, or no addresses are left.
        """
        if arena is None:
            return cls(base, zeros(RESERVE_BYTES), zeros(STATE_BYTES), None)
        return cls(base, arena.bytes_at(base, RESERVE_BYTES), arena.state(STATE_BYTES), arena)

    def __contains__(self, address: int) -> bool:
        return self.base <= address < self.base + len(self.data)

    def room(self, base: int, size: int) -> Bytes:
        """Return the bytes of an allocation, up to the end of its last page."""
        start = base - self.base
        return self.data[start : start + -(-size // abi.PAGE_BYTES) * abi.PAGE_BYTES]

    def state_at(self, address: int, size: int) -> Bytes:
        """Return the memory at an address of `state`."""
        start = address - self.state.ctypes.data
        return self.state[start : start + size]

    def give_back(self, room: Bytes) -> None:
        """Give the pages of bytes back to the system; nobody uses them again."""
        if self.arena is None:
            give_back(room.ctypes.data, len(room), shared=False)
        else:
            self.arena.give_back(room.ctypes.data, len(room))


class Ledger:
    """What a driver has made and freed; it writes, and the emulator reads."""

    def __init__(self, arena: Arena | None) -> None:
        """Begin an empty one, where the driver reaches it."""
        size = _HEAD_BYTES + 8 * _WORDS_OF_ROW * _ROWS
        self._memory = zeros(size) if arena is None else arena.state(size)
        self.address, self.rows = self._memory.ctypes.data, _ROWS
        self._written = c_uint64.from_address(self.address)
        self._read = c_uint64.from_address(self.address + 8)
        words = self._memory[_HEAD_BYTES:size].view(np.uint64)
        self._table = words.reshape(_ROWS, _WORDS_OF_ROW)

    def news(self) -> Iterator[Row]:
        """Return the rows that were not read yet, in their order."""
        written = self._written.value
        while self._read.value < written:
            yield Row(*map(int, self._table[self._read.value % _ROWS]))
            self._read.value += 1
