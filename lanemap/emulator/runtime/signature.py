"""Signatures of the runtime's functions, as the generated modules (abi.py) state them."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

_CTYPES: dict[str, Any] = {
    "void": None,
    "ptr": ctypes.c_void_p,
    "i32": ctypes.c_uint32,
    "i64": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}


class Signature(NamedTuple):
    """A function in LLVM's types: what it returns, and its parameters in their order.

    `of` names the structure that the first parameter points to ("" if it is no such pointer):
    generated code calls the functions of the Wave that runs it.
    """

    of: str
    returns: str
    parameters: dict[str, str]

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read `i32(Wave w, i32 block)`: a word that is not an LLVM type is a pointer to it."""
        returns, _, rest = text.partition("(")
        words = [part.split() for part in rest.rstrip(")").split(",") if part]
        parameters = {name: kind if kind in _CTYPES else "ptr" for kind, name in words}
        of = words[0][0] if words and words[0][0] not in _CTYPES else ""
        return cls(of, returns if returns in _CTYPES else "ptr", parameters)

    def arguments(self, function: str, given: Sequence[T], named: Mapping[str, T]) -> list[T]:
        """Return a call's arguments for each parameter after the first, by order and then by name.

        Raises:
            ValueError: one lacks, or there is one too many.
        """
        names = list(self.parameters)[1:]
        found = {**dict(zip(names, given, strict=False)), **named}
        if len(given) + len(named) != len(names) or set(found) != set(names):
            raise ValueError(
                f"{function} takes {len(names)} arguments ({', '.join(names)}), not "
                f"{len(given)}" + "".join(f" and {name}" for name in named)
            )
        return [found[name] for name in names]

    def prototype(self) -> Any:
        """The ctypes function type."""
        kinds = (_CTYPES[kind] for kind in self.parameters.values())
        return ctypes.CFUNCTYPE(_CTYPES[self.returns], *kinds)
