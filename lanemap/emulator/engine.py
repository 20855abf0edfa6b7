"""An emulator that is open: memory, loaded texts, launches, hazards."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TextIO

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.host.counts import Counts
from lanemap.emulator.host.group import Size
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.machine import Machine
from lanemap.emulator.host.memory import Loan
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.progress import Progress
from lanemap.emulator.host.run import Entry
from lanemap.emulator.host.subscribers import Subscribers
from lanemap.emulator.host.trace import Trace
from lanemap.emulator.host.turns import Turns, in_turn
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap
    from lanemap.model.banks import BankRule


class KernelEntry(Entry, Protocol):
    """What a front end gives for one kernel, with what it declares to its callers."""

    def require(self) -> None:
        """Raise a UserError that names everything the kernel needs that is not supported."""

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about legal code that is known to fail on hardware, with file and line."""

    def check_launch(self, grid: Size, block: Size, shared_bytes: int, cluster: Size
                     ) -> tuple[Size, Size]:
        """The grid and the clusters of a launch; UserError where it cannot have these sizes."""


class LoadedText(Protocol):
    """A text as parsed by a front end."""

    @property
    def kernels(self) -> Mapping[str, KernelEntry]:
        """The kernels by name, in the order of the text."""

    def place_data(self, machine: Machine) -> None:
        """Put the text's constants and variables into global memory, once."""

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """The source lines that a line of the text stands for, the innermost first."""


class Loaded:
    """A loaded text and the parameters of its kernels."""

    def __init__(self, text: LoadedText) -> None:
        self.text = text

    @property
    def entries(self) -> Mapping[str, Sequence[Parameter]]:
        """Kernel names, in the text's order, to what they declare."""
        return {name: entry.parameters for name, entry in self.text.kernels.items()}


@contextlib.contextmanager
def _within_limits(name: str) -> Iterator[None]:
    """Turn recursion and memory errors in the `with` block into a UserError with one sentence."""
    try:
        yield
    except RecursionError:
        raise UserError(f"{name}: the text nests deeper than lanemap follows") from None
    except MemoryError as error:
        why = str(error) or "out of memory"
        raise UserError(f"{name}: this machine has too little memory for it ({why})") from None


