"""The runtime's structures (runtime/runtime.h) as ctypes, and the constants that both sides share.

`check` compares this mirror with the compiled runtime.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

MAX_LANES = 64
MAX_WAVES = 32
MAX_CTAS = 16
MAX_BARRIERS = 16
#: Bits of a shared address from which the rank of its CTA stands (RANK_SHIFT in runtime.h).
RANK_SHIFT = 24
#: Bits of an access's number in a stamp, and of a group's number (runtime.h, Granule).
SEQUENCE_BITS, GROUP_BITS = 28, 21
SEQUENCES = 1 << SEQUENCE_BITS
SCRATCH_ROWS = 72
QUEUE = 256
PENDING_WORDS = 160
FRONT_END_WORDS = 320

SPACE_GLOBAL, SPACE_SHARED, SPACE_PRIVATE, SPACE_GENERIC, SPACE_CLUSTER, SPACE_TENSOR = range(6)
SPACE_NAMES = ("global memory", "shared memory", "private memory", "generic memory",
               "the cluster's shared memory", "tensor memory")
#: Clocks that order keeps for each pair of waves (runtime.h, CLOCK_..); the last: tensor memory's.
CLOCKS, TENSOR_CLOCKS = 11, 4

(RUN_ON, RUN_END, RUN_BARRIER, RUN_YIELD, RUN_COMPILE, RUN_HOST, RUN_HAZARD, RUN_LIMIT,
 RUN_DEADLOCK, RUN_TRAP, RUN_INTERRUPTED) = range(11)
STOP_HAZARD, STOP_IMPRECISE = 1, 2

(HAZARD_OUT_OF_BOUNDS, HAZARD_MISALIGNED, HAZARD_UNDEFINED, HAZARD_PENDING, HAZARD_ORDER,
 HAZARD_RULE, HAZARD_READ_ONLY, HAZARD_QUEUE, HAZARD_ENDED, HAZARD_TENSOR,
 HAZARD_PROXY) = range(1, 12)
ORIGIN_MEMORY, ORIGIN_REGISTER, ORIGIN_STORE, ORIGIN_LEFT = 1, 2, 3, 4
#: What a wave waits for besides barriers (Wave.barrier, runtime/ptx_warp.h).
WAITS_FOR_MBARRIER, WAITS_FOR_COLUMNS = MAX_BARRIERS + 1, MAX_BARRIERS + 2
#: sizeof(TensorMemory): data, undefined bits, origins, three stamps a cell, and 16 units.
TENSOR_MEMORY_BYTES = 128 * 512 * (3 * 4 + 3 * 8) + 16 * 32
ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_RELAXED, ACCESS_NARROW = 1, 2, 4, 8, 16

_u8p = ctypes.c_void_p
_u32, _u64 = ctypes.c_uint32, ctypes.c_uint64


class Region(ctypes.Structure):
    """One allocation of global memory."""

    _fields_ = [("base", _u64), ("size", _u64), ("data", _u8p), ("undefined", _u8p),
                ("order", _u8p), ("origin", _u8p), ("read_only", _u32), ("identity", _u32)]


class HazardRecord(ctypes.Structure):
    """One hazard as the runtime notes it; hazards.py turns it into a sentence."""

    _fields_ = [("kind", _u32), ("instruction", _u32), ("wave", _u32), ("detail", _u32),
                ("group", _u64), ("lanes", _u64), ("address", _u64), ("size", _u64),
                ("info", _u64 * 4), ("origin", _u32), ("space", _u32), ("count", _u32),
                ("lane", _u32)]


class Origin(ctypes.Structure):
    """Where undefined bits came from."""

    _fields_ = [("kind", _u32), ("instruction", _u32), ("wave", _u32), ("lane", _u32),
                ("group", _u64), ("address", _u64), ("space", _u32), ("unused", _u32)]


class Segment(ctypes.Structure):
    """The tracked registers of a stretch of code: `count` words from `first`."""

    _fields_ = [("first", _u32), ("count", _u32)]


class SegmentWord(ctypes.Structure):
    """64 tracked registers, as a mask."""

    _fields_ = [("word", _u64), ("mask", _u64)]


class Launch(ctypes.Structure):
    """What all groups of a launch share."""

    _fields_ = [("regions", _u8p), ("region_count", _u64), ("hazards", _u8p),
                ("hazard_count", _u64), ("hazard_capacity", _u64), ("origins", _u8p),
                ("origin_count", _u64), ("origin_capacity", _u64), ("segments", _u8p),
                ("segment_words", _u8p), ("blocks", _u8p), ("first_group", _u64),
                ("limit", _u64), ("report", _u32), ("lanes", _u32), ("shared_aperture", _u64),
                ("private_aperture", _u64), ("precise", _u64), ("tables", _u8p),
                ("synchronous", _u64), ("changes", _u64), ("idle", _u64), ("idle_changes", _u64),
                ("releases", _u8p), ("release_words", _u64), ("release_depth", _u64),
                ("release_time", _u64), ("interrupted", _u64)]


class Outstanding(ctypes.Structure):
    """One asynchronous operation between issue and the wait that guarantees its completion."""

    _fields_ = [("counter", _u32), ("instruction", _u32), ("first_register", _u32),
                ("register_count", _u32), ("sequence", _u64), ("space", _u32),
                ("out_of_order", _u32)]


class Wave(ctypes.Structure):
    """One wave or warp; the slots of its registers follow the structure."""

    _fields_ = [("block", _u32), ("status", _u32), ("active", _u64), ("full", _u64),
                ("executed", _u64), ("group", _u8p), ("cta", _u8p), ("launch", _u8p),
                ("index", _u32), ("member", _u32), ("stop", _u32), ("busy", _u32),
                ("host_instruction", _u32), ("barrier", _u32),
                ("last_region", _u64), ("sequence", _u64 * 2), ("completed", _u64 * 2),
                ("queue_count", _u32), ("waiting", _u32), ("private_data", _u8p),
                ("private_undefined", _u8p), ("private_origin", _u8p), ("private_size", _u64),
                ("pending", _u64 * PENDING_WORDS), ("queue", Outstanding * QUEUE),
                ("front_end", _u64 * FRONT_END_WORDS), ("tensor_sequence", _u32 * 4),
                ("written_back", _u64), ("padding", _u64),
                ("address", _u64 * MAX_LANES),
                ("value", _u32 * MAX_LANES * SCRATCH_ROWS),
                ("undefined", _u32 * MAX_LANES * SCRATCH_ROWS),
                ("origin", _u32 * MAX_LANES * SCRATCH_ROWS)]


class Cta(ctypes.Structure):
    """One workgroup or CTA: what its waves share and others do not."""

    _fields_ = [("group", _u8p), ("rank", _u32), ("wave_count", _u32), ("first_member", _u32),
                ("live", _u32), ("shared_data", _u8p), ("shared_undefined", _u8p),
                ("shared_origin", _u8p), ("shared_order", _u8p), ("shared_readers", _u8p),
                ("visits", _u8p), ("shared_size", _u64), ("shared_base", _u64),
                ("granules", _u64), ("published", _u8p), ("arrivals", _u8p),
                ("front_end", _u64 * 96), ("mbarrier_at", _u8p), ("mbarriers", _u8p),
                ("mbarrier_clocks", _u8p), ("async_reads", _u8p), ("tensor", _u8p),
                ("tensor_relinquished", _u32),
                ("tensor_columns", _u32), ("tensor_ask", _u32 * 7), ("padding", _u32)]


class Group(ctypes.Structure):
    """What is scheduled as one: the CTAs of a cluster; an AMD workgroup is a cluster of one."""

    _fields_ = [("number", _u64), ("member_count", _u32), ("cta_count", _u32), ("members", _u8p),
                ("ctas", _u8p), ("launch", _u8p), ("current", _u64), ("polls", _u64),
                ("sequence_base", _u64), ("clock", _u8p), ("fenced", _u8p), ("handed", _u64),
                ("published", _u8p),
                ("gathering", _u8p), ("gathered", _u8p),
                ("front_end", _u64 * 8)]


def clock_words(members: int) -> int:
    """Words of a clock of a group (clock_words in runtime.h)."""
    return CLOCKS * members + 3


#: Slots begin at the first multiple of 64 bytes after the wave.
SLOTS = (ctypes.sizeof(Wave) + 63) // 64 * 64


def field_offset(name: str) -> int:
    """Byte offset of a field of `Wave`."""
    return int(getattr(Wave, name).offset)


def check(layout: Callable[[int], int]) -> None:
    """Compare with the compiled runtime's `lm_layout`; RuntimeError when they differ."""
    ours = [ctypes.sizeof(kind) for kind in (Wave, Group, Launch, Region, HazardRecord)]
    ours += [field_offset("address"), field_offset("value"), field_offset("origin"),
             int(Group.clock.offset), ctypes.sizeof(Cta), int(Cta.front_end.offset),
             TENSOR_MEMORY_BYTES]
    theirs = [layout(field) for field in range(len(ours))]
    if ours != theirs:
        raise RuntimeError(f"layout.py {ours} differs from runtime.h {theirs}: run `make runtime`")
