"""A machine: memory, modules, kernels, hazards; the implementation of `lanemap.emulator.api`."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.host.cluster import Size
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.host.managed import Arena
from lanemap.emulator.host.memory import Loan
from lanemap.emulator.host.observers import Observer
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.progress import Progress
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.turns import Turns, in_turn
from lanemap.emulator.host.variables import Variable
from lanemap.emulator.host.work import Entry
from lanemap.errors import UserError
from lanemap.garbage import without_collections


class KernelEntry(Entry, Protocol):
    """A front end's description of one kernel, with its declared parameters."""

    def require(self) -> None:
        """Raise a UserError that names everything the kernel needs that is not supported."""

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about legal code that is known to fail on hardware, with file and line."""

    @property
    def directives(self) -> Mapping[str, tuple[int, ...]]:
        """What the text demands of launches, by PTX's names: {"maxntid": (128, 1, 1)}."""

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that the kernel's code names, in all that it can reach."""

    def check_launch(
        self, grid: Size, block: Size, shared_bytes: int, cluster: Size
    ) -> tuple[Size, Size]:
        """The grid and the clusters of a launch; UserError where it cannot have these sizes."""


class LoadedText(Protocol):
    """A text as parsed by a front end."""

    @property
    def kernels(self) -> Mapping[str, KernelEntry]:
        """The kernels by name, in the order of the text."""

    def place_data(self, launcher: Launcher) -> None:
        """Put the text's constants and variables into global memory, once."""

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """The source lines that a line of the text stands for, the innermost first."""

    @property
    def variables(self) -> Sequence[Variable]:
        """The variables that have been placed, in the text's order."""


@contextlib.contextmanager
def _within_limits(name: str) -> Iterator[None]:
    """Turn recursion and memory errors in the `with` block into a UserError with one sentence."""
    try:
        yield
    except RecursionError:
        raise UserError(f"{name}: the text is nested too deeply for lanemap to parse") from None
    except MemoryError as error:
        why = str(error) or "out of memory"
        raise UserError(f"{name}: this machine has too little memory for it ({why})") from None


class Kernel:
    """A kernel of a module. `name` is its symbol."""

    def __init__(self, name: str, entry: KernelEntry, launcher: Launcher, turns: Turns) -> None:
        """Keep what a launch needs."""
        self.name, self.turns = name, turns
        self._entry, self._launcher = entry, launcher

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The declared parameters, in the text's order, without hidden ones."""
        return self._entry.parameters

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory (LDS) that the text declares for the kernel."""
        with self.turns.take(), _within_limits(self.name):
            return self._entry.shared_bytes

    @in_turn
    def require(self) -> None:
        """Check all code that the kernel can reach.

        Raises:
            UserError: something is not supported; the sentence names all of it, by line.
        """
        with _within_limits(self.name):
            self._entry.require()

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about legal code that is known to fail on hardware, with file and line."""
        with self.turns.take(), _within_limits(self.name):
            return self._entry.warnings

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that the kernel's code names, in all that it can reach.

        Raises:
            UserError: something that it can reach is not supported.
        """
        with self.turns.take(), _within_limits(self.name):
            return self._entry.variables

    @property
    def directives(self) -> Mapping[str, tuple[int, ...]]:
        """What the text demands of launches, by PTX's names: {"maxntid": (128, 1, 1)}."""
        return self._entry.directives

    @in_turn
    def name_parameters(self, names: Sequence[str]) -> None:
        """Let reports call the parameters by these names instead of the text's."""
        named = zip(self._entry.parameters, names, strict=True)
        self._entry.parameters = [replace(each, name=name) for each, name in named]

    @in_turn
    def launch(
        self,
        grid: Size,
        block: Size,
        parameters: bytes,
        shared_bytes: int = 0,
        cluster: Size = (1, 1, 1),
    ) -> None:
        """Run the kernel to its end.

        Args:
            grid: CTAs in x, y and z.
            block: Threads of a CTA in x, y and z.
            parameters: The parameter space up to the last argument (`Parameter.offset`).
            shared_bytes: Bytes of dynamic shared memory (LDS).
            cluster: CTAs of a cluster in x, y and z.

        Raises:
            Hazard: the launch met one, unless they are reported; deadlock, endless loops.
            UserError: the target cannot have these sizes, or the code is not supported.
        """
        with _within_limits(self.name):
            grid, cluster = self._entry.check_launch(grid, block, shared_bytes, cluster)
            self._launcher.launch(self._entry, grid, block, parameters, shared_bytes, cluster)


