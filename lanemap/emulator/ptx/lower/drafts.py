"""Basic blocks before numbering, and the terminators that a block can have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.rules import Rule
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
        """Return 1 if the edge to `target` is a back edge."""
        return int(target.function == self.function and target.number <= self.number)

    def end(
        self,
        emit: Callable[[Builder], None],
        targets: Sequence[Draft],
        text: str,
        line: int,
        reads: Sequence[Register] = (),
        writes: Sequence[Register] = (),
        late: bool = False,
    ) -> None:
        """Add the operation that ends the block; `late` as `Operation` has it."""
        self.operations.append(Operation(text, line, emit, tuple(reads), tuple(writes), late=late))
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
    draft: Draft,
    condition: Source,
    reads: Sequence[Register],
    then: Draft,
    otherwise: Draft,
    text: str,
    line: int,
) -> None:
    """Lanes where the predicate holds go to `then`, the others to `otherwise`.

    Only the former count as lanes that execute the instruction.
    """

    def emit(b: Builder) -> None:
        value = condition.read(b)
        taken = b.lanes.ballot(b.checks.require_defined(value, "branch"))
        back = draft.back(then) | draft.back(otherwise) << 1
        b.executions.tell(taken)
        b.flow.end_with("lm_ptx_branch", taken, then.number, otherwise.number, back)

    draft.end(emit, [then, otherwise], text, line, reads, late=True)


@dataclass
class Switches:
    """The tables of what lanes may go to by an index; blocks have numbers once all are made.

    Attributes:
        tables: The program's tables, to which those of switches are added.
    """

    tables: list[NDArray[np.int32]]
    _targets: list[tuple[NDArray[np.int32], Sequence[Draft | None]]] = field(default_factory=list)

    def add(self, targets: Sequence[Draft | None]) -> int:
        """Return the number of a table with targets by index, None where there is none."""
        table = np.full(1 + len(targets), -1, np.int32)
        table[0] = len(targets)
        self._targets.append((table, targets))
        self.tables.append(table)
        return len(self.tables) - 1

    def settle(self) -> None:
        """Fill the tables: all blocks have their numbers."""
        for table, targets in self._targets:
            table[1:] = [-1 if target is None else target.number for target in targets]


def end_switch(
    draft: Draft,
    index: Source,
    reads: Sequence[Register],
    targets: Sequence[Draft],
    table: int,
    text: str,
    line: int,
) -> None:
    """Each lane goes to the target that its index (u32) picks from a table of `Switches`."""

    def emit(b: Builder) -> None:
        value = index.read(b)
        plain = b.checks.require_defined(value, "branch")
        back = max(draft.back(target) for target in targets)
        switch(b, plain, plain, table, Rule.INDEX, back)

    draft.end(emit, targets, text, line, reads)


def switch(b: Builder, index: Value, shown: Value, table: int, rule: int, back: int) -> None:
    """End a block: each lane branches by its index; a wrong one breaks a rule, with `shown`."""
    b.rows.store(ROW, [index, b.alu.zext(shown, "i64")])
    b.flow.end_with("lm_ptx_switch", b.index, ROW, table, rule, back)


def end_exit(draft: Draft, text: str, line: int, rule: int | None = None) -> None:
    """The lanes that run end, with a hazard if a rule is named."""

    def emit(b: Builder) -> None:
        if rule is not None:
            b.checks.rule(b.ir.constant("i1", 1), rule)
        b.flow.end_with("lm_ptx_exit")

    draft.end(emit, [], text, line)
