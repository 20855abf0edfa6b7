"""Signatures of the runtime's functions, as the generated modules (abi.py) state them."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

_CTYPES: dict[str, Any] = {
    "void": None, "ptr": ctypes.c_void_p, "i32": ctypes.c_uint32, "i64": ctypes.c_uint64,
    "float": ctypes.c_float, "double": ctypes.c_double,
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
        """Read `i32(Wave w, i32 block)`: a word that is no type of LLVM's is a pointer to it."""
        returns, _, rest = text.partition("(")
        words = [part.split() for part in rest.rstrip(")").split(",") if part]
        parameters = {name: kind if kind in _CTYPES else "ptr" for kind, name in words}
        of = words[0][0] if words and words[0][0] not in _CTYPES else ""
        return cls(of, returns if returns in _CTYPES else "ptr", parameters)

    def prototype(self) -> Any:
        """The ctypes function type."""
        kinds = (_CTYPES[kind] for kind in self.parameters.values())
        return ctypes.CFUNCTYPE(_CTYPES[self.returns], *kinds)
