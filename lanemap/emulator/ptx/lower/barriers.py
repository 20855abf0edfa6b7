"""Barriers of a CTA or cluster at which warps wait (PTX ISA, bar, barrier, barrier.cluster)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.lower.abi import Reduced
from lanemap.emulator.ptx.lower.access import Destination, Source, constant_source
from lanemap.emulator.ptx.lower.drafts import Draft, end_goto
from lanemap.emulator.ptx.lower.runtime import gate, uniform
from lanemap.emulator.ptx.lower.statement import Statement


def end_barrier(s: Statement, draft: Draft, following: Draft, text: str) -> list[Draft]:
    """End a block with bar.sync, bar.red, barrier.sync or barrier.red.

    A reduction's result is read in a block of its own, which is returned.
    """
    line = s.instruction.line
    if s.flag("cluster"):
        _end_cluster_wait(s, draft, following, text)
        return []
    aligned = s.flag("aligned") or s.instruction.opcode == "bar"
    s.flag("cta")
    what = s.choice("sync red")
    kind = ""
    result: Destination | None = None
    if what == "red":
        kind = s.choice("popc and or")
        result = s.destination(s.type("u32" if kind == "popc" else "pred"))
    number = s.source("u32")
    count = s.source("u32") if s.left > (what == "red") else constant_source("u32", 0)
    predicate = s.source("pred") if what == "red" else None
    s.finish()
    target = following
    more: list[Draft] = []
    if result is not None:
        target = Draft(draft.function)
        _read_result(target, s, result, number, kind, following, text)
        more.append(target)

    def emit(b: Builder) -> None:
        barrier, expected = _wait(b, number, count, predicate, aligned)
        b.flow.end_with(
            "lm_ptx_barrier", b.index, target.number, barrier, expected, int(what == "red")
        )

    draft.end(emit, [target], text, line, s.reads, late=aligned)
    return more


def _end_cluster_wait(s: Statement, draft: Draft, following: Draft, text: str) -> None:
    """End a block with barrier.cluster.wait."""
    s.names.require("clusters")
    s.choice("wait")
    s.flag("acquire")
    aligned = s.flag("aligned")
    s.finish()

    def emit(b: Builder) -> None:
        if aligned:
            gate(b, None)
        b.flow.end_with("lm_ptx_cluster_wait", b.index, following.number)

    draft.end(emit, [following], text, s.instruction.line, late=aligned)


def _wait(
    b: Builder, number: Source, count: Source, predicate: Source | None, aligned: bool
) -> tuple[Value, Value]:
    if aligned:
        gate(b, None)
    barrier = _operand(b, number)
    expected = _operand(b, count)
    if predicate is not None:
        value = predicate.read(b)
        votes = b.lanes.ballot(b.checks.require_defined(value, "barrier operand"))
        b.runtime.call("lm_ptx_contribute", barrier, votes)
    return barrier, expected


def _operand(b: Builder, source: Source) -> Value:
    value = uniform(b, source.read(b))
    b.checks.require_defined(value, "barrier operand")
    return value


def _read_result(
    draft: Draft,
    s: Statement,
    result: Destination,
    number: Source,
    kind: str,
    following: Draft,
    text: str,
) -> None:
    which = {"popc": Reduced.COUNT, "and": Reduced.ALL, "or": Reduced.ANY}[kind]

    def emit(b: Builder) -> None:
        result_of = b.runtime.call("lm_ptx_reduced", _operand(b, number), which)
        value = Value(result_of, "i32", False)
        if kind != "popc":
            value = b.alu.trunc(value, "i1")
        result.write(b, value)

    line = s.instruction.line
    draft.operations.append(Operation(text, line, emit, tuple(s.reads), tuple(s.writes)))
    end_goto(draft, following, text, line)
