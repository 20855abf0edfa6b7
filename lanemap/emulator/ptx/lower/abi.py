"""The front end ptx's structures and numbers in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

from lanemap.emulator.runtime.abi import Line, Memory, SumRule

pointer = ctypes.c_void_p
u8 = ctypes.c_uint8
u32 = ctypes.c_uint32
u64 = ctypes.c_uint64
i32 = ctypes.c_int32
i64 = ctypes.c_int64

MOST_GROUPS = 64
MOST_USES = 64
BULK_ALIGN = 16
PIECE_BYTES = 4096
MBARRIER_BYTES = 8
MOST_MBARRIERS = 512
MOST_MAPS = 64
LANES = 32
GO_ON = -1
READY = 1
GATED = 2
AT_BARRIER = 3
AWAITING = 4
TENSOR_LANES = 128
TENSOR_COLUMNS = 512
TENSOR_BYTES = 262144
UNIT_COLUMNS = 32
TENSOR_UNITS = 16
WARP_LANES = 32
COLLECTORS = 5
MMA_ROWS = 19
PAIR = 2
MOST_M = 256
MOST_N = 256
MOST_CELLS = 32768
A_COLUMNS = 8
MOST_SCALE_BYTES = 4096
STEP_BYTES = 32
SWIZZLE_BITS = 8192
SWIZZLE_STILL = 2
SWIZZLE_UNITS = 1
PADDED_ROW = 128
MAP_SAYS = 64
MAP_BYTES = 128
MAP_ALIGN = 64
MAP_DIMS = 5
TMA_ALIGN = 16
SHARED_ALIGN = 128
GROUP_WARPS = 4
GROUP_LANES = 32
GROUP_ROWS = 64
MOST_COLUMNS = 256
MOST_D_REGISTERS = 128
WGMMA_A_REGISTERS = 4
MOST_TRACKED = 10240
COUNTER_WGMMA = 1
MOST_WGMMA_GROUPS = 64
MOST_OPERATIONS = 256
WRITTEN = 1
ZEROED = 2


class Reduction(IntEnum):
    """enum Reduction of async.h."""

    F16_ADD = 64
    F16_MIN = 65
    F16_MAX = 66
    BF16_ADD = 67
    BF16_MIN = 68
    BF16_MAX = 69
    FLOAT_ADD = 70
    FTZ_ADD = 71


class Arrive(IntEnum):
    """enum Arrive of mbarrier.c."""

    DROP = 1
    NO_COMPLETE = 2
    EXPECT = 4
    RELAXED = 8
    CTA = 16


class Wait(IntEnum):
    """enum Wait of mbarrier.c."""

    PARITY = 1
    RELAXED = 2
    TRY = 4


class FenceClock(IntEnum):
    """enum FenceClock of mbarrier.h."""

    IN_CTA = 0
    IN_CLUSTER = 1
    SEEN = 2
    CLOCKS = 3


class Operation(IntEnum):
    """enum Operation of numeric_ptx.c."""

    ADD = 0
    SUB = 1
    MUL = 2
    FMA = 3
    DIV = 4
    SQRT = 5


class Flag(IntEnum):
    """enum Flag of numeric_ptx.c."""

    FTZ = 1
    SAT = 2
    RELU = 4
    FINITE = 8


class Round(IntEnum):
    """enum Round of numeric_ptx.h."""

    NEAREST = 0
    ZERO = 1
    DOWN = 2
    UP = 3
    AWAY = 4


class Half(IntEnum):
    """enum Half of ptx_atomics.h."""

    ADD = 0
    MIN = 1
    MAX = 2
    CAS = 3
    EXCHANGE = 4


class Reduced(IntEnum):
    """enum Reduced of ptx_barriers.c."""

    COUNT = 0
    ALL = 1
    ANY = 2


class Shuffle(IntEnum):
    """enum Shuffle of ptx_lanes.c."""

    UP = 0
    DOWN = 1
    BUTTERFLY = 2
    INDEX = 3


class Reduce(IntEnum):
    """enum Reduce of ptx_lanes.c."""

    ADD = 0
    SMIN = 1
    SMAX = 2
    UMIN = 3
    UMAX = 4
    AND = 5
    OR = 6
    XOR = 7


class Scope(IntEnum):
    """enum Scope of ptx_order.c."""

    CTA = 0
    CLUSTER = 1
    GPU = 2


class Fence(IntEnum):
    """enum Fence of ptx_order.c."""

    RELEASES = 1
    ACQUIRES = 2
    BEGINNINGS = 4
    SHARED = 8


class Waits(IntEnum):
    """enum Waits of ptx_warp.h."""

    FOR_MBARRIER = 17
    FOR_COLUMNS = 18
    FOR_WARPGROUP = 19
    FOR_REGISTERS = 20


class Note(IntEnum):
    """enum Note of rules.h."""

    REGISTERS = 1
    WGMMA_ZERO = 2
    WGMMA_READ = 3
    WGMMA_COPIED = 4
    DEALLOC = 5
    ALLOC_RELAXED = 6
    RANK_IN_LANE = 7
    MBARRIER_BEGUN = 8


class Rule(IntEnum):
    """enum Rule of rules.h."""

    TRAP = 0
    BREAKPOINT = 1
    CALL = 2
    INDEX = 3
    MEMBER = 4
    STACK = 5
    ARRIVED = 6
    WAITED = 7
    RETURN = 8
    BARRIER_NUMBER = 9
    BARRIER_COUNT = 10
    BARRIER_THREADS = 11
    BARRIER_NOBODY = 12
    BARRIER_DIFFERS = 13
    BARRIER_MIXED = 14
    TADDR_DIFFERS = 15
    QUADRANT = 16
    TENSOR_LANE = 17
    TENSOR_COLUMN = 18
    UNALLOCATED = 19
    DEALLOCATED = 20
    OTHER_CTA = 21
    ALLOC_COLUMNS = 22
    ALLOC_RELINQUISHED = 23
    ALLOC_GROWS = 24
    DEALLOC_ADDRESS = 25
    DEALLOC_SIZE = 26
    LEAK = 27
    DESCRIPTOR_FIXED = 28
    DESCRIPTOR_SWIZZLE = 29
    DESCRIPTOR_BASE = 30
    DESCRIPTOR_LEADING = 31
    COPY_LANE = 32
    SHIFT_LANE = 33
    COMMIT_CTAS = 34
    NO_PEER = 35
    PEER_DIFFERS = 36
    NO_MBARRIER = 37
    MBARRIER_TOUCHED = 38
    MBARRIER_TWICE = 39
    MBARRIER_MANY = 40
    MBARRIER_COUNT = 41
    MBARRIER_OVERFLOW = 42
    MBARRIER_COMPLETES = 43
    MBARRIER_TRANSACTIONS = 44
    MBARRIER_PHASE = 45
    MBARRIER_REMOTE = 46
    MBARRIER_SLOTS = 47
    MBARRIER_PHASES = 48
    MBARRIER_UNORDERED = 49
    MBARRIER_LAPPED = 50
    MBARRIER_LANES = 51
    MBARRIER_BEGUN = 52
    MBARRIER_SCOPE = 53
    COPY_SOURCE_SIZE = 54
    BULK_SIZE = 55
    BULK_CTAS = 56
    BULK_MBARRIER = 57
    BULK_UNREAD = 58
    MAP_FIELD = 59
    MAP_TYPE = 60
    MAP_DIMENSIONS = 61
    MAP_INTERLEAVE = 62
    MAP_SWIZZLE = 63
    MAP_ADDRESS = 64
    MAP_STRIDE = 65
    MAP_BOX = 66
    MAP_PIXELS = 67
    MAP_CORNERS = 68
    MAP_RANK = 69
    MAP_SPACE = 70
    MAP_UNFENCED = 71
    TMA_COORDINATE = 72
    TMA_CORNER = 73
    TMA_ROWS = 74
    TMA_NEGATIVE = 75
    TMA_REDUCES = 76
    ALONE = 77
    CANCEL_AGAIN = 78
    STORE_SIZE = 79
    REGISTERS_UP = 80
    REGISTERS_DOWN = 81
    REGISTERS_DIFFER = 82
    REGISTERS_LEFT = 83
    WGMMA_NO_FENCE = 84
    WGMMA_FENCE_D = 85
    WGMMA_FENCE_A = 86
    WGMMA_DESCRIPTOR = 87
    WGMMA_DIFFERS = 88
    WGMMA_OPERANDS = 89
    WGMMA_LANES = 90
    WGMMA_WARPS = 91
    WGMMA_METADATA = 92
    WGMMA_NARROW = 93
    MMA_TYPE_F16 = 94
    MMA_TYPE_TF32 = 95
    MMA_TYPE_F8F6F4 = 96
    MMA_TYPE_I8 = 97
    MMA_TYPE_MXF8F6F4 = 98
    MMA_TYPE_MXF4 = 99
    MMA_TYPE_MXF4NVF4 = 100
    MMA_D_F16 = 101
    MMA_D_TF32 = 102
    MMA_D_F8F6F4 = 103
    MMA_D_I8 = 104
    MMA_D_BF16 = 105
    MMA_RESERVED = 106
    MMA_SELECTOR = 107
    MMA_SATURATE = 108
    MMA_MAX_SHIFT = 109
    MMA_K96 = 110
    MMA_SCALE_MXF8 = 111
    MMA_SCALE_MXF4 = 112
    MMA_SCALE_NVF4 = 113
    MMA_SFA_ID = 114
    MMA_SFB_ID = 115
    MMA_SPARSE = 116
    MMA_DENSE = 117
    MMA_NEGATE = 118
    MMA_TRANSPOSE = 119
    MMA_TRANSPOSE_TENSOR = 120
    MMA_TRANSPOSE_NARROW = 121
    MMA_M = 122
    MMA_M_WS = 123
    MMA_M_SCALED = 124
    MMA_N = 125
    MMA_N_WS = 126
    MMA_N_WS_SPARSE = 127
    MMA_N_I8 = 128
    MMA_N_I8_PAIR = 129
    MMA_N_BYTES = 130
    MMA_N_STRICT = 131
    MMA_ASHIFT = 132
    OPERAND_SWIZZLE = 133
    OPERAND_D_LANE = 134
    OPERAND_A_LANE = 135
    OPERAND_SCALE_LANE = 136
    OPERAND_DISABLED = 137
    OPERAND_WS_A = 138
    OPERAND_SCALES = 139
    OPERAND_NOT_COLLECTED = 140
    OPERAND_COLLECTED = 141
    ZEROS_RESERVED = 142
    ZEROS_SHIFT = 143
    ZEROS_START = 144


class Tensor(IntEnum):
    """enum Tensor of tensor.h."""

    LOAD = 0
    STORE = 1


class TensorClock(IntEnum):
    """enum TensorClock of tensor.h."""

    LOAD = 0
    STORE = 1
    DONE = 2
    ISSUED = 3


class Detail(IntEnum):
    """enum Detail of tensor.h."""

    MISSING = 255
    WRITES = 256
    WROTE = 512
    GIVES_BACK = 1024
    WAITED = 2048
    ELSEWHERE = 4096


class MmaKind(IntEnum):
    """enum MmaKind of tensor_mma.h."""

    F16 = 0
    TF32 = 1
    F8F6F4 = 2
    I8 = 3
    MXF8F6F4 = 4
    MXF4 = 5
    MXF4NVF4 = 6


class Collector(IntEnum):
    """enum Collector of tensor_mma.h."""

    DISCARD = 0
    FILL = 1
    USE = 2
    LASTUSE = 3


class MmaRow(IntEnum):
    """enum MmaRow of tensor_operands.h."""

    ROW_D = 0
    ROW_A = 1
    ROW_B = 3
    ROW_IDESC = 5
    ROW_ADDS = 6
    ROW_SFA = 7
    ROW_SFB = 8
    ROW_DISABLED = 9
    ROW_COLUMNS = 17


class MmaMap(IntEnum):
    """enum MmaMap of tensor_operands.h."""

    MAP_D = 1
    MAP_A = 2
    MAP_SFA = 3
    MAP_SFB = 4
    MAP_TILE = 5


class Misses(IntEnum):
    """enum Misses of tensor_order.c."""

    WAIT_LOAD = 0
    WAIT_STORE = 1
    COMMIT = 2
    BEFORE = 3
    SYNC = 4
    AFTER = 5
    MEETING = 6
    WARPGROUP = 7


class MapField(IntEnum):
    """enum MapField of tma.h."""

    MODE = 0
    TYPE = 1
    RANK = 2
    INTERLEAVE = 3
    SWIZZLE = 4
    ADDRESS = 5
    STRIDE = 6
    BOX = 7
    PIXELS = 8
    CORNERS = 9


class TmaMode(IntEnum):
    """enum TmaMode of tma.h."""

    TILE = 0
    IM2COL = 1
    FOUR_ROWS = 2


class TmaHow(IntEnum):
    """enum TmaHow of tma.h."""

    MULTICAST = 1
    PAIR = 2


class TmaStore(IntEnum):
    """enum TmaStore of tma.h."""

    STORE = 0
    ADD = 1
    MIN = 2
    MAX = 3
    INC = 4
    DEC = 5
    AND = 6
    OR = 7
    XOR = 8


class MapType(IntEnum):
    """enum MapType of tma.h."""

    U8 = 0
    U16 = 1
    U32 = 2
    S32 = 3
    U64 = 4
    S64 = 5
    F16 = 6
    F32 = 7
    F32_FTZ = 8
    F64 = 9
    BF16 = 10
    B4X16 = 11
    B4X16_P64 = 12
    B6X16_P32 = 13


class WgmmaRow(IntEnum):
    """enum WgmmaRow of wgmma.h."""

    ROW_A = 0
    ROW_D = 8


class MapUse(ctypes.Structure):
    """MapUse of async.h."""

    _fields_ = [
        ("address", u64), ("stamp", u64), ("lane", u32), ("group", u32), ("instruction", u32),
        ("unused", u32)
    ]


class AsyncGroups(ctypes.Structure):
    """AsyncGroups of async.h."""

    _fields_ = [
        ("copies", u32 * 32), ("complete", u32 * 32), ("uncommitted", u32 * 32),
        ("bulks", u32 * 32), ("bulk_instruction", u32), ("bulk_lane", u32), ("uses", u32),
        ("unused", u32), ("begins", u32 * 64 * 32), ("ends", u32 * 64 * 32),
        ("used", MapUse * 64)
    ]


class Piece(ctypes.Structure):
    """Piece of async.h."""

    _fields_ = [("data", u8 * 4096), ("undefined", u8 * 4096), ("origin", u32 * 4096)]


class Mbarrier(ctypes.Structure):
    """Mbarrier of mbarrier.h."""

    _fields_ = [
        ("phase", u64), ("transactions", i64), ("expected", u32), ("pending", u32),
        ("offset", u32), ("live", u32), ("slot", u32), ("unused", u32), ("initializer", u32),
        ("initialized", u32), ("completer", u64)
    ]


class AsyncSlot(ctypes.Structure):
    """AsyncSlot of mbarrier.h."""

    _fields_ = [
        ("base", u64), ("last", u64), ("cta", u32), ("offset", u32), ("operations", u32),
        ("unused", u32)
    ]


class MapSeen(ctypes.Structure):
    """MapSeen of mbarrier.h."""

    _fields_ = [("address", u64), ("stamp", u64)]


class TensorAsk(ctypes.Structure):
    """TensorAsk of tensor.h."""

    _fields_ = [
        ("kind", u32), ("value", u32), ("columns", u32), ("wave", u32), ("instruction", u32),
        ("done", u32), ("result", u32)
    ]


class TensorStored(ctypes.Structure):
    """TensorStored of tensor.h."""

    _fields_ = [("round", u64), ("sequence", u64), ("member", u32), ("unused", u32)]


class Collected(ctypes.Structure):
    """Collected of tensor.h."""

    _fields_ = [("operand", u64), ("valid", u32), ("unused", u32)]


class PtxCta(ctypes.Structure):
    """PtxCta of mbarrier.h."""

    _fields_ = [
        ("mbarrier_at", pointer), ("mbarriers", pointer), ("mbarrier_clocks", pointer),
        ("fence_clocks", pointer), ("tensor", pointer), ("relinquished", u32), ("columns", u32),
        ("ask", TensorAsk), ("stored", TensorStored), ("collected", Collected * 5),
        ("slots", pointer), ("groups", pointer), ("maps", MapSeen * 64), ("refusal", u64),
        ("warpgroups", pointer), ("tracked", u32), ("unused", u32)
    ]


class Awaited(ctypes.Structure):
    """Awaited of mbarrier.h."""

    _fields_ = [
        ("address", u64), ("by_parity", u64), ("value", u64), ("phase", u64), ("pending", u64),
        ("expected", u64), ("transactions", i64)
    ]


class Mma(ctypes.Structure):
    """Mma of mma.h."""

    _fields_ = [
        ("rule", SumRule), ("rows", u32), ("columns", u32), ("depth", u32), ("products", u32),
        ("a_format", u32), ("b_format", u32), ("c_result", u32), ("d_result", u32),
        ("b_row", u32), ("c_row", u32), ("d_row", u32), ("mode", u32), ("chunk", u32),
        ("metadata_row", u32), ("metadata_table", u32), ("ordered", u32), ("steps", u32),
        ("unused", u32)
    ]


class Lanes(ctypes.Structure):
    """Lanes of ptx_warp.h."""

    _fields_ = [("block", u32), ("mask", u32), ("state", u32), ("barrier", u32)]


class Warp(ctypes.Structure):
    """Warp of ptx_warp.h."""

    _fields_ = [
        ("begun", u32), ("alive", u32), ("others", u32), ("rounds", u32), ("turn", u32),
        ("next", u32), ("polls", u32), ("refused", u32), ("groups", Lanes * 32),
        ("arrived", u32), ("owing", u32), ("round", u64), ("give_up", u32),
        ("awaited_parity", u32), ("awaited", u64), ("awaited_value", u64), ("granted", u32),
        ("registers", u32), ("register_changes", u32), ("register_instruction", u32),
        ("waited", u32), ("arrivals_end", u64), ("first_arrival", u64), ("fence_clocks", u32),
        ("tensor_copies", u64), ("registers_asked", u32), ("registers_others", u32),
        ("registers_pool", u32), ("kept", u32 * 32)
    ]


class SharedLayout(ctypes.Structure):
    """SharedLayout of shared_layout.h."""

    _fields_ = [
        ("start", u32), ("leading", u32), ("stride", u32), ("base", u32), ("mask", u32),
        ("shift", u32), ("width", u32), ("group", u32), ("mn", u32), ("bits", u32),
        ("origin", u32), ("tile", pointer)
    ]


class TensorUnit(ctypes.Structure):
    """TensorUnit of tensor.h."""

    _fields_ = [
        ("owner", u64), ("last_owner", u64), ("first", u32), ("columns", u32),
        ("instruction", u32), ("wave", u32)
    ]


class TensorMemory(ctypes.Structure):
    """TensorMemory of tensor.h."""

    _fields_ = [
        ("memory", Memory), ("units", TensorUnit * 16), ("defined", u64 * 4096),
        ("lines", Line * 2048), ("pages", u32 * 64), ("data", u8 * 262144),
        ("partial", u8 * 262144), ("origin", u32 * 262144)
    ]


class MmaForm(ctypes.Structure):
    """MmaForm of tensor_mma.h."""

    _fields_ = [
        ("kind", u32), ("sparse", u32), ("ws", u32), ("pair", u32), ("vector", u32),
        ("a_in_tensor_memory", u32), ("ashift", u32), ("collector", u32), ("buffer", u32),
        ("disables", u32), ("zeros", u32), ("scale_d", u32), ("unused", u32),
        ("rules", SumRule * 4)
    ]


class MmaShape(ctypes.Structure):
    """MmaShape of tensor_mma.h."""

    _fields_ = [
        ("rows", u32), ("columns", u32), ("depth", u32), ("a_format", u32), ("b_format", u32),
        ("bits", u32), ("result", u32), ("a_mn", u32), ("b_mn", u32), ("negate_a", u32),
        ("negate_b", u32), ("saturate", u32), ("selector", u32), ("max_shift", u32),
        ("scales", u32), ("scale_format", u32), ("scale_depth", u32), ("sfa_id", u32),
        ("sfb_id", u32), ("layout", u32)
    ]


class MmaRun(ctypes.Structure):
    """MmaRun of tensor_operands.h."""

    _fields_ = [
        ("w", pointer), ("form", pointer), ("maps", pointer), ("ctas", pointer * 2),
        ("stamp", u64), ("instruction", u32), ("lane", u32), ("count", u32), ("rows", u32),
        ("parts", u32), ("columns", u32), ("adds", u32), ("d", u32), ("a", u32), ("sfa", u32),
        ("sfb", u32), ("disabled", u32 * 4), ("zeros", u64), ("shape", MmaShape),
        ("a_layout", SharedLayout), ("b_layout", SharedLayout)
    ]


class TensorMap(ctypes.Structure):
    """TensorMap of tma.h."""

    _fields_ = [
        ("place", u64), ("address", u64), ("dims", u64 * 5), ("strides", u64 * 5),
        ("box", u32 * 5), ("steps", u32 * 5), ("lower", i32 * 3), ("upper", i32 * 3),
        ("rank", u32), ("type", u32), ("bits", u32), ("im2col", u32), ("interleave", u32),
        ("swizzle", u32), ("atom", u32), ("fill", u32), ("rounds", u32), ("pixels", u32)
    ]


class Box(ctypes.Structure):
    """Box of tma.h."""

    _fields_ = [
        ("map", pointer), ("start", i64 * 5), ("offsets", i64 * 3), ("position", i64 * 3),
        ("image", i64), ("mode", u32), ("count", u32 * 5), ("index", u32 * 5), ("rows", u32),
        ("row_bytes", u32), ("pitch", u32), ("packed", u32), ("swizzle", pointer)
    ]


class BoxRow(ctypes.Structure):
    """BoxRow of tma.h."""

    _fields_ = [("address", u64), ("from", u32), ("to", u32)]


class WgmmaForm(ctypes.Structure):
    """WgmmaForm of wgmma.h."""

    _fields_ = [
        ("rule", SumRule), ("columns", u32), ("depth", u32), ("bits", u32), ("a_format", u32),
        ("b_format", u32), ("a_registers", u32), ("a_mn", u32), ("b_mn", u32), ("negate", u32),
        ("d_registers", u32), ("shape", u32), ("d_table", u32), ("a_table", u32),
        ("sparse", u32), ("metadata_table", u32), ("tiles", u32 * 8), ("pairs", u32)
    ]


class WgmmaOperation(ctypes.Structure):
    """WgmmaOperation of wgmma.h."""

    _fields_ = [("instruction", u32), ("shape", u32)]


class WgmmaWarp(ctypes.Structure):
    """WgmmaWarp of wgmma.h."""

    _fields_ = [
        ("fenced", u32), ("last", u32), ("groups", u32), ("done", u32), ("waited", u32),
        ("unused", u32), ("ends", u32 * 64), ("writer", u32 * 10240), ("reader", u32 * 10240),
        ("written", u8 * 10240)
    ]


class Warpgroup(ctypes.Structure):
    """Warpgroup of wgmma.h."""

    _fields_ = [
        ("here", u32), ("instruction", u32), ("a", u64), ("b", u64), ("adds", u64),
        ("operations", WgmmaOperation * 256), ("warps", WgmmaWarp * 4),
        ("d", u32 * 32 * 128 * 4)
    ]
