"""What the functions of CuTe DSL's runtime library do: they come to `cuda_api.calls`.

Each function here has the name and the parameters that cute_dsl_runtime.c declares, and returns
nothing: the library's caller gets 0, or the status of a CallError. An exception of any other kind
cannot pass through compiled code. It is kept, and raised once that code has returned.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from ctypes import POINTER, Structure, c_float, c_int, c_size_t, c_uint, c_void_p
from typing import Any

from lanemap.check.cuda_api.calls import CallError, Calls, Status
from lanemap.check.findings import refusing
from lanemap.devices.tensor_maps import MAP_BYTES, TensorMapParameters
from lanemap.errors import UserError

_Function = Callable[..., None]


class _Attribute(Structure):
    """cudaLaunchAttribute."""

    _fields_ = [("number", c_uint), ("padding", c_uint), ("value", c_uint * 16)]


class _Configuration(Structure):
    """cudaLaunchConfig_t."""

    _fields_ = [
        ("grid", c_uint * 3),
        ("block", c_uint * 3),
        ("shared_bytes", c_size_t),
        ("stream", c_void_p),
        ("attributes", POINTER(_Attribute)),
        ("count", c_uint),
    ]


#: cudaLaunchAttributeID.
_CLUSTER = 4


class Shims:
    """The functions, over `Calls`."""

    def __init__(self, calls: Calls) -> None:
        """Serve by `calls`."""
        self._calls = calls
        self._of_thread = threading.local()
        self._callbacks: list[Any] = []

    # -- exceptions --------------------------------------------------------------------------------
    def raise_kept(self) -> None:
        """Raise what a call has raised since the last time, in this thread."""
        error = getattr(self._of_thread, "error", None)
        if error is not None:
            self._of_thread.error = None
            raise error from None  # not from what CuTe DSL makes of a status

    def _called(self, function: _Function, *arguments: Any) -> int:
        """Call a function; return a status for compiled code. A null pointer comes as None."""
        try:
            function(*(0 if each is None else each for each in arguments))
        except CallError as refused:
            return int(refused.status)
        except BaseException as error:  # Ctrl-C too
            self._of_thread.error = error
            if isinstance(error, UserError):  # whoever called that code need not raise it
                self._calls.emulated.findings.refuse(error)
            return int(Status.LAUNCH_FAILED)
        return 0

    def serve(self, path: str) -> None:
        """Let the library at a path call these functions."""
        library = ctypes.CDLL(path)
        for name, kinds, function in self._functions():
            kind = ctypes.CFUNCTYPE(c_int, *kinds)
            callback = kind(functools.partial(self._called, function))
            self._callbacks.append(callback)
            pointer = c_void_p.in_dll(library, f"serve_{name}")
            pointer.value = ctypes.cast(callback, c_void_p).value

    # -- the functions -----------------------------------------------------------------------------
    def _functions(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        """Yield name, parameters and what is done for each function that is served."""
        yield from self._about_gpu()
        yield from self._of_libraries()
        yield from self._launches()
        yield from self._of_memory()
        yield from self._of_order()

    def _about_gpu(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        calls, number = self._calls, POINTER(c_int)

        def attribute(out: Any, name: int, device: int) -> None:
            out[0] = calls.attribute(name, device)

        def only(out: Any, *_: Any) -> None:
            out[0] = 0

        def count(out: Any) -> None:
            out[0] = 1

        yield "cudaGetDeviceCount", (number,), count
        yield "cudaGetDevice", (number,), only
        yield "cudaSetDevice", (c_int,), _checked(calls.require_gpu)
        yield "cuDeviceGet", (number, c_int), lambda out, n: _store(out, calls.require_gpu(n))
        yield "cudaDeviceGetAttribute", (number, c_int, c_int), attribute
        yield "cudaDeviceSynchronize", (), _nothing

    def _of_libraries(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        calls, out, name = self._calls, POINTER(c_void_p), ctypes.c_char_p
        options = (c_void_p, c_void_p, c_uint) * 2

        def load(library: Any, code: int, *_: Any) -> None:
            library[0] = calls.load(code)

        def kernel(found: Any, library: int, symbol: bytes) -> None:
            found[0] = calls.kernel(library, symbol.decode())

        def count(found: Any, library: int) -> None:
            found[0] = len(calls.kernels(library))

        def variable(address: Any, size: Any, library: int, symbol: bytes) -> None:
            place = calls.symbol(library, symbol.decode())
            for out, value in zip((address, size), place, strict=True):
                if out:  # a caller may ask for one of them
                    out[0] = value

        def attribute(value: Any, number: int, kernel: int, _: int) -> None:
            value[0] = calls.kernel_attribute(number, kernel)

        def blocks(value: Any, _: int, threads: int, shared_bytes: int) -> None:
            value[0] = calls.blocks_of_sm(threads, shared_bytes)

        for api in ("cuda", "cu"):
            yield f"{api}LibraryLoadData", (out, c_void_p, *options), load
            yield f"{api}LibraryUnload", (c_void_p,), calls.unload
            yield f"{api}LibraryGetKernel", (out, c_void_p, name), kernel
            yield f"{api}LibraryGetKernelCount", (POINTER(c_uint), c_void_p), count
            place = (out, POINTER(c_size_t), c_void_p, name)
            yield f"{api}LibraryGetGlobal", place, variable
            for what, parameters in (("Managed", place), ("UnifiedFunction", (out, *place[2:]))):
                absent = f"{api}LibraryGet{what}"
                yield absent, parameters, refusing(f"{absent} has no counterpart on the emulator")
        yield "cuKernelGetAttribute", (POINTER(c_int), c_int, c_void_p, c_int), attribute
        three = (c_void_p, c_int, c_int)
        yield "cudaFuncSetAttribute", three, lambda k, *_: calls.set_kernel_attribute(k)
        yield (
            "cudaKernelSetAttributeForDevice",
            (*three, c_int),
            lambda k, *_: calls.set_kernel_attribute(k),
        )
        yield (
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
            (POINTER(c_int), c_void_p, c_int, c_size_t),
            blocks,
        )

    def _launches(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        calls = self._calls

        def launch(kernel: int, *rest: Any) -> None:
            sizes, (arguments, shared_bytes, stream) = rest[:6], rest[6:]
            calls.launch(kernel, sizes[:3], sizes[3:], arguments, shared_bytes, stream=stream)

        def launch_as_configured(configuration: Any, kernel: int, arguments: int) -> None:
            given = configuration[0]
            cluster = (1, 1, 1)
            for each in given.attributes[: given.count]:
                if each.number == _CLUSTER:
                    cluster = tuple(each.value[:3])
            calls.launch(
                kernel,
                tuple(given.grid),
                tuple(given.block),
                arguments,
                given.shared_bytes,
                cluster,
                given.stream or 0,
            )

        def tensor_map(out: int, kind: int, rank: int, address: int, *rest: Any) -> None:
            sizes, strides, box, steps, interleave, swizzle, promotion, fill = rest
            parameters = TensorMapParameters(
                "tiled",
                kind,
                rank,
                address,
                tuple(sizes[:rank]),
                tuple(strides[: rank - 1]),
                tuple(steps[:rank]),
                box=tuple(box[:rank]),
                interleave=interleave,
                swizzle=swizzle,
                l2_promotion=promotion,
                oob_fill=fill,
            )
            ctypes.memmove(out, calls.tensor_map(parameters), MAP_BYTES)

        six = (c_uint,) * 6
        yield "cudaLaunchKernel", (c_void_p, *six, c_void_p, c_size_t, c_void_p), launch
        yield (
            "cudaLaunchKernelEx",
            (POINTER(_Configuration), c_void_p, c_void_p),
            launch_as_configured,
        )
        words, halves = POINTER(ctypes.c_uint64), POINTER(ctypes.c_uint32)
        yield (
            "cuTensorMapEncodeTiled",
            (c_void_p, c_int, c_uint, c_void_p, words, words, halves, halves, *(c_int,) * 4),
            tensor_map,
        )

    def _of_memory(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        calls, out = self._calls, POINTER(c_void_p)

        def allocate(address: Any, size: int, *_: Any) -> None:
            address[0] = calls.allocate(size)

        def allocate_managed(address: Any, size: int, _: int) -> None:
            address[0] = calls.allocate_managed(size)

        def allocate_of_host(address: Any, size: int) -> None:
            address[0] = calls.allocate_of_host(size)

        def free(address: int, *_: Any) -> None:
            calls.free(address)

        def copy(to: int, source: int, size: int, kind: int, stream: int = 0) -> None:
            calls.copy(to, source, size, kind, stream)

        def fill(address: int, value: int, size: int, stream: int = 0) -> None:
            calls.fill(address, bytes([value & 0xFF]), size, stream)

        pointer = (c_void_p,)
        yield "cudaMalloc", (out, c_size_t), allocate
        yield "cudaMallocAsync", (out, c_size_t, c_void_p), allocate
        yield "cudaMallocHost", (out, c_size_t), allocate_of_host
        yield "cudaMallocManaged", (out, c_size_t, c_uint), allocate_managed
        yield "cudaFree", pointer, free
        yield "cudaFreeAsync", pointer * 2, free
        yield "cudaFreeHost", pointer, free
        four = (c_void_p, c_void_p, c_size_t, c_int)
        yield "cudaMemcpy", four, copy
        yield "cudaMemcpyAsync", (*four, c_void_p), copy
        yield "cudaMemset", (c_void_p, c_int, c_size_t), fill
        yield "cudaMemsetAsync", (c_void_p, c_int, c_size_t, c_void_p), fill

    def _of_order(self) -> Iterator[tuple[str, tuple[Any, ...], _Function]]:
        calls, out, pointer = self._calls, POINTER(c_void_p), c_void_p
        yield "cudaStreamCreate", (out,), lambda found: _store(found, calls.new_stream())
        yield "cudaStreamDestroy", (pointer,), calls.forget
        yield "cudaStreamSynchronize", (pointer,), _nothing
        yield "cudaStreamWaitEvent", (pointer, pointer, c_uint), _nothing
        yield "cudaStreamBeginCapture", (pointer, c_int), lambda s, _: calls.begin_capture(s)
        yield (
            "cudaStreamEndCapture",
            (pointer, out),
            lambda stream, graph: _store(graph, calls.end_capture(stream)),
        )
        yield "cudaEventCreate", (out,), lambda found: _store(found, calls.new_event())
        yield "cudaEventDestroy", (pointer,), calls.forget
        yield "cudaEventRecord", (pointer,) * 2, lambda e, stream: calls.record(e, stream)
        yield (
            "cudaEventElapsedTime",
            (POINTER(c_float), pointer, pointer),
            lambda time, start, end: _store(time, calls.elapsed(start, end)),
        )
        yield (
            "cudaGraphInstantiate",
            (out, pointer, ctypes.c_ulonglong),
            lambda found, graph, _: _store(found, calls.instantiate(graph)),
        )
        yield "cudaGraphLaunch", (pointer,) * 2, lambda g, s: calls.launch_graph(g, s)
        yield "cudaGraphDestroy", (pointer,), calls.forget
        yield "cudaGraphExecDestroy", (pointer,), calls.forget
        yield "cudaProfilerStart", (), _nothing
        yield "cudaProfilerStop", (), _nothing


def _store(out: Any, value: Any) -> None:
    """Write what a call returns to where its caller wants it."""
    out[0] = value


def _nothing(*_: Any) -> None:
    """Do what takes no doing: everything has ended."""


def _checked(function: Callable[..., Any]) -> _Function:
    """Return a function that drops its result."""

    def call(*arguments: Any) -> None:
        function(*arguments)

    return call
