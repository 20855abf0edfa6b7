"""Reads what a user passes to `load`: assembly text or a code object."""

from __future__ import annotations

import codecs
import os
import re
import reprlib
import stat
from pathlib import Path
from typing import Any

from lanemap.devices.interface import Source
from lanemap.errors import UserError

ELF_MAGIC = b"\x7fELF"
#: No compiler writes as much for kernels; a cubin of a whole library has some 100 MB.
MOST_BYTES = 1 << 30
# LLVM's triples differ between versions: amdgcn-amd-amdhsa--gfx950:sramecc+ and
# amdgpu9.50-amd-amdhsa-unknown-gfx950 name one processor.
_AMD = re.compile(r'(?:^|\s)\.amdgcn_target\s+"[^"]*-(gfx\w+)')
_PTX = re.compile(r"(?:^|\s)\.target\s+(sm_\w+)")
_FUNCTION = re.compile(r"\.(?P<kind>entry|func)\b(?:\s*\([^)]*\))?\s+(?P<name>[\w$%]+)")
_GRID_BARRIER = re.compile(r"%envreg[12]\b")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def read_source(source: Source, compiled: bool = False) -> tuple[str | bytes, str]:
    """Return assembly text, or the bytes of an ELF object, and a name for messages.

    A str with a newline is text; without one it is the path of a file, as a Path is. A source that
    is to be `compiled` may be Latin-1 where it is not UTF-8: its comments often are.

    Raises:
        UserError: the file cannot be read, is empty, or is neither text nor an ELF object.
    """
    if isinstance(source, str) and "\n" in source:
        return source, "the source"
    if isinstance(source, bytes):
        return _text_or_object(source, "the source", compiled), "the source"
    path = path_of(source)
    if set(str(path)) & set("{;") and not os.path.exists(path):  # a name may be too long to ask for
        named = reprlib.repr(str(path))
        raise UserError(f"{named} is not a file; if it is source text, end it with a newline")
    return _text_or_object(read_file(path), str(path), compiled), str(path)


def written_for(text: str) -> str | None:
    """Return the target that an assembly text names in its own directive; None if it has none."""
    bare = _COMMENT.sub(" ", text)
    found = _AMD.search(bare) or _PTX.search(bare)
    return found and found[1]


def require_instruction_set(content: str | bytes, name: str, target: str) -> None:
    """Refuse assembly that is written for a target of the other vendor.

    Raises:
        UserError: it is such a text; `name` stands for it.
    """
    named = written_for(content) if isinstance(content, str) else None
    if named is not None and named.startswith("gfx") != target.startswith("gfx"):
        raise UserError(f"{name} is assembly for {named}; a device of {target} does not execute it")


def cooperative_entries(text: str) -> frozenset[str]:
    """Return the entries of PTX that synchronize their grid.

    `grid.sync()` of cooperative groups finds the grid's barrier at the address that %envreg1 and
    %envreg2 hold (CUDA's header cooperative_groups/details/driver_abi.h). The driver makes one for
    a cooperative launch only; in any other, `grid.sync()` traps. If a function reads them, every
    entry may call it.
    """
    functions = [*_FUNCTION.finditer(text)]
    ends = [*(each.start() for each in functions), len(text)][1:]
    reading = [
        each
        for each, end in zip(functions, ends, strict=True)
        if _GRID_BARRIER.search(text, each.end(), end)
    ]
    shared = any(each["kind"] == "func" for each in reading)
    found = functions if shared else reading
    return frozenset(each["name"] for each in found if each["kind"] == "entry")


def path_of(name: Any) -> Path:
    """Return the path that a name stands for.

    Raises:
        UserError: it is neither a str nor a path, or empty, or has a zero byte.
    """
    if not isinstance(name, (str, os.PathLike)):
        raise UserError(f"{reprlib.repr(name)} is not a path; pass a str, bytes or pathlib.Path")
    path = Path(name)
    if not str(name) or "\0" in str(name):
        raise UserError(f"{reprlib.repr(str(name))} is not the path of a file")
    return path


def read_file(path: Path) -> bytes:
    """Read a regular file of at most `MOST_BYTES`.

    Raises:
        UserError: it is none, is larger, or cannot be read.
    """
    size = regular_bytes(path)
    if size > MOST_BYTES:
        raise UserError(
            f"cannot read {path}: it has {size} bytes, and lanemap reads files of at most "
            f"{MOST_BYTES}"
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def regular_bytes(path: Path) -> int:
    """Return the size of a regular file; pipes and devices such as /dev/zero may have no end.

    Raises:
        UserError: there is no such file, or it is a folder, a pipe or a device.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    if stat.S_ISDIR(found.st_mode):
        raise UserError(f"cannot read {path}: it is a folder; name a file")
    if not stat.S_ISREG(found.st_mode):
        raise UserError(f"cannot read {path}: it is a pipe or a device; name a regular file")
    return found.st_size


def _text_or_object(data: bytes, name: str, compiled: bool) -> str | bytes:
    if not data.strip():
        raise UserError(f"{name} is empty; lanemap loads assembly text or a code object")
    if data.startswith(ELF_MAGIC):
        return data
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if compiled and b"\0" not in data:
            return data.decode("latin-1")
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        raise UserError(
            f"{name}:{line}: byte {error.start} ({byte:#04x}) is not UTF-8; lanemap loads text in "
            "UTF-8 or an ELF object"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(
            f"{name}:{line}: the text contains a zero byte; the file is damaged or not text"
        )
    return text
