"""The GPU behind the stand-in library: one emulator for each process that connects.

Run as `python hip_server.py SOCKET`; hip_stand_in.c says what is asked. What a GPU cannot notice
before it has run (a fault in a kernel) is answered to the next wait and to all that follows, as HIP
does; the sentence that only an emulator knows goes to standard error where STAND_IN_TELLS is set.
"""

import os
import socketserver
import struct
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lanemap.emulator.api import Hazard, Machine
from lanemap.errors import LanemapError, UserError
from lanemap.toolchain.codeobject import read_code_object

REQUEST, ANSWER = struct.Struct("<II4Q"), struct.Struct("<IIQ")
#: What can be asked, by number: the method, how many values it takes, whether it takes bytes.
ASKED = (
    ("malloc", 1, False), ("free", 1, False), ("write", 1, True), ("read", 2, False),
    ("fill", 3, False), ("copy", 3, False), ("load", 0, True), ("unload", 1, False),
    ("function", 1, True), ("launch", 1, True), ("wait", 0, False), ("record", 1, False),
    ("elapsed", 2, False), ("live", 0, False),
)  # fmt: skip

INVALID_VALUE, OUT_OF_MEMORY, INVALID_CONFIGURATION = 1, 2, 9
INVALID_IMAGE, NO_BINARY, NOT_FOUND, NOT_READY = 200, 209, 500, 600
ILLEGAL_ADDRESS, LAUNCH_FAILURE = 700, 719

MEMORY_BYTES = 1 << 32
LDS_BYTES = 160 * 1024


class Failed(Exception):
    """A status that a call answers with."""


class Gpu:
    """Memory, modules, functions and events of one process."""

    def __init__(self) -> None:
        self.emulator = Machine("gfx950")
        self.sizes: dict[int, int] = {}
        self.modules: dict[int, tuple[Any, Any]] = {}
        self.functions: dict[int, tuple[Any, Any]] = {}
        self.events: dict[int, int] = {}
        self.launches = 0
        self.broken = 0
        self.handles = 0x1000

    def answer(self, number: int, values: Sequence[int], data: bytes) -> tuple[int, bytes]:
        """Carry a request out; a number and bytes come back."""
        name, count, takes_data = ASKED[number]
        if self.broken and name != "live":
            raise Failed(self.broken)
        result = getattr(self, name)(*values[:count], *([data] if takes_data else []))
        return (0, result) if isinstance(result, bytes) else (result or 0, b"")

    def malloc(self, size: int) -> int:
        if size + sum(self.sizes.values()) > MEMORY_BYTES:
            raise Failed(OUT_OF_MEMORY)
        address = self.emulator.allocate(size, "memory of hipMalloc")
        self.sizes[address] = size
        return address

    def free(self, address: int) -> None:
        if self.sizes.pop(address, None) is None:
            raise Failed(INVALID_VALUE)
        self.emulator.free(address)

    def _inside(self, address: int, size: int) -> None:
        if not any(
            base <= address and address + size <= base + room for base, room in self.sizes.items()
        ):
            raise Failed(INVALID_VALUE)

    def write(self, address: int, data: bytes) -> None:
        self._inside(address, len(data))
        self.emulator.write(address, data)

    def read(self, address: int, size: int) -> bytes:
        self._inside(address, size)
        # Undefined bytes are no fault of a GPU's: they are reported, and come back all the same.
        raising = self.emulator.settings
        self.emulator.settings = replace(raising, hazards="report")
        try:
            return self.emulator.read(address, size)
        finally:
            self.emulator.settings = raising

    def fill(self, address: int, value: int, size: int) -> None:
        self.write(address, bytes([value]) * size)

    def copy(self, target: int, source: int, size: int) -> None:
        self.write(target, self.read(source, size))

    def _handle(self) -> int:
        self.handles += 0x10
        return self.handles

    def load(self, data: bytes) -> int:
        try:
            parsed = read_code_object(data)
        except UserError as error:
            raise Failed(INVALID_IMAGE) from error
        if parsed.target != "gfx950" or parsed.source is None:
            raise Failed(NO_BINARY)
        handle = self._handle()
        self.modules[handle] = self.emulator.load(parsed.source, "the code object"), parsed
        return handle

    def unload(self, module: int) -> None:
        if self.modules.pop(module, None) is None:
            raise Failed(INVALID_VALUE)

    def function(self, module: int, data: bytes) -> int:
        if module not in self.modules:
            raise Failed(INVALID_VALUE)
        loaded, parsed = self.modules[module]
        info = next((each for each in parsed.kernels if each.name == data.decode()), None)
        if info is None:
            raise Failed(NOT_FOUND)
        handle = self._handle()
        self.functions[handle] = loaded, info
        return handle

    def launch(self, function: int, data: bytes) -> None:
        if function not in self.functions:
            raise Failed(INVALID_VALUE)
        loaded, info = self.functions[function]
        gx, gy, gz, bx, by, bz, shared, _ = struct.unpack_from("<8I", data)
        if not all((gx, gy, gz, bx, by, bz)) or bx * by * bz > info.max_threads:
            raise Failed(INVALID_CONFIGURATION)
        if shared + info.shared_bytes > LDS_BYTES:
            raise Failed(INVALID_VALUE)
        grid, block = (gx, gy, gz), (bx, by, bz)
        self.launches += 1
        try:
            loaded.kernels[info.name].require()
            loaded.kernels[info.name].launch(grid, block, data[32:], shared)
        except LanemapError as error:
            if "STAND_IN_TELLS" in os.environ:
                print(error, file=sys.stderr)
            outside = isinstance(error, Hazard) and error.kind in ("out-of-bounds", "read-only")
            self.broken = ILLEGAL_ADDRESS if outside else LAUNCH_FAILURE

    def wait(self) -> None:
        """Nothing to do: launches are run when they are asked for."""

    def record(self, event: int) -> None:
        self.events[event] = self.launches

    def elapsed(self, start: int, stop: int) -> int:
        if start not in self.events or stop not in self.events:
            raise Failed(NOT_READY)
        return self.events[stop] - self.events[start]

    def live(self) -> int:
        return len(self.sizes)


class Connection(socketserver.StreamRequestHandler):
    """One process's requests, in order."""

    def handle(self) -> None:
        gpu = Gpu()
        while head := self.rfile.read(REQUEST.size):
            what, size, *values = REQUEST.unpack(head)
            status, (value, back) = 0, (0, b"")
            try:
                value, back = gpu.answer(what, values, self.rfile.read(size))
            except Failed as failed:
                status = failed.args[0]
            self.wfile.write(ANSWER.pack(status, len(back), value) + back)


class Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    """A process of its own for each connection, so that a fault is that connection's alone."""


if __name__ == "__main__":
    with Server(sys.argv[1], Connection) as server:
        print("ready", flush=True)
        server.serve_forever()
