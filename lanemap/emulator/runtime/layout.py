"""Values derived from the structures of abi.py: slots after a wave, words of a clock, names."""

from __future__ import annotations

import ctypes

from lanemap.emulator.runtime.abi import CLOCK_TIMES, ENGINE_CLOCKS, PLAIN_CLOCKS, Space, Wave

#: What memories are called; a front end's `Wording` has that of an engine's own.
SPACE_NAMES = {
    Space.GLOBAL: "global memory", Space.SHARED: "shared memory", Space.PRIVATE: "private memory",
    Space.GENERIC: "generic memory", Space.CLUSTER: "the cluster's shared memory",
}


def clocks(engine: bool) -> int:
    """Parts of a clock; more where an engine works for the waves (enum Clock in runtime.h)."""
    return ENGINE_CLOCKS if engine else PLAIN_CLOCKS


def clock_words(members: int, engine: bool) -> int:
    """Words of a clock of a group (clock_words in runtime.h)."""
    return CLOCK_TIMES + clocks(engine) * members


#: Slots begin at the first multiple of 64 bytes after the wave.
SLOTS = (ctypes.sizeof(Wave) + 63) // 64 * 64


def field_offset(name: str) -> int:
    """Byte offset of a field of `Wave`."""
    return int(getattr(Wave, name).offset)
