"""Types of values as LLVM writes them, and of the elements of vectors."""

from __future__ import annotations

#: Element types: LLVM's names; the bits of each.
BITS = {
    "i1": 1,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "half": 16,
    "bfloat": 16,
    "float": 32,
    "double": 64,
}
FLOATS = frozenset({"half", "bfloat", "float", "double"})


def integer_of(kind: str) -> str:
    """The integer type as wide as `kind`; undefined bits of a value have it."""
    return f"i{BITS[kind]}"


def element_of(type: str) -> str:
    """The type of an element of a vector type; "" for any other."""
    return type.partition(" x ")[2][:-1] if type[:1] == "<" else ""


def bytes_of(type: str) -> int:
    """Bytes of a value of an element type in memory."""
    return (int(type[1:]) if type[0] == "i" else BITS[type]) + 7 >> 3


def kept_type(element: str) -> str:
    """The type that a lane's element has in the frame."""
    return "i32" if element == "i1" else element
