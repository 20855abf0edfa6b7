"""The resources that a kernel takes, as ptxas records them in a cubin."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

#: Attributes of section .nv.info, each with a symbol's number and a value: registers of a thread,
#: and bytes of a thread's stack (EIATTR_REGCOUNT, EIATTR_FRAME_SIZE of cuobjdump -elf).
_REGISTERS, _FRAME_BYTES = 0x2F, 0x11
#: How an attribute's value is stored: a length, then as many bytes. Others lie in the head itself.
_SIZED = 4


def resources(cubin: bytes, kernel: str) -> tuple[int, int]:
    """Return the registers of a thread, and the 32-bit words that it has in local memory.

    Triton calls these `n_regs` and `n_spills`; the driver says them of a loaded kernel.
    """
    elf = ELFFile(io.BytesIO(cubin))
    symbols, about = elf.get_section_by_name(".symtab"), elf.get_section_by_name(".nv.info")
    assert isinstance(symbols, SymbolTableSection) and about is not None
    found = {_REGISTERS: 0, _FRAME_BYTES: 0}
    for attribute, value in _attributes(about.data()):
        if attribute in found:
            number, amount = struct.unpack("<II", value)
            if symbols.get_symbol(number).name == kernel:
                found[attribute] = amount
    return found[_REGISTERS], found[_FRAME_BYTES] // 4


def _attributes(section: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the attributes whose values have a length."""
    at = 0
    while at < len(section):
        kind, attribute, size = struct.unpack_from("<BBH", section, at)
        at += 4
        if kind == _SIZED:
            yield attribute, section[at : at + size]
            at += size
