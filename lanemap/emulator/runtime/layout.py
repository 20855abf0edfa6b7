"""Values derived from the structures of abi.py: slots after a wave, words of a clock, names."""

from __future__ import annotations

import ctypes

from lanemap.emulator.runtime.abi import (
    ASYNC_CLOCKS,
    CLOCK_TIMES,
    CTA_SLOTS,
    MOST_SLOTS,
    PLAIN_CLOCKS,
    RELEASED_PARTS,
    Space,
    Wave,
)

#: What memories are called; a front end's `Wording` has that of an engine's own.
SPACE_NAMES = {
    Space.GLOBAL: "global memory",
    Space.SHARED: "shared memory",
    Space.PRIVATE: "private memory",
    Space.GENERIC: "generic memory",
    Space.CLUSTER: "the cluster's shared memory",
}


def barrier_slots(clocks: int, ctas: int) -> int:
    """Barrier objects of a cluster at which asynchronous accesses can complete (Group.slots)."""
    return min(CTA_SLOTS * ctas, MOST_SLOTS) if clocks == ASYNC_CLOCKS else 0


def clock_words(members: int, clocks: int, slots: int, ctas: int) -> int:
    """Words of a clock of a cluster (Group.clock_words; the parts are in runtime.h)."""
    handed = (ctas - 1) * members if clocks > PLAIN_CLOCKS else 0
    return CLOCK_TIMES + clocks * members + (slots + 1 if slots else 0) + handed


def released_words(members: int, clocks: int, slots: int) -> int:
    """Words of what one release makes known (`released` in releases.c)."""
    return RELEASED_PARTS * members + slots if clocks == ASYNC_CLOCKS else members


#: Slots begin at the first multiple of 64 bytes after the wave.
SLOTS = (ctypes.sizeof(Wave) + 63) // 64 * 64


def field_offset(name: str) -> int:
    """Byte offset of a field of `Wave`."""
    return int(getattr(Wave, name).offset)
