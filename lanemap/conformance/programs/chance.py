"""Random choices that depend on the seed only, not on the version of Python or of a library."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws from a seed, through `getrandbits` of the Mersenne Twister alone."""

    def __init__(self, *seed: object) -> None:
        """Seed the generator with all parts together."""
        text = "\0".join(map(str, seed))
        self._random = random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))

    def bits(self, count: int) -> int:
        """Return that many random bits."""
        return self._random.getrandbits(count)

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1; the bias of 64 bits modulo limit is negligible."""
        return self.bits(64) % limit

    def of(self, members: Sequence[T]) -> T:
        """Return one of them."""
        return members[self.below(len(members))]

    def one_in(self, count: int) -> bool:
        """Return True once in `count` draws."""
        return self.below(count) == 0

    def shuffled(self, members: Sequence[T]) -> list[T]:
        """Return them in another order (Fisher and Yates)."""
        result = list(members)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
