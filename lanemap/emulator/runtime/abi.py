"""The runtime's structures and numbers in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

pointer = ctypes.c_void_p
u8 = ctypes.c_uint8
u32 = ctypes.c_uint32
u64 = ctypes.c_uint64
i16 = ctypes.c_int16
i32 = ctypes.c_int32
f32 = ctypes.c_float
f64 = ctypes.c_double

RACE_IN_PLACE = 65536
NODE_SET = 0
NODE_WORDS = 1
NODE_BYTES = 2
NODES = 3
MAX_LANES = 64
MAX_WAVES = 32
MAX_CTAS = 16
MAX_MEMBERS = 512
SCRATCH_ROWS = 136
QUEUE = 256
PENDING_WORDS = 160
MAX_BARRIERS = 16
RANK_SHIFT = 24
PLAIN_CLOCKS = 2
FENCED_CLOCKS = 4
ENGINE_CLOCKS = 11
ASYNC_CLOCKS = 17
RELEASED_PARTS = 5
CTA_SLOTS = 128
MOST_SLOTS = 512
SEQUENCE_BITS = 28
MEMBER_SHIFT = 28
GROUP_SHIFT = 37
GROUP_BITS = 21
AGENT_SHIFT = 58
SCOPE_SHIFT = 61
PHASE_SHIFT = 8
PHASE_OPERATIONS = 256
LINE_BYTES = 128
PAGE_SHIFT = 12
PAGE_BYTES = 4096
PAGE_TAG_SHIFT = 4
MOST_NOTES = 32
NOTE_REPLICAS = 0
OWN_NOTES = 1
ORIGIN_CHUNK_BITS = 12
ORIGIN_CHUNK = 4096
POSITIONS = 6
SPARE_PAGES = 32768
ISSUED_COPY = 6
ISSUED_APART = 7
MOST_RUNS = 32
ACQUIRED = 0
FENCED = 1
PENDING = 2
CLOCK_TIMES = 3
MOST_CLOCK_WORDS = 16900
PUBLISHED = 0
RECEIVED = 1
FENCED_SETS = 2
BLOCK_ROWS = 4


class AccessKind(IntEnum):
    """enum AccessKind of access.h."""

    LOAD = 1
    STORE = 2
    ATOMIC = 4
    RELAXED = 8
    NARROW = 16
    OBJECT = 32
    DEFINED = 64
    CLUSTER = 128
    TICKET = 256
    DIRECT = 512
    COPY = 1024
    BLIND = 2048
    APART = 4096


class Atomic(IntEnum):
    """enum Atomic of atomics.h."""

    ADD = 0
    SUB = 1
    RSUB = 2
    SMIN = 3
    SMAX = 4
    UMIN = 5
    UMAX = 6
    AND = 7
    OR = 8
    XOR = 9
    INC = 10
    DEC = 11
    EXCHANGE = 12
    CAS = 13
    FADD = 14
    FMIN = 15
    FMAX = 16


class Row(IntEnum):
    """enum Row of matrix.c."""

    A = 0
    B = 8
    C = 16
    SCALES = 70


class Format(IntEnum):
    """enum Format of narrow.h."""

    F32 = 0
    F16 = 1
    BF16 = 2
    E4M3 = 3
    E5M2 = 4
    E2M3 = 5
    E3M2 = 6
    E2M1 = 7
    I8 = 8
    F64 = 9
    E8M0 = 10
    U8 = 11
    TF32 = 12
    UE4M3 = 13
    I4 = 14
    U4 = 15
    B1 = 16


class Top(IntEnum):
    """enum Top of narrow.h."""

    IEEE = 0
    NAN = 1
    NUMBERS = 2


class Function(IntEnum):
    """enum Function of numeric.c."""

    EXP2 = 0
    LOG2 = 1
    RCP = 2
    RSQ = 3
    SQRT = 4
    SIN_TURNS = 5
    COS_TURNS = 6
    SIN = 7
    COS = 8
    TANH = 9


class Sum(IntEnum):
    """enum Sum of panel.h."""

    F64 = 0
    I32 = 1
    ALIGNED = 2
    GROUPED = 3
    XOR = 4
    FUSED = 5


class Result(IntEnum):
    """enum Result of panel.h."""

    F32 = 0
    I32 = 1
    F64 = 2
    F16 = 3


class Space(IntEnum):
    """enum Space of runtime.h."""

    GLOBAL = 0
    SHARED = 1
    PRIVATE = 2
    GENERIC = 3
    CLUSTER = 4
    ENGINE = 5


class Clock(IntEnum):
    """enum Clock of runtime.h."""

    GLOBAL = 0
    SHARED = 1
    HANDED_GLOBAL = 2
    HANDED_SHARED = 3
    OVER = 4
    FENCED = 7
    COPY = 11
    HANDED_COPY = 12
    BULK = 13
    BULK_READ = 14
    ARRIVED = 15
    BEGUN = 16


class Run(IntEnum):
    """enum Run of runtime.h."""

    ON = 0
    END = 1
    BARRIER = 2
    YIELD = 3
    COMPILE = 4
    HOST = 5
    HAZARD = 6
    LIMIT = 7
    DEADLOCK = 8
    TRAP = 9
    INTERRUPTED = 10
    PAUSE = 11


class Hazard(IntEnum):
    """enum Hazard of runtime.h."""

    OUT_OF_BOUNDS = 1
    MISALIGNED = 2
    UNDEFINED = 3
    PENDING = 4
    ORDER = 5
    RULE = 6
    READ_ONLY = 7
    QUEUE = 8
    ENDED = 9
    ENGINE = 10
    HANDED = 11
    ASYNC = 12


class Ended(IntEnum):
    """enum Ended of runtime.h."""

    EARLY = 0
    UNFINISHED = 1
    BEFORE = 2


class Stop(IntEnum):
    """enum Stop of runtime.h."""

    HAZARD = 1
    IMPRECISE = 2
    MEMORY = 3


class Decides(IntEnum):
    """enum Decides of runtime.h."""

    ADDRESS = 0
    BRANCH = 1
    EXECUTION = 2
    BARRIER = 3
    MATRIX = 4
    OPERAND = 5
    GUARD = 6
    MEMORY = 7


class Agent(IntEnum):
    """enum Agent of runtime.h."""

    GLOBAL = 0
    SHARED = 1
    LOAD = 2
    STORE = 3
    ENGINE = 4
    COPY = 5
    BULK = 6
    BARRIER = 7


class PageState(IntEnum):
    """enum PageState of runtime.h."""

    FILLED = 1
    DEFINED = 2
    SAVED = 4
    STATES = 15


class OriginKind(IntEnum):
    """enum OriginKind of runtime.h."""

    MEMORY = 1
    REGISTER = 2
    STORE = 3
    LEFT = 4
    RACE = 5
    ABSENT = 6
    LANES = 7


class Absent(IntEnum):
    """enum Absent of runtime.h."""

    ENDED = 0
    EXCLUDED = 1
    ELSEWHERE = 2


class Position(IntEnum):
    """enum Position of runtime.h."""

    CTA_X = 0
    CTA_Y = 1
    CTA_Z = 2
    CLUSTER_X = 3
    CLUSTER_Y = 4
    CLUSTER_Z = 5


class Empty(IntEnum):
    """enum Empty of tables.h."""

    ZERO = 0
    UNDEFINED = 1


class Access(ctypes.Structure):
    """Access of access.h."""

    _fields_ = [
        ("w", pointer), ("instruction", u32), ("space", u32), ("kind", u32), ("align", u32),
        ("stamps", u64 * 2), ("memory", pointer), ("alike", pointer)
    ]


class Line(ctypes.Structure):
    """Line of runtime.h."""

    _fields_ = [("write", u64), ("read", u64)]


class Alike(ctypes.Structure):
    """Alike of access.h."""

    _fields_ = [("met", Line), ("left", Line), ("known", u32), ("unused", u32)]


class Range(ctypes.Structure):
    """Range of access.h."""

    _fields_ = [
        ("address", u64), ("size", u32), ("each", u32), ("lane", u32), ("data", pointer),
        ("undefined", pointer), ("origin", pointer), ("lanes", pointer)
    ]


class Touch(ctypes.Structure):
    """Touch of access.h."""

    _fields_ = [
        ("a", pointer), ("m", pointer), ("stamp", u64), ("from", u64), ("to", u64),
        ("lane", u32), ("same", u32), ("again", u32), ("quiet", u32), ("bad", u32),
        ("race", u32), ("data", pointer)
    ]


class Set(ctypes.Structure):
    """Set of access.h."""

    _fields_ = [("next", u64), ("stamps", u64 * 15)]


class FloatShape(ctypes.Structure):
    """FloatShape of narrow.h."""

    _fields_ = [("exponent_bits", u32), ("mantissa_bits", u32), ("bias", u32), ("top", u32)]


class View(ctypes.Structure):
    """View of panel.h."""

    _fields_ = [
        ("base", pointer), ("places", pointer), ("run", u32), ("step", u32), ("along_k", u32),
        ("next", u32), ("used", u32), ("unused", u32)
    ]


class Operand(ctypes.Structure):
    """Operand of panel.h."""

    _fields_ = [
        ("view", View), ("scales", pointer), ("lines", u32), ("format", u32),
        ("scale_format", u32), ("scale_depth", u32), ("negate", u32), ("unused", u32)
    ]


class SumRule(ctypes.Structure):
    """SumRule of panel.h."""

    _fields_ = [
        ("sum", u32), ("result", u32), ("block", u32), ("fraction", u32), ("zero_exponent", i32),
        ("smallest_exponent", i32), ("bits", u32), ("nearest", u32), ("saturate", u32),
        ("nan", u32), ("fresh", u32), ("apart", u32), ("operand_exponent", i32), ("lower", u32),
        ("words", u32), ("unused", u32)
    ]


class Panel(ctypes.Structure):
    """Panel of panel.h."""

    _fields_ = [
        ("lines", u32), ("depth", u32), ("scale_depth", u32), ("unit", i32), ("odd", u32 * 1024),
        ("least", i32 * 1024), ("greatest", i32 * 1024), ("unused_12304", u8 * 48),
        ("f64", f64 * 16384), ("value", f32 * 16384), ("whole", i32 * 16384),
        ("exponent", i16 * 16384), ("scale", f32 * 1024), ("scale_exponent", i32 * 1024),
        ("nonzero", u32 * 1024), ("factor", f32 * 1024), ("low", i32 * 1024),
        ("high", i32 * 1024)
    ]


class Quick(ctypes.Structure):
    """Quick of quick.h."""

    _fields_ = [
        ("base", u64), ("last", u64), ("stamp", u64), ("unaligned", u64), ("known", pointer),
        ("copied", pointer), ("pages", pointer), ("objects", pointer), ("defined", pointer),
        ("changes", pointer), ("lines", pointer), ("data", pointer), ("tag", u32),
        ("place", u32), ("locks", pointer), ("a", pointer), ("m", pointer)
    ]


class Memory(ctypes.Structure):
    """Memory of runtime.h."""

    _fields_ = [
        ("base", u64), ("size", u64), ("data", pointer), ("defined", pointer),
        ("partial", pointer), ("origin", pointer), ("lines", pointer), ("pages", pointer),
        ("objects", pointer), ("owner", pointer), ("tag", u32), ("space", u32),
        ("read_only", u32), ("seed", u32)
    ]


class HazardRecord(ctypes.Structure):
    """HazardRecord of runtime.h."""

    _fields_ = [
        ("kind", u32), ("instruction", u32), ("wave", u32), ("detail", u32), ("group", u64),
        ("lanes", u64), ("address", u64), ("size", u64), ("info", u64 * 4), ("origin", u32),
        ("space", u32), ("count", u32), ("lane", u32), ("earlier", u32), ("use", u32),
        ("decides", u32), ("use_wave", u32), ("use_lane", u32), ("earlier_lane", u32),
        ("note", u32), ("unused", u32)
    ]


class Origin(ctypes.Structure):
    """Origin of runtime.h."""

    _fields_ = [
        ("kind", u32), ("instruction", u32), ("wave", u32), ("lane", u32), ("group", u64),
        ("address", u64), ("space", u32), ("unused", u32)
    ]


class SegmentWord(ctypes.Structure):
    """SegmentWord of runtime.h."""

    _fields_ = [("word", u64), ("mask", u64)]


class Segment(ctypes.Structure):
    """Segment of runtime.h."""

    _fields_ = [("words", pointer), ("count", u64)]


class Placed(ctypes.Structure):
    """Placed of runtime.h."""

    _fields_ = [("offset", u32), ("position", u32)]


class Pool(ctypes.Structure):
    """Pool of runtime.h."""

    _fields_ = [
        ("chunks", pointer), ("spare", pointer), ("free", pointer * 3), ("left", u64),
        ("next", pointer)
    ]


class Times(ctypes.Structure):
    """Times of runtime.h."""

    _fields_ = [("keys", pointer), ("times", pointer), ("count", u64), ("capacity", u64)]


class FrontEnd(ctypes.Structure):
    """FrontEnd of runtime.h."""

    _fields_ = [
        ("begin", pointer), ("leave", pointer), ("resume", pointer), ("stalled", pointer),
        ("flag", pointer), ("conflict", pointer), ("pending", pointer)
    ]


class Launch(ctypes.Structure):
    """Launch of runtime.h."""

    _fields_ = [
        ("memories", pointer), ("memory_count", u64), ("hazards", pointer),
        ("hazard_count", u64), ("hazard_capacity", u64), ("origins", pointer),
        ("origin_count", u64), ("origin_room", u64), ("first_origin", u64),
        ("more_origins", pointer), ("segments", pointer), ("blocks", pointer),
        ("runs_left", pointer), ("first_group", u64), ("limit", u64), ("report", u32),
        ("lanes", u32), ("shared_aperture", u64), ("private_aperture", u64), ("precise", u64),
        ("tables", pointer), ("synchronous", u64), ("changes", u64), ("idle", u64),
        ("idle_changes", u64), ("releases", pointer), ("release_words", u64),
        ("release_depth", u64), ("release_time", u64), ("next", pointer), ("clusters", u64),
        ("grid", u32 * 3), ("cluster", u32 * 3), ("placed", pointer), ("placed_count", u64),
        ("start_bytes", u64), ("pace", u64), ("turns", u64), ("overflow", HazardRecord),
        ("notes", pointer), ("interrupted", u64), ("strict", u64), ("at_once", u64),
        ("lane_order", u64), ("lanes_part", u64), ("lane_orders", pointer), ("shared", pointer),
        ("pool", Pool), ("chunks", pointer), ("times", Times), ("races", pointer),
        ("log", pointer), ("object_rule", u64), ("front_end", FrontEnd), ("events", pointer)
    ]


class Spare(ctypes.Structure):
    """Spare of runtime.h."""

    _fields_ = [("pages", pointer), ("count", u32), ("lock", u32)]


class Shared(ctypes.Structure):
    """Shared of runtime.h."""

    _fields_ = [
        ("threads", u32), ("unused", u32), ("spare", pointer), ("failed", u64),
        ("apart", u64 * 6), ("journal", pointer), ("apart_too", u64 * 7),
        ("page_locks", u32 * 1024), ("line_locks", u32 * 1024)
    ]


class Outstanding(ctypes.Structure):
    """Outstanding of runtime.h."""

    _fields_ = [
        ("counter", u32), ("instruction", u32), ("first_register", u32), ("register_count", u32),
        ("sequence", u64), ("space", u32), ("out_of_order", u32)
    ]


class EngineRun(ctypes.Structure):
    """EngineRun of runtime.h."""

    _fields_ = [("lane", u32), ("first", u32), ("last", u32), ("over", u32)]


class Wave(ctypes.Structure):
    """Wave of runtime.h."""

    _fields_ = [
        ("group", pointer), ("cta", pointer), ("launch", pointer), ("index", u32),
        ("member", u32), ("full", u64), ("private", Memory), ("private_size", u64),
        ("start", pointer), ("kept", pointer), ("block", u32), ("status", u32), ("active", u64),
        ("executed", u64), ("stop", u32), ("busy", u32), ("gives_way", u32), ("unused", u32),
        ("host_instruction", u32), ("barrier", u32), ("last_region", u64), ("sequence", u64 * 2),
        ("completed", u64 * 2), ("queue_count", u32), ("waiting", u32), ("held", u64),
        ("pending", u64 * 160), ("front_end", u64 * 320), ("engine_sequence", u32 * 6),
        ("apart_kept", u64), ("run_count", u32), ("asked", u32), ("runs", EngineRun * 32),
        ("queue", Outstanding * 256), ("padding", u64 * 2), ("address", u64 * 64),
        ("value", u32 * 64 * 136), ("undefined", u32 * 64 * 136), ("origin", u32 * 64 * 136)
    ]


class Cta(ctypes.Structure):
    """Cta of runtime.h."""

    _fields_ = [
        ("group", pointer), ("rank", u32), ("wave_count", u32), ("first_member", u32),
        ("live", u32), ("shared", Memory), ("lane_order", pointer), ("visits", pointer),
        ("published", pointer), ("arrivals", pointer), ("front_end", u64 * 96),
        ("extension", pointer)
    ]


class Group(ctypes.Structure):
    """Group of runtime.h."""

    _fields_ = [
        ("number", u64), ("member_count", u32), ("cta_count", u32), ("members", pointer),
        ("ctas", pointer), ("launch", pointer), ("running", u64), ("current", u64),
        ("polls", u64), ("weary", u64), ("unreleased", u64), ("turn", u64), ("progress", u64),
        ("busy", u64), ("changes", u64), ("executed", u64), ("first_changes", u64),
        ("clocks", u64), ("slots", u64), ("slots_used", u64), ("clock_words", u64),
        ("clock", pointer), ("fenced", pointer), ("pool", Pool), ("published", pointer),
        ("gathering", pointer), ("gathered", pointer), ("front_end", u64 * 8)
    ]


class Addend(ctypes.Structure):
    """Addend of sums.h."""

    _fields_ = [("significand", f32 * 16), ("exponent", i32 * 16), ("odd", i32 * 16)]
