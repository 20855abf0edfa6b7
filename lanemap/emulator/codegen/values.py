"""Values and registers of generated code: an element type, per lane or uniform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from lanemap.emulator.codegen.element_types import BITS

if TYPE_CHECKING:
    from lanemap.emulator.codegen.ops import Operand


class Register:
    """Storage that an entry names and that outlives a block.

    `lanes`: one element for each lane, else uniform. `tracked` numbers the registers that an
    asynchronous operation may have pending (memory_model/pending.c), else -1. Registers with the
    same four attributes are the same object, so that sets and dictionaries of them are fast.
    """

    __slots__ = ("lanes", "name", "tracked", "type")

    name: str
    type: str
    lanes: bool
    tracked: int
    _all: ClassVar[dict[tuple[str, str, bool, int], Register]] = {}

    def __new__(cls, name: str, type: str, lanes: bool, tracked: int = -1) -> Register:
        """Return the one register of these attributes."""
        key = (name, type, lanes, tracked)
        found = cls._all.get(key)
        if found is None:
            found = cls._all[key] = object.__new__(cls)
            found.name, found.type, found.lanes, found.tracked = key
        return found

    def __repr__(self) -> str:
        return f"Register({self.name!r}, {self.type!r}, {self.lanes}, {self.tracked})"


@dataclass(slots=True, unsafe_hash=True)
class Value:
    """A typed operand; nothing changes it (not frozen, which would cost thrice the time).

    `undefined` is the operand that holds its undefined bits (None: every bit is defined), an
    integer of the same width and lanes; `origin` numbers where they came from, in precise code.
    `constant` is set where the value is known when code is generated.
    """

    operand: Operand
    type: str
    lanes: bool
    undefined: Operand | None = None
    origin: Operand | None = None
    constant: int | None = None

    @property
    def bits(self) -> int:
        """Width of an element in bits."""
        return BITS[self.type]

    @property
    def defined(self) -> Value:
        """The same as if every bit were defined."""
        if self.undefined is None:
            return self
        return Value(self.operand, self.type, self.lanes, constant=self.constant)
