"""Times of kernels by themselves, from CUPTI's activity records.

Source: NVIDIA CUPTI 13.0, "CUPTI Activity API", cupti_activity.h: a record of a kernel
(CUpti_ActivityKernel4 and later) begins with its kind, 12 bytes of configuration, and the
nanoseconds at which the kernel began and ended.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from lanemap.devices.cublaslt import shared_library
from lanemap.errors import UserError

_LIBRARY = "libcupti.so.13"
#: CUpti_ActivityKind, and flags of cuptiActivityFlushAll.
_CONCURRENT_KERNEL, _FORCED = 10, 1
_BUFFER_BYTES, _ALIGNMENT = 1 << 20, 8

_Request = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_size_t),
    ctypes.POINTER(ctypes.c_size_t),
)
_Complete = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t
)


class _Kernel(ctypes.Structure):
    """The beginning of a kernel's record."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("configuration", ctypes.c_uint32 * 3),
        ("start", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
    )


def _check(status: int, what: str) -> None:
    if status:
        raise UserError(f"{what} of CUPTI failed with status {status}")


class _Recorder:
    """The buffers that CUPTI fills, and the spans of the kernels in them."""

    def __init__(self) -> None:
        """Register the functions that hand buffers over.

        Raises:
            MissingEnvironment: CUPTI is not here.
        """
        self.library = shared_library(_LIBRARY)
        self.spans: list[tuple[int, int]] = []
        self._buffers: dict[int, Any] = {}
        # CUPTI keeps the addresses of both for as long as the process lives.
        self._functions = _Request(self._request), _Complete(self._complete)
        _check(self.library.cuptiActivityRegisterCallbacks(*self._functions), "RegisterCallbacks")

    def _request(self, buffer: Any, size: Any, most: Any) -> None:
        made = ctypes.create_string_buffer(_BUFFER_BYTES + _ALIGNMENT)
        address = -(-ctypes.addressof(made) // _ALIGNMENT) * _ALIGNMENT
        self._buffers[address] = made
        buffer[0], size[0], most[0] = address, _BUFFER_BYTES, 0

    def _complete(self, _: int, __: int, buffer: int, ___: int, valid: int) -> None:
        record, next_record = ctypes.c_void_p(), self.library.cuptiActivityGetNextRecord
        while not next_record(
            ctypes.c_void_p(buffer), ctypes.c_size_t(valid), ctypes.byref(record)
        ):
            kernel = _Kernel.from_address(record.value or 0)
            if kernel.kind == _CONCURRENT_KERNEL:
                self.spans.append((kernel.start, kernel.end))
        self._buffers.pop(buffer, None)


@cache
def _recorder() -> _Recorder:
    return _Recorder()


def kernel_spans(work: Callable[[], None]) -> list[tuple[int, int]]:
    """Return when each kernel of some work began and ended, in nanoseconds, in order.

    Args:
        work: It enqueues kernels and waits for them.

    Raises:
        MissingEnvironment: CUPTI is not here.
        UserError: it refuses, as beside another profiler.
    """
    recorder = _recorder()
    library = recorder.library
    recorder.spans.clear()
    _check(library.cuptiActivityEnable(_CONCURRENT_KERNEL), "ActivityEnable")
    try:
        work()
        _check(library.cuptiActivityFlushAll(_FORCED), "ActivityFlushAll")
    finally:
        _check(library.cuptiActivityDisable(_CONCURRENT_KERNEL), "ActivityDisable")
    return sorted(recorder.spans)


def version() -> int:
    """Return CUPTI's API version, such as 130000.

    Raises:
        MissingEnvironment: CUPTI is not here.
    """
    found = ctypes.c_uint32()
    _check(_recorder().library.cuptiGetVersion(ctypes.byref(found)), "GetVersion")
    return int(found.value)
