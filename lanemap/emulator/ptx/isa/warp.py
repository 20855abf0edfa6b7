"""Warp-level synchronizing instructions (NVIDIA PTX ISA, Parallel Synchronization).

Lanes wait at such an instruction until every lane of its member mask that has not exited arrives at
the same instruction.
"""

from __future__ import annotations

import functools

import numpy as np

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.abi import Reduce, Shuffle
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import FUNCTIONS, ROW, gate, mask64, uniform
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.operand_text import OperandError


def _all_lanes(mask: Value) -> bool:
    """Whether a member mask is known to name the whole warp."""
    return mask.constant == 0xFFFFFFFF


def meet(b: Builder, members: Source) -> Value:
    """Wait for the members; return the per-lane member mask."""
    mask = members.read(b)
    gate(b, mask)
    if _all_lanes(mask):
        return mask
    mask = b.checks.require_defined(mask, "operand")
    own = b.alu.shl(b.ir.spread(b.ir.constant("i32", 1)), b.lanes.numbers())
    missing = b.alu.compare("eq", b.alu.and_(mask, own), b.ir.constant("i32", 0))
    wrong = b.alu.and_(b.lanes.ballot(missing), b.masks.active_or_all())
    b.checks.rule(
        b.alu.compare("ne", wrong, b.ir.constant("i32", 0)),
        Rule.MEMBER,
        lanes=b.alu.zext(Value(wrong.operand, wrong.type, False), "i64"),
    )
    return mask


def _sync(s: Statement) -> None:
    if not s.flag("sync"):
        raise OperandError(
            f"`{s.instruction.opcode}` without .sync was removed in PTX ISA 6.4; use its .sync form"
        )


_SHUFFLES = {
    "up": Shuffle.UP, "down": Shuffle.DOWN, "bfly": Shuffle.BUTTERFLY, "idx": Shuffle.INDEX,
}  # fmt: skip


@functools.cache
def _sources(mode: int, by: int, clamp: int) -> tuple[list[int], list[int]]:
    """The lane that each lane reads, and whether that is the one asked for, from the runtime."""
    sources, inside = np.empty(32, np.uint32), np.empty(32, np.uint32)
    name = "lm_ptx_shuffle_sources"
    ask = FUNCTIONS[name].prototype()(native().address(name))
    ask(mode, by, clamp, sources.ctypes.data, inside.ctypes.data)
    return sources.tolist(), (inside & 1).tolist()


def _shuffled(b: Builder, mode: int, value: Value, by: int, clamp: int) -> tuple[Value, Value]:
    """A move between lanes that is known when code is generated, of all lanes."""
    sources, inside = _sources(mode, by, clamp)
    b.runtime.call("lm_ptx_shuffled", mask64(b), mode, by, clamp)
    return b.lanes.shuffled(value, sources), b.alu.trunc(b.lanes.table(inside), "i1")


@instruction(
    "shfl",
    "shfl.sync.mode.b32 d|p, a, b, c, membermask; .mode = up, down, bfly, idx",
    cite="PTX ISA, Data Movement and Conversion Instructions: shfl.sync",
    gate=True,
)
def shfl(s: Statement) -> Emit:
    """Read a of another lane; p says whether that lane is in range."""
    _sync(s)
    mode = _SHUFFLES[s.choice(" ".join(_SHUFFLES))]
    s.type("b32")
    d, p = s.value_and_predicate("b32")
    value, by, clamp, members = (s.source("b32") for _ in range(4))
    s.undefines = s.defines = True

    def emit(b: Builder) -> None:
        mask = meet(b, members)
        operands = [value.read(b), by.read(b), clamp.read(b)]
        steps, ends = (operand.constant for operand in operands[1:])
        simple = _all_lanes(mask) and operands[0].undefined is None and not b.plan.precise
        if simple and steps is not None and ends is not None:
            moved, inside = _shuffled(b, mode, operands[0], steps, ends)
            d.write(b, moved)
            p.write(b, inside)
            return
        for operand in operands[1:]:
            b.checks.require_defined(operand, "operand")
        if simple and mode == Shuffle.INDEX and ends == 31:
            b.rows.store(0, [operands[0], operands[1].defined], optional=True)
            b.runtime.call("lm_ptx_shuffle_any", mask64(b), 0)
            d.write(b, b.rows.load(0, True))
            p.write(b, b.ir.spread(b.ir.constant("i1", 1)))
            return
        b.rows.store(0, [*operands, mask])
        b.runtime.call("lm_ptx_shuffle", b.index, mask64(b), 0, mode)
        d.write(b, b.rows.load(0, not b.plan.precise))
        p.write(b, b.alu.trunc(b.rows.load(3, True), "i1"))

    return emit


