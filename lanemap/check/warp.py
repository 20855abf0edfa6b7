"""Warp on libcuda.so.1: what its library asks of its own CUDA runtime is asked of the driver.

Warp's library, warp.so, compiles by NVRTC and loads and launches by the public driver API. Memory,
copies and graphs it asks of a CUDA runtime that it is linked with, which wants tables of NVIDIA's
driver that are not public. Warp calls warp.so by ctypes, so these functions are replaced there
(warp/native/warp.h and warp.cu, of the wheel). Those that run kernels of warp.so, which are machine
code, are refused by name.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Callable, Iterator
from ctypes import byref, c_float, c_size_t, c_uint64, c_void_p
from typing import Any

from lanemap.check.findings import refusing
from lanemap.check.imports import Change

#: cuMemAllocManaged: any stream may use the memory.
_ATTACH_GLOBAL = 1
#: Functions that need graphs or another GPU. Those that end with "_device" run kernels of warp.so.
_REFUSED = (
    "wp_cuda_graph_", "wp_apic_", "wp_capture_", "wp_memcpy_p2p", "wp_memcpy_batch",
    "wp_cuda_graphics_", "wp_cuda_ipc_", "wp_cuda_timing_",
)  # fmt: skip
#: What others answer, of pools, peers and captures that are not there.
_ABSENT = {
    "wp_cuda_device_set_mempool_release_threshold": 1,
    "wp_cuda_device_get_mempool_release_threshold": 0,
    "wp_cuda_device_get_mempool_used_mem_current": 0,
    "wp_cuda_device_get_mempool_used_mem_high": 0,
    "wp_cuda_is_peer_access_supported": 0,
    "wp_cuda_is_peer_access_enabled": 0,
    "wp_cuda_is_mempool_access_enabled": 0,
    "wp_cuda_stream_is_capturing": 0,
    "wp_cuda_stream_is_blocking": 1,
    "wp_cuda_context_check": 0,
    "wp_apic_is_recording": 0,
}


def warp_by_driver() -> list[Change]:
    """Return what of Warp is something else."""
    return [
        Change("warp.config", lambda _: {"cuda_output": "ptx", "lineinfo": True}),
        Change("warp._src.context", _of_context),
    ]


def _of_context(module: Any) -> dict[str, Any]:
    load = module.Runtime.load_dll

    def load_dll(self: Any, path: str) -> Any:
        library = load(self, path)
        return _Core(library) if hasattr(library, "wp_cuda_launch_kernel") else library

    return {"Runtime.load_dll": load_dll}


class _Core:
    """warp.so, some of whose functions are others."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        vars(self).update(_served(library))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._library, name)
        if name in _ABSENT:
            found = _answering(_ABSENT[name])
        elif name.endswith("_device") or name.startswith(_REFUSED):
            found = refusing(
                f"Warp's {name} is not supported: it runs machine code of warp.so, or needs CUDA "
                "graphs or a second GPU"
            )
        setattr(self, name, found)
        return found


def _answering(value: int) -> Callable[..., int]:
    return lambda *_: value


def _number(value: Any) -> int:
    """Return an address or a handle: a number, a pointer of ctypes, or None."""
    return value if isinstance(value, int) else ctypes.cast(value, c_void_p).value or 0


def _served(library: ctypes.CDLL) -> dict[str, Callable[..., Any]]:
    """Return the functions that are the driver's, by name. Streams are order, which all have."""
    driver = ctypes.CDLL("libcuda.so.1")

    def done(context: Any, name: str, *arguments: Any) -> bool:
        """Call a function in a context, as warp.so does; None is the current one."""
        given = _number(context)
        if given:
            driver.cuCtxPushCurrent_v2(c_void_p(given))
        status = getattr(driver, name)(*arguments)
        if given:
            driver.cuCtxPopCurrent_v2(None)
        return not status

    return _of_memory(done) | _of_contexts(library, done)


