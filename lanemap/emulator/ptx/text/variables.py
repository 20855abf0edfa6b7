"""Variables of PTX text, and what initialises them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relocation:
    """Bytes of an initialiser that hold an address, known when the module is placed.

    Attributes:
        offset: First byte in the variable.
        size: Bytes that are filled.
        symbol: Name of a variable or function.
        addend: Bytes added to its address.
        generic: True for a generic address, False for one in the variable's state space.
        shift: Bits by which the address is shifted right first (`0xff00(symbol)`).
    """

    offset: int
    size: int
    symbol: str
    addend: int
    generic: bool
    shift: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable of memory, or a parameter.

    Attributes:
        space: "global", "const", "shared", "local" or "param".
        type: Element type without the dot.
        size: Bytes; 0 for an extern array of unknown size.
        align: Bytes.
        linkage: "", "visible", "extern", "weak" or "common".
        data: Initial bytes, or None (zeros for global and const, undefined for the others).
        relocations: Addresses to add to `data`.
        pointer_space: For a kernel parameter with `.ptr`, the space pointed to ("" for generic).
        pointer_align: What `.ptr .align` promises, in bytes.
        managed: `.attribute(.managed)`.
        line: Where it was declared.
    """

    name: str
    space: str
    type: str
    size: int
    align: int
    linkage: str = ""
    data: bytes | None = None
    relocations: tuple[Relocation, ...] = ()
    pointer_space: str | None = None
    pointer_align: int = 0
    managed: bool = False
    line: int = 0
