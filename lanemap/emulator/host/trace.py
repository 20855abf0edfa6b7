"""A trace of launches: one row per instruction that a wave executed, written during the run."""

from __future__ import annotations

import csv
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.counts import Counts
from lanemap.emulator.host.observers import Instruction, Watched
from lanemap.emulator.runtime.abi import Direction, Happening
from lanemap.errors import UserError

#: `lanes` is a mask in hexadecimal, lane 0 the lowest bit; the access's bytes lie in first .. last.
COLUMNS = (
    "launch", "kernel", "cta", "wave", "lanes", "line", "opcode", "class", "space", "direction",
    "first", "last", "bytes", "passes", "conflicts", "instruction",
)  # fmt: skip
_ISSUED = ("cta", "wave", "lanes", "operation")
_ACCESSED = ("space", "direction", "first", "end", "bytes", "judged", "passes", "least")
#: The columns of an instruction that accessed nothing.
_NO_ACCESS = ("",) * 7
_DIRECTIONS = [direction.name.lower() for direction in Direction]


class Trace:
    """A file of comma-separated values with a row for each instruction of each wave.

    Rows come in the order in which the emulator ran the waves, which is no order in time. An
    instruction that makes several accesses has a row for each.
    """

    watch = Watch.ISSUE | Watch.ACCESS

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
        """Write the rows of some records: an instruction and its first access share one.

        Raises:
            UserError: the trace would have more rows than it may.
        """
        accesses = records["happening"] == Happening.ACCESS
        joins = np.zeros(len(records) + 1, bool)  # whether a record belongs to the one before
        joins[1:-1] = accesses[1:] & ~accesses[:-1]
        for name in ("operation", "wave"):
            joins[1:-1] &= records[name][1:] == records[name][:-1]
        rows = np.flatnonzero(~joins[:-1])
        self._rows += len(rows)
        if self._rows > self._most:
            raise UserError(
                f"the trace of {launch.kernel} has more than {self._most} rows; trace "
                "a smaller grid, or allow more rows"
            )
        self._write(launch, records[rows], records[rows + joins[rows + 1]])

    def _write(self, launch: Watched, issued: NDArray[Any], accessed: NDArray[Any]) -> None:
        """Write a row for each pair of records."""
        instructions: dict[int, Instruction] = {}
        spaces: dict[tuple[int, str], str] = {}
        kernel = launch.kernel
        columns = [issued[name].tolist() for name in _ISSUED]
        columns.append((accessed["happening"] == Happening.ACCESS).tolist())
        columns += [accessed[name].tolist() for name in _ACCESSED]
        for cta, wave, lanes, number, has_access, space, *rest in zip(*columns, strict=True):
            if number not in instructions:
                instructions[number] = launch.instruction(number)
            line, opcode, kind, text, *_ = instructions[number]
            if has_access and (space, kind) not in spaces:
                spaces[space, kind] = launch.space(space, kind)
            made = _access(spaces[space, kind], *rest) if has_access else _NO_ACCESS
            self._writer.writerow(
                (self._launch, kernel, cta, wave, f"{lanes:x}", line, opcode, kind, *made, text)
            )


def _access(
    space: str,
    direction: int,
    first: int,
    end: int,
    size: int,
    judged: int,
    passes: int,
    least: int,
) -> tuple[object, ...]:
    """The columns of an access; empty where there is nothing to say."""
    places = (hex(first), hex(end - 1)) if end else ("", "")
    banks = (passes, passes - least) if judged else ("", "")
    return (space, _DIRECTIONS[direction], *places, size, *banks)
