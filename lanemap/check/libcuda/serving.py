"""What the requests of libcuda.so.1 ask for (emulator/drivers/cuda/core.h), done by `Calls`."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from enum import IntEnum
from math import prod
from typing import Any

from lanemap.check.cuda_api.attributes import attribute
from lanemap.check.cuda_api.calls import VERSION, CallError, Calls, Kernel, Library, Status
from lanemap.check.libcuda.images import linked, ptx_in
from lanemap.devices.emulator import Arena
from lanemap.devices.kernel_names import source_name
from lanemap.devices.tensor_maps import TensorMapParameters
from lanemap.errors import Disagreement, UserError

#: Of what travels between the library and a server (transport.c).
PROTOCOL = 3
WORDS, RESULTS = 16, 6
_MOST_ATTRIBUTES, _NAME_BYTES, _UNKNOWN = 160, 128, -(2**31)
_KERNEL_ATTRIBUTES, _MOST_PARAMETERS = 16, 1024
_REGISTERS_OF_THREAD, _REGISTER_UNIT = 255, 8
_MAP_MODES = ("tiled", "im2col", "im2col_wide")
_MAP_LISTS = struct.Struct("<5Q5Q5I5I5i5i")
_MANGLED = re.compile(r"\b_Z\w+")
_VERSION = re.compile(r"^\s*\.version\s+(\d+)\.(\d+)", re.MULTILINE)


class Operation(IntEnum):
    """The operations of core.h, in its order."""

    OPEN = 0
    ALLOCATE = 1
    FREE = 2
    WRITE = 3
    READ = 4
    COPY = 5
    FILL = 6
    LOAD = 7
    UNLOAD = 8
    ENTRIES = 9
    KERNEL = 10
    SYMBOL = 11
    LAUNCH = 12
    ENCODE = 13
    LINK = 14
    SAY = 15
    REGISTER = 16
    TELL_NO_TIME = 17
    RESERVE = 18
    SETTLE = 19


class Refused(Exception):
    """A request that fails with a status, and a sentence for the program's own log."""

    def __init__(self, status: int, sentence: str = "") -> None:
        """Take both."""
        super().__init__(sentence)
        self.status = status


#: CUresult: what an operation that lanemap cannot do ends with.
_INVALID_PTX = 218
_FAILED = {
    Operation.LOAD: _INVALID_PTX,
    Operation.LINK: _INVALID_PTX,
    Operation.LAUNCH: int(Status.INVALID_VALUE),
}
#: Words that come back, and bytes.
Answer = tuple[Sequence[int], bytes]
_NOTHING: Answer = ((), b"")


