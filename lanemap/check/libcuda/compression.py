"""The two compressions of fat binaries: LZ4 blocks, and Zstandard."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lanemap.errors import UserError

_CUT = "the compressed PTX of the fat binary is damaged"


def lz4(data: bytes, size: int) -> bytes:
    """Decompress a block of LZ4 (its "LZ4 Block Format Description").

    Raises:
        UserError: it is damaged.
    """
    out, at = bytearray(), 0

    def length(start: int) -> int:
        nonlocal at
        total = start
        while start == 15 and total <= size:
            total += data[at]
            at += 1
            if data[at - 1] != 255:
                break
        return total

    try:
        while at < len(data):
            token = data[at]
            at += 1
            literals = length(token >> 4)
            if len(out) + literals > size:
                raise UserError(_CUT)
            out += data[at : at + literals]
            at += literals
            if at >= len(data) or len(out) >= size:
                break
            distance = data[at] | data[at + 1] << 8
            at += 2
            count = length(token & 15) + 4
            if not 0 < distance <= len(out) or len(out) + count > size:
                raise UserError(_CUT)
            out += (out[-distance:] * (count // distance + 1))[:count]
    except IndexError:
        raise UserError(_CUT) from None
    if len(out) < size:
        raise UserError(_CUT)
    return bytes(out[:size])


def zstandard(data: bytes, size: int) -> bytes:
    """Decompress Zstandard by Python's own module, or before 3.14 by its backport.

    Raises:
        UserError: it is damaged, or the module is missing.
    """
    for name in ("compression.zstd", "backports.zstd"):
        try:
            module: Any = import_module(name)
        except ImportError:
            continue
        try:
            found = bytes(module.ZstdDecompressor().decompress(data, max_length=size))
        except module.ZstdError as error:
            raise UserError(_CUT) from error
        if len(found) < size:
            raise UserError(_CUT)
        return found
    raise UserError(
        "the PTX of this fat binary is compressed by Zstandard: run `pip install backports.zstd`, "
        "or compile with nvcc's --compress-mode=none"
    )
