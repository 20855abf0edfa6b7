"""A trace of launches: one row per instruction that a wave executed, written during the run."""

from __future__ import annotations

import csv
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.counts import Counts
from lanemap.emulator.host.group import Shape
from lanemap.emulator.host.observers import RECORD, Instruction, Observer, Watched
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
_ORDER = ("group", "member", "lanes", "operation", "accessed", "space", "direction", "first", "end",
          "bytes", "judged", "passes", "least")  # fmt: skip
#: The columns of an instruction that accessed nothing.
_NO_ACCESS = ("",) * 7
_DIRECTIONS = [direction.name.lower() for direction in Direction]


class Trace:
    """A file of comma-separated values with a row for each instruction of each wave.

    Rows come in the order in which the emulator ran the waves, which is no order in time. An
    instruction that makes several accesses has a row for each.
    """

    watch = Watch.TRACE

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

    def end(self, counts: Counts) -> None:
        """End the launch and keep its rows."""
        self._launch += 1
        self._begin = self._stream.tell(), self._rows

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Write the rows of some records of the runtime.

        Raises:
            UserError: the trace would have more rows than it may.
        """
        self._rows += len(records)
        if self._rows > self._most:
            raise UserError(f"the trace of {launch.kernel} has more than {self._most} rows; trace "
                            "a smaller grid, or allow more rows")
        places: dict[tuple[int, int], tuple[int, int]] = {}
        instructions: dict[int, Instruction] = {}
        spaces: dict[tuple[int, str], str] = {}
        kernel = launch.kernel
        columns = [records[name].tolist() for name in _ORDER]
        for group, member, lanes, number, *access in zip(*columns, strict=True):
            if number not in instructions:
                instructions[number] = launch.instruction(number)
            if (group, member) not in places:
                places[group, member] = launch.place(group, member)
            line, opcode, kind, text = instructions[number]
            accessed, space, *rest = access
            if accessed and (space, kind) not in spaces:
                spaces[space, kind] = launch.space(space, kind)
            made = _access(spaces[space, kind], *rest) if accessed else _NO_ACCESS
            self._writer.writerow((
                self._launch, kernel, *places[group, member], f"{lanes:x}", line, opcode, kind,
                *made, text))


def _access(space: str, direction: int, first: int, end: int, size: int, judged: int, passes: int,
            least: int) -> tuple[object, ...]:
    """The columns of an access; empty where there is nothing to say."""
    places = (hex(first), hex(end - 1)) if end else ("", "")
    banks = (passes, passes - least) if judged else ("", "")
    return (space, _DIRECTIONS[direction], *places, size, *banks)


class TraceBuffer:
    """Buffer that the runtime fills with records until they are written."""

    def __init__(self, observers: tuple[Observer, ...], program: Program, shape: Shape,
                 events: events_abi.Events) -> None:
        """Give the buffer to the runtime for one pass."""
        self._observers, self._events = observers, events
        self._launch = Watched(program, shape)
        largest = max(len(block.operations) for block in program.blocks)
        self._records = np.zeros(_RECORDS + _RECORDS_OF_OPERATION * largest + _RECORDS, RECORD)
        events.trace, events.trace_most = self._records.ctypes.data, len(self._records)
        events.trace_room = _RECORDS

    def drain(self) -> None:
        """Write the buffered records.

        Raises:
            UserError: the trace would have more rows than it may, or one block of instructions
                makes more accesses than the buffer holds.
        """
        count, self._events.trace_count = self._events.trace_count, 0
        for each in self._observers:
            each.record(self._launch, self._records[:count])
        if self._events.trace_lost:
            raise UserError(f"{self._launch.kernel} makes more accesses at once than a trace holds")
