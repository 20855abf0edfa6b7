"""The control word of a 128-bit instruction (Volta and later): when it issues, what it awaits.

NVIDIA documents no encoding. The positions are those that others found for Volta and read on later
chips: "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (arXiv 1804.06826,
section 2.1), sunnypatell/basalt (METHOD). A timing probe does not trust them: it changes a stall
count and checks whether the result changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.errors import UserError

#: Bits of an instruction, and bytes.
WORD_BITS, WORD_BYTES = 128, 16
#: A barrier field that names no barrier.
NO_BARRIER = 7
#: Field: first bit, bits.
_FIELDS = {
    "stall": (105, 4),
    "yields": (109, 1),
    "write_barrier": (110, 3),
    "read_barrier": (113, 3),
    "waits": (116, 6),
    "reuse": (122, 4),
}


@dataclass(frozen=True)
class Control:
    """The control word of an instruction, by field.

    Attributes:
        stall: Cycles until the warp may issue its next instruction, 0 to 15.
        yields: The bit beside it, as encoded.
        write_barrier: The barrier, 0 to 5, that is released when the result is written; 7 for none.
        read_barrier: The barrier that is released when the operands have been read; 7 for none.
        waits: The mask of the six barriers that must be released before it issues.
        reuse: The mask of operand slots whose values stay in the reuse cache.
    """

    stall: int
    yields: int
    write_barrier: int
    read_barrier: int
    waits: int
    reuse: int

    @staticmethod
    def of(word: int) -> Control:
        """Read the control word of an instruction's 128 bits."""
        return Control(
            **{name: word >> first & (1 << bits) - 1 for name, (first, bits) in _FIELDS.items()}
        )

    def put(self, word: int) -> int:
        """Return the 128 bits with this control word in place of their own.

        Raises:
            UserError: a value does not fit its field.
        """
        for name, (first, bits) in _FIELDS.items():
            value = getattr(self, name)
            if not 0 <= value < 1 << bits:
                raise UserError(
                    f"{name} of a control word must be 0 to {(1 << bits) - 1}, not {value}"
                )
            word = word & ~((1 << bits) - 1 << first) | value << first
        return word

    @staticmethod
    def cleared(word: int) -> int:
        """The 128 bits with zeros for the control word: what is executed, not when."""
        for first, bits in _FIELDS.values():
            word &= ~((1 << bits) - 1 << first)
        return word

    def __str__(self) -> str:
        """As `W1 R- wait 0b000100 stall 4 yield`, which is how pages print it."""
        barriers = " ".join(
            f"{letter}{'-' if number == NO_BARRIER else number}"
            for letter, number in (("W", self.write_barrier), ("R", self.read_barrier))
        )
        return f"{barriers} wait {self.waits:06b} stall {self.stall}{' yield' * self.yields}"
