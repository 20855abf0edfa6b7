"""The forms of `tcgen05.ld` and `tcgen05.st`, and where a probe places them in tensor memory.

A shape's name gives the number of lanes and the bits per lane of one access. The registers of a
warp hold as many bits, and a thread uses at most 128 registers (NVIDIA PTX ISA, tcgen05.ld and
tcgen05.st). These rules determine every form's registers, its frame of lanes and columns, and N.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lanemap.errors import UserError
from lanemap.layout import Space
from lanemap.probing.tags.bits import BitTags

LANES, COLUMNS, WARPS, THREADS = 128, 512, 4, 32
CTA_THREADS = WARPS * THREADS
MOST_REGISTERS = 128
SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
MEMORY = BitTags(LANES * COLUMNS)
HALVES = {"ld": ".pack::16b", "st": ".unpack::16b"}
_SHAPE = re.compile(r"(\d+)x(\d+)b(?:x(\d))?")


@dataclass(frozen=True)
class Form:
    """One form of a load or store.

    Attributes:
        op: "ld" or "st".
        shape: The shape in the instruction's name.
        repeat: N of xN.
        halves: Whether .pack::16b or .unpack::16b is given.
        imm: For a shape in two parts, the columns from the first part to the second; None for the
            listed variant, in which the second part follows the first.
    """

    op: str
    shape: str
    repeat: int
    halves: bool = False
    imm: int | None = None

    @property
    def parts(self) -> int:
        """Number of accesses in the shape: two for 16x32bx2."""
        return self._sizes[2]

    @property
    def lanes(self) -> int:
        """Lanes of one access."""
        return self._sizes[0]

    @property
    def registers(self) -> int:
        """Registers of a thread."""
        lanes, bits, parts = self._sizes
        return lanes * bits * parts * self.repeat // (THREADS * 32)

    @property
    def offset(self) -> int:
        """The immediate of a shape in two parts, in columns."""
        return self._part_columns if self.imm is None else self.imm

    @property
    def columns(self) -> int:
        """Columns of the frame, from taddr to the last column of the form."""
        return self._part_columns + (self.offset if self.parts == 2 else 0)

    @property
    def variant(self) -> str:
        """The variant's name in lanemap."""
        suffix = "" if self.imm is None else f"+{self.imm}"
        return f"tcgen05.{self.op}.{self.shape}.x{self.repeat}{self._modifier}{suffix}"

    @property
    def order(self) -> tuple[bool, int, int]:
        """The order in which the forms of a shape are listed."""
        return self.halves, self.imm or 0, self.repeat

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return re.sub(r"\W+", "_", self.variant)

    def instruction(self, registers: str, address: str) -> str:
        """The instruction with a register list, `{v0, v1}`, and an address, `target`."""
        name = f"tcgen05.{self.op}.sync.aligned.{self.shape}.x{self.repeat}{self._modifier}.b32"
        place = f"[{address}]" + (f", {self.offset}" if self.parts == 2 else "")
        return (
            f"{name} {registers}, {place};" if self.op == "ld" else f"{name} {place}, {registers};"
        )

    def frame(self) -> tuple[Space, Space]:
        """The registers of a warp, and tensor memory starting at taddr."""
        register = (("lane", THREADS), ("register", self.registers), ("bit", 32))
        tmem = (("lane", self.lanes), ("column", self.columns), ("bit", 32))
        return Space("register", register), Space("tmem", tmem)

    @property
    def _modifier(self) -> str:
        return HALVES[self.op] if self.halves else ""

    @property
    def _part_columns(self) -> int:
        return self._sizes[1] // 32 * self.repeat * (2 if self.halves else 1)

    @property
    def _sizes(self) -> tuple[int, int, int]:
        match = _SHAPE.fullmatch(self.shape)
        if match is None:
            raise UserError(f"{self.shape!r} is not a shape; the shapes are {', '.join(SHAPES)}")
        return int(match[1]), int(match[2]), int(match[3] or 1)


def forms(op: str, shape: str) -> Iterator[Form]:
    """Every legal form of a shape: N is a power of two, with at most 128 registers a thread."""
    for halves in (False, True):
        repeat = 1
        while Form(op, shape, repeat).registers <= MOST_REGISTERS:
            yield Form(op, shape, repeat, halves)
            repeat *= 2


def offset_forms(op: str) -> Iterator[Form]:
    """Forms of 16x32bx2 whose second part does not follow the first."""
    for repeat in (1, 4, 16):
        for halves in (False, True):
            yield Form(op, "16x32bx2", repeat, halves, 100)


@dataclass(frozen=True)
class Batch:
    """Forms that one launch tests, side by side in tensor memory.

    Attributes:
        name: The kernel's name.
        placed: The forms, each with the first column of its frame; frames are disjoint.
    """

    name: str
    placed: tuple[tuple[Form, int], ...]

    @property
    def op(self) -> str:
        """The operation, ld or st."""
        return self.placed[0][0].op

    @property
    def registers(self) -> int:
        """Registers of a thread, all forms together."""
        return sum(form.registers for form, _ in self.placed)

    @property
    def halves(self) -> bool:
        """Whether its forms have .pack::16b or .unpack::16b."""
        return self.placed[0][0].halves


def batches(op: str, shape: str) -> list[Batch]:
    """Return the forms of a shape that a probe tests: every legal one, and other immediates.

    Forms with the same modifier share a launch as long as their frames fit into tensor memory.
    """
    every = [*forms(op, shape), *(offset_forms(op) if shape == "16x32bx2" else ())]
    found: list[Batch] = []
    for halves in (False, True):
        for split in (False, True):
            own = [f for f in every if (f.halves, f.imm is not None) == (halves, split)]
            bins: list[list[tuple[Form, int]]] = []
            for form in sorted(own, key=lambda form: -form.columns):
                for each in bins:
                    last, column = each[-1]
                    if column + last.columns + form.columns <= COLUMNS:
                        each.append((form, column + last.columns))
                        break
                else:
                    bins.append([(form, 0)])
            found += [Batch(f"{each[0][0].entry}_and_on", tuple(each)) for each in bins]
    return found


@dataclass(frozen=True)
class Base:
    """Where taddr points in a launch.

    Attributes:
        name: Its name on the axis.
        description: The same in words.
        lane: Lane of taddr, counted from the first of each warp's quadrant.
        turned: Whether frames are counted from the last column instead of the first.
    """

    name: str
    description: str
    lane: int
    turned: bool

    def column(self, form: Form, column: int) -> int:
        """The column in taddr for a form that a batch places at a column."""
        return COLUMNS - column - form.columns if self.turned else column

    def fits(self, batch: Batch) -> bool:
        """Whether a batch fits there, and its columns differ from those of the first base."""
        moved = any(self.column(form, column) != column for form, column in batch.placed)
        return (moved or not self.turned) and self.lane + batch.placed[0][0].lanes <= THREADS


BASES = {
    base.name: base
    for base in (
        Base("first", "the first lane of each warp's quadrant, frames from column 0 on", 0, False),
        Base("last", "that lane, frames from column 511 down", 0, True),
        Base("lane16", "lane 16 of each warp's quadrant, frames from column 0 on", 16, False),
    )
}
