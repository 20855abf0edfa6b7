"""printf and assert of kernels: texts and values, read from the emulated memory.

vprintf's second argument is the address of a buffer with the arguments, each aligned to its size
(CUDA C++ Programming Guide, Formatted Output).
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.codegen.operation import Heap
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.printing import LIMIT, PrintError, formatted
from lanemap.emulator.host.waves import who
from lanemap.emulator.ptx.lower.runtime import ROW
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

#: What one call may print in a launch. A GPU keeps 1 MB of it, and what it loses nobody sees (CUDA
#: C++ Programming Guide, Formatted Output: Limitations).
_MOST_CHARACTERS = 1 << 26

Read = Callable[[int, int], bytes]
#: Scratch rows that values to be printed are loaded to; the call's arguments lie before them.
_VALUES = ROW + 8


def printing(file: str, line: int) -> Callable[[abi.Wave, Heap], str]:
    """Return what prints at a call of vprintf in that line."""
    written = {"launch": -1, "characters": 0}

    def count_text(wave: abi.Wave, text: str) -> int:
        """Return how many characters were printed here in this launch."""
        launch = abi.Launch.from_address(wave.launch).first_group  # no two launches have the same
        if written["launch"] != launch:
            written.update(launch=launch, characters=0)
        written["characters"] += len(text)
        return written["characters"]

    def print_formatted(wave: abi.Wave, _: Heap) -> str:
        """Return what the active lanes print, in their order; leave each one's count."""
        printed = []
        for lane in range(32):
            if not wave.active >> lane & 1:
                continue
            words = [int(wave.value[ROW + i][lane]) for i in range(4)]
            read = functools.partial(_read, wave, lane)
            load = functools.partial(_load, wave, lane)
            template, arguments = words[0] | words[1] << 32, words[2] | words[3] << 32
            try:
                text, count = render(template, arguments, read, load)
            except PrintError as error:
                raise UserError(f"{file}:{line}: {error} (lane {lane})") from None
            printed.append(text)
            if count_text(wave, text) > _MOST_CHARACTERS:
                raise UserError(
                    f"{file}:{line}: printf wrote more than {_MOST_CHARACTERS} characters"
                )
            wave.value[ROW][lane] = count
        return "".join(printed)

    return print_formatted


def failed_assertion(file: str, line: int) -> Callable[[abi.Wave, Heap], None]:
    """Return the handler that stops a launch, in every mode, at a call of __assertfail."""

    def fail(wave: abi.Wave, _: Heap) -> None:
        lane = (wave.active & -wave.active).bit_length() - 1
        words = [int(wave.value[ROW + i][lane]) for i in range(8)]

        def string(at: int) -> str:
            address = words[2 * at] | words[2 * at + 1] << 32
            try:
                found = _string(functools.partial(_read, wave, lane), address)
            except PrintError:
                return "?"
            return found.decode(errors="replace")

        number, lanes = who(wave, wave.active, "warp")
        of = "" if string(3) == "unknown" else f" of {string(3)}"  # as Triton calls all functions
        sentence = f"the assertion `{string(0)}`{of} at {string(1)}:{words[4]} failed ({lanes})"
        raise Hazard(
            "rule",
            sentence,
            file=file,
            line=line,
            cta=number,
            wave=wave.index,
            lane=lane,
            lanes=wave.active,
        )

    return fail


def _read(wave: abi.Wave, lane: int, address: int, size: int) -> bytes:
    """Read bytes at a generic address as one lane sees it.

    Raises:
        PrintError: they are in no memory.
    """
    found = ctypes.create_string_buffer(size)
    peek = native().function("lm_peek")
    if peek(ctypes.addressof(wave), lane, address, size, ctypes.addressof(found)):
        return found.raw
    raise PrintError(f"{size} bytes to be printed, at {address:#x}, lie in no memory")


def _load(wave: abi.Wave, lane: int, address: int, size: int) -> bytes:
    """Load a value that one lane prints: undefined bits of it are handed to the host.

    Raises:
        PrintError: it is in no memory.
    """
    found = _read(wave, lane, address, size)
    at, place, lanes = ctypes.addressof(wave), wave.host_instruction, 1 << lane
    wave.address[lane] = address
    native().function("lm_load")(at, place, abi.Space.GENERIC, lanes, size, size, _VALUES, 0)
    if abi.Launch.from_address(wave.launch).precise:
        for row in range(_VALUES, _VALUES + size // 4):
            native().function("lm_undefined_row")(at, place, lanes, row, abi.Decides.OPERAND)
    return found


def _string(read: Read, address: int) -> bytes:
    found = bytearray()
    while len(found) < LIMIT:
        byte = read(address + len(found), 1)
        if byte == b"\0":
            return bytes(found)
        found += byte
    raise PrintError(f"the text to be printed at {address:#x} has no end in {LIMIT} bytes")


def render(template: int, arguments: int, read: Read, load: Read) -> tuple[str, int]:
    """Return the text of one printf and how many arguments it took.

    `template` and `arguments` are generic addresses, `read(address, size)` gives bytes of a text,
    `load` those of a value.

    Raises:
        PrintError: an address is not in memory, a conversion is unknown, or a width is too large.
    """
    cursor, count = arguments, 0

    def take(code: str) -> int | float:
        nonlocal cursor, count
        size = struct.calcsize(code)
        cursor = -(-cursor // size) * size
        if cursor >> 64:
            raise PrintError("printf's arguments lie beyond every address")
        value: int | float = struct.unpack("<" + code, load(cursor, size))[0]
        cursor, count = cursor + size, count + 1
        return value

    text = formatted(_string(read, template), take, lambda: _string(read, int(take("Q"))))
    return text.decode(errors="replace"), count
