"""Blocks before they have numbers, and the ways in which a block can end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.abi import Rule
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.runtime import ROW


@dataclass(eq=False)
class Draft:
    """A block of a function.

    Attributes:
        targets: Where it may go on, in the same function or another one.
        order_targets: The same for the order of blocks: a call goes on behind itself.
        number: Its number in the program, once known.
        alone: Whether only one block leads here, so that no lanes can be waiting.
    """

    function: str
    operations: list[Operation] = field(default_factory=list)
    targets: list[Draft] = field(default_factory=list)
    order_targets: list[Draft] = field(default_factory=list)
    number: int = -1
    alone: bool = False

    def back(self, target: Draft) -> int:
        """1 where going to `target` goes round a loop."""
        return int(target.function == self.function and target.number <= self.number)

    def end(
        self, emit: Callable[[Builder], None], targets: Sequence[Draft], text: str, line: int,
        reads: Sequence[Register] = (), writes: Sequence[Register] = (),
    ) -> None:  # fmt: skip
        """Add the operation that ends the block."""
        self.operations.append(Operation(text, line, emit, tuple(reads), tuple(writes)))
        self.targets = list(targets)
        self.order_targets = list(targets)


def end_goto(draft: Draft, target: Draft, text: str, line: int) -> None:
    """All lanes that run go to another block."""

    def emit(b: Builder) -> None:
        if target.alone:
            b.flow.goto(target.number)
        else:
            b.flow.end_with("lm_ptx_goto", target.number, draft.back(target))

    draft.end(emit, [target], text, line)


def end_branch(
    draft: Draft, condition: Source, reads: Sequence[Register], then: Draft, otherwise: Draft,
    text: str, line: int,
) -> None:  # fmt: skip
    """Lanes where the predicate holds go to `then`, the others to `otherwise`."""

    def emit(b: Builder) -> None:
        value = condition.read(b)
        b.checks.require_defined(value, "branch")
        taken = b.lanes.ballot(Value(value.name, "i1", value.lanes))
        back = draft.back(then) | draft.back(otherwise) << 1
        b.flow.end_with("lm_ptx_branch", taken, then.number, otherwise.number, back)

    draft.end(emit, [then, otherwise], text, line, reads)


def end_switch(
    draft: Draft, index: Source, reads: Sequence[Register], targets: Sequence[Draft], text: str,
    line: int,
) -> None:  # fmt: skip
    """Each lane goes to the target that its index (u32) picks."""

    def emit(b: Builder) -> None:
        value = index.read(b)
        b.checks.require_defined(value, "branch")
        plain = b.ir.spread(Value(value.name, "i32", value.lanes, constant=value.constant))
        beyond = b.alu.compare("uge", plain, b.ir.constant("i32", len(targets)))
        wrong = b.alu.and_(b.lanes.ballot(beyond), b.masks.active_or_all())
        break_rule(b, Rule.INDEX, wrong, plain)
        block = b.ir.constant("i32", targets[-1].number, True)
        for number, target in enumerate(targets[:-1]):
            here = b.alu.compare("eq", plain, b.ir.constant("i32", number))
            block = b.alu.select(here, b.ir.constant("i32", target.number), block)
        b.rows.store(ROW, [block])
        b.flow.end_with("lm_ptx_switch", ROW, max(draft.back(target) for target in targets))

    draft.end(emit, targets, text, line, reads)


def break_rule(b: Builder, rule: int, lanes: Value, value: Value) -> None:
    """A hazard that names those lanes, if there are any, and what the first of them has."""
    bad = b.alu.compare("ne", lanes, b.ir.constant("i32", 0))
    first = b.alu.and_(b.alu.intrinsic("cttz", lanes, flags=", i1 false"), b.ir.constant("i32", 31))
    b.checks.rule(
        bad, rule, b.alu.zext(b.lanes.extract(value, first), "i64"), lanes=b.alu.zext(lanes, "i64")
    )


def end_exit(draft: Draft, text: str, line: int, rule: int | None = None) -> None:
    """The lanes that run end, with a hazard if a rule is named."""

    def emit(b: Builder) -> None:
        if rule is not None:
            b.checks.rule(b.ir.constant("i1", 1), rule)
        b.flow.end_with("lm_ptx_exit")

    draft.end(emit, [], text, line)
