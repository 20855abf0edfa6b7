"""Identity tags of single bits, for memories and registers of millions of bits.

Every bit has a number. Pass p shows bit p of each number; one more pass, the check, shows the
complement of their XOR, as in `cells`. The 32 bits of a word have consecutive numbers, so passes
are made and read as whole words. No number looks like a bit that is the same in every pass: the
check of all zeros is one, and the check of all ones is zero, because the number of slices is odd.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
WORD_BITS = 32
# Results for a received bit that names no cell.
CONSTANT_0, CONSTANT_1, NO_CELL = -1, -2, -3
# Bits 0 to 4 of a bit's number, as words: what bit b of a word holds in those passes.
_INSIDE = (0xAAAAAAAA, 0xCCCCCCCC, 0xF0F0F0F0, 0xFF00FF00, 0xFFFF0000)


@dataclass(frozen=True)
class BitTags:
    """Tags for a number of 32-bit words; bit b of word w has the number 32 * w + b.

    Attributes:
        words: the number of words.
    """

    words: int

    def __post_init__(self) -> None:
        """Refuse sizes that cannot be numbered.

        Raises:
            UserError: no words, or more than 2**26 of them.
        """
        if not 0 < self.words <= 1 << 26:
            raise UserError(f"bit tags name 1 to 2**26 words, not {self.words}")

    @property
    def slices(self) -> int:
        """Passes without the check; an odd number, so that constant ones fail the check."""
        needed = max(5, (self.words * WORD_BITS - 1).bit_length())
        return needed | 1

    @property
    def passes(self) -> int:
        """Passes with the check."""
        return self.slices + 1

    def show(self, words: npt.NDArray[Any]) -> Words:
        """Return words in every pass: uint32[passes, ...] for word numbers of shape (...)."""
        number = np.asarray(words, np.int64)
        shown = np.empty((self.passes, *number.shape), np.uint32)
        for each in range(self.slices):
            if each < len(_INSIDE):
                shown[each] = _INSIDE[each]
            else:
                bit = (number >> (each - len(_INSIDE))) & 1
                shown[each] = (np.uint32(0) - bit.astype(np.uint32)).astype(np.uint32)
        shown[-1] = ~np.bitwise_xor.reduce(shown[:-1], axis=0)
        return shown

    def identify(self, received: npt.NDArray[Any]) -> Integers:
        """The number of every received bit, or CONSTANT_0, CONSTANT_1 or NO_CELL.

        Args:
            received: uint32[passes, ...].

        Returns:
            int64[..., 32].

        Raises:
            UserError: the number of passes is wrong.
        """
        if received.shape[0] != self.passes:
            raise UserError(f"tags take {self.passes} passes, {received.shape[0]} were given")
        received = np.asarray(received, np.uint32)
        whole, number = self._whole_words(received)
        found = number[..., None] * WORD_BITS + np.arange(WORD_BITS)
        if not whole.all():
            found[~whole] = self._single_bits(received[:, ~whole])
        return found

    def _whole_words(self, received: npt.NDArray[Any]) -> tuple[npt.NDArray[np.bool_], Integers]:
        """Which words arrived whole and in place, and the number of the word that each shows."""
        whole = np.all([received[each] == _INSIDE[each] for each in range(len(_INSIDE))], axis=0)
        number = np.zeros(received.shape[1:], np.int64)
        check = np.bitwise_xor.reduce(np.array(_INSIDE, np.uint32))
        for each, shown in enumerate(received[len(_INSIDE) : -1]):
            ones = shown == 0xFFFFFFFF
            whole &= ones | (shown == 0)
            number |= ones.astype(np.int64) << each
            check = check ^ shown
        return whole & (received[-1] == ~check) & (number < self.words), number

    def _single_bits(self, received: npt.NDArray[Any]) -> Integers:
        """The same as `identify`, for words that hold bits of several."""
        little = np.ascontiguousarray(received, "<u4")
        octets = little.view(np.uint8).reshape(self.passes, -1)
        bits = np.unpackbits(octets, axis=1, bitorder="little")
        number = np.zeros(bits.shape[1], np.int32)
        for each, octet in enumerate(np.packbits(bits[: self.slices], axis=0, bitorder="little")):
            number |= octet.astype(np.int32) << 8 * each
        parity = np.bitwise_xor.reduce(bits, axis=0)
        found = np.where((parity == 1) & (number < self.words * WORD_BITS), number, NO_CELL)
        ones = (number == (1 << self.slices) - 1) & (bits[-1] == 1)
        zeros = (number == 0) & (bits[-1] == 0)
        found = np.where(zeros, CONSTANT_0, np.where(ones, CONSTANT_1, found))
        return found.reshape(*received.shape[1:], WORD_BITS).astype(np.int64)

    @property
    def names_every_bit(self) -> bool:
        """Whether reading all tags back identifies every bit, and no constant as a bit."""
        return _names_every_bit(self)


@lru_cache(maxsize=8)
def _names_every_bit(tags: BitTags) -> bool:
    for constant, says in ((0, CONSTANT_0), (0xFFFFFFFF, CONSTANT_1)):
        same = np.full(tags.passes, constant, np.uint32)
        if not np.all(tags.identify(same) == says):
            return False
    step = 1 << 14
    for first in range(0, tags.words, step):
        own = np.arange(first, min(first + step, tags.words))
        wanted = (own[:, None] * WORD_BITS + np.arange(WORD_BITS)).reshape(-1)
        if not np.array_equal(tags.identify(tags.show(own)).reshape(-1), wanted):
            return False
    return True
