"""Tags of single bits: every number from NumPy's own binary digits."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.probing.tags.bits import CONSTANT_0, CONSTANT_1, NO_CELL, BitTags


@pytest.mark.parametrize("words", [1, 2, 3, 33, 1000, 65536])
def test_every_bit_shows_the_digits_of_its_number(words: int) -> None:
    tags = BitTags(words)
    chosen = np.unique(np.linspace(0, words - 1, 40).astype(int))
    shown = tags.show(chosen)
    assert shown.shape == (tags.passes, chosen.size)
    for each, word in enumerate(chosen.tolist()):
        for bit in (0, 1, 7, 31):
            digits = [(int(shown[p, each]) >> bit) & 1 for p in range(tags.passes)]
            assert sum(d << p for p, d in enumerate(digits[:-1])) == 32 * word + bit
            assert sum(digits) % 2 == 1
    assert tags.names_every_bit


def test_what_names_no_bit_is_told_apart() -> None:
    tags = BitTags(100)
    shown = tags.show(np.arange(100))
    received = np.stack([0 * shown[:, 0], ~(0 * shown[:, 0]), shown[:, 3] ^ shown[:, 5]], axis=1)
    found = tags.identify(received)
    assert np.all(found[0] == CONSTANT_0) and np.all(found[1] == CONSTANT_1)
    assert np.all(found[2] < 0) and np.any(found[2] == NO_CELL)
    # A number beyond the last one, with its right check, is no bit either.
    assert np.all(BitTags(3).identify(BitTags(4).show(np.array([3]))) == NO_CELL)


def test_bits_of_one_word_may_come_from_several() -> None:
    tags = BitTags(64)
    shown = tags.show(np.array([7, 40]))
    mixed = (shown[:, 0] & 0xFFFF) | (shown[:, 1] & 0xFFFF0000)
    found = tags.identify(mixed)
    assert found.tolist() == [*range(7 * 32, 7 * 32 + 16), *range(40 * 32 + 16, 40 * 32 + 32)]


def test_sizes_and_passes_are_checked() -> None:
    with pytest.raises(UserError, match="1 to 2"):
        BitTags(0)
    with pytest.raises(UserError, match="22 passes, 3 were given"):
        BitTags(65536).identify(np.zeros((3, 1), np.uint32))