class Emulator:
    """The emulator of one target; threads that use it wait for each other (`turns`)."""

    def __init__(self, target: str, hazards: str, strict: bool,
                 models: Mapping[str, LayoutMap], banks: tuple[BankRule, ...]) -> None:
        self._target, self._strict, self._models = target, strict, models
        self.turns = Turns()
        self._machine = Machine(hazards, strict=strict)
        self._machine.subscribers = Subscribers(banks=banks)

    # -- memory (see lanemap.devices.arrays.Memory) ------------------------------------------------
    @in_turn
    def allocate(self, size_bytes: int, name: str) -> int:
        """Address of fresh memory whose contents are undefined; reports call it `name`."""
        with _within_limits(name):
            return self._machine.memory.allocate(size_bytes, name=name).base

    def free(self, address: int) -> None:
        """Give back what `allocate` returned, once no thread uses the device."""
        self.turns.put_off(functools.partial(self._machine.memory.free, address))

    @in_turn
    def borrow(self, loan: Loan, name: str) -> int:
        """Address of bytes of the host, which stay where they are."""
        return self._machine.memory.borrow(loan, name).base

    @in_turn
    def end_loan(self, address: int) -> None:
        """Forget what `borrow` returned, if it is not forgotten already."""
        self._machine.memory.end_loan(address)

    @in_turn
    def all_defined(self, address: int, size_bytes: int) -> bool:
        """Whether no bit is undefined."""
        if not size_bytes:
            return True
        allocation = self._machine.memory.at(address, size_bytes)
        return allocation.contents.all_defined(address - allocation.base, size_bytes)

    @in_turn
    def define(self, address: int, size_bytes: int) -> None:
        """Say that bytes have values, as the host wrote them."""
        if size_bytes:
            allocation = self._machine.memory.at(address, size_bytes)
            allocation.contents.define(address - allocation.base, size_bytes)

    @in_turn
    def mark(self, address: int, defined: NDArray[np.bool_]) -> None:
        """Say of each byte from an address on whether it is defined."""
        if not len(defined):
            return
        allocation = self._machine.memory.at(address, len(defined))
        allocation.contents.mark(address - allocation.base, defined)

    @in_turn
    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host."""
        if data:
            self._machine.memory.write(address, data)

    @in_turn
    def zero(self, address: int, size_bytes: int) -> None:
        """Fill bytes with zeros."""
        if size_bytes:
            self._machine.memory.zero(address, size_bytes)

    @in_turn
    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy bytes to the host; undefined ones are a hazard."""
        if not size_bytes:
            return b""
        self._machine.check_defined(address, size_bytes)
        return self._machine.memory.read(address, size_bytes)

    @in_turn
    def undefined(self, address: int, size_bytes: int) -> bytes:
        """One undefined bit for every bit in memory."""
        allocation = self._machine.memory.at(address, size_bytes)
        start = address - allocation.base
        return allocation.contents.undefined_bits(start, size_bytes).tobytes()

    # -- kernels -----------------------------------------------------------------------------------
    def load(self, text: str, name: str) -> Loaded:
        """Parse a text; UserError names file and line of what is malformed."""
        with _within_limits(name):
            return self._load(text, name)

    def _load(self, text: str, name: str) -> Loaded:
        loaded: LoadedText
        if self._target.startswith("gfx"):
            from lanemap.emulator import amdgcn

            loaded = amdgcn.load(text, name, self._models, self._strict)
        else:
            from lanemap.emulator import ptx

            loaded = ptx.load(text, name, self._models, self._strict, self._target)
        with self.turns.take():
            loaded.place_data(self._machine)
        return Loaded(loaded)

    @in_turn
    def require(self, loaded: Loaded, entry: str) -> None:
        """Check all code a kernel can reach; UserError names what is not supported, by line."""
        with _within_limits(entry):
            loaded.text.kernels[entry].require()

    @in_turn
    def warnings(self, loaded: Loaded, entry: str) -> Sequence[str]:
        """Return sentences about legal code of a kernel that is known to fail on hardware."""
        with _within_limits(entry):
            return loaded.text.kernels[entry].warnings

    def places(self, loaded: Loaded, line: int) -> tuple[tuple[str, int], ...]:
        """The source lines that a line of the text stands for: (path, number), innermost first."""
        return loaded.text.places(line)

    @in_turn
    def name_parameters(self, loaded: Loaded, entry: str, names: Sequence[str]) -> None:
        """Let reports call a kernel's parameters by these names instead of the text's."""
        kernel = loaded.text.kernels[entry]
        named = zip(kernel.parameters, names, strict=True)
        kernel.parameters = [replace(parameter, name=name) for parameter, name in named]

    @in_turn
    def launch(self, loaded: Loaded, entry: str, grid: Size, block: Size, parameters: bytes,
               shared_bytes: int, cluster: Size) -> None:
        """Run a kernel to its end; `parameters` is its parameter space up to the last argument."""
        kernel = loaded.text.kernels[entry]
        with _within_limits(entry):
            grid, cluster = kernel.check_launch(grid, block, shared_bytes, cluster)
            self._machine.launch(kernel, grid, block, parameters, shared_bytes, cluster)

    @contextlib.contextmanager
    def count(self) -> Iterator[Counts]:
        """Count what launches do during the `with` block, those of other threads too."""
        counts, machine = Counts(), self._machine
        with self.turns.take():
            now = machine.subscribers
            machine.subscribers = replace(now, counts=(*now.counts, counts))
        try:
            yield counts
        finally:
            with self.turns.take():
                now = machine.subscribers
                others = tuple(each for each in now.counts if each is not counts)
                machine.subscribers = replace(now, counts=others)

    @contextlib.contextmanager
    def trace(self, stream: TextIO, most_rows: int) -> Iterator[None]:
        """Write a row of `trace.COLUMNS` for each instruction to a seekable stream.

        Raises:
            UserError: somebody traces already.
        """
        machine = self._machine
        with self.turns.take():
            if machine.subscribers.trace is not None:
                raise UserError("launches are traced already; one trace at a time can be written")
            machine.subscribers = replace(machine.subscribers, trace=Trace(stream, most_rows))
        try:
            yield
        finally:
            with self.turns.take():
                machine.subscribers = replace(machine.subscribers, trace=None)

    @property
    def progress(self) -> Progress | None:
        """How far the launch is that runs now; None if none does. Any thread may ask."""
        return self._machine.progress

    @property
    def stopped(self) -> Progress | None:
        """Where Ctrl-C ended a launch last."""
        return self._machine.stopped

    @property
    def limit(self) -> int:
        """Instructions that one wave may execute before it counts as endless."""
        return self._machine.limit

    @limit.setter
    def limit(self, instructions: int) -> None:
        self._machine.limit = instructions

    @property
    def multiprocessors(self) -> int | None:
        """SMs that CTAs are spread over; None for as many as the target's GPU has."""
        return self._machine.multiprocessors

    @multiprocessors.setter
    def multiprocessors(self, count: int | None) -> None:
        self._machine.multiprocessors = count

    @property
    def hazards(self) -> Sequence[Hazard]:
        """What was reported since the emulator was opened."""
        return tuple(self._machine.reported)

    @property
    def notes(self) -> Sequence[Hazard]:
        """What was only noted since the emulator was opened, once for each kernel and reason."""
        return tuple(self._machine.notes)
