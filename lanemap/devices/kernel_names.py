"""Names of kernels and variables as C++ writes them, from symbols of the Itanium C++ ABI."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable
from typing import Any

from lanemap.errors import UserError

#: The C++ libraries that have `__cxa_demangle`; llvmlite needs one of them.
_LIBRARIES = ("libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib")
#: Names of libraries of templates have some thousands; the demangler's recursion has no bound.
_MOST_CHARACTERS = 1 << 15
_OF_LIBRARIES = ("cuda::", "thrust::", "cub::", "cooperative_groups::", "std::")
#: Strings and tables that compilers make, and the number that clang gives each HIP source.
_OF_COMPILERS = ("$", "__unnamed_", "__const", "__hip_cuid_", "__cudart_", "__oclc_", "llvm.")
_SUFFIX = re.compile(r"(?<![\w.])(\d+)[uUlL]+\b")
_CAST = re.compile(r"\((?:unsigned |signed )?\w+\)(?=-?\d)")


class NoSuchName(UserError):
    """A module has nothing of that name."""


@functools.cache
def _demangler() -> Any:
    for name in _LIBRARIES:
        try:
            found = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        found.restype = ctypes.c_void_p
        found.argtypes = (ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        return found
    return None


@functools.lru_cache(1 << 14)
def source_name(symbol: str) -> str:
    """Return `blas::axpy<float>` of `_ZN4blas4axpyIfEEvPT_`: no result, no parameters.

    A symbol that is none of C++ is its own name, and so is every symbol on a machine without a
    C++ library.
    """
    demangle = _demangler()
    if not symbol.startswith("_Z") or demangle is None or len(symbol) > _MOST_CHARACTERS:
        return symbol
    found = demangle(symbol.encode(), None, None, None)
    if not found:
        return symbol
    try:
        text = ctypes.string_at(found).decode(errors="replace")
    finally:
        free = ctypes.CDLL(None).free
        free.argtypes = (ctypes.c_void_p,)
        free(found)
    return _without_signature(text)


def _without_signature(text: str) -> str:
    """Return `k<f(int)>` of `void k<f(int)>(float*)`."""
    begin = depth = 0
    for at, letter in enumerate(text):
        if letter in "<({":
            # A parameter list follows a name, and `(anonymous namespace)` does not.
            follows = at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_>")
            if letter == "(" and not depth and follows and not _is_scope(text, at):
                return text[begin:at]
            depth += 1
        elif letter in ">)}" and depth:
            depth -= 1
        elif letter == " " and not depth:
            begin = at + 1
    return text[begin:]


def _is_scope(text: str, at: int) -> bool:
    """Whether a parameter list is that of a function whose variable is named: `k(int)::count`."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] in "<({") - (text[end] in ">)}")
        if not depth:
            return text.startswith("::", end + 1)
    return False


def find(name: str, symbols: Iterable[str], what: str = "kernel") -> str:
    """Return the symbol that a name stands for.

    It is the symbol itself, or the name in the source: with or without namespaces, with all
    arguments of a template, the first ones, or none.

    Raises:
        NoSuchName: nothing is called so.
        UserError: several are.
    """
    known = list(symbols)
    if name in known:
        return name
    asked = _canonical(name)
    for kind in (_is, _is_unqualified, _begins):
        found = [symbol for symbol in known if kind(asked, _canonical(source_name(symbol)))]
        if len(found) == 1:
            return found[0]
        if found:
            raise UserError(f"several {what}s are called {name!r}; name one: {listed(found)}")
    raise NoSuchName(f"there is no {what} {name!r}; the {what}s are {listed(known) or 'none'}")


def listed(symbols: Iterable[str]) -> str:
    """Return names for a sentence: those of the source, or symbols where two share one."""
    known = list(symbols)
    names = [source_name(symbol) for symbol in known]
    return ", ".join(
        name if names.count(name) == 1 else symbol
        for name, symbol in zip(names, known, strict=True)
    )


def of_library(symbol: str) -> bool:
    """Whether a variable is a library's or the compiler's, and none of the source's own."""
    return symbol.startswith(_OF_COMPILERS) or source_name(symbol).startswith(_OF_LIBRARIES)


def _is(asked: str, name: str) -> bool:
    return asked == name


def _is_unqualified(asked: str, name: str) -> bool:
    return asked == _unqualified(name)


def _begins(asked: str, name: str) -> bool:
    """Whether a template's arguments are left out, all or the last ones."""
    start = asked[:-1] + "," if asked.endswith(">") else asked + "<"
    return name.startswith(start) or _unqualified(name).startswith(start)


def _unqualified(name: str) -> str:
    """Return `k<a::b>` of `n::k<a::b>`."""
    depth = start = 0
    for at, letter in enumerate(name):
        if letter in "<({":
            depth += 1
        elif letter in ">)}":
            depth -= 1
        elif name.startswith("::", at) and not depth:
            start = at + 2
    return name[start:]


def _canonical(name: str) -> str:
    """Return a name as it is compared: `k<256u, (bool)1>` and `k<256, true>` are one."""
    name = _CAST.sub("", name.replace("(bool)1", "true").replace("(bool)0", "false"))
    name = _SUFFIX.sub(r"\1", name.replace("(anonymous namespace)::", ""))
    # A blank between two words belongs to them, as in `unsigned int`.
    return re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", name.strip())
