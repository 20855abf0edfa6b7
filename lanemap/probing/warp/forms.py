"""The forms of ldmatrix, stmatrix and movmatrix that a probe tests.

NVIDIA PTX ISA, ldmatrix: .m16n16, .m8n16 and the types of 8 bits and less exist on sm_100a, sm_120a
and their families; stmatrix: likewise .m16n8, and the others from sm_90 on. A thread holds one
register for each 8x8 or 8x16 matrix and for each 16x8 matrix of bytes, and two for each 16x16
matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.layout import Space
from lanemap.targets import features_of, probed

LANES = 32
# Bits at each lane's address: a row of a matrix.
ROW_BITS = 128
# The most registers of a thread in any form.
MOST_REGISTERS = 4
#: Targets of ldmatrix and movmatrix, and of stmatrix.
TARGETS, STORING = probed(), probed("stmatrix")
# What sm_100a adds: shape, suffix, element type, legal xN.
_BYTES = {
    "ldmatrix": (
        ("m16n16", ".trans", "b8", (1, 2)),
        ("m16n16", ".trans", "b8x16.b6x16_p32", (1, 2)),
        ("m16n16", ".trans", "b8x16.b4x16_p64", (1, 2)),
        ("m8n16", "", "b8x16.b6x16_p32", (1, 2, 4)),
        ("m8n16", "", "b8x16.b4x16_p64", (1, 2, 4)),
    ),
    "stmatrix": (("m16n8", ".trans", "b8", (1, 2, 4)),),
}
_HALVES = tuple(("m8n8", trans, "b16", (1, 2, 4)) for trans in ("", ".trans"))


@dataclass(frozen=True)
class Form:
    """One form of a matrix load or store.

    Attributes:
        op: "ldmatrix" or "stmatrix".
        shape: The instruction's spelling.
        count: N of xN.
        trans: "" or ".trans".
        kind: The element type.
    """

    op: str
    shape: str
    count: int
    trans: str
    kind: str

    @property
    def registers(self) -> int:
        """Registers of a thread."""
        return self.count * (2 if self.shape == "m16n16" else 1)

    @property
    def variant(self) -> str:
        """The variant's name, which is also the opcode."""
        return f"{self.op}.sync.aligned.{self.shape}.x{self.count}{self.trans}.shared.{self.kind}"

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return re.sub(r"\W+", "_", self.variant)

    @property
    def cell_bits(self) -> int:
        """Width of the elements that move whole; 1 where elements are widened on the way."""
        return {"b16": 16, "b8": 8}.get(self.kind, 1)

    def spaces(self) -> tuple[Space, Space]:
        """The registers of a warp, and the rows at its lanes' addresses."""
        register = (("lane", LANES), ("register", self.registers), ("bit", 32))
        return Space("register", register), Space("chunk", (("lane", LANES), ("bit", ROW_BITS)))


def forms(op: str, target: str) -> Iterator[Form]:
    """Every form of a load or store that a target has."""
    if op == "stmatrix" and target not in STORING:
        return
    listed = _HALVES + (_BYTES[op] if "matrices of bytes" in features_of(target) else ())
    for shape, trans, kind, counts in listed:
        for count in counts:
            yield Form(op, shape, count, trans, kind)
