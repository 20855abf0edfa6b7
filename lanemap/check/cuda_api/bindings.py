"""cuda.bindings.driver and cuda.bindings.runtime, served in this process.

Their functions return a tuple: a status, then the results. The types that they take and return are
the package's own. A function that has no counterpart here is refused by name.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from lanemap.check.cuda_api.attributes import GPU, PROPERTIES
from lanemap.check.cuda_api.calls import VERSION, CallError, Calls, CopyKind
from lanemap.check.findings import refusing
from lanemap.check.imports import Change
from lanemap.devices.tensor_maps import TensorMapParameters

#: The results that a function returns behind the status, and what computes them: a tuple, one
#: value, or None for no result.
_Function = tuple[int, Callable[..., Any]]
_Functions = dict[str, _Function]
#: They ask neither a driver nor a GPU.
_UNTOUCHED = frozenset(
    ("cuGetErrorName", "cuGetErrorString", "cudaGetErrorName", "cudaGetErrorString")
)
_NO_STREAM = 0
#: Of the field of cudaDeviceProp.
_NAME_BYTES = 256


def changes(calls: Calls) -> list[Change]:
    """Return what of cuda-bindings is something else."""

    def driver(module: ModuleType) -> dict[str, Any]:
        return replaced(module, _called(module, "CUresult", _driver(calls, module)))

    def runtime(module: ModuleType) -> dict[str, Any]:
        return replaced(module, _called(module, "cudaError_t", _runtime(calls, module)))

    return [Change("cuda.bindings.driver", driver), Change("cuda.bindings.runtime", runtime)]


def replaced(module: ModuleType, served: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return what stands for each function of a module: one that is served, or what refuses."""
    found: dict[str, Any] = {}
    for name in dir(module):
        known = getattr(module, name)
        if not name.startswith("cu") or isinstance(known, type) or not callable(known):
            continue
        if name in served:
            found[name] = served[name]
        elif name not in _UNTOUCHED:
            found[name] = refusing(f"{module.__name__}.{name} has no counterpart on the emulator")
    return found


def _called(module: ModuleType, status: str, served: _Functions) -> dict[str, Callable[..., Any]]:
    """Return the functions that are served as the package has them."""
    kind = getattr(module, status)
    return {name: _call(name, kind, *each) for name, each in served.items()}


def _call(name: str, status: Any, results: int, function: Callable[..., Any]) -> Any:
    """Return a function as the package has it: it returns a tuple, with a status first."""

    def call(*arguments: Any, **given: Any) -> tuple[Any, ...]:
        try:
            value = function(*arguments, **given)
        except CallError as refused:
            return (status(int(refused.status)), *[None] * results)
        if not results:
            return (status(0),)
        return (status(0), *(value if results > 1 else (value,)))

    call.__name__ = name
    return call


def _nothing(*_: Any, **__: Any) -> None:
    """Do what takes no doing on the emulator."""


def device_properties(
    module: Any, name: bytes, memory_bytes: int, attribute: Callable[[int], int]
) -> Any:
    """Return a cudaDeviceProp of a GPU; `attribute` returns the driver's by their numbers."""
    found = module.cudaDeviceProp()
    found.name = name.ljust(_NAME_BYTES, b"\0")
    found.totalGlobalMem = memory_bytes
    for field, numbers in PROPERTIES.items():
        if isinstance(numbers, int):
            setattr(found, field, attribute(numbers))
        else:
            setattr(found, field, [attribute(each) for each in numbers])
    return found


def host_address(memory: Any) -> int:
    """Return the address of memory of the host: a number, or an object with a buffer."""
    try:
        return int(np.frombuffer(memory, np.uint8).ctypes.data)
    except (TypeError, ValueError, BufferError):
        return int(memory)


