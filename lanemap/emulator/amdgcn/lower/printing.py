"""printf of kernels: records in a buffer, as clang writes them with -mprintf-kind=buffered.

A record begins with a word: its bytes in bits 2 to 31; bit 1: the hash of a constant format
follows, in 8 bytes, else the format itself. Every argument has 8 bytes, or is a string; strings end
with a zero and fill multiples of 8 bytes (LLVM, AMDGPUEmitPrintf.cpp). The metadata has the formats
by their hashes, "0:0:HASH,FORMAT" (AMDGPUUsage, "Code Object V3 Metadata", amdhsa.printf). The
buffer begins with the bytes that records have taken, and those there are for them, a word each.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from lanemap.emulator.host.printing import PrintError, formatted

#: The room for records of a launch. ROCm's runtime gives 1 MB by default.
BUFFER_BYTES = 1 << 24
HEADER_BYTES = 8
_CONSTANT_FORMAT = 2


class Buffered:
    """The buffer of one text's kernels; see `host.printing.Printing`."""

    size = HEADER_BYTES + BUFFER_BYTES

    def __init__(self, formats: Mapping[int, bytes]) -> None:
        """Keep the formats by their hashes."""
        self._formats = formats

    def header(self) -> bytes:
        """Return the two words that the buffer begins with."""
        return struct.pack("<II", 0, BUFFER_BYTES)

    def text(self, buffer: bytes) -> str:
        """Return what a launch printed; see `host.printing.Printing`."""
        (taken,) = struct.unpack_from("<I", buffer)
        if taken > BUFFER_BYTES:
            raise PrintError(f"printf wrote more than {BUFFER_BYTES} bytes")
        return "".join(_texts(buffer[HEADER_BYTES : HEADER_BYTES + taken], self._formats))


def _texts(records: bytes, formats: Mapping[int, bytes]) -> Iterator[str]:
    at = 0
    while at + 4 <= len(records):
        (control,) = struct.unpack_from("<I", records, at)
        size = control >> 2
        if size < 4 or at + size > len(records):
            return  # a lane was stopped before it wrote its record
        yield _text(records[at + 4 : at + size], bool(control & _CONSTANT_FORMAT), formats)
        at += size


def _text(record: bytes, constant: bool, formats: Mapping[int, bytes]) -> str:
    at = 0

    def take(code: str) -> int | float:
        nonlocal at
        if at + 8 > len(record):
            raise PrintError("a record of printf has fewer arguments than its format asks for")
        value: int | float = struct.unpack_from("<" + code, record, at)[0]
        at += 8
        return value

    def string() -> bytes:
        nonlocal at
        end = record.find(b"\0", at)
        if end < 0:
            raise PrintError("a string in a record of printf has no end")
        found, at = record[at:end], at + (end - at + 8) // 8 * 8
        return found

    if constant:
        key = int(take("Q"))
        if key not in formats:
            raise PrintError(f"no metadata has the format {key:#x} of a printf")
        return formatted(formats[key], take, string).decode(errors="replace")
    return formatted(string(), take, string).decode(errors="replace")