class Serving:
    """The operations, on one emulator."""

    def __init__(
        self,
        calls: Calls,
        arena: Arena | None = None,
        name_at: Callable[[int], str] = lambda _: "array",
        refusal: str = "",
    ) -> None:
        """Serve by `calls`; in an `arena` the library itself moves the bytes of READ and WRITE.

        `name_at` returns what reports call the allocation that the library made at an address. The
        program gets no GPU for the reason that `refusal` says, if any.
        """
        self._calls, self._arena, self._name_at = calls, arena, name_at
        self._refusal = refusal
        self._device = calls.emulated.device
        self._operations: dict[int, Callable[[Sequence[int], bytes], Answer]] = {
            Operation.OPEN: self._open,
            Operation.ALLOCATE: self._allocate,
            Operation.FREE: self._free,
            Operation.WRITE: self._write,
            Operation.READ: self._read,
            Operation.COPY: self._copy,
            Operation.FILL: self._fill,
            Operation.LOAD: self._load,
            Operation.UNLOAD: self._unload,
            Operation.ENTRIES: self._entries,
            Operation.KERNEL: self._kernel,
            Operation.SYMBOL: self._symbol,
            Operation.LAUNCH: self._launch,
            Operation.ENCODE: self._encode,
            Operation.LINK: self._link,
            Operation.SAY: self._say,
            Operation.REGISTER: self._register,
            Operation.TELL_NO_TIME: self._tell_no_time,
            Operation.RESERVE: self._reserve,
            Operation.SETTLE: self._settle,
        }

    def answer(self, operation: int, words: Sequence[int], data: bytes) -> tuple[int, Answer]:
        """Do what a request asks; return a status of CUresult, words and bytes."""
        try:
            return 0, self._operations[operation](words, data)
        except CallError as refused:
            return int(refused.status), _NOTHING
        except Refused as refused:
            return refused.status, ((), str(refused).encode())
        except Disagreement:  # it has been told
            return int(Status.LAUNCH_FAILED), _NOTHING
        except UserError as error:
            findings = self._calls.emulated.findings
            if error not in findings.refused:
                findings.refuse(error)
            findings.say_once(str(error))
            status = _FAILED.get(Operation(operation), int(Status.NOT_SUPPORTED))
            return status, ((), str(error).encode())

    # -- the GPU -----------------------------------------------------------------------------------
    def _open(self, words: Sequence[int], data: bytes) -> Answer:
        if words[0] != PROTOCOL:
            raise UserError(
                "libcuda.so.1 is of another version of lanemap: start the program with the "
                "`lanemap exec` that the library came with"
            )
        if self._refusal:
            raise UserError(self._refusal)
        target, arena = self._calls.target, self._arena
        known = [attribute(target, number) for number in range(_MOST_ATTRIBUTES)]
        place = (arena.base, arena.size_bytes) if arena else (0, 0)
        gpu = struct.pack(
            f"<{_NAME_BYTES}sQQQi{_MOST_ATTRIBUTES}i4x",
            target.gpu.name.encode(),
            target.gpu.memory_bytes,
            *place,
            VERSION,
            *(_UNKNOWN if each is None else each for each in known),
        )
        return (), gpu

    # -- memory ------------------------------------------------------------------------------------
    def _allocate(self, words: Sequence[int], data: bytes) -> Answer:
        size, shared = words[:2]
        allocate = self._calls.allocate_managed if shared else self._calls.allocate
        address = allocate(size)
        return (address, *self._device.state(address)), b""

    def _reserve(self, words: Sequence[int], data: bytes) -> Answer:
        try:
            return self._device.reserve(self._name_at), b""
        except UserError:
            raise CallError(Status.OUT_OF_MEMORY) from None

    def _settle(self, words: Sequence[int], data: bytes) -> Answer:
        self._device.settle()
        return _NOTHING

    def _free(self, words: Sequence[int], data: bytes) -> Answer:
        self._calls.free(words[0])
        return _NOTHING

    def _write(self, words: Sequence[int], data: bytes) -> Answer:
        self._device.prepare_write(words[0], words[1])
        return _NOTHING

    def _read(self, words: Sequence[int], data: bytes) -> Answer:
        address, size = words[:2]
        with self._calls.reading():
            self._device.prepare_read(address, size)
        return _NOTHING

    def _copy(self, words: Sequence[int], data: bytes) -> Answer:
        to, source, size, read = words[:4]
        if read:
            with self._calls.reading():
                self._device.prepare_read(source, size)
        self._device.copy(to, source, size)
        return _NOTHING

    def _fill(self, words: Sequence[int], data: bytes) -> Answer:
        address, value, width, times = words[:4]
        self._calls.fill(address, value.to_bytes(8, "little")[:width], times)
        return _NOTHING

    def _register(self, words: Sequence[int], data: bytes) -> Answer:
        return (self._calls.register(words[0], words[1]),), b""

    # -- modules -----------------------------------------------------------------------------------
    def _load(self, words: Sequence[int], data: bytes) -> Answer:
        return (self._calls.load_text(ptx_in(data, self._calls.target)),), b""

    def _unload(self, words: Sequence[int], data: bytes) -> Answer:
        self._calls.unload(words[0])
        return _NOTHING

    def _entries(self, words: Sequence[int], data: bytes) -> Answer:
        names = self._calls.find(words[0], Library).module.entries
        found = b"".join(name.encode() + b"\0" for name in names)
        return (len(found),), found

    def _kernel(self, words: Sequence[int], data: bytes) -> Answer:
        handle = self._calls.kernel(words[0], data.decode())
        return (handle,), self._about(self._calls.find(handle, Kernel))

    def _about(self, function: Kernel) -> bytes:
        """Pack what the library keeps of a kernel: `struct About`."""
        kernel, limits = function.kernel, self._calls.target.limits
        parameters = kernel.parameters[:_MOST_PARAMETERS]
        demands, shared = kernel.directives, kernel.static_shared_bytes
        bound = demands.get("reqntid") or demands.get("maxntid")
        threads = min(prod(bound), limits.threads) if bound else limits.threads
        registers = min(limits.registers // threads, _REGISTERS_OF_THREAD)
        cluster = (*demands.get("reqnctapercluster", ()), 1, 1)[:3]
        version = _VERSION.search(function.module.text)
        major, minor = self._calls.target.capability
        known = {
            0: threads,
            1: shared,
            2: function.module.constant_bytes,
            # ptxas allots registers: this is the most that the bound on threads leaves.
            4: registers // _REGISTER_UNIT * _REGISTER_UNIT,
            5: 10 * int(version[1]) + int(version[2]) if version else 0,
            6: 10 * major + minor,
            8: max(limits.default_shared_bytes - shared, 0),
            9: -1,
            10: int("explicitcluster" in demands),
        }
        if "reqnctapercluster" in demands:
            known |= {11: cluster[0], 12: cluster[1], 13: cluster[2]}
        places = [number for each in parameters for number in (each.offset, each.size)]
        return struct.pack(
            f"<{_KERNEL_ATTRIBUTES}iI{len(places)}I",
            *(known.get(number, 0) for number in range(_KERNEL_ATTRIBUTES)),
            len(parameters),
            *places,
        )

    def _symbol(self, words: Sequence[int], data: bytes) -> Answer:
        name = data.decode()
        address, size = self._calls.symbol(words[0], name)
        managed = self._calls.find(words[0], Library).module.is_managed(name)
        if managed and self._arena is None:
            raise UserError(
                f"{name} is a managed variable, which the host reaches in programs that run under "
                "`lanemap exec` alone"
            )
        return (address, size, managed, *self._device.state(address)), b""

    def _link(self, words: Sequence[int], data: bytes) -> Answer:
        image = linked(data, self._calls.target)
        return (len(image),), image

    # -- launches ----------------------------------------------------------------------------------
    def _launch(self, words: Sequence[int], data: bytes) -> Answer:
        kernel, gx, gy, gz, bx, by, bz, cx, cy, cz, shared_bytes = words[:11]
        self._calls.launch_block(
            kernel, (gx, gy, gz), (bx, by, bz), data, shared_bytes, (cx, cy, cz)
        )
        return _NOTHING

    def _encode(self, words: Sequence[int], data: bytes) -> Answer:
        mode, kind, rank, address, interleave, swizzle, promotion, fill = words[:8]
        channels, pixels, wide_mode = words[8:11]
        lists = _MAP_LISTS.unpack(data)
        parts = [lists[5 * n : 5 * n + 5] for n in range(6)]
        sizes, strides, box, steps, lower, upper = parts
        given: dict[str, Any] = {"box": box[:rank]} if mode == 0 else {
            "lower": lower[: rank - 2] if mode == 1 else lower[:1],
            "upper": upper[: rank - 2] if mode == 1 else upper[:1],
            "channels": channels,
            "pixels": pixels,
            "wide_mode": wide_mode,
        }  # fmt: skip
        parameters = TensorMapParameters(
            _MAP_MODES[mode],
            kind,
            rank,
            address,
            sizes[:rank],
            strides[: rank - 1],
            steps[:rank],
            interleave=interleave,
            swizzle=swizzle,
            l2_promotion=promotion,
            oob_fill=fill,
            **given,
        )
        return (), self._calls.tensor_map(parameters)

    # -- what the user must know -------------------------------------------------------------------
    def _say(self, words: Sequence[int], data: bytes) -> Answer:
        text = data.decode(errors="replace")
        sentence = _MANGLED.sub(lambda found: source_name(found[0]), text)
        findings = self._calls.emulated.findings
        if words[0]:
            findings.withhold(sentence)
        else:
            findings.lack(sentence)
        return _NOTHING

    def _tell_no_time(self, words: Sequence[int], data: bytes) -> Answer:
        self._calls.tell_no_time()
        return _NOTHING