# -- what both have --------------------------------------------------------------------------------
def _memory(calls: Calls, pointer: Callable[[int], Any], copy_kind: Any) -> dict[str, _Function]:
    """Return functions about memory by their names without the prefix."""

    def copy(kind: int | None) -> Callable[..., None]:
        def copying(to: Any, source: Any, size: int, *rest: Any) -> None:
            given = list(rest)
            chosen = kind if kind is not None else int(given.pop(0) if given else CopyKind.DEFAULT)
            stream = int(given[0]) if given else _NO_STREAM
            ends = [
                host_address(each) if on_host else int(each)
                for each, on_host in (
                    (to, chosen in (CopyKind.HOST_TO_HOST, CopyKind.DEVICE_TO_HOST)),
                    (source, chosen in (CopyKind.HOST_TO_HOST, CopyKind.HOST_TO_DEVICE)),
                )
            ]
            calls.copy(ends[0], ends[1], int(size), chosen, stream)

        return copying

    def fill(width: int) -> Callable[..., None]:
        def filling(address: Any, value: int, times: int, stream: Any = _NO_STREAM) -> None:
            data = (int(value) & (1 << 8 * width) - 1).to_bytes(width, "little")
            calls.fill(int(address), data, int(times), int(stream))

        return filling

    allocate: _Function = (1, lambda size, *_: pointer(calls.allocate(int(size))))
    managed: _Function = 1, lambda size, *_: pointer(calls.allocate_managed(int(size)))
    free: _Function = (0, lambda address, *_: calls.free(int(address)))
    found: dict[str, _Function] = {
        "MemAlloc": allocate, "MemAllocAsync": allocate, "Malloc": allocate,
        "MallocAsync": allocate, "MemFree": free, "MemFreeAsync": free, "Free": free,
        "FreeAsync": free, "FreeHost": free, "MemFreeHost": free,
        "MallocManaged": managed, "MemAllocManaged": managed,
        "MallocHost": (1, lambda size: calls.allocate_of_host(int(size))),
        "MemAllocHost": (1, lambda size: calls.allocate_of_host(int(size))),
        "MemGetInfo": (2, lambda: (calls.target.gpu.memory_bytes,) * 2),
        "Memset": (0, fill(1)), "MemsetAsync": (0, fill(1)),
    }  # fmt: skip
    for bits in (8, 16, 32):
        found[f"MemsetD{bits}"] = found[f"MemsetD{bits}Async"] = 0, fill(bits // 8)
    ways = {"HtoD": CopyKind.HOST_TO_DEVICE, "DtoH": CopyKind.DEVICE_TO_HOST}
    ways |= {"DtoD": CopyKind.DEVICE_TO_DEVICE}
    for name, kind in ways.items():
        found[f"Memcpy{name}"] = found[f"Memcpy{name}Async"] = 0, copy(kind)
    found["Memcpy"] = found["MemcpyAsync"] = 0, copy(copy_kind)
    return found


def _order(calls: Calls, module: ModuleType, types: Sequence[str]) -> dict[str, _Function]:
    """Return functions of streams, events and graphs by their names without the prefix.

    `types` are the module's names for a stream, an event, a graph and one that can be launched.
    """
    stream, event, graph, executable = (getattr(module, name) for name in types)
    make_stream: _Function = (1, lambda *_: stream(calls.new_stream()))
    make_event: _Function = (1, lambda *_: event(calls.new_event()))
    record: _Function = (
        0, lambda which, of=_NO_STREAM, *_: calls.record(int(which), int(of))
    )  # fmt: skip
    forget: _Function = (0, lambda which: calls.forget(int(which)))

    def nodes(which: Any, most: int = 0) -> tuple[list[Any], int]:
        return [], calls.graph_size(int(which))

    return {
        "StreamCreate": make_stream,
        "StreamCreateWithFlags": make_stream,
        "StreamCreateWithPriority": make_stream,
        "StreamDestroy": forget,
        "StreamSynchronize": (0, _nothing),
        "StreamQuery": (0, _nothing),
        "StreamWaitEvent": (0, _nothing),
        "StreamBeginCapture": (0, lambda which, *_: calls.begin_capture(int(which))),
        "StreamEndCapture": (1, lambda which: graph(calls.end_capture(int(which)))),
        "EventCreate": make_event,
        "EventCreateWithFlags": make_event,
        "EventDestroy": forget,
        "EventRecord": record,
        "EventRecordWithFlags": record,
        "EventSynchronize": (0, _nothing),
        "EventQuery": (0, _nothing),
        "EventElapsedTime": (1, lambda start, end: calls.elapsed(int(start), int(end))),
        "GraphInstantiate": (1, lambda which, *_: executable(calls.instantiate(int(which)))),
        "GraphLaunch": (0, lambda which, of: calls.launch_graph(int(which), int(of))),
        "GraphDestroy": forget,
        "GraphExecDestroy": forget,
        "GraphGetNodes": (2, nodes),
        "ProfilerStart": (0, _nothing),
        "ProfilerStop": (0, _nothing),
    }


def _prefixed(prefix: str, functions: dict[str, _Function]) -> _Functions:
    return {f"{prefix}{name}": function for name, function in functions.items()}


def _variable(calls: Calls, pointer: Callable[[int], Any]) -> _Function:
    """Return what finds a library's variable."""

    def find(library: Any, name: bytes) -> tuple[Any, int]:
        address, size_bytes = calls.symbol(int(library), name.decode())
        return pointer(address), size_bytes

    return 2, find


# -- the runtime -----------------------------------------------------------------------------------
def _runtime(calls: Calls, module: Any) -> _Functions:
    """Return the functions of cuda.bindings.runtime that are served."""
    types = ("cudaStream_t", "cudaEvent_t", "cudaGraph_t", "cudaGraphExec_t")

    def properties(ordinal: int) -> Any:
        gpu = calls.target.gpu
        attribute = functools.partial(calls.attribute, ordinal=ordinal)
        return device_properties(module, gpu.name.encode(), gpu.memory_bytes, attribute)

    known = _memory(calls, int, None) | _order(calls, module, types)
    known |= {
        "GetDeviceCount": (1, lambda: 1),
        "GetDevice": (1, lambda: GPU),
        "SetDevice": (0, lambda ordinal: calls.require_gpu(int(ordinal))),
        "DeviceSynchronize": (0, _nothing),
        "DeviceGetAttribute": (1, lambda name, n=GPU: calls.attribute(int(name), int(n))),
        "GetDeviceProperties": (1, properties),
        "DriverGetVersion": (1, lambda: VERSION),
        "RuntimeGetVersion": (1, lambda: VERSION),
        "GetLastError": (0, _nothing),
        "PeekAtLastError": (0, _nothing),
        "LibraryUnload": (0, lambda library: calls.unload(int(library))),
        "LibraryGetGlobal": _variable(calls, int),
    }
    return _prefixed("cuda", known)


# -- the driver ------------------------------------------------------------------------------------
def _driver(calls: Calls, module: Any) -> _Functions:
    """Return the functions of cuda.bindings.driver that are served."""
    types = ("CUstream", "CUevent", "CUgraph", "CUgraphExec")
    known = _memory(calls, module.CUdeviceptr, CopyKind.DEFAULT) | _order(calls, module, types)
    known |= _contexts(calls, module) | _kernels(calls, module) | _launches(calls, module)
    return _prefixed("cu", known)


def _contexts(calls: Calls, module: Any) -> dict[str, _Function]:
    """Return functions about the GPU and its contexts, of which there is one."""
    gpu, target = module.CUdevice(GPU), calls.target
    context: _Function = (1, lambda *_: module.CUcontext(1))

    def device(ordinal: int) -> Any:
        calls.require_gpu(int(ordinal))
        return gpu

    return {
        "Init": (0, _nothing),
        "DriverGetVersion": (1, lambda: VERSION),
        "DeviceGetCount": (1, lambda: 1),
        "DeviceGet": (1, device),
        "DeviceGetName": (1, lambda length, _: target.gpu.name.encode()[: length - 1]),
        "DeviceTotalMem": (1, lambda _: target.gpu.memory_bytes),
        "DeviceGetAttribute": (1, lambda name, n: calls.attribute(int(name), int(n))),
        "DevicePrimaryCtxRetain": context,
        "DevicePrimaryCtxRelease": (0, _nothing),
        "CtxCreate": context,
        "CtxGetCurrent": context,
        "CtxPopCurrent": context,
        "CtxSetCurrent": (0, _nothing),
        "CtxPushCurrent": (0, _nothing),
        "CtxDestroy": (0, _nothing),
        "CtxSynchronize": (0, _nothing),
        "CtxGetDevice": (1, lambda: gpu),
    }


def _kernels(calls: Calls, module: Any) -> dict[str, _Function]:
    """Return functions about libraries and kernels."""

    def load(kind: Any) -> Callable[..., Any]:
        def loading(image: Any, *_: Any) -> Any:
            if isinstance(image, (bytes, bytearray)):
                kept = ctypes.create_string_buffer(bytes(image))
                return kind(calls.load(ctypes.addressof(kept)))
            return kind(calls.load(host_address(image)))

        return loading

    def find(kind: Any) -> Callable[..., Any]:
        return lambda library, name: kind(calls.kernel(int(library), bytes(name).decode()))

    def kernels(most: int, library: Any) -> list[Any]:
        return [module.CUkernel(each) for each in calls.kernels(int(library))][:most]

    unload: _Function = (0, lambda library: calls.unload(int(library)))
    attribute: _Function = (1, lambda name, k, *_: calls.kernel_attribute(int(name), int(k)))
    return {
        "LibraryLoadData": (1, load(module.CUlibrary)),
        "LibraryUnload": unload,
        "LibraryGetGlobal": _variable(calls, module.CUdeviceptr),
        "ModuleGetGlobal": _variable(calls, module.CUdeviceptr),
        "LibraryGetKernel": (1, find(module.CUkernel)),
        "LibraryGetKernelCount": (1, lambda library: len(calls.kernels(int(library)))),
        "LibraryEnumerateKernels": (1, kernels),
        "KernelGetFunction": (1, lambda kernel: module.CUfunction(int(kernel))),
        "ModuleLoadData": (1, load(module.CUmodule)),
        "ModuleLoadDataEx": (1, load(module.CUmodule)),
        "ModuleUnload": unload,
        "ModuleGetFunction": (1, find(module.CUfunction)),
        "FuncSetAttribute": (0, lambda k, *_: calls.set_kernel_attribute(int(k))),
        "KernelSetAttribute": (0, lambda _name, _value, k, _: calls.set_kernel_attribute(int(k))),
        "FuncGetAttribute": attribute,
        "KernelGetAttribute": attribute,
    }  # fmt: skip


def _launches(calls: Calls, module: Any) -> dict[str, _Function]:
    """Return functions about launches."""

    def launch(function: Any, *rest: Any) -> None:
        sizes, (shared_bytes, stream, parameters, _extra) = rest[:6], rest[6:]
        x, y, z, block_x, block_y, block_z = map(int, sizes)
        with _pointers(parameters) as arguments:
            calls.launch(
                int(function), (x, y, z), (block_x, block_y, block_z), arguments, int(shared_bytes),
                stream=int(stream),
            )  # fmt: skip

    def launch_as_configured(configuration: Any, function: Any, parameters: Any, _: Any) -> None:
        given, cluster = configuration, (1, 1, 1)
        for each in (given.attrs or [])[: given.numAttrs]:
            if each.id == module.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
                size = each.value.clusterDim
                cluster = (size.x, size.y, size.z)
        with _pointers(parameters) as arguments:
            calls.launch(
                int(function),
                (given.gridDimX, given.gridDimY, given.gridDimZ),
                (given.blockDimX, given.blockDimY, given.blockDimZ),
                arguments,
                given.sharedMemBytes,
                cluster,
                int(given.hStream),
            )

    def tensor_map(kind: Any, rank: int, address: Any, *rest: Any) -> Any:
        sizes, strides, box, steps = (tuple(map(int, each)) for each in rest[:4])
        interleave, swizzle, promotion, fill = map(int, rest[4:])
        parameters = TensorMapParameters(
            "tiled", int(kind), int(rank), int(address), sizes, strides[: int(rank) - 1], steps,
            box=box, interleave=interleave, swizzle=swizzle, l2_promotion=promotion, oob_fill=fill,
        )  # fmt: skip
        found = module.CUtensorMap()
        ctypes.memmove(found.getPtr(), calls.tensor_map(parameters), 128)
        return found

    return {
        "LaunchKernel": (0, launch),
        "LaunchKernelEx": (0, launch_as_configured),
        "OccupancyMaxActiveBlocksPerMultiprocessor": (
            1, lambda _, threads, size: calls.blocks_of_sm(int(threads), int(size)),
        ),
        "TensorMapEncodeTiled": (1, tensor_map),
    }  # fmt: skip


@contextlib.contextmanager
def _pointers(parameters: Any) -> Iterator[int]:
    """Give the address of an array of pointers to arguments, which are there meanwhile.

    cuda-bindings takes that address, or two tuples: values, and their types of ctypes. None is the
    type of an object that knows its address.
    """
    if not isinstance(parameters, tuple):
        yield int(parameters or 0)
        return
    pairs = list(zip(*parameters, strict=True))
    held = [value if kind is None else kind(_plain(value)) for value, kind in pairs]
    addresses = [
        each.getPtr() if hasattr(each, "getPtr") else ctypes.addressof(each) for each in held
    ]
    array = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
    yield ctypes.addressof(array)


def _plain(value: Any) -> Any:
    """Return a number as ctypes takes it, such as that of a CUdeviceptr."""
    return value if isinstance(value, (int, float)) else int(value)