def _of_memory(done: Callable[..., bool]) -> dict[str, Callable[..., Any]]:
    """Return the functions of memory; `done` calls a function of the driver's."""

    def allocated(context: Any, name: str, size: int, *more: Any) -> int | None:
        address = c_uint64()
        return address.value if done(context, name, byref(address), c_size_t(size), *more) else None

    def copied(name: str) -> Callable[..., bool]:
        def copy(context: Any, to: Any, source: Any, size: int, _: Any) -> bool:
            ends = (c_uint64(_number(to)), c_uint64(_number(source)))
            return done(context, name, *ends, c_size_t(size))

        return copy

    def free(context: Any, address: Any, _: Any = None) -> None:
        done(context, "cuMemFree_v2", c_uint64(_number(address)))

    def fill(context: Any, to: Any, value: int, size: int, _: Any) -> bool:
        return done(context, "cuMemsetD8_v2", c_uint64(_number(to)), value, c_size_t(size))

    def tile(context: Any, to: Any, source: Any, size: int, times: int) -> None:
        data = ctypes.string_at(_number(source), size) * times
        done(context, "cuMemcpyHtoD_v2", c_uint64(_number(to)), data, c_size_t(len(data)))

    return {
        "wp_alloc_pinned": lambda size, _: allocated(None, "cuMemAllocHost_v2", size),
        "wp_free_pinned": lambda address: done(None, "cuMemFreeHost", c_void_p(_number(address))),
        "wp_alloc_device": lambda where, size, _: allocated(where, "cuMemAlloc_v2", size),
        "wp_alloc_device_default": lambda where, size, _: allocated(where, "cuMemAlloc_v2", size),
        "wp_alloc_device_managed": lambda where, size, _: allocated(
            where, "cuMemAllocManaged", size, _ATTACH_GLOBAL
        ),
        "wp_alloc_device_async": lambda where, size, *_: allocated(where, "cuMemAlloc_v2", size),
        "wp_free_device": free,
        "wp_free_device_async": free,
        "wp_free_device_default": free,
        "wp_memcpy_h2d": copied("cuMemcpyHtoD_v2"),
        "wp_memcpy_d2h": copied("cuMemcpyDtoH_v2"),
        "wp_memcpy_d2d": copied("cuMemcpyDtoD_v2"),
        "wp_memset_device": fill,
        "wp_memtile_device": tile,
    }


def _of_contexts(library: ctypes.CDLL, done: Callable[..., bool]) -> dict[str, Callable[..., Any]]:
    """Return what begins, loads modules and waits."""

    def load(context: Any, path: bytes) -> int | None:
        """Load PTX; warp.so would make machine code of it where its NVRTC is newer than CUDA is."""
        module = c_void_p()
        return module.value if done(context, "cuModuleLoad", byref(module), path) else None

    def elapsed(start: Any, end: Any) -> float:
        found = c_float(math.nan)
        events = (c_void_p(_number(start)), c_void_p(_number(end)))
        done(None, "cuEventElapsedTime", byref(found), *events)
        return found.value

    @contextlib.contextmanager
    def quiet() -> Iterator[None]:
        """Tell nothing of what warp.so tries first and does without: OpenGL, its own runtime."""
        told = library.wp_is_error_output_enabled()
        library.wp_set_error_output_enabled(0)
        try:
            yield
        finally:
            library.wp_set_error_output_enabled(told)

    def begin(version: bytes) -> int:
        with quiet():
            return int(library.wp_init(version))

    def context(ordinal: int) -> Any:
        primary = library.wp_cuda_device_get_primary_context
        stream = library.wp_cuda_context_get_stream
        primary.restype = stream.restype = c_void_p
        with quiet():
            found = primary(ordinal)
            stream(c_void_p(found))  # which looks at the context first
            return found

    return {
        "wp_init": begin,
        "wp_cuda_load_module": load,
        "wp_cuda_event_elapsed_time": elapsed,
        "wp_cuda_device_get_primary_context": context,
        "wp_cuda_context_synchronize": lambda where: done(where, "cuCtxSynchronize"),
    }
