"""The register banks that a program's instructions read, and the input values that fill them.

Every register of a bank holds a different value in each thread. The input array lists the values of
all threads for one register after the other, then `BYTES` bytes per thread for loads.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.edges import themes, value

#: The width of a register in bits, by the letter that names it in forms.
LETTER_BITS = {"c": 8, "h": 16, "r": 32, "d": 64, "q": 128}
#: How many registers there are of each (letter, kind).
BANKS = {
    ("r", "i"): 6, ("r", "f"): 6, ("r", "h"): 4, ("r", "b"): 3, ("r", "s"): 4, ("r", "m"): 2,
    ("d", "i"): 4, ("d", "f"): 5, ("h", "i"): 4, ("h", "f"): 4, ("h", "b"): 3, ("c", "i"): 4,
    ("q", "i"): 2,
}  # fmt: skip
PREDICATES = 4
#: Bytes that each thread may load from, in every space.
BYTES = 32


@dataclass(frozen=True)
class Bank:
    """One register of every thread: name, letter, kind, byte offset in the input, number."""

    name: str
    letter: str
    kind: str
    offset: int
    number: int


def registers(threads: int) -> list[Bank]:
    """Return the registers of all banks, in the order of the input."""
    found, offset = [], 0
    for (letter, kind), count in BANKS.items():
        for number in range(count):
            found.append(Bank(f"%{letter}{kind}{number}", letter, kind, offset, number))
            offset += threads * LETTER_BITS[letter] // 8
    found.append(Bank("%pbits", "r", "i", offset, 0))
    return found


def bytes_offset(threads: int) -> int:
    """Return where in the input the bytes for loads begin, a multiple of 32."""
    last = registers(threads)[-1]
    return -(-(last.offset + 4 * threads) // 32) * 32


def fill(seed: int, threads: int) -> bytes:
    """Return the input array of a program."""
    chance = Chance("inputs", seed)
    data = bytearray()
    for bank in registers(threads):
        width = LETTER_BITS[bank.letter]
        kind = "h" if (bank.letter, bank.kind) == ("h", "f") else bank.kind
        for thread in range(threads):
            drawn = value(chance, kind, width)
            if thread % 4 == 3 and kind in "fhb":  # All registers of the lane share a theme.
                theme = themes(kind, width)[(seed + thread // 4) % len(themes(kind, width))]
                drawn = theme[(bank.number + thread // 16) % len(theme)]
            data += drawn.to_bytes(width // 8, "little")
    data += bytes(bytes_offset(threads) - len(data))
    for _ in range(threads * BYTES // 4):
        data += value(chance, chance.of("iifh"), 32).to_bytes(4, "little")
    return bytes(data)
