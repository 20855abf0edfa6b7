"""Address patterns: which chunk each lane points at.

A pattern places chunks in slots of equal size: 8 bytes, or 16 for 12-byte chunks, which must be
aligned to 16. So every address has the alignment that the ISA requires, and two chunks are either
the same or disjoint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.toolchain.amdgcn_kernel import WAVE_LANES

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class AddressPattern:
    """One assignment of slots to the lanes of one or more waves.

    Attributes:
        name: its name on the axis.
        description: the slot of thread t (lane l of its wave), in words.
        waves: waves in the workgroup.
        slots: maps thread numbers to slots.
    """

    name: str
    description: str
    waves: int
    slots: Callable[[Integers], Integers]

    def addresses(self, slot_bytes: int) -> Integers:
        """Byte addresses, shape (waves, lanes)."""
        thread = np.arange(self.waves * WAVE_LANES, dtype=np.int64)
        return (self.slots(thread) * slot_bytes).reshape(self.waves, WAVE_LANES)


def _triangular(thread: Integers, modulus: int) -> Integers:
    """T (t + 1) / 2 modulo a power of two: a permutation that is affine neither over F2 nor Z."""
    return thread * (thread + 1) // 2 % modulus


PATTERNS = {
    pattern.name: pattern
    for pattern in (
        AddressPattern("consecutive", "slot l", 1, lambda t: t),
        AddressPattern("permuted", "slot l (l + 1) / 2 mod 64", 1, lambda t: _triangular(t, 64)),
        AddressPattern("strided", "slot 9 l", 1, lambda t: 9 * t),
        AddressPattern(
            "overlapping", "slot 5 l mod 16, each for four lanes", 1, lambda t: 5 * t % 16
        ),
        AddressPattern(
            "waves",
            "four waves; thread t at slot t (t + 1) / 2 mod 256",
            4,
            lambda t: _triangular(t, 256),
        ),
        AddressPattern("uniform", "slot 0 for every lane", 1, lambda t: 0 * t),
    )
}


def pattern(name: str) -> AddressPattern:
    """A pattern by name.

    Raises:
        UserError: there is none of that name.
    """
    if name not in PATTERNS:
        raise UserError(f"address pattern {name!r} is not one of {', '.join(PATTERNS)}")
    return PATTERNS[name]
