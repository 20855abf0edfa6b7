"""The bytes of a memory, and which of them are defined."""

from __future__ import annotations

import ctypes
import hashlib

import numpy as np
from numpy.typing import NDArray

from lanemap import cache
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

PAGE_BYTES, LINE_BYTES = abi.PAGE_BYTES, abi.LINE_BYTES
_PAGE_WORDS = PAGE_BYTES // 64  # of the bits that say which bytes are defined
FILLED, DEFINED = abi.PageState.FILLED, abi.PageState.DEFINED
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
Bytes = NDArray[np.uint8]


def aligned_bytes(size: int) -> Bytes:
    """A uint8 array of `size` zero bytes that begins at a multiple of 64 bytes.

    Its pages come into being when they are touched.

    Raises:
        UserError: the machine has not that much memory.
    """
    try:
        room = np.zeros(size + 64, np.uint8)
    except (MemoryError, ValueError) as error:
        raise UserError(
            f"cannot allocate {size} bytes: this machine has too little memory"
        ) from error
    start = -room.ctypes.data % 64
    return room[start : start + size]


#: Bytes of a pattern that are kept in the cache: numpy.random takes long to import.
_KEPT_BYTES = 1 << 16


def pattern(size: int, seed: int) -> Bytes:
    """Bytes for undefined registers, from a fixed seed so that runs are reproducible."""

    def made(count: int) -> bytes:
        found = np.random.Generator(np.random.PCG64(seed)).integers(0, 256, count, np.uint8)
        return found.tobytes()

    if size > _KEPT_BYTES:
        return np.frombuffer(made(size), np.uint8)
    key = hashlib.sha256(f"pattern {seed}".encode()).hexdigest()
    kept = cache.cached(key, lambda: made(_KEPT_BYTES))
    return np.frombuffer(kept, np.uint8, size)


