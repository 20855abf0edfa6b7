"""Observers of launches: what they are told, and the one that counts."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.counts import Counts, opcode_of, space_of
from lanemap.emulator.host.group import Shape
from lanemap.emulator.runtime import events_abi

#: One record: an instruction that a wave executed, or one of its accesses (events_abi.Event).
RECORD = np.dtype(events_abi.Event)


class Instruction(NamedTuple):
    """What a record's `operation` stands for: line of the text, opcode, class, whole text."""

    line: int
    opcode: str
    kind: str
    text: str


class Watched:
    """The launch that records are of: what the numbers in them stand for."""

    def __init__(self, program: Program, shape: Shape) -> None:
        """Read both as they are asked for."""
        self._program, self._shape = program, shape

    @property
    def kernel(self) -> str:
        """The kernel's name."""
        return self._program.name

    def instruction(self, operation: int) -> Instruction:
        """Return the instruction of a record's `operation`."""
        found = self._program.operation(operation)
        return Instruction(found.line, opcode_of(found.text), found.kind, found.text)

    def place(self, group: int, member: int) -> tuple[int, int]:
        """Return the CTA of the grid, and the wave in it, of a record's `group` and `member`."""
        return self._shape.number(group, member)

    def space(self, space: int, kind: str) -> str:
        """Return what a record's `space` is called in an access by an instruction of a class."""
        return space_of(space, kind, self._program.wording)


class Observer(Protocol):
    """Someone who watches launches. Launches that nobody watches run code that tells nothing."""

    @property
    def watch(self) -> Watch:
        """What launches record for it: COUNT for `end` alone, TRACE for `record` too."""

    def begin(self) -> None:
        """Take note that a pass of a launch begins.

        A launch may need several: what was told of it in an earlier pass is void.
        """

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Take records of type RECORD, in the order in which the emulator ran the waves.

        The memory is reused afterwards: copy what is kept.
        """

    def end(self, counts: Counts) -> None:
        """Take note of what a launch did that has ended without an error."""


class Counting:
    """The observer that counts: `counts` is what the launches that ended did."""

    watch = Watch.COUNT

    def __init__(self) -> None:
        self.counts = Counts()

    def begin(self) -> None:
        """Nothing is kept of a pass."""

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Nothing is recorded for COUNT."""

    def end(self, counts: Counts) -> None:
        """Add what a launch did."""
        self.counts.add(counts)


def watch_of(observers: tuple[Observer, ...]) -> Watch:
    """What a launch records, so that every observer is told what it asked for."""
    return max((each.watch for each in observers), default=Watch.NOTHING)