@instruction(
    "vote",
    "vote.sync.mode.pred d, {!}a, membermask; vote.sync.ballot.b32; .mode = all, any, uni",
    cite="PTX ISA, Parallel Synchronization and Communication: vote.sync",
    gate=True,
)
def vote(s: Statement) -> Emit:
    """Combine the predicates of the members."""
    _sync(s)
    mode = s.choice("all any uni ballot")
    kind = s.type("b32" if mode == "ballot" else "pred")
    d, predicate, members = s.destination(kind), s.source("pred"), s.source("b32")

    def emit(b: Builder) -> None:
        mask = b.alu.and_(meet(b, members), b.masks.active_or_all())
        votes = b.alu.and_(b.lanes.ballot(predicate.read(b)), mask)
        if mode == "ballot":
            d.write(b, votes)
            return
        none = b.alu.compare("eq", votes, b.ir.constant("i32", 0))
        every = b.alu.compare("eq", votes, mask)
        d.write(b, {"all": every, "any": b.alu.not_(none), "uni": b.alu.or_(every, none)}[mode])

    return emit


@instruction(
    "match",
    "match.any.sync.type d, a, membermask; match.all.sync.type d{|p}, a, membermask",
    cite="PTX ISA, Parallel Synchronization and Communication: match.sync",
    gate=True,
)
def match(s: Statement) -> Emit:
    """The members that have the same value; all of them or none with .all."""
    _sync(s)
    every = s.choice("any all") == "all"
    kind = s.type("b32 b64")
    d, p = s.value_and_predicate("b32")
    value, members = s.source(kind), s.source("b32")

    def emit(b: Builder) -> None:
        mask = meet(b, members)
        operand = b.checks.require_defined(value.read(b), "operand").defined
        b.rows.store(0, [b.alu.zext(operand, "i64"), mask.defined], optional=True)
        b.runtime.call("lm_ptx_match", b.index, mask64(b), 0, int(every))
        d.write(b, b.rows.load(0, True))
        p.write(b, b.alu.trunc(b.rows.load(3, True), "i1"))

    return emit


_REDUCTIONS = {
    ("add", "u32"): Reduce.ADD, ("add", "s32"): Reduce.ADD, ("min", "s32"): Reduce.SMIN,
    ("max", "s32"): Reduce.SMAX, ("min", "u32"): Reduce.UMIN, ("max", "u32"): Reduce.UMAX,
    ("and", "b32"): Reduce.AND, ("or", "b32"): Reduce.OR, ("xor", "b32"): Reduce.XOR,
}  # fmt: skip


@instruction(
    "redux",
    "redux.sync.op.type d, a, membermask; redux.sync.op{.abs}{.NaN}.f32; .op = min, max",
    cite="PTX ISA, Parallel Synchronization and Communication: redux.sync",
    gate=True,
    needs="redux",
)
def redux(s: Statement) -> Emit:
    """A reduction over the members."""
    _sync(s)
    name = s.choice("add min max and or xor")
    magnitude, nan = s.flag("abs"), s.flag("NaN")
    kind = s.type("u32 s32 b32 f32")
    d, value, members = s.destination(kind), s.source(kind), s.source("b32")
    s.undefines = s.defines = True
    if kind == "f32":
        return _redux_float(name, magnitude, nan, d.write, value, members)
    if (name, kind) not in _REDUCTIONS:
        s.refuse(kind)
    number = _REDUCTIONS[name, kind]

    def emit(b: Builder) -> None:
        mask = meet(b, members)
        d.write(b, _reduced(b, number, value.read(b), mask))

    return emit


def _reduced(b: Builder, number: int, value: Value, members: Value) -> Value:
    """The reduction of an i32 over the members that each lane names."""
    if not members.lanes and value.undefined is None:
        b.rows.store(0, [value], optional=True)
        lanes = b.alu.and_(mask64(b), b.alu.zext(members, "i64"))
        result = b.runtime.call("lm_ptx_reduce_all", lanes, 0, number)
        return b.ir.spread(Value(result, "i32", False))
    b.rows.store(0, [value, members])
    b.runtime.call("lm_ptx_reduce", b.index, mask64(b), 0, number)
    return b.rows.load(0, not b.plan.precise)


