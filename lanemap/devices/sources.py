"""From what a user hands to `load` to assembly text or a code object."""

from __future__ import annotations

import codecs
from pathlib import Path

from lanemap.devices.interface import Source
from lanemap.errors import UserError

ELF_MAGIC = b"\x7fELF"


def read_source(source: Source) -> tuple[str | bytes, str]:
    """Return assembly text, or the bytes of an ELF object, and a name for messages.

    A str with a newline is text; without one it is the path of a file, as a Path is.

    Raises:
        UserError: the file cannot be read, is empty, or is neither text nor an ELF object.
    """
    if isinstance(source, str) and "\n" in source:
        return source, "the source"
    if isinstance(source, bytes):
        return _text_or_object(source, "the source"), "the source"
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    return _text_or_object(data, str(path)), str(path)


def _text_or_object(data: bytes, name: str) -> str | bytes:
    if not data.strip():
        raise UserError(f"{name} is empty; lanemap loads assembly text or a code object")
    if data.startswith(ELF_MAGIC):
        return data
    if data.startswith(codecs.BOM_UTF8):
        raise UserError(f"{name}:1: a byte order mark begins the text; save it without one")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        raise UserError(
            f"{name}:{line}: byte {error.start} ({byte:#04x}) is not UTF-8; lanemap loads text in "
            "UTF-8 or an ELF object"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(f"{name}:{line}: a zero byte stands in the text; it is cut off or no text")
    return text
