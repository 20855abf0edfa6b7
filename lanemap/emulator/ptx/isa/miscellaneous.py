"""Moves, fences and the rest (NVIDIA PTX ISA, Data Movement; Synchronization; Miscellaneous)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.memory_model.abi import Fence
from lanemap.emulator.ptx.lower.access import Destination, Source
from lanemap.emulator.ptx.lower.runtime import (
    fence_threads,
    gate,
    mask64,
    note_polling,
    unless_waiting,
)
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Register, Vector
from lanemap.emulator.runtime.abi import Space


@instruction(
    "mov",
    "mov.type d, a; a register, constant, special register, or address; or parts in braces",
    cite="PTX ISA, Data Movement and Conversion Instructions: mov",
)
def mov(s: Statement) -> Emit:
    """Copy; take apart; put together (the first part is the lowest)."""
    kind = s.type("pred b16 b32 b64 b128 u16 u32 u64 s16 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2")
    target, source = s.operand(), s.operand()
    if isinstance(target, Vector):
        return _unpack(s, kind, target, source)
    if isinstance(source, Vector):
        return _pack(s, kind, target, source)
    if kind == "b128":
        s.give_back(target, source)
        return _copies(s.wide_destinations(1), s.wide_sources(1))
    d, x = s.destination_of(target, kind), s.source_of(source, kind)
    if s.names.warpgroups and min(s.names.tracked(target), s.names.tracked(source)) >= 0:
        return _move_tracked(s)
    if s.names.warpgroups and s.names.tracked(target) >= 0 and s.names.is_zero(source):
        return _zero_tracked(s, d, x)
    return lambda b: d.write(b, x.read(b))


def _move_tracked(s: Statement) -> Emit:
    """Copy a register that wgmma may be using: the copy is in use as the original is."""
    target, source = s.writes[-1], s.reads[-1]

    def emit(b: Builder) -> None:
        with b.pending.untouched():
            b.registers.write(target, b.registers.peek(source))
        b.runtime.call("lm_wgmma_moved", b.index, target.tracked, source.tracked, b.pending.lanes())
        b.pending.may_be_pending(target)

    return emit


def _zero_tracked(s: Statement, d: Destination, x: Source) -> Emit:
    """Write zero to a register that wgmma uses, which needs no fence where ptxas sees it."""
    target = s.writes[-1]

    def emit(b: Builder) -> None:
        d.write(b, x.read(b))
        b.runtime.call("lm_wgmma_zeroed", target.tracked, b.pending.lanes())

    return emit


def _copies(destinations: list[Destination], sources: list[Source]) -> Emit:
    def emit(b: Builder) -> None:
        for destination, source in zip(destinations, sources, strict=True):
            destination.write(b, source.read(b))

    return emit


def _part_kind(kind: str, vector: Vector) -> str:
    width, rest = divmod(BITS[kind], len(vector.elements))
    if rest or f"b{width}" not in BITS:
        raise OperandError(f"`{vector}` does not divide .{kind} evenly")
    return f"b{width}"


def _unpack(s: Statement, kind: str, target: Vector, source: object) -> Emit:
    part = _part_kind(kind, target)
    destinations = [s.destination_of(element, part) for element in target.elements]
    if kind == "b128":
        assert isinstance(source, Register)
        s.give_back(source)
        low, high = s.wide_sources(1)
        middle = len(destinations) // 2

        def emit(b: Builder) -> None:
            _scatter(b, low.read(b), destinations[:middle])
            _scatter(b, high.read(b), destinations[middle:])

        return emit
    x = s.source_of(source, f"b{BITS[kind]}")  # type: ignore[arg-type]
    return lambda b: _scatter(b, x.read(b), destinations)


def _scatter(b: Builder, value: Value, destinations: list[Destination]) -> None:
    width = value.bits // len(destinations)
    for i, destination in enumerate(destinations):
        moved = b.alu.lshr(value, b.ir.constant(value.type, i * width)) if i else value
        destination.write(b, b.alu.trunc(moved, f"i{width}"))


def _pack(s: Statement, kind: str, target: object, source: Vector) -> Emit:
    part = _part_kind(kind, source)
    parts = [s.source_of(element, part) for element in source.elements]
    if kind == "b128":
        assert isinstance(target, Register)
        s.give_back(target)
        low, high = s.wide_destinations(1)
        middle = len(parts) // 2

        def emit(b: Builder) -> None:
            low.write(b, _gather(b, "i64", parts[:middle]))
            high.write(b, _gather(b, "i64", parts[middle:]))

        return emit
    d = s.destination_of(target, f"b{BITS[kind]}")  # type: ignore[arg-type]
    return lambda b: d.write(b, _gather(b, f"i{BITS[kind]}", parts))


def _gather(b: Builder, kind: str, parts: list[Source]) -> Value:
    result: Value | None = None
    for i, part in enumerate(parts):
        value = part.read(b)
        moved = b.alu.zext(value, kind)
        if i:
            moved = b.alu.shl(moved, b.ir.constant(kind, i * value.bits))
        result = moved if result is None else b.alu.disjoint(result, moved)
    assert result is not None
    return result


_FENCE_WORDS = (
    "proxy alias async async.global global shared::cta shared::cluster mbarrier_init "
    "async::generic sync_restrict::shared::cta sync_restrict::shared::cluster"
)
_GLOBAL, _OWN, _CLUSTER = (1 << space for space in (Space.GLOBAL, Space.SHARED, Space.CLUSTER))
_FENCES = {
    "sc": Fence.RELEASES | Fence.ACQUIRES, "acq_rel": Fence.RELEASES | Fence.ACQUIRES,
    "acquire": Fence.ACQUIRES, "release": Fence.RELEASES,
}  # fmt: skip
_LEVELS = {"cta": "cta", "gl": "gpu", "sys": "sys"}


def _handed_over(words: list[str]) -> int:
    """Which spaces a proxy fence hands to the async proxy, a bit each.

    An object is in .shared::cta if it lies in the shared memory of the executing CTA.
    """
    if "async" not in words and "async::generic" not in words:
        return 0
    spaces = {"global": _GLOBAL, "shared::cta": _OWN, "shared::cluster": _CLUSTER}
    named = [word.removeprefix("sync_restrict::") for word in words]
    return next((spaces[word] for word in named if word in spaces), _GLOBAL | _CLUSTER)


@instruction(
    "fence membar",
    "fence{.sem}.scope; fence.proxy.kind; fence.mbarrier_init.release.cluster; "
    "membar.level; membar.proxy.kind",
    cite="PTX ISA, Parallel Synchronization and Communication Instructions: fence, membar",
)
def fence(s: Statement) -> Emit:
    """Order accesses: they are in order here already, so only what others learn of it counts.

    fence.mbarrier_init orders initializations of mbarriers alone, .sync_restrict accesses to shared
    memory.
    """
    sem = s.choice("sc acq_rel acquire release", "acq_rel")
    scope = _LEVELS.get(level, level) if (level := s.choice("cta cluster gpu sys gl", "")) else ""
    words = []
    while s.words_left:
        words.append(s.choice(_FENCE_WORDS))
    if s.instruction.opcode == "membar" and "async" in words:
        s.refuse("async")
    handed = _handed_over(words)
    # a fence between two proxies alone orders nothing between threads
    what = 0 if "proxy" in words and not scope else _FENCES[sem]
    if "mbarrier_init" in words:
        what |= Fence.BEGINNINGS
    if any(word.startswith("sync_restrict") for word in words):
        what |= Fence.SHARED
    address = s.address(Space.GENERIC) if s.left else None
    if address is not None:
        s.immediate()

    def emit(b: Builder) -> None:
        if address is not None:
            b.checks.require_defined(address.read(b), "address")
        note_polling(b)
        if handed:
            b.runtime.call("lm_hand_over", mask64(b), handed)
        if what:
            fence_threads(b, scope, what)

    return emit


@instruction(
    "barrier.cluster",
    "barrier.cluster.arrive{.sem}{.aligned}",
    cite="PTX ISA, Parallel Synchronization and Communication: barrier.cluster",
    gate=True,
    needs="clusters",
)
def barrier_cluster(s: Statement) -> Emit:
    """Arrive at the cluster barrier; barriers.py waits there."""
    s.choice("arrive")
    releases = s.choice("release relaxed", "release") == "release"
    aligned = s.flag("aligned")

    def emit(b: Builder) -> None:
        if aligned:
            gate(b, None)
        b.runtime.call("lm_ptx_cluster_arrive", b.index, int(releases))

    return emit


@instruction(
    "alloca",
    "alloca.type ptr, size{, align}; .type = u32, u64",
    cite="PTX ISA, Stack Manipulation Instructions: alloca",
)
def alloca(s: Statement) -> Emit:
    """Reserve bytes of the stack, aligned to 8 bytes unless stated; an address of .local."""
    kind = s.type("u32 u64")
    d, size = s.destination(kind), s.source(kind)
    align = s.immediate() if s.left else 8
    stack = s.stack()

    def emit(b: Builder) -> None:
        top = b.alu.add(b.registers.read(stack), b.ir.constant("i32", align - 1))
        start = b.alu.and_(top, b.ir.constant("i32", -align))
        d.write(b, b.alu.resize(start, f"i{BITS[kind]}"))
        b.registers.write(stack, b.alu.add(start, b.alu.resize(size.read(b), "i32")))

    return emit


@instruction(
    "stacksave stackrestore",
    "stacksave.type d; stackrestore.type a; .type = u32, u64",
    cite="PTX ISA, Stack Manipulation Instructions: stacksave, stackrestore",
)
def stack_pointer(s: Statement) -> Emit:
    """Read or set where the next alloca begins."""
    kind = s.type("u32 u64")
    stack = s.stack()
    if s.instruction.opcode == "stacksave":
        d = s.destination(kind)
        return lambda b: d.write(b, b.alu.resize(b.registers.read(stack), f"i{BITS[kind]}"))
    x = s.source(kind)
    return lambda b: b.registers.write(stack, b.alu.resize(x.read(b), "i32"))


@instruction("nanosleep", "nanosleep.u32 t", cite="PTX ISA, Miscellaneous Instructions: nanosleep")
def nanosleep(s: Statement) -> Emit:
    """Let others run soon."""
    s.type("u32")
    s.source("u32")
    return note_polling


@instruction(
    "pmevent griddepcontrol",
    "pmevent{.mask} a; griddepcontrol.action",
    cite="PTX ISA, Miscellaneous: pmevent; Parallel Synchronization: griddepcontrol",
)
def without_effect(s: Statement) -> Emit:
    """Performance counters, and dependent grids, of which there are none."""
    if s.instruction.opcode == "pmevent":
        s.flag("mask")
        s.immediate()
    else:
        s.names.require("griddepcontrol")
        s.choice("launch_dependents wait")
    return lambda b: None


@instruction(
    "setmaxnreg",
    "setmaxnreg.action.sync.aligned.u32 n; .action = inc, dec",
    cite="PTX ISA, Miscellaneous Instructions: setmaxnreg",
    gate=True,
    needs="setmaxnreg",
)
def setmaxnreg(s: Statement) -> Emit:
    """The number of registers of a warp, which changes no value; inc waits for free ones."""
    s.names.use_mbarriers()  # for what the runtime does at the end of a CTA
    increases = int(s.choice("inc dec") == "inc")
    s.choice("sync")
    s.choice("aligned")
    s.type("u32")
    count = s.immediate()
    if not 24 <= count <= 256 or count % 8:
        raise OperandError(f"setmaxnreg takes a multiple of 8 from 24 to 256, not {count}")
    first = s.names.most_registers

    def emit(b: Builder) -> None:
        gate(b, None, last=False)
        status = b.runtime.call("lm_set_registers", b.index, b.plan.block, count, increases, first)
        unless_waiting(b, status, "granted")

    return emit


@instruction(
    "istypep",
    "istypep.type p, a; .type = texref, samplerref, surfref",
    cite="PTX ISA, Texture Instructions: istypep",
)
def istypep(s: Statement) -> Emit:
    """Whether an address is that of a texture, sampler or surface: there are none."""
    s.choice("texref samplerref surfref")
    p = s.destination("pred")
    s.source("b64")
    return lambda b: p.write(b, b.ir.constant("i1", 0, True))
