"""Changes instructions of a cubin in place; its length and its symbols stay the same."""

from __future__ import annotations

import io
from collections.abc import Mapping

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from lanemap.errors import UserError
from lanemap.toolchain.control import WORD_BYTES


def patched(cubin: bytes, words: Mapping[str, Mapping[int, int]]) -> bytes:
    """Return the cubin with other instructions.

    Args:
        cubin: an ELF file with a section `.text.NAME` for each function.
        words: by function, the 128 bits of each instruction to replace by its byte address.

    Raises:
        UserError: it is no cubin, or it has no such function or address.
    """
    result = bytearray(cubin)
    places = _texts(cubin)
    for function, own in words.items():
        if function not in places:
            raise UserError(f"the cubin has no function {function}")
        offset, size = places[function]
        for address, word in own.items():
            if address % WORD_BYTES or not 0 <= address < size:
                raise UserError(f"{function} has no instruction at byte {address:#x}")
            at = offset + address
            result[at : at + WORD_BYTES] = word.to_bytes(WORD_BYTES, "little")
    return bytes(result)


def words(cubin: bytes) -> dict[str, list[int]]:
    """The 128 bits of every instruction of each function, in order.

    Raises:
        UserError: it is no cubin.
    """
    return {
        name: [
            int.from_bytes(cubin[at : at + WORD_BYTES], "little")
            for at in range(offset, offset + size, WORD_BYTES)
        ]
        for name, (offset, size) in _texts(cubin).items()
    }


def _texts(cubin: bytes) -> dict[str, tuple[int, int]]:
    """Return offset and size in the file of each function's instructions."""
    try:
        sections = list(ELFFile(io.BytesIO(cubin)).iter_sections())
    except ELFError as error:
        raise UserError(f"this is not a cubin: {error}") from error
    prefix = ".text."
    return {
        each.name.removeprefix(prefix): (each["sh_offset"], each["sh_size"])
        for each in sections
        if each.name.startswith(prefix)
    }
