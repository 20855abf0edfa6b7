"""A trace of launches: one row per instruction that a wave executed, written during the run."""

from __future__ import annotations

import csv
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.host.counts import opcode_of, space_of
from lanemap.emulator.host.group import Shape
from lanemap.emulator.runtime import events_abi
from lanemap.emulator.runtime.events_abi import Direction
from lanemap.errors import UserError

#: `lanes` is a mask in hexadecimal, lane 0 the lowest bit; the access's bytes lie in first .. last.
COLUMNS = (
    "launch", "kernel", "cta", "wave", "lanes", "line", "opcode", "class", "space", "direction",
    "first", "last", "bytes", "passes", "conflicts", "instruction",
)  # fmt: skip
#: Records that the runtime makes before the host writes them, and how many more it may make for
#: each operation of a block meanwhile.
_RECORDS, _RECORDS_OF_OPERATION = 1 << 14, 4
_EVENT = np.dtype(events_abi.Event)
_ORDER = ("group", "member", "lanes", "operation", "accessed", "space", "direction", "first", "end",
          "bytes", "judged", "passes", "least")  # fmt: skip
_DIRECTIONS = [direction.name.lower() for direction in Direction]


class Trace:
    """A file of comma-separated values with a row for each instruction of each wave.

    Rows come in the order in which the emulator ran the waves, which is no order in time. An
    instruction that makes several accesses has a row for each.
    """

    def __init__(self, stream: TextIO, most: int) -> None:
        """Write to a seekable `stream`, at most `most` rows."""
        self._stream, self._most = stream, most
        self._writer = csv.writer(stream, lineterminator="\n")
        self._writer.writerow(COLUMNS)
        self._rows = self._launch = 0
        self._begin = stream.tell(), 0

    def begin(self) -> None:
        """Begin a pass of the next launch; discard rows of an earlier pass of the same launch."""
        where, self._rows = self._begin
        self._stream.seek(where)
        self._stream.truncate()

    def keep(self) -> None:
        """End the launch and keep its rows."""
        self._launch += 1
        self._begin = self._stream.tell(), self._rows

    def write(self, program: Program, shape: Shape, records: NDArray[Any]) -> None:
        """Write the rows of some records of the runtime.

        Raises:
            UserError: the trace would have more rows than it may.
        """
        self._rows += len(records)
        if self._rows > self._most:
            raise UserError(f"the trace of {program.name} has more than {self._most} rows; trace a "
                            "smaller grid, or allow more rows")
        places: dict[tuple[int, int], tuple[int, int]] = {}
        operations: dict[int, tuple[object, ...]] = {}
        columns = [records[name].tolist() for name in _ORDER]
        for group, member, lanes, number, *access in zip(*columns, strict=True):
            if number not in operations:
                operations[number] = _operation(program, number)
            if (group, member) not in places:
                places[group, member] = shape.number(group, member)
            line, opcode, kind, text = operations[number]
            self._writer.writerow((
                self._launch, program.name, *places[group, member], f"{lanes:x}", line, opcode,
                kind, *_access(str(kind), program.wording, *access), text))


def _operation(program: Program, number: int) -> tuple[object, ...]:
    operation = program.operation(number)
    return operation.line, opcode_of(operation.text), operation.kind, operation.text


def _access(kind: str, wording: Wording, accessed: int, space: int, direction: int, first: int,
            end: int, size: int, judged: int, passes: int, least: int) -> tuple[object, ...]:
    """The columns of an access; empty where there was none, or nothing to say."""
    if not accessed:
        return ("",) * 7
    places = (hex(first), hex(end - 1)) if end else ("", "")
    banks = (passes, passes - least) if judged else ("", "")
    return (space_of(space, kind, wording), _DIRECTIONS[direction], *places, size, *banks)


class TraceBuffer:
    """Buffer that the runtime fills with records until they are written."""

    def __init__(self, trace: Trace, program: Program, shape: Shape, events: events_abi.Events
                 ) -> None:
        """Give the buffer to the runtime for one pass."""
        self._trace, self._program, self._shape, self._events = trace, program, shape, events
        largest = max(len(block.operations) for block in program.blocks)
        self._records = np.zeros(_RECORDS + _RECORDS_OF_OPERATION * largest + _RECORDS, _EVENT)
        events.trace, events.trace_most = self._records.ctypes.data, len(self._records)
        events.trace_room = _RECORDS
        trace.begin()

    def drain(self) -> None:
        """Write the buffered records.

        Raises:
            UserError: the trace would have more rows than it may, or one block of instructions
                makes more accesses than the buffer holds.
        """
        count, self._events.trace_count = self._events.trace_count, 0
        self._trace.write(self._program, self._shape, self._records[:count])
        if self._events.trace_lost:
            raise UserError(f"{self._program.name} makes more accesses at once than a trace holds")
