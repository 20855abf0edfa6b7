"""Bytes of an image, for any address that it may get."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Contents:
    """Bytes of the image from `offset` on; `addresses`: where 8 bytes count from its first one."""

    offset: int
    content: bytes
    addresses: tuple[int, ...] = ()

    def at(self, base: int) -> bytes:
        """The bytes of an image whose first byte is at `base`."""
        content = bytearray(self.content)
        for place in self.addresses:
            number = int.from_bytes(content[place : place + 8], "little") + base
            content[place : place + 8] = (number % (1 << 64)).to_bytes(8, "little")
        return bytes(content)
