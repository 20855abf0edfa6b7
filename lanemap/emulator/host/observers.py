"""Observers of launches: what they are told, and the one that counts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.host.cluster import Shape
from lanemap.emulator.host.counts import Counts, opcode_of, space_of
from lanemap.emulator.host.memory import GlobalMemory
from lanemap.emulator.runtime import abi, events_abi
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program

#: One event; runtime/event.h says what its fields mean.
RECORD = np.dtype(abi.Event)
#: The folder with event.h, for observers in C.
INCLUDE = Path(__file__).resolve().parents[1] / "runtime"
#: Events that are kept before Python is told, and how many more there may be for each operation of
#: a block meanwhile.
_RECORDS, _RECORDS_OF_OPERATION = 1 << 14, 8
#: Lanes for which an access gives addresses.
_LANES = 64


class Instruction(NamedTuple):
    """The instruction that a record's `operation` stands for.

    Attributes:
        line: Line of the text.
        opcode: With its modifiers.
        kind: Its class, in the front end's words.
        text: All of it.
        reads, writes: Registers that it may read and write, by name.
    """

    line: int
    opcode: str
    kind: str
    text: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def reason_of(program: Program, number: int) -> str:
    """The name of what a wave waits for, by its number (events.h)."""
    if number == events_abi.Reason.POLL:
        return "poll"
    if number < events_abi.Reason.BARRIER:
        return program.counters[number - events_abi.Reason.COUNTER]
    return program.wording.waits.get(number - events_abi.Reason.BARRIER, "barrier")


class Watched:
    """The launch that records are of: what the numbers in them stand for.

    Attributes:
        addresses: For each record that `record` is given, the address that each of 64 lanes gives,
            where the record is an access by lanes, for observers that watch ADDRESSES.
        grid, block, cluster: CTAs of the grid, threads of a CTA, CTAs of a cluster, by dimension.
        shared_bytes: Shared memory of a CTA, static and dynamic.
    """

    def __init__(
        self, program: Program, shape: Shape, shared_bytes: int, memory: GlobalMemory
    ) -> None:
        """Read it as it is asked for."""
        self._memory = memory
        self._program = program
        self.grid, self.block, self.cluster = shape.grid, shape.block, shape.cluster
        self.shared_bytes = shared_bytes
        self.addresses: NDArray[np.uint64] = np.zeros((0, _LANES), np.uint64)

    def array(self, address: int) -> tuple[int, int] | None:
        """The address and the bytes of the array in global memory that holds an address."""
        found = self._memory.find(address)
        return None if found is None else (found.base, found.size)

    @property
    def largest(self) -> int:
        """Operations of the largest basic block."""
        return max(len(block.operations) for block in self._program.blocks)

    @property
    def kernel(self) -> str:
        """The kernel's name."""
        return self._program.name

    def instruction(self, operation: int) -> Instruction:
        """Return the instruction of a record's `operation`."""
        found = self._program.operation(operation)
        return Instruction(
            found.line,
            opcode_of(found.text),
            found.kind,
            found.text,
            tuple(dict.fromkeys(register.name for register in found.reads)),
            tuple(dict.fromkeys(register.name for register in found.writes)),
        )

    def reason(self, number: int) -> str:
        """Return what a record's `reason` is called in the words of the instruction set."""
        return reason_of(self._program, number)

    def space(self, space: int, kind: str) -> str:
        """Return what a record's `space` is called in an access by an instruction of a class."""
        return space_of(space, kind, self._program.wording)


class Observer(Protocol):
    """A watcher of launches. Launches without observers run code that reports nothing."""

    @property
    def watch(self) -> Watch:
        """The events that it receives; COUNT is the counts that `end` receives."""

    def begin(self) -> None:
        """Take note that a pass of a launch begins.

        A launch may need several: what was told of it in an earlier pass is void.
        """

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Take events that it watches, of type RECORD, in the order in which they happened here.

        That is the order in which the emulator ran the waves, which is no order in time. The
        memory is reused afterwards: copy what is kept.
        """

    def end(self, counts: Counts) -> None:
        """Take note that a launch has ended without an error, and of what it did.

        That is empty where no observer asked for COUNT.
        """


@dataclass
class NativeObserver:
    """An observer in C, which is told of each event at once: `Observe` in runtime/event.h.

    Attributes:
        watch: The events that it receives; not COUNT.
        function: The address of the C function.
        context: The address that it gets.
    """

    watch: Watch
    function: int
    context: int = 0

    def begin(self) -> None:
        """Override it to reset what `context` points to: see Observer.begin."""

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Nothing is recorded: the function is told instead."""

    def end(self, counts: Counts) -> None:
        """Override it to read what `context` points to."""


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
    """Return the events that a launch records for all of its observers."""
    watch = Watch.NOTHING
    for each in observers:
        watch |= each.watch
    return watch


class EventBuffer:
    """A buffer that the runtime fills with events for the observers."""

    def __init__(
        self, observers: tuple[Observer, ...], launch: Watched, events: events_abi.Events
    ) -> None:
        """Give it to the runtime for one pass."""
        self._observers = [
            each for each in observers if each.watch.events and not isinstance(each, NativeObserver)
        ]
        self._events, self._launch = events, launch
        room = 2 * _RECORDS + _RECORDS_OF_OPERATION * launch.largest if self._observers else 0
        self._records = np.zeros(room, RECORD)
        events.watch = watch_of(tuple(self._observers)).events
        events.records, events.most = self._records.ctypes.data, room
        wanted = any(each.watch & Watch.ADDRESSES for each in self._observers)
        self._addresses = np.zeros((room if wanted else 0, _LANES), np.uint64)
        events.addresses = self._addresses.ctypes.data if wanted else None
        events.room = _RECORDS

    def drain(self) -> None:
        """Tell of what is kept.

        Raises:
            UserError: an observer refuses more, or one block of instructions does more than there
                is room for.
        """
        count, self._events.count = self._events.count, 0
        happenings = self._records["happening"][:count]
        for each in self._observers:
            told, addresses = self._records[:count], self._addresses[:count]
            if each.watch.events != self._events.watch:
                wanted = each.watch >> happenings & 1 != 0
                told, addresses = told[wanted], addresses[wanted[: len(addresses)]]
            self._launch.addresses = addresses
            each.record(self._launch, told)
        if self._events.lost:
            raise UserError(
                f"{self._launch.kernel} has a basic block with more events than the event buffer "
                "holds; run it without counts, a trace and other observers"
            )
