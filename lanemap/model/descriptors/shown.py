"""What a descriptor says, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lanemap.errors import UserError
from lanemap.model.descriptor_fields import Field


@dataclass(frozen=True)
class Shown:
    """One field of a descriptor.

    Attributes:
        name: Its name, by which `encode` takes it.
        low: Its first bit.
        width: Its width in bits.
        value: What it holds.
        means: That in words.
        meaning: What the field is.
        source: The document that says so.
    """

    name: str
    low: int
    width: int
    value: int
    means: str
    meaning: str
    source: str

    @property
    def bits(self) -> str:
        """Its bits, as documents count them: "0-13"."""
        return f"{self.low}-{self.low + self.width - 1}" if self.width > 1 else str(self.low)

    @classmethod
    def of(cls, name: str, field: Field, word: int, means: str = "") -> Shown:
        """A field of a word."""
        value = field.of(word)
        return cls(
            name, field.low, field.width, value, means or str(value), field.meaning, field.source
        )


@dataclass(frozen=True)
class Descriptor:
    """A descriptor.

    Attributes:
        kind: What it describes.
        words: Its words, as hexadecimal text.
        fields: Its fields, the lowest first.
        faults: What contradicts itself or the instruction, a sentence each.
        notes: What follows from the fields.
    """

    kind: str
    words: tuple[str, ...]
    fields: tuple[Shown, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()


def number(name: str, text: str, names: Mapping[str, int] | None = None) -> int:
    """The number that a value stands for: decimal, hexadecimal, or one of some names.

    Raises:
        UserError: It is neither.
    """
    if names and text.lower() in names:
        return names[text.lower()]
    try:
        return int(text, 0)
    except ValueError:
        known = f", or one of {', '.join(names)}" if names else ""
        raise UserError(f"{name}={text} is not a number{known}") from None


def packed(fields: Mapping[str, Field], values: Mapping[str, int]) -> int:
    """A word of fields.

    Raises:
        UserError: There is no such field, or its value is too large.
    """
    word = 0
    for name, value in values.items():
        if name not in fields:
            raise UserError(f"there is no field {name}; the fields are {', '.join(fields)}")
        field = fields[name]
        if not 0 <= value <= field.most:
            raise UserError(f"{name} is {value}, and its {field.width} bits hold 0 to {field.most}")
        word |= value << field.low
    return word


def set_bits(word: int) -> str:
    """The bits that are set, in words: "bits 14, 15"."""
    bits = [str(bit) for bit in range(word.bit_length()) if word >> bit & 1]
    return f"bit{'s' * (len(bits) > 1)} {', '.join(bits)}"


def units(name: str, value: int, unit: int) -> int:
    """A size in bytes (or a count) in units of a field.

    Raises:
        UserError: It is no multiple.
    """
    if value % unit:
        raise UserError(f"{name} is {value}, which is no multiple of {unit}")
    return value // unit


def ordered(fields: Iterable[Shown]) -> tuple[Shown, ...]:
    """Fields by their bits."""
    return tuple(sorted(fields, key=lambda each: each.low))
