"""libcuda.so.1 in a process that lanemap runs in: its requests are calls of this process."""

from __future__ import annotations

import _thread
import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_int, c_int32, c_uint32, c_uint64, c_void_p
from typing import Any

from lanemap.check.cuda_api.calls import CallError, Calls, CopyKind, Status
from lanemap.check.libcuda.serving import WORDS, Operation, Serving
from lanemap.devices.arrays import made_at, place_here
from lanemap.devices.emulator import driver_library
from lanemap.errors import UserError

#: What programs load.
NAME = "libcuda.so.1"


class _Request(ctypes.Structure):
    """`struct Request` of core.h."""

    _fields_ = [
        ("operation", c_uint32), ("status", c_int32), ("words", c_uint64 * WORDS),
        ("source", c_void_p), ("source_bytes", c_uint64), ("out", c_void_p),
        ("out_bytes", c_uint64),
    ]  # fmt: skip


_Serve = ctypes.CFUNCTYPE(c_int, ctypes.POINTER(_Request))
_Made = ctypes.CFUNCTYPE(None, c_uint64)


class _Local:
    """What answers the library's requests."""

    def __init__(self, calls: Calls) -> None:
        self._calls, self._serving = calls, Serving(calls, name_at=self._name_at)
        #: The lines that allocated, by address, until the emulator asks.
        self._places: dict[int, tuple[str, int] | None] = {}
        #: What a call raised that cannot pass through compiled code.
        self.raised: BaseException | None = None

    def __call__(self, pointer: Any) -> int:
        request = pointer[0]
        try:
            return self._answered(request)
        except KeyboardInterrupt:
            _thread.interrupt_main()
        except BaseException as error:
            self.raised = error
        return int(Status.LAUNCH_FAILED)

    def made(self, address: int) -> None:
        """Note who allocates: the library does that by itself."""
        self._places[address] = place_here()

    def _name_at(self, address: int) -> str:
        return f"array{made_at(self._places.pop(address, None))}"

    def _answered(self, request: Any) -> int:
        words, operation = request.words, request.operation
        if operation in (Operation.WRITE, Operation.READ):
            return self._copied(request)
        data = ctypes.string_at(request.source, request.source_bytes) if request.source else b""
        status, (found, out) = self._serving.answer(operation, list(words), data)
        for place, word in enumerate(found):
            words[place] = word
        if out and request.out:
            ctypes.memmove(request.out, out, min(len(out), request.out_bytes))
        return status

    def _copied(self, request: Any) -> int:
        """Move bytes between the program and the emulator's memory."""
        address, size = request.words[0], request.words[1]
        try:
            if request.operation == Operation.WRITE:
                self._calls.copy(address, request.source, size, CopyKind.HOST_TO_DEVICE)
            else:
                self._calls.copy(request.out, address, size, CopyKind.DEVICE_TO_HOST)
        except CallError as refused:
            return int(refused.status)
        except UserError:
            return int(Status.LAUNCH_FAILED)
        return 0


@contextmanager
def libcuda_in_process(calls: Calls) -> Iterator[str]:
    """Let whatever this process loads as libcuda.so.1 be ours; yield its path.

    The dynamic linker knows a library by its name once it is loaded, so later loads of
    libcuda.so.1 find this one. It stays loaded afterwards and serves nobody.

    Raises:
        MissingEnvironment: there is no such library for this system.
    """
    path = driver_library(NAME)
    library = ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
    library.lanemap_reset()
    local = _Local(calls)
    callbacks = {"lanemap_serve": _Serve(local), "lanemap_made": _Made(local.made)}
    _KEPT.append(callbacks)  # a thread may be inside one
    pointers = {name: c_void_p.in_dll(library, name) for name in callbacks}
    for name, callback in callbacks.items():
        pointers[name].value = ctypes.cast(callback, c_void_p).value
    try:
        yield str(path)
    finally:
        for pointer in pointers.values():
            pointer.value = None
        library.lanemap_reset()


_KEPT: list[Any] = []
