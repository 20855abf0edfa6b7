"""Texts that a library hands to CUDA: which ones run, where they are kept, names of kernels."""

from __future__ import annotations

import ast
import ctypes
import functools
import hashlib
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lanemap.cache import wanted_folder
from lanemap.check.findings import calling_line, named
from lanemap.devices.kernel_names import source_name
from lanemap.errors import UserError

#: How an ELF file, a fatbin and what wraps one begin (fatbinary_section.h).
_MACHINE_CODE = (b"\x7fELF", b"\x50\xed\x55\xba", b"\xb1\x43\x62\x46")
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")
_PYTHON_FILE = re.compile(r'^\s*\.file\s+\d+\s+"[^"]*\.py"', re.MULTILINE)
_LONGEST_NAME = 100


def ptx_of(code: int) -> str:
    """Return the PTX at an address of the host's.

    Raises:
        UserError: there is machine code.
    """
    if ctypes.string_at(code, 4) in _MACHINE_CODE:
        line = calling_line()
        raise UserError(
            f"{named(line) + ': ' if line else ''}this is machine code, and the emulator runs PTX; "
            "compile and export the kernel under `lanemap check`"
        )
    return ctypes.string_at(code).decode()


def kept(text: str) -> Path:
    """Return a file with a text, which stays for whoever follows a report to it.

    The file lies in lanemap's cache, in a folder that the text's hash names, or in a new one.
    """
    entries = _ENTRY.findall(text)
    name = (entries[0] if entries else "empty")[:_LONGEST_NAME] + ".ptx"
    root, digest = wanted_folder(), hashlib.sha256(text.encode()).hexdigest()
    if root is not None:
        path = root / "ptx" / digest[:16] / name
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(text)
            return path
        except OSError:  # the cache cannot be written; it costs only the name
            pass
    path = Path(tempfile.mkdtemp(prefix="lanemap-ptx-")) / name
    path.write_text(text)
    return path


def named_kernels(module: Any, text: str) -> dict[str, str]:
    """Return the name in the source of each kernel, by its symbol.

    That is the name of the Python function that its lines are in; of C++, the demangled one.
    """
    titles = {symbol: source_name(symbol) for symbol in _ENTRY.findall(text)}
    if not _PYTHON_FILE.search(text):
        return titles
    symbol, told = "", set()
    for number, line in enumerate(text.splitlines(), 1):
        if found := _ENTRY.search(line):
            symbol = found[1]
        elif symbol and symbol not in told and (places := module.places(number)):
            told.add(symbol)
            titles[symbol] = _function_at(*places[-1]) or titles[symbol]
    return titles


@functools.cache
def _functions(file: str) -> tuple[tuple[int, int, str], ...]:
    """Return first line, last line and name of the functions of a Python file, outer ones first."""

    def walk(node: ast.AST, outer: str) -> Iterator[tuple[int, int, str]]:
        for each in ast.iter_child_nodes(node):
            name = outer
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                name = f"{outer}.{each.name}" if outer else each.name
                if isinstance(each, ast.FunctionDef):
                    first = min([each.lineno, *(d.lineno for d in each.decorator_list)])
                    yield first, each.end_lineno or first, name
            yield from walk(each, name)

    try:
        return tuple(walk(ast.parse(Path(file).read_text()), ""))
    except (OSError, ValueError, SyntaxError):
        return ()


def _function_at(file: str, line: int) -> str:
    """Return the name of the innermost function that holds a line of a file; "" for none."""
    names = [name for first, last, name in _functions(file) if first <= line <= last]
    return names[-1] if names else ""
