"""cuda.bindings.runtime by cuda.bindings.driver.

The package's own runtime is linked with NVIDIA's, which asks a driver for tables that are not
public. Its functions are public, and so is what each does of the driver's (CUDA Runtime API,
section on interactions with the driver API). They return a tuple: a status, then the results.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from lanemap.check.cuda_api.bindings import device_properties, host_address, replaced
from lanemap.check.imports import Change

#: A function that takes what the runtime's takes, and returns what the driver's does.
_Function = Callable[..., tuple[Any, ...]]
_UNKNOWN, _COPIES = 999, ("HtoH", "HtoD", "DtoH", "DtoD", "")
#: Of the GPU's, in a field of 256 that ends with a 0.
_MOST_NAME_BYTES = 255
#: The driver's types of handles by the runtime's.
_HANDLES = {"cudaStream_t": "CUstream", "cudaEvent_t": "CUevent", "cudaMemPool_t": "CUmemoryPool"}
#: Functions that the driver has under the same name, with the same parameters and results.
_SAME = (
    "DeviceGetDefaultMemPool", "DeviceGetStreamPriorityRange=CtxGetStreamPriorityRange",
    "DeviceSynchronize=CtxSynchronize",
    "DriverGetVersion", "EventCreateWithFlags=EventCreate", "EventDestroy",
    "EventElapsedTime", "EventQuery", "EventRecord", "EventSynchronize", "Free=MemFree",
    "FreeAsync=MemFreeAsync", "FreeHost=MemFreeHost", "GetDeviceCount=DeviceGetCount",
    "HostAlloc=MemHostAlloc", "HostGetDevicePointer=MemHostGetDevicePointer",
    "Malloc=MemAlloc", "MallocAsync=MemAllocAsync", "MallocFromPoolAsync=MemAllocFromPoolAsync",
    "MallocHost=MemAllocHost", "MemGetInfo", "MemPoolDestroy", "MemPoolTrimTo",
    "Memset=MemsetD8", "MemsetAsync=MemsetD8Async", "RuntimeGetVersion=DriverGetVersion",
    "StreamCreateWithFlags=StreamCreate", "StreamCreateWithPriority", "StreamDestroy",
    "StreamGetPriority", "StreamQuery", "StreamSynchronize", "StreamWaitEvent",
)  # fmt: skip


def runtime_by_driver() -> Change:
    """Return what of cuda.bindings.runtime is something else."""
    return Change("cuda.bindings.runtime", _replacements)


def _replacements(module: ModuleType) -> dict[str, Any]:
    driver = importlib.import_module("cuda.bindings.driver")
    served = {f"cuda{name}": function for name, function in _served(driver, module).items()}
    return replaced(
        module, {name: _call(name, each, driver, module) for name, each in served.items()}
    )


def _call(name: str, function: _Function, driver: Any, module: Any) -> Callable[..., Any]:
    """Return a function of the runtime, which makes the primary context first."""
    to_driver = {
        getattr(module, ours): getattr(driver, theirs) for ours, theirs in _HANDLES.items()
    }
    to_runtime = {driver.CUdeviceptr: int} | {kind: ours for ours, kind in to_driver.items()}

    def translated(value: Any, kinds: dict[Any, Any]) -> Any:
        kind = kinds.get(type(value))
        return value if kind is None else kind(int(value))

    def call(*arguments: Any, **given: Any) -> tuple[Any, ...]:
        _make_current(driver)
        status, *results = function(
            *(translated(each, to_driver) for each in arguments),
            **{name: translated(each, to_driver) for name, each in given.items()},
        )
        return (_status(module, int(status)), *(translated(each, to_runtime) for each in results))

    call.__name__ = name
    return call


def _status(module: Any, number: int) -> Any:
    """Return the runtime's status for the driver's: they share their numbers."""
    try:
        return module.cudaError_t(number)
    except ValueError:
        return module.cudaError_t(_UNKNOWN)


def _make_current(driver: Any) -> None:
    """Make the primary context current where a thread has none."""
    driver.cuInit(0)
    _, current = driver.cuCtxGetCurrent()
    if not int(current):
        driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])


def _served(driver: Any, module: Any) -> dict[str, _Function]:
    """Return the functions that are served, by their names without the prefix."""
    found: dict[str, _Function] = {}
    for name in _SAME:
        ours, _, theirs = name.partition("=")
        found[ours] = getattr(driver, f"cu{theirs or ours}")
    found |= _memory(driver) | _device(driver, module)
    return found | {
        "StreamCreate": lambda: driver.cuStreamCreate(0),
        "EventCreate": lambda: driver.cuEventCreate(0),
        "GetLastError": lambda: (0,),
        "PeekAtLastError": lambda: (0,),
        "ProfilerStart": lambda: (0,),
        "ProfilerStop": lambda: (0,),
    }


def _memory(driver: Any) -> dict[str, _Function]:
    """Return functions about memory whose parameters differ from the driver's."""

    def copy(to: Any, source: Any, size: int, kind: Any, *stream: Any) -> Any:
        way = _COPIES[int(kind)]
        if way in ("", "HtoH"):
            name, ends = "cuMemcpy", (host_address(to), host_address(source))
        else:
            name = f"cuMemcpy{way}"
            ends = (
                host_address(to) if way.endswith("H") else int(to),
                host_address(source) if way.startswith("H") else int(source),
            )
        function = getattr(driver, f"{name}Async" if stream else name)
        return function(*ends, size, *stream)

    def copy_in_order(to: Any, source: Any, size: int, kind: Any, stream: Any = 0) -> Any:
        return copy(to, source, size, kind, stream)

    def managed(size: int, flags: int = 1) -> Any:
        return driver.cuMemAllocManaged(size, flags)

    return {"Memcpy": copy, "MemcpyAsync": copy_in_order, "MallocManaged": managed}


def _device(driver: Any, module: Any) -> dict[str, _Function]:
    """Return functions about the GPU."""

    def attribute(number: Any, ordinal: int = 0) -> Any:
        return driver.cuDeviceGetAttribute(driver.CUdevice_attribute(int(number)), ordinal)

    def properties(ordinal: int) -> Any:
        status, name = driver.cuDeviceGetName(_MOST_NAME_BYTES, ordinal)
        if int(status):
            return status, None
        memory_bytes = driver.cuDeviceTotalMem(ordinal)[1]
        return 0, device_properties(
            module, name.rstrip(b"\0"), memory_bytes, lambda number: attribute(number, ordinal)[1]
        )

    def current() -> Any:
        status, device = driver.cuCtxGetDevice()
        return status, int(device)

    def choose(ordinal: int) -> Any:
        status, context = driver.cuDevicePrimaryCtxRetain(ordinal)
        return driver.cuCtxSetCurrent(context) if not int(status) else (status,)

    return {
        "DeviceGetAttribute": attribute,
        "GetDevice": current,
        "GetDeviceProperties": properties,
        "SetDevice": choose,
    }
