"""The calls of CUDA's driver and runtime API that the emulator serves, whatever way they come in.

Launches end before they return, so there is nothing to wait for. A stream that is captured is the
exception: what it is given is kept, and runs when the graph is launched. Handles are numbers, and
addresses are those of the emulator's memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lanemap.check.cuda_api.attributes import GPU, attribute
from lanemap.check.cuda_api.texts import kept, named_kernels, ptx_of
from lanemap.check.findings import Found, Stopped, calling_line
from lanemap.check.launch import Emulated, Function
from lanemap.devices.findings import Finding
from lanemap.devices.tensor_maps import TensorMapParameters
from lanemap.errors import Disagreement, UserError
from lanemap.targets import Target

Sizes = tuple[int, int, int]
_Kind = TypeVar("_Kind")
#: What stands for the version of the driver and of the runtime: CUDA 13.0.
VERSION = 13000
_NO_TIME = (
    "the time between two CUDA events is NaN: the emulator has no clock, and its own speed says "
    "nothing about a GPU's"
)
#: CUfunction_attribute.
_SHARED_BYTES, _MOST_THREADS, _MOST_DYNAMIC_BYTES = 1, 0, 8


class Status(IntEnum):
    """Numbers that cudaError_t and CUresult share."""

    INVALID_VALUE = 1
    OUT_OF_MEMORY = 2
    INVALID_DEVICE = 101
    INVALID_HANDLE = 400
    NOT_FOUND = 500
    LAUNCH_FAILED = 719
    NOT_SUPPORTED = 801
    CAPTURE_UNSUPPORTED = 900


class CallError(Exception):
    """A call that CUDA would refuse with a status."""

    def __init__(self, status: Status) -> None:
        """Take the status that the caller gets."""
        super().__init__(status.name)
        self.status = status


class CopyKind(IntEnum):
    """cudaMemcpyKind."""

    HOST_TO_HOST = 0
    HOST_TO_DEVICE = 1
    DEVICE_TO_HOST = 2
    DEVICE_TO_DEVICE = 3
    DEFAULT = 4


@dataclass
class Library:
    """A loaded text, with those of its kernels that were asked for."""

    path: Path
    module: Any
    titles: dict[str, str]
    kernels: dict[str, int] = field(default_factory=dict)


class Kernel(Function):
    """A kernel, which reports call as its source does."""

    def __init__(self, library: Library, symbol: str) -> None:
        """Take a kernel of a library by its symbol."""
        super().__init__(library.module, symbol)
        self.name = library.titles.get(symbol, symbol)


@dataclass
class Stream:
    """A stream; `captured` is what it keeps for a graph, None while it runs things at once."""

    captured: list[Callable[[], None]] | None = None


@dataclass(frozen=True)
class Event:
    """An event, which has no time."""


@dataclass(frozen=True)
class Graph:
    """What a stream was given while it was captured."""

    steps: tuple[Callable[[], None], ...]


class Calls:
    """The calls, on one emulator."""

    def __init__(self, emulated: Emulated, target: Target) -> None:
        """Launch on `emulated`; answer for the GPU of `target`."""
        self.emulated, self.target = emulated, target
        self._device = emulated.device
        self._numbers = count(0x1000, 0x10)
        self._objects: dict[int, Any] = {}
        self._arrays: dict[int, Any] = {}
        self._of_host: dict[int, Any] = {}
        self._managed: set[int] = set()
        self._default = Stream()

    # -- handles -----------------------------------------------------------------------------------
    def _handle(self, thing: Any) -> int:
        handle = next(self._numbers)
        self._objects[handle] = thing
        return handle

    def find(self, handle: int, kind: type[_Kind]) -> _Kind:
        """Return what a handle stands for."""
        found = self._objects.get(handle)
        if not isinstance(found, kind):
            raise CallError(Status.INVALID_HANDLE)
        return found

    def forget(self, handle: int) -> None:
        """Destroy a library, a stream, an event or a graph."""
        if self._objects.pop(handle, None) is None:
            raise CallError(Status.INVALID_HANDLE)

    # -- the GPU -----------------------------------------------------------------------------------
    def require_gpu(self, ordinal: int) -> int:
        """Return the number of the only GPU."""
        if ordinal != GPU:
            raise CallError(Status.INVALID_DEVICE)
        return GPU

    def attribute(self, number: int, ordinal: int = GPU) -> int:
        """Return an attribute of the GPU, by its number in CUdevice_attribute."""
        self.require_gpu(ordinal)
        found = attribute(self.target, number)
        if found is None:
            raise CallError(Status.NOT_SUPPORTED)
        return found

    # -- memory ------------------------------------------------------------------------------------
    def allocate(self, size_bytes: int) -> int:
        """Return the address of fresh memory, which has no values yet."""
        if size_bytes <= 0:
            raise CallError(Status.INVALID_VALUE)
        try:
            array = self._device.empty((size_bytes,), np.uint8)
        except UserError:
            raise CallError(Status.OUT_OF_MEMORY) from None
        self._arrays[array.address] = array
        return array.address

    def allocate_of_host(self, size_bytes: int) -> int:
        """Return the address of memory of the host."""
        memory = ctypes.create_string_buffer(max(size_bytes, 1))
        address = ctypes.addressof(memory)
        self._of_host[address] = memory
        return address

    def allocate_managed(self, size_bytes: int) -> int:
        """Return the address of zeros that the host reaches there, too."""
        if size_bytes <= 0:
            raise CallError(Status.INVALID_VALUE)
        try:
            address = self._device.manage(size_bytes)
        except UserError:
            raise CallError(Status.OUT_OF_MEMORY) from None
        self._managed.add(address)
        return address

    def register(self, address: int, size_bytes: int) -> int:
        """Return the address that kernels have for memory of the program's, which stays there."""
        try:
            found = self._device.register(address, size_bytes)
        except UserError:
            raise CallError(Status.OUT_OF_MEMORY) from None
        self._managed.add(found)
        return found

    def free(self, address: int) -> None:
        """Give back what one of the four above returned; 0 is nothing."""
        if address in self._managed:
            self._managed.remove(address)
            self._device.unmanage(address)
            return
        held = self._arrays if address in self._arrays else self._of_host
        if address and held.pop(address, None) is None:
            raise CallError(Status.INVALID_VALUE)

    def copy(self, to: int, source: int, size_bytes: int, kind: int, stream: int = 0) -> None:
        """Copy bytes as cudaMemcpy does, in the order of a stream."""
        if kind == CopyKind.DEFAULT:
            here = self._device.holds
            kind = 2 * here(source) + here(to)
        self._do(stream, lambda: self._copy(to, source, size_bytes, CopyKind(kind)))

    def _copy(self, to: int, source: int, size_bytes: int, kind: CopyKind) -> None:
        try:
            if kind == CopyKind.HOST_TO_HOST:
                ctypes.memmove(to, source, size_bytes)
            elif kind == CopyKind.HOST_TO_DEVICE:
                self._device.write(to, ctypes.string_at(source, size_bytes))
            elif kind == CopyKind.DEVICE_TO_HOST:
                ctypes.memmove(to, self.read(source, size_bytes), size_bytes)
            else:
                self._device.copy(to, source, size_bytes)
        except UserError:
            raise CallError(Status.INVALID_VALUE) from None

    def read(self, address: int, size_bytes: int) -> bytes:
        """Return bytes for the host; undefined ones are a hazard.

        Raises:
            Stopped: they are, and it has been told.
        """
        with self.reading():
            return self._device.read(address, size_bytes)

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Note that bytes are undefined which the host reads in the `with` block.

        Raises:
            Stopped: they are, and it has been told.
        """
        device, findings = self._device, self.emulated.findings
        line = calling_line()

        def note(hazard: Any) -> Found:
            places = [line] if line else []
            found = Found.of(Finding((hazard,)), "the host", lambda *_: places, None)
            findings.add(found)
            return found

        with device.alone():
            before = len(device.hazards)
            try:
                yield
            except Disagreement as hazard:
                raise Stopped(str(note(hazard))) from None
            finally:
                for reported in device.hazards[before:]:
                    note(reported)

    def fill(self, address: int, value: bytes, times: int, stream: int = 0) -> None:
        """Write bytes again and again, as cudaMemset and cuMemsetD32 do."""

        def write() -> None:
            try:
                self._device.write(address, value * times)
            except UserError:
                raise CallError(Status.INVALID_VALUE) from None

        self._do(stream, write)

    # -- kernels -----------------------------------------------------------------------------------
    def load(self, code: int) -> int:
        """Load the text at an address of the host's.

        Raises:
            UserError: there is machine code instead, or the text is malformed.
        """
        return self.load_text(ptx_of(code))

    def load_text(self, text: str) -> int:
        """Load PTX."""
        path = kept(text)
        module = self.emulated.load(path)
        return self._handle(Library(path, module, named_kernels(module, text)))

    def kernel(self, library: int, name: str) -> int:
        """Return a kernel of a library.

        Raises:
            UserError: the emulator does not support all that it needs.
        """
        loaded = self.find(library, Library)
        if name not in loaded.module.entries:
            raise CallError(Status.NOT_FOUND)
        if name not in loaded.kernels:
            with self.emulated.judging(loaded.titles.get(name, name)):
                loaded.kernels[name] = self._handle(Kernel(loaded, name))
        return loaded.kernels[name]

    def kernels(self, library: int) -> list[int]:
        """Return all kernels of a library."""
        names = self.find(library, Library).module.entries
        return [self.kernel(library, name) for name in names]

    def symbol(self, library: int, name: str) -> tuple[int, int]:
        """Return a variable's address and bytes; whoever has the address may write the variable."""
        module = self.find(library, Library).module
        if name not in module.symbols:
            raise CallError(Status.NOT_FOUND)
        array = module.symbol(name, np.uint8)
        array.pointer()
        return array.address, array.nbytes

    def unload(self, library: int) -> None:
        """Forget a library with its kernels."""
        for handle in self.find(library, Library).kernels.values():
            self.forget(handle)
        self.forget(library)

    def kernel_attribute(self, number: int, kernel: int) -> int:
        """Return an attribute of a kernel, by its number in CUfunction_attribute."""
        found = self.find(kernel, Kernel)
        limits = self.target.limits
        known = {
            _SHARED_BYTES: found.kernel.static_shared_bytes,
            _MOST_THREADS: limits.threads,
            _MOST_DYNAMIC_BYTES: limits.shared_bytes - found.kernel.static_shared_bytes,
        }
        if number not in known:
            raise CallError(Status.NOT_SUPPORTED)
        return known[number]

    def set_kernel_attribute(self, kernel: int) -> None:
        """Take any attribute: a launch is judged by what the target can have."""
        self.find(kernel, Kernel)

    def launch(
        self,
        kernel: int,
        grid: Sizes,
        block: Sizes,
        arguments: int,
        shared_bytes: int,
        cluster: Sizes = (1, 1, 1),
        stream: int = 0,
    ) -> None:
        """Launch a kernel; `arguments` is the address of an array of pointers to its arguments.

        Raises:
            Stopped: the launch stopped at a hazard.
            UserError: the launch is not legal, or more than the emulator can follow.
        """
        function = self.find(kernel, Kernel)
        if min(grid) < 1 or min(block) < 1:
            raise CallError(Status.INVALID_VALUE)
        given = _arguments(arguments, [each.size for each in function.kernel.parameters])
        self._do(
            stream,
            lambda: self.emulated.run(function, grid, block, given, shared_bytes, cluster),
        )

    def launch_block(
        self,
        kernel: int,
        grid: Sizes,
        block: Sizes,
        parameters: bytes,
        shared_bytes: int,
        cluster: Sizes,
    ) -> None:
        """Launch a kernel with the bytes of all its parameters; see `launch`."""
        function = self.find(kernel, Kernel)
        with self.emulated.running(function, grid):
            function.kernel.launch_block(grid, block, parameters, shared_bytes, cluster)

    def blocks_of_sm(self, threads: int, shared_bytes: int) -> int:
        """Return how many CTAs of a size an SM can have at once, registers aside."""
        limits = self.target.limits
        taken = shared_bytes + limits.reserved_shared_bytes
        warps = math.ceil(threads / limits.lanes)
        return min(
            limits.ctas_of_sm, limits.warps_of_sm // warps, limits.shared_bytes_of_sm // taken
        )

    def tensor_map(self, parameters: TensorMapParameters) -> bytes:
        """Return the 128 bytes of a tensor map."""
        try:
            return self._device.encode_tensor_map(parameters)[1]
        except UserError as error:
            self.emulated.findings.say(str(error))
            raise CallError(Status.INVALID_VALUE) from None

    # -- streams, events, graphs -------------------------------------------------------------------
    def _stream(self, handle: int) -> Stream:
        """Return a stream; 0 to 2 are the default ones."""
        return self._default if handle in (0, 1, 2) else self.find(handle, Stream)

    def _do(self, stream: int, step: Callable[[], None]) -> None:
        """Do something in the order of a stream: now, or when its graph is launched."""
        captured = self._stream(stream).captured
        if captured is None:
            step()
        else:
            captured.append(step)

    def new_stream(self) -> int:
        """Make a stream."""
        return self._handle(Stream())

    def begin_capture(self, stream: int) -> None:
        """Keep what a stream is given from now on."""
        found = self._stream(stream)
        if found is self._default or found.captured is not None:
            raise CallError(Status.CAPTURE_UNSUPPORTED)
        found.captured = []

    def end_capture(self, stream: int) -> int:
        """Return a graph of what a stream was given."""
        found = self._stream(stream)
        if found.captured is None:
            raise CallError(Status.INVALID_VALUE)
        steps, found.captured = tuple(found.captured), None
        return self._handle(Graph(steps))

    def graph_size(self, graph: int) -> int:
        """Return the number of a graph's nodes."""
        return len(self.find(graph, Graph).steps)

    def instantiate(self, graph: int) -> int:
        """Return a graph that can be launched."""
        return self._handle(self.find(graph, Graph))

    def launch_graph(self, graph: int, stream: int = 0) -> None:
        """Do what a graph keeps, in its order."""
        for step in self.find(graph, Graph).steps:
            self._do(stream, step)

    def new_event(self) -> int:
        """Make an event."""
        return self._handle(Event())

    def record(self, event: int, stream: int = 0) -> None:
        """Record an event."""
        self.find(event, Event)
        self._stream(stream)

    def elapsed(self, start: int, end: int) -> float:
        """Return NaN: the emulator has no clock."""
        self.find(start, Event)
        self.find(end, Event)
        self.tell_no_time()
        return math.nan

    def tell_no_time(self) -> None:
        """Say that events have no time."""
        self.emulated.findings.say_once(_NO_TIME)


def _arguments(address: int, sizes: Sequence[int]) -> list[bytes]:
    """Return the bytes of each argument that an array of pointers points to."""
    if not sizes:
        return []
    pointers = (ctypes.c_void_p * len(sizes)).from_address(address)
    return [ctypes.string_at(pointer, size) for pointer, size in zip(pointers, sizes, strict=True)]