def state_bytes(size: int) -> int:
    """Return the bytes that say which of `size` bytes are defined, and of each page its state."""
    return -(-max(size, 1) // PAGE_BYTES) * (PAGE_BYTES // 8 + 4)


class Contents:
    """The bytes of a memory and what is known of them, as the runtime keeps it (access.h)."""

    def __init__(
        self,
        size: int,
        ordered: bool = True,
        data: Bytes | None = None,
        state: Bytes | None = None,
    ) -> None:
        """Make room for `size` bytes; `ordered`: waves may race there.

        `data`: bytes that exist already and are the contents. `state`: where somebody else looks
        for what is defined, too (`state_bytes`); zeros, or what that one has written.
        """
        self.size = size
        pages = -(-max(size, 1) // PAGE_BYTES)
        self.data = aligned_bytes(pages * PAGE_BYTES) if data is None else data
        self.state = state = aligned_bytes(state_bytes(size)) if state is None else state
        self.defined = state[: pages * PAGE_BYTES // 8].view(np.uint64)
        self.pages = state[pages * PAGE_BYTES // 8 :].view(np.uint32)
        lines = pages * PAGE_BYTES // LINE_BYTES
        self._lines = aligned_bytes(lines * ctypes.sizeof(abi.Line)) if ordered else None
        self.partial: Bytes | None = None
        self.origin: NDArray[np.uint32] | None = None

    def track_bits(self) -> None:
        """Make room for undefined bits of single bytes, and for where they came from."""
        if self.partial is None:
            self.partial = aligned_bytes(len(self.pages) * PAGE_BYTES)
            self.origin = aligned_bytes(4 * len(self.partial)).view(np.uint32)

    def forget_bits(self) -> bool:
        """Free the undefined bits if every byte is defined; return whether any were freed."""
        if self.partial is None or not self.all_defined(0, self.size):
            return False
        self.partial = self.origin = None
        return True

    def describe_to(self, memory: abi.Memory, base: int, space: int, seed: int) -> None:
        """Fill the runtime's structure."""
        memory.base, memory.size, memory.space, memory.seed = base, self.size, space, seed
        memory.data, memory.defined = self.data.ctypes.data, self.defined.ctypes.data
        memory.pages = self.pages.ctypes.data
        memory.lines = None if self._lines is None else self._lines.ctypes.data
        memory.partial = None if self.partial is None else self.partial.ctypes.data
        memory.origin = None if self.origin is None else self.origin.ctypes.data

    def _spread(self, start: int, size: int) -> None:
        """Set the `defined` bits of every page whose page state says that it is defined."""
        first, last = start // PAGE_BYTES, (start + size - 1) // PAGE_BYTES + 1
        whole = np.flatnonzero(self.pages[first:last] & DEFINED) + first
        self.defined.reshape(-1, _PAGE_WORDS)[whole] = _ALL

    def undefined_bytes(self, start: int, size: int) -> NDArray[np.bool_]:
        """Which of `size` bytes from `start` on have an undefined bit."""
        self._spread(start, size)
        bits = np.unpackbits(
            self.defined.view(np.uint8)[start // 8 : (start + size + 7) // 8], bitorder="little"
        )
        return np.equal(bits[start % 8 : start % 8 + size], 0)

    def mark(self, start: int, defined: NDArray[np.bool_]) -> None:
        """The host says of each byte from `start` on whether it is defined."""
        if defined.all():
            self.define(start, len(defined))
            return
        self._spread(start, len(defined))
        page, end = start // PAGE_BYTES, (start + len(defined) - 1) // PAGE_BYTES + 1
        self.pages[page:end] &= np.uint32(FILLED)
        octets = self.defined.view(np.uint8)
        first, last = start // 8, (start + len(defined) - 1) // 8 + 1
        bits = np.unpackbits(octets[first:last], bitorder="little")
        bits[start - 8 * first : start - 8 * first + len(defined)] = defined
        octets[first:last] = np.packbits(bits, bitorder="little")
        if self.partial is not None and self.origin is not None:
            gone = np.flatnonzero(~defined) + start
            self.partial[gone], self.origin[gone] = 0, 0

    def all_defined(self, start: int, size: int) -> bool:
        """Whether no byte of a range has an undefined bit."""
        page, end = start // PAGE_BYTES, (start + size - 1) // PAGE_BYTES + 1
        if (self.pages[page:end] & DEFINED).all():
            return True
        self._spread(start, size)
        first, last = -(-start // 64), (start + size) // 64
        if first >= last:
            return not self.undefined_bytes(start, size).any()
        edges = ((start, first * 64 - start), (last * 64, start + size - last * 64))
        return bool((self.defined[first:last] == _ALL).all()) and not any(
            count and self.undefined_bytes(at, count).any() for at, count in edges
        )

    def undefined_bits(self, start: int, size: int) -> Bytes:
        """One undefined bit for every bit of a range."""
        unknown = self.undefined_bytes(start, size)
        bits = np.full(size, 0xFF, np.uint8)
        if self.partial is not None:
            bits &= ~self.partial[start : start + size]
        return np.where(unknown, bits, 0).astype(np.uint8)

    def define(self, start: int, size: int) -> None:
        """The host has written a range."""
        first, last = -(-start // PAGE_BYTES), (start + size) // PAGE_BYTES
        if first <= last:
            self.pages[first:last] = FILLED | DEFINED
        ends = [(start, min(size, first * PAGE_BYTES - start))]
        if last >= first:
            ends.append((last * PAGE_BYTES, start + size - last * PAGE_BYTES))
        for at, count in ends:
            if count > 0:
                self._define_part(at, count)

    def _define_part(self, start: int, size: int) -> None:
        """The same within a page, whose other bytes stay as they were."""
        if start + size == self.size and start % PAGE_BYTES == 0:
            self.pages[start // PAGE_BYTES] = FILLED | DEFINED
            return
        self._spread(start, size)
        self.pages[start // PAGE_BYTES] &= FILLED
        octets = self.defined.view(np.uint8)
        first, last = start // 8, (start + size - 1) // 8 + 1
        bits = np.unpackbits(octets[first:last], bitorder="little")
        bits[start - 8 * first : start - 8 * first + size] = 1
        octets[first:last] = np.packbits(bits, bitorder="little")
