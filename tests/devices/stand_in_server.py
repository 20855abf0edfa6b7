"""The GPU behind the stand-in libraries: one emulator for each process that connects.

Run as `python stand_in_server.py SOCKET TARGET [FOLDER]`; stand_in.h says what is asked. A code
object of ours carries its assembly. A cubin's text is sought in FOLDER, by the cubin's hash. What a
GPU cannot notice before it has run (a fault in a kernel) is answered to the next wait and to all
that follows, as drivers do; the sentence that only an emulator knows goes to standard error where
STAND_IN_TELLS is set.
"""

import hashlib
import os
import socketserver
import struct
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lanemap.emulator.api import Hazard, Machine, tensor_maps
from lanemap.errors import LanemapError, UserError
from lanemap.toolchain.codeobject import read_code_object

REQUEST, ANSWER = struct.Struct("<II4Q"), struct.Struct("<IIQ")
#: What can be asked, by number: the method, how many values it takes, whether it takes bytes.
ASKED = (
    ("malloc", 1, False), ("free", 1, False), ("write", 1, True), ("read", 2, False),
    ("fill", 3, False), ("copy", 3, False), ("load", 0, True), ("unload", 1, False),
    ("function", 1, True), ("launch", 1, True), ("wait", 0, False), ("record", 1, False),
    ("elapsed", 2, False), ("live", 0, False), ("parameters", 1, False),
    ("encode", 0, True),
)  # fmt: skip

INVALID_VALUE, OUT_OF_MEMORY, INVALID_CONFIGURATION = 1, 2, 9
INVALID_IMAGE, NO_BINARY, NOT_FOUND, NOT_READY = 200, 209, 500, 600
ILLEGAL_ADDRESS, LAUNCH_FAILURE = 700, 719

MEMORY_BYTES = 1 << 32
TARGET = "gfx950"
FOLDER: Path | None = None
#: LDS of gfx950; shared memory of a CTA on sm_90 and sm_100.
LDS_BYTES, SHARED_BYTES = 160 * 1024, 227 * 1024


class Failed(Exception):
    """A status that a call answers with."""


class Gpu:
    """Memory, modules, functions and events of one process."""

    def __init__(self) -> None:
        self.emulator = Machine(TARGET)
        if "STAND_IN_REPORTS" in os.environ:  # a GPU does not see what is wrong
            self.emulator.settings = replace(self.emulator.settings, hazards="report")
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
        if FOLDER is not None:
            return self._load_cubin(data)
        try:
            parsed = read_code_object(data)
        except UserError as error:
            raise Failed(INVALID_IMAGE) from error
        if parsed.target != TARGET or parsed.source is None:
            raise Failed(NO_BINARY)
        handle = self._handle()
        self.modules[handle] = self.emulator.load(parsed.source, "the code object"), parsed
        return handle

    def _load_cubin(self, data: bytes) -> int:
        text = FOLDER / hashlib.sha256(data).hexdigest()
        if not text.exists():
            raise Failed(INVALID_IMAGE)
        handle = self._handle()
        self.modules[handle] = self.emulator.load(text.read_text(), "the cubin"), None
        return handle

    def unload(self, module: int) -> None:
        if self.modules.pop(module, None) is None:
            raise Failed(INVALID_VALUE)

    def function(self, module: int, data: bytes) -> int:
        if module not in self.modules:
            raise Failed(INVALID_VALUE)
        loaded, parsed = self.modules[module]
        kernels = loaded.kernels.values() if parsed is None else parsed.kernels
        info = next((each for each in kernels if each.name == data.decode()), None)
        if info is None:
            raise Failed(NOT_FOUND)
        handle = self._handle()
        self.functions[handle] = loaded, info
        return handle

    def launch(self, function: int, data: bytes) -> None:
        if function not in self.functions:
            raise Failed(INVALID_VALUE)
        loaded, info = self.functions[function]
        gx, gy, gz, bx, by, bz, shared, clusters = struct.unpack_from("<8I", data)
        most = 1024 if FOLDER is not None else info.max_threads
        if not all((gx, gy, gz, bx, by, bz)) or bx * by * bz > most:
            raise Failed(INVALID_CONFIGURATION)
        if shared + info.shared_bytes > (LDS_BYTES if FOLDER is None else SHARED_BYTES):
            raise Failed(INVALID_VALUE)
        grid, block = (gx, gy, gz), (bx, by, bz)
        cluster = (clusters & 0xFF or 1, clusters >> 8 & 0xFF or 1, clusters >> 16 & 0xFF or 1)
        self.launches += 1
        try:
            loaded.kernels[info.name].require()
            loaded.kernels[info.name].launch(grid, block, data[32:], shared, cluster)
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

    def parameters(self, function: int) -> bytes:
        """Offset and bytes of each parameter."""
        if function not in self.functions:
            raise Failed(INVALID_VALUE)
        kernel = self.functions[function][1]
        found = [(each.offset, each.size) for each in kernel.parameters]
        return b"".join(struct.pack("<II", *each) for each in found)

    def encode(self, data: bytes) -> bytes:
        """The 128 bytes of a tiled tensor map."""
        values = struct.unpack("<6I11Q10I", data)
        kind, rank, *modes = values[:6]
        address, dims, strides = values[6], values[7:12], values[12:17]
        box, steps = values[17:22], values[22:27]
        names = ("interleave", "swizzle", "l2_promotion", "oob_fill")
        parameters = tensor_maps.TensorMapParameters(
            "tiled", kind, rank, address, dims[:rank], strides[: rank - 1], steps[:rank],
            box=box[:rank], **dict(zip(names, modes, strict=True)),
        )  # fmt: skip
        if tensor_maps.fault(parameters, TARGET):
            raise Failed(INVALID_VALUE)
        return tensor_maps.encode(parameters, TARGET)

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
    TARGET = sys.argv[2]
    FOLDER = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with Server(sys.argv[1], Connection) as server:
        print("ready", flush=True)
        server.serve_forever()