class Module:
    """A loaded text."""

    def __init__(self, text: LoadedText, launcher: Launcher, turns: Turns) -> None:
        self._text = text
        #: By symbol, in the text's order.
        self.kernels: Mapping[str, Kernel] = {
            name: Kernel(name, entry, launcher, turns) for name, entry in text.kernels.items()
        }
        #: By symbol, in the text's order.
        self.variables: Mapping[str, Variable] = {each.name: each for each in text.variables}

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source lines that a line of the text stands for: (path, number from 1).

        The innermost comes first, then the line where that was inlined, and so on.
        """
        return self._text.places(line)


class Machine:
    """The emulator of one target: memory by address, modules, hazards.

    Threads that use it wait for each other (`turns`).
    """

    def __init__(
        self, target: str, settings: Settings | None = None, arena: Arena | None = None
    ) -> None:
        """Begin with empty memory; `target` is one of lanemap.targets.TARGETS.

        `arena`: where the memory lies, if another process shares it.
        """
        self._target = target
        self._launcher = Launcher(settings, arena)
        self.turns = Turns(self._launcher.memory.settle)

    @property
    def settings(self) -> Settings:
        """Settings for later loads and launches; assign others to change them."""
        return self._launcher.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._launcher.settings = settings

    # -- memory (see lanemap.devices.arrays.Memory) ------------------------------------------------
    @in_turn
    def allocate(self, size_bytes: int, name: str) -> int:
        """Address of fresh memory whose contents are undefined; reports call it `name`."""
        with _within_limits(name):
            return self._launcher.memory.allocate(size_bytes, name=name).base

    def free(self, address: int) -> None:
        """Give back what `allocate` returned, once no thread uses the device."""
        self.turns.put_off(functools.partial(self._launcher.memory.free, address))

    @in_turn
    def borrow(self, loan: Loan, name: str) -> int:
        """Address of bytes of the host, which stay where they are."""
        return self._launcher.memory.borrow(loan, name).base

    @in_turn
    def manage(self, size_bytes: int, name: str) -> int:
        """Address of zeros that the host reaches at the same address."""
        with _within_limits(name):
            return self._launcher.memory.manage(size_bytes, name).base

    @in_turn
    def register(self, address: int, size_bytes: int, name: str) -> int:
        """Address of memory that lies at an address of the host's process, and stays there."""
        with _within_limits(name):
            return self._launcher.memory.register(address, size_bytes, name).base

    @in_turn
    def end_loan(self, address: int) -> None:
        """Forget what `borrow` returned, if it is not forgotten already."""
        self._launcher.memory.end_loan(address)

    @in_turn
    def all_defined(self, address: int, size_bytes: int) -> bool:
        """Whether no bit is undefined."""
        if not size_bytes:
            return True
        allocation = self._launcher.memory.at(address, size_bytes)
        return allocation.contents.all_defined(address - allocation.base, size_bytes)

    @in_turn
    def define(self, address: int, size_bytes: int) -> None:
        """Say that bytes have values, as the host wrote them."""
        if size_bytes:
            allocation = self._launcher.memory.at(address, size_bytes)
            allocation.contents.define(address - allocation.base, size_bytes)

    @in_turn
    def mark(self, address: int, defined: NDArray[np.bool_]) -> None:
        """Say of each byte from an address on whether it is defined."""
        if not len(defined):
            return
        allocation = self._launcher.memory.at(address, len(defined))
        allocation.contents.mark(address - allocation.base, defined)

    @in_turn
    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host."""
        if data:
            self._launcher.memory.write(address, data)

    @in_turn
    def zero(self, address: int, size_bytes: int) -> None:
        """Fill bytes with zeros."""
        if size_bytes:
            self._launcher.memory.zero(address, size_bytes)

    @in_turn
    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy bytes to the host; undefined ones are a hazard."""
        if not size_bytes:
            return b""
        self._launcher.check_defined(address, size_bytes)
        return self._launcher.memory.read(address, size_bytes)

    @in_turn
    def prepare_write(self, address: int, size_bytes: int) -> None:
        """Say that bytes have values, which the host is about to write there by itself."""
        if size_bytes:
            self._launcher.memory.prepare_write(address, size_bytes)

    @in_turn
    def prepare_read(self, address: int, size_bytes: int) -> None:
        """Check bytes that the host is about to read by itself; undefined ones are a hazard."""
        if size_bytes:
            self._launcher.check_defined(address, size_bytes)
            self._launcher.memory.prepare_read(address, size_bytes)

    @in_turn
    def lay_open(self, address: int) -> tuple[NDArray[np.uint8], int]:
        """The bytes of the memory that holds an address, for the host, and where they begin.

        Whoever writes them says what has values then (`define`).
        """
        return self._launcher.memory.lay_open(address)

    @in_turn
    def state(self, address: int) -> tuple[int, int, int]:
        """Where the bytes of an allocation lie, which are defined, and the states of its pages.

        Three addresses of this process (runtime/bits.h), which stay while the allocation lives;
        zeros where none begins at `address`.
        """
        allocation = self._launcher.memory.at(address, 0)
        if allocation.base != address:
            return 0, 0, 0
        contents = allocation.contents
        return contents.data.ctypes.data, contents.defined.ctypes.data, contents.pages.ctypes.data

    @in_turn
    def reserve(self, name_at: Callable[[int], str]) -> tuple[int, int, int, int, int, int]:
        """Give a driver memory to divide by itself (host/reserve.py).

        Args:
            name_at: Returns what reports call the allocation at an address.

        Returns:
            The first address and the number of them; where their bytes lie, and what is known of
            them, in this process; the ledger, and its rows.
        """
        with _within_limits("allocations of a driver"):
            made, ledger = self._launcher.memory.reserve()
        self._launcher.memory.name_at = name_at
        places = made.data.ctypes.data, made.state.ctypes.data
        return made.base, len(made.data), *places, ledger.address, ledger.rows

    @in_turn
    def settle(self) -> None:
        """Take note of what a driver has made and freed by itself: every use of this does."""

    @in_turn
    def holds(self, address: int) -> bool:
        """Whether an address lies in memory of the device."""
        return self._launcher.memory.find(address) is not None

    @in_turn
    def copy(self, to: int, address: int, size_bytes: int) -> None:
        """Copy bytes on the device; a copy of an undefined byte is undefined, and no hazard."""
        if size_bytes:
            memory = self._launcher.memory
            source = memory.at(address, size_bytes)
            unknown = source.contents.undefined_bytes(address - source.base, size_bytes)
            memory.write(to, memory.read(address, size_bytes))
            if unknown.any():
                self.mark(to, ~unknown)

    @in_turn
    def undefined(self, address: int, size_bytes: int) -> bytes:
        """One undefined bit for every bit in memory."""
        allocation = self._launcher.memory.at(address, size_bytes)
        start = address - allocation.base
        return allocation.contents.undefined_bits(start, size_bytes).tobytes()

    # -- kernels -----------------------------------------------------------------------------------
    def load(self, text: str, name: str) -> Module:
        """Load PTX or AMDGCN assembly; `name` stands for it in messages.

        Raises:
            UserError: the text is malformed; the sentence names file and line.
        """
        with _within_limits(name):
            with without_collections():
                loaded = self._parse(text, name)
            with self.turns.take():
                loaded.place_data(self._launcher)
            return Module(loaded, self._launcher, self.turns)

    def _parse(self, text: str, name: str) -> LoadedText:
        if self._target.startswith("gfx"):
            from lanemap.emulator import amdgcn

            return amdgcn.load(text, name, self.settings, self._target)
        from lanemap.emulator import ptx

        return ptx.load(text, name, self.settings, self._target)

    @contextlib.contextmanager
    def observe(self, observer: Observer) -> Iterator[None]:
        """Let an observer watch launches during the `with` block, those of other threads too."""
        with self.turns.take():
            others = self.settings.observers
            self.settings = replace(self.settings, observers=(*others, observer))
        try:
            yield
        finally:
            with self.turns.take():
                others = tuple(o for o in self.settings.observers if o is not observer)
                self.settings = replace(self.settings, observers=others)

    @property
    def progress(self) -> Progress | None:
        """How far the launch is that runs now; None if none does. Any thread may ask."""
        return self._launcher.progress

    @property
    def stopped(self) -> Progress | None:
        """The place where Ctrl-C last ended a launch."""
        return self._launcher.stopped

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """The hazards reported so far, in order."""
        return tuple(self._launcher.reported)

    @property
    def notes(self) -> tuple[Hazard, ...]:
        """The notes so far, one for each kernel and reason."""
        return tuple(self._launcher.notes)
