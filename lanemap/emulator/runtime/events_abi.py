"""The runtime's structures and numbers in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

pointer = ctypes.c_void_p
u32 = ctypes.c_uint32
u64 = ctypes.c_uint64

DIRECTIONS = 3
SPACES = 6
MOST_PHASES = 8
MOST_BANKS = 64
REASONS = 48
SECTOR_SHIFT = 5
BLOCK_SHIFT = 7


class Direction(IntEnum):
    """enum Direction of events.h."""

    LOAD = 0
    STORE = 1
    ATOMIC = 2


class Reason(IntEnum):
    """enum Reason of events.h."""

    POLL = 0
    COUNTER = 1
    BARRIER = 16


class Traffic(ctypes.Structure):
    """Traffic of events.h."""

    _fields_ = [
        ("accesses", u64), ("bytes", u64), ("sectors", u64), ("blocks", u64), ("judged", u64),
        ("passes", u64), ("least", u64)
    ]


class BankRule(ctypes.Structure):
    """BankRule of events.h."""

    _fields_ = [
        ("direction", u32), ("least", u32), ("most", u32), ("element_bits", u32), ("banks", u32),
        ("phases", u32), ("idle", u32), ("joining", u64), ("lanes", u64 * 8)
    ]


class Event(ctypes.Structure):
    """Event of events.h."""

    _fields_ = [
        ("group", u64), ("lanes", u64), ("first", u64), ("end", u64), ("bytes", u64),
        ("member", u32), ("operation", u32), ("accessed", u32), ("space", u32),
        ("direction", u32), ("judged", u32), ("passes", u32), ("least", u32)
    ]


class Events(ctypes.Structure):
    """Events of events.h."""

    _fields_ = [
        ("blocks", pointer), ("block_lanes", pointer), ("lanes", pointer), ("traffic", pointer),
        ("products", pointer), ("waits", pointer), ("turns", pointer), ("rules", pointer),
        ("rule_count", u64), ("trace", pointer), ("trace_count", u64), ("trace_room", u64),
        ("trace_most", u64), ("trace_lost", u64)
    ]
