"""The slots behind a wave and the words of a clock; the numbers of abi.py under short names."""

from __future__ import annotations

import ctypes

from lanemap.emulator.runtime.abi import (
    CLOCK_EXTRA,
    CLOCKS,
    GROUP_BITS,
    MAX_BARRIERS,
    MAX_CTAS,
    MAX_LANES,
    MAX_WAVES,
    ORIGIN_CHUNK_BITS,
    PENDING_WORDS,
    QUEUE,
    RANK_SHIFT,
    SCRATCH_ROWS,
    SEQUENCE_BITS,
    TENSOR_CLOCKS,
    TENSOR_MEMORY_BYTES,
    Access,
    Cta,
    Group,
    Hazard,
    HazardRecord,
    Launch,
    Origin,
    OriginKind,
    Outstanding,
    Region,
    Run,
    Space,
    Stop,
    Waits,
    Wave,
)

__all__ = [
    "CLOCKS", "GROUP_BITS", "MAX_BARRIERS", "MAX_CTAS", "MAX_LANES", "MAX_WAVES", "PENDING_WORDS",
    "QUEUE", "RANK_SHIFT", "SCRATCH_ROWS", "SEQUENCE_BITS", "TENSOR_CLOCKS", "TENSOR_MEMORY_BYTES",
    "Cta", "Group",
    "HazardRecord", "Launch", "Origin", "Outstanding", "Region", "Wave",
]

SEQUENCES = 1 << SEQUENCE_BITS
#: Origins lie in chunks of this many records.
ORIGIN_CHUNK = 1 << ORIGIN_CHUNK_BITS
#: Makes another chunk: Launch.more_origins.
MoreOrigins = ctypes.CFUNCTYPE(ctypes.c_uint64)
FRONT_END_WORDS = len(Wave().front_end)

SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE = Space.GLOBAL, Space.SHARED, Space.PRIVATE
SPACE_GENERIC, SPACE_CLUSTER, SPACE_TENSOR = Space.GENERIC, Space.CLUSTER, Space.TENSOR
SPACE_NAMES = {
    Space.GLOBAL: "global memory", Space.SHARED: "shared memory", Space.PRIVATE: "private memory",
    Space.GENERIC: "generic memory", Space.CLUSTER: "the cluster's shared memory",
    Space.TENSOR: "tensor memory",
}
RUN_ON, RUN_END, RUN_BARRIER, RUN_YIELD = Run.ON, Run.END, Run.BARRIER, Run.YIELD
RUN_COMPILE, RUN_HOST, RUN_HAZARD, RUN_LIMIT = Run.COMPILE, Run.HOST, Run.HAZARD, Run.LIMIT
RUN_DEADLOCK, RUN_TRAP, RUN_INTERRUPTED = Run.DEADLOCK, Run.TRAP, Run.INTERRUPTED
RUN_PAUSE = Run.PAUSE
STOP_HAZARD, STOP_IMPRECISE = Stop.HAZARD, Stop.IMPRECISE
HAZARD_OUT_OF_BOUNDS, HAZARD_MISALIGNED = Hazard.OUT_OF_BOUNDS, Hazard.MISALIGNED
HAZARD_UNDEFINED, HAZARD_PENDING, HAZARD_ORDER = Hazard.UNDEFINED, Hazard.PENDING, Hazard.ORDER
HAZARD_RULE, HAZARD_READ_ONLY, HAZARD_QUEUE = Hazard.RULE, Hazard.READ_ONLY, Hazard.QUEUE
HAZARD_ENDED, HAZARD_TENSOR, HAZARD_PROXY = Hazard.ENDED, Hazard.TENSOR, Hazard.PROXY
ORIGIN_MEMORY, ORIGIN_REGISTER = OriginKind.MEMORY, OriginKind.REGISTER
ORIGIN_STORE, ORIGIN_LEFT = OriginKind.STORE, OriginKind.LEFT
WAITS_FOR_MBARRIER, WAITS_FOR_COLUMNS = Waits.FOR_MBARRIER, Waits.FOR_COLUMNS
ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC = Access.LOAD, Access.STORE, Access.ATOMIC
ACCESS_RELAXED, ACCESS_NARROW = Access.RELAXED, Access.NARROW


def clock_words(members: int) -> int:
    """Words of a clock of a group (clock_words in runtime.h)."""
    return CLOCKS * members + CLOCK_EXTRA


#: Slots begin at the first multiple of 64 bytes after the wave.
SLOTS = (ctypes.sizeof(Wave) + 63) // 64 * 64


def field_offset(name: str) -> int:
    """Byte offset of a field of `Wave`."""
    return int(getattr(Wave, name).offset)
