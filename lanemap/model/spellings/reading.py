"""One meaning of a pasted name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """What a name means.

    Attributes:
        name: The instruction, or the map, as assembly text and lanemap spell it.
        variants: The variants by name: one map, or the operands of one instruction.
    """

    name: str
    variants: tuple[str, ...]

    @classmethod
    def one(cls, variant: str) -> Reading:
        """A name that is that of one variant."""
        return cls(variant, (variant,))
