"""Values and registers of generated code: an element type, for every lane or uniform."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Element types: LLVM's names; the bits of each.
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "half": 16, "bfloat": 16, "float": 32,
        "double": 64}
FLOATS = frozenset({"half", "bfloat", "float", "double"})


def integer_of(kind: str) -> str:
    """The integer type as wide as `kind`; undefined bits of a value have it."""
    return f"i{BITS[kind]}"


@dataclass(frozen=True, slots=True)
class Register:
    """Storage that an entry names and that outlives a block.

    `lanes`: one element for each lane, else uniform. `tracked` numbers the registers that an
    asynchronous operation may have pending (see runtime/pending.c), else -1.
    """

    name: str
    type: str
    lanes: bool
    tracked: int = -1
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Registers are keys wherever they are used: their hash is worked out once."""
        made = hash((self.name, self.type, self.lanes, self.tracked))
        object.__setattr__(self, "_hash", made)

    def __hash__(self) -> int:
        """The hash of what names the register."""
        return self._hash


@dataclass(frozen=True, slots=True)
class Value:
    """An operand in LLVM IR.

    `undefined` is the operand that holds its undefined bits (None: every bit is defined), an
    integer of the same width and lanes; `origin` numbers where they came from, in precise code.
    `constant` is set where the value is known when code is generated.
    """

    name: str
    type: str
    lanes: bool
    undefined: str | None = None
    origin: str | None = None
    constant: int | None = None

    @property
    def bits(self) -> int:
        """Width of an element in bits."""
        return BITS[self.type]
