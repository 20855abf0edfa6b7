"""`cupy.cuda`: the only GPU, streams and events as order, and calls of CUDA's runtime."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

from lanemap.check.cuda_api.attributes import PROPERTIES
from lanemap.check.cuda_api.calls import VERSION
from lanemap.check.cupy import memory
from lanemap.check.cupy.device import ATTRIBUTES, CUDARuntimeError, Device, only_gpu
from lanemap.check.cupy.state import active

_NO_TIME = (
    "cupy.cuda.get_elapsed_time returned NaN: the emulator has no clock, and its own speed says "
    "nothing about a GPU's"
)


class Event:
    """An event, which has no time."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take the arguments of `cupy.cuda.Event`."""
        self.ptr, self.done = 0, True

    def record(self, stream: Any = None) -> None:
        """Do nothing: all before it has happened."""

    def synchronize(self) -> None:
        """Wait for nothing."""


class Stream:
    """A stream: every launch ends before the next begins, in whatever stream."""

    null: Stream
    ptds: Stream
    done = True
    is_non_blocking = False

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: Any = None,
    ) -> None:
        """Take the arguments of `cupy.cuda.Stream`."""
        self.ptr = 0 if null else 2 if ptds else active().calls.new_stream()
        self.priority, self.device_id = priority, 0

    def use(self) -> Stream:
        """Make this the current stream, until another is."""
        _streams[-1] = self
        return self

    def __enter__(self) -> Stream:
        _streams.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        """Make the stream before the current one."""
        _streams.pop()

    def synchronize(self) -> None:
        """Wait for nothing."""

    def record(self, event: Event | None = None) -> Event:
        """Return the event, or a new one."""
        return event if event is not None else Event()

    def wait_event(self, event: Event) -> None:
        """Wait for nothing."""

    def add_callback(self, callback: Callable[..., Any], arg: Any) -> None:
        """Call a function with this stream, CUDA's success and an argument."""
        callback(self, 0, arg)

    def launch_host_func(self, callback: Callable[..., Any], arg: Any) -> None:
        """Call a function with an argument."""
        callback(arg)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Stream) and other.ptr == self.ptr

    def __hash__(self) -> int:
        return hash(self.ptr)

    def __repr__(self) -> str:
        return f"<Stream {self.ptr} (device {self.device_id})>"


Stream.null, Stream.ptds = Stream(null=True), Stream(ptds=True)
_streams = [Stream.null]


def get_current_stream(device_id: int = -1) -> Stream:
    """Return the stream that launches go to."""
    return _streams[-1]


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Return NaN: the emulator has no clock."""
    active().emulated.findings.say_once(_NO_TIME)
    return math.nan


@contextlib.contextmanager
def _nothing_changes(*_: Any, **__: Any) -> Iterator[None]:
    """Change nothing while the context lasts."""
    yield


def _nothing(*_: Any, **__: Any) -> None:
    """Do what takes no doing on the emulator."""


def properties(ordinal: int = 0) -> dict[str, Any]:
    """Return what `cupy.cuda.runtime.getDeviceProperties` does, as far as it is known."""
    state, found = active(), {}
    only_gpu(ordinal)
    for name, numbers in PROPERTIES.items():
        many = (numbers,) if isinstance(numbers, int) else numbers
        values = tuple(state.calls.attribute(n) for n in many)
        found[name] = values[0] if isinstance(numbers, int) else values
    gpu = state.target.gpu
    return {"name": gpu.name.encode(), "totalGlobalMem": gpu.memory_bytes, **found}


def runtime_functions() -> dict[str, Any]:
    """Return the functions and numbers of `cupy.cuda.runtime` that there are."""
    state = active()
    calls = state.calls
    return {
        "CUDARuntimeError": CUDARuntimeError,
        "is_hip": False,
        "getDeviceCount": lambda: 1,
        "getDevice": lambda: 0,
        "setDevice": only_gpu,
        "deviceSynchronize": _nothing,
        "deviceGetAttribute": lambda number, ordinal=0: calls.attribute(number, only_gpu(ordinal)),
        "getDeviceProperties": properties,
        "driverGetVersion": lambda: VERSION,
        "runtimeGetVersion": lambda: VERSION,
        "memGetInfo": lambda: Device().mem_info,
        "malloc": lambda size: calls.allocate(int(size)),
        "mallocManaged": lambda size, *_: calls.allocate_managed(int(size)),
        "free": lambda address: calls.free(int(address)),
        "memcpy": lambda to, source, size, kind: calls.copy(to, source, size, kind),
        "memcpyAsync": lambda to, source, size, kind, _: calls.copy(to, source, size, kind),
        "memset": lambda to, value, size: calls.fill(to, bytes([value & 255]), size),
        "memsetAsync": lambda to, value, size, _: calls.fill(to, bytes([value & 255]), size),
        "streamSynchronize": _nothing,
        "profilerStart": _nothing,
        "profilerStop": _nothing,
        "memcpyHostToHost": 0,
        "memcpyHostToDevice": 1,
        "memcpyDeviceToHost": 2,
        "memcpyDeviceToDevice": 3,
        "memcpyDefault": 4,
        **{f"cudaDevAttr{name}": number for name, number in ATTRIBUTES.items()},
    }


def functions() -> dict[str, Any]:
    """Return what `cupy.cuda` has beside its modules."""
    pool = memory.MemoryPool()
    return {
        "Device": Device,
        "Event": Event,
        "Stream": Stream,
        "get_current_stream": get_current_stream,
        "get_elapsed_time": get_elapsed_time,
        "get_device_id": lambda: 0,
        "is_available": lambda: True,
        "available": True,
        "Memory": memory.Memory,
        "MemoryPointer": memory.MemoryPointer,
        "MemoryPool": memory.MemoryPool,
        "UnownedMemory": memory.UnownedMemory,
        "PinnedMemoryPool": memory.MemoryPool,
        "alloc": memory.alloc,
        "alloc_pinned_memory": memory.alloc_pinned_memory,
        "set_allocator": _nothing,
        "set_pinned_memory_allocator": _nothing,
        "using_allocator": _nothing_changes,
        "get_allocator": lambda: memory.alloc,
        "profile": _nothing_changes,
        "pool": pool,
    }


def ranges() -> dict[str, Any]:
    """Return what `cupy.cuda.nvtx` has: marks that nobody reads."""
    names = ("Mark", "MarkC", "RangePush", "RangePushC", "RangePop")
    return dict.fromkeys(names, _nothing)


def profiling() -> dict[str, Any]:
    """Return what `cupy.cuda.profiler` has: a profile that nobody makes."""
    return {"start": _nothing, "stop": _nothing}
