"""What follows from the structures of abi.py: slots behind a wave, words of a clock; names."""

from __future__ import annotations

import ctypes

from lanemap.emulator.runtime.abi import CLOCK_EXTRA, CLOCKS, Space, Wave

SPACE_NAMES = {
    Space.GLOBAL: "global memory", Space.SHARED: "shared memory", Space.PRIVATE: "private memory",
    Space.GENERIC: "generic memory", Space.CLUSTER: "the cluster's shared memory",
    Space.TENSOR: "tensor memory",
}


def clock_words(members: int) -> int:
    """Words of a clock of a group (clock_words in runtime.h)."""
    return CLOCKS * members + CLOCK_EXTRA


#: Slots begin at the first multiple of 64 bytes after the wave.
SLOTS = (ctypes.sizeof(Wave) + 63) // 64 * 64


def field_offset(name: str) -> int:
    """Byte offset of a field of `Wave`."""
    return int(getattr(Wave, name).offset)
