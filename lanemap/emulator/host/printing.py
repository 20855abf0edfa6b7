"""printf's format (C17, 7.21.6.1), wherever its arguments lie, and buffers to print to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

_DIRECTIVE = re.compile(rb"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L)?([a-zA-Z%])")
#: The longest text and the largest width.
LIMIT = 1 << 16

#: Returns the next argument, whose type is a format character of struct.
Take = Callable[[str], int | float]


class PrintError(ValueError):
    """An argument that cannot be printed; the caller adds the line."""


class Printing(Protocol):
    """How a kernel prints to a buffer of global memory, which the host reads after a launch."""

    size: int

    def header(self) -> bytes:
        """Return what the buffer begins with; the rest is zeros."""

    def text(self, buffer: bytes) -> str:
        """Return what a launch printed.

        Raises:
            PrintError: it wrote more than there is room for, or what cannot be read.
        """


class Prints(Protocol):
    """A kernel with a way to print, or without; a launch sets the address of the buffer."""

    printing: Printing | None
    print_buffer: int


def formatted(template: bytes, take: Take, string: Callable[[], bytes]) -> bytes:
    """Return the text of one printf; `string` returns the next argument of a %s.

    Raises:
        PrintError: a conversion is unknown, or a width is too large.
    """

    def one(match: re.Match[bytes]) -> bytes:
        flags, width, precision, length, conversion = match.groups()
        if conversion == b"%":
            return b"%"
        shape = b"%" + flags + _number(width, "width", take)
        if precision is not None:
            digits = _number(precision, "precision", take)
            shape += b"" if digits[:1] == b"-" else b"." + digits  # C: as if it were left out
        return _converted(shape, length or b"", conversion.decode(), take, string)

    return _DIRECTIVE.sub(one, template)


def _number(text: bytes, what: str, take: Take) -> bytes:
    if text == b"*":
        text = str(take("i")).encode()
    # The digits are counted first: Python converts no text of more than some thousand.
    if len(text) > len(str(-LIMIT)) or abs(int(text or b"0")) > LIMIT:
        shown = text.decode() if len(text) < 20 else f"{text[:16].decode()}.."
        raise PrintError(f"printf's {what} {shown} is more than {LIMIT}")
    return text


def _converted(
    shape: bytes, length: bytes, conversion: str, take: Take, string: Callable[[], bytes]
) -> bytes:
    pattern = shape.decode()
    if conversion in "fFeEgG":
        return ((pattern + conversion) % take("d")).encode()
    if conversion in "aA":
        text = float(take("d")).hex()
        return (text.upper() if conversion == "A" else text).encode()
    if conversion == "c":
        return ((pattern + "c") % chr(int(take("i")) & 0xFF)).encode("latin-1")
    if conversion == "s":
        return (pattern + "s").encode() % string()
    if conversion == "p":
        return ((pattern + "s") % hex(int(take("Q")))).encode()
    wide = length in (b"l", b"ll", b"j", b"z", b"t")
    if conversion in "di":
        return ((pattern + "d") % take("q" if wide else "i")).encode()
    if conversion in "uoxX":
        return ((pattern + conversion) % take("Q" if wide else "I")).encode()
    raise PrintError(f"printf's conversion %{conversion} is not supported")