def _redux_float(  # type: ignore[no-untyped-def]
    name: str, magnitude: bool, nan: bool, write, value: Source, members: Source
) -> Emit:
    """Min or max of floats by integers that are in the same order.

    A NaN counts as the neutral element, or with .NaN as the canonical NaN that wins.
    """
    number = _REDUCTIONS[name, "s32"]

    def emit(b: Builder) -> None:
        mask = meet(b, members)
        operand = value.read(b)
        operand = b.alu.fabs(operand) if magnitude else operand
        bits = b.alu.bitcast(operand, "i32")
        flip = b.alu.lshr(b.alu.ashr(bits, b.ir.constant("i32", 31)), b.ir.constant("i32", 1))
        ordered = b.alu.xor(bits, flip)
        is_nan = b.alu.compare("uno", operand, operand)
        neutral = 0x7FFFFFFF if name == "min" else 0x80000000
        winner = 0x80000000 if name == "min" else 0x7FFFFFFF
        ordered = b.alu.select(is_nan, b.ir.constant("i32", winner if nan else neutral), ordered)
        found = _reduced(b, number, ordered, mask)
        back = b.alu.xor(
            found, b.alu.lshr(b.alu.ashr(found, b.ir.constant("i32", 31)), b.ir.constant("i32", 1))
        )
        all_nan = b.alu.compare("eq", found, b.ir.constant("i32", winner if nan else neutral))
        canonical = b.ir.constant("i32", 0x7FFFFFFF)
        write(b, b.alu.bitcast(b.alu.select(all_nan, canonical, back), "float"))

    return emit


@instruction(
    "elect",
    "elect.sync d|p, membermask",
    cite="PTX ISA, Parallel Synchronization and Communication: elect.sync",
    gate=True,
    needs="elect",
)
def elect(s: Statement) -> Emit:
    """Elect a member, here the lowest lane: return its number and whether a lane is it."""
    _sync(s)
    d, p = s.value_and_predicate("b32")
    members = s.source("b32")

    def emit(b: Builder) -> None:
        mask = b.alu.and_(meet(b, members), b.masks.active_or_all())
        leader = b.alu.intrinsic("cttz", mask)
        d.write(b, b.ir.spread(leader))
        p.write(b, b.alu.compare("eq", b.lanes.numbers(), leader))

    return emit


@instruction("activemask", "activemask.b32 d", cite="PTX ISA, Parallel Synchronization: activemask")
def activemask(s: Statement) -> Emit:
    """The lanes that execute together now."""
    s.type("b32")
    d = s.destination("b32")
    return lambda b: d.write(b, b.ir.spread(b.masks.active_or_all()))


@instruction(
    "bar.warp",
    "bar.warp.sync membermask",
    cite="PTX ISA, Parallel Synchronization and Communication: bar.warp.sync",
    gate=True,
)
def bar_warp(s: Statement) -> Emit:
    """Synchronize the members."""
    _sync(s)
    members = s.source("b32")

    def emit(b: Builder) -> None:
        mask = meet(b, members)
        if mask.lanes:
            b.rows.store(ROW, [mask])
            b.runtime.call("lm_ptx_met", ROW)
        else:
            b.runtime.call("lm_ptx_met_alike", mask)

    return emit


@instruction(
    "bar barrier",
    "bar{.cta}.arrive a, b; barrier{.cta}.arrive{.aligned} a, b",
    cite="PTX ISA, Parallel Synchronization and Communication: bar, barrier",
    gate=True,
)
def arrive(s: Statement) -> Emit:
    """Arrive at a barrier without waiting; barriers.py has the waits."""
    s.flag("cta")
    s.choice("arrive")
    s.flag("aligned")
    number, count = s.source("u32"), s.source("u32")

    def emit(b: Builder) -> None:
        gate(b, None)
        barrier, expected = (uniform(b, source.read(b)) for source in (number, count))
        b.checks.require_defined(barrier, "barrier operand")
        b.checks.require_defined(expected, "barrier operand")
        b.runtime.call("lm_ptx_arrive", b.index, barrier, expected)

    return emit
