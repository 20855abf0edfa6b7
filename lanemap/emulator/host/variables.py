"""The variables of a loaded text: what the host may read and write by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """One variable of global or constant memory.

    Attributes:
        name: Its symbol.
        address: Where it lies.
        size: Its bytes.
        element: The type of its elements as the text writes it, "f32", "b8"; "" where it has none.
        constant: Whether kernels cannot write it.
        initial: Whether the text gives it a value; without one it is zeros.
        managed: Whether the host reaches it at its address, too.
    """

    name: str
    address: int
    size: int
    element: str
    constant: bool
    initial: bool
    managed: bool = False
