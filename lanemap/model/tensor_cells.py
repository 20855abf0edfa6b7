"""Operands of tcgen05.mma in tensor memory, in plain numbers: where rows, columns and k lie.

A place is a lane, a column and a bit. What an index adds to it is linear over F2: each bit of the
index adds something of its own, no two of them in the same bit of a place. Three steps are not
linear, and come before: D's column n is a block n / (N / fold) and a column n % (N / fold) of it,
for N / fold need not be a power of two; a row of folded scales is a half and a row of it likewise;
and an element narrower than its holder begins `shift` bits further on.

The build of the emulator's C runs this by its path, so it imports nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LANES = 128
#: Columns of one step of K of A: 32 bytes of holders in each lane.
STEP_COLUMNS = 8


def added(columns: Sequence[int], index: int) -> int:
    """What the bits of an index add up to."""
    return sum(each for bit, each in enumerate(columns) if index >> bit & 1)


@dataclass(frozen=True)
class Rows:
    """Rows of D, and of A in tensor memory: one data path layout of the PTX ISA.

    Attributes:
        letter: As the ISA names it.
        ctas: CTAs that hold D, each as many rows: the highest bit of m is the rank in the pair.
        row: The lane that each bit of a row's number in its CTA adds, lowest first.
        block: The lane that each bit of the number of a block of columns adds.
        other_lane: The lane other than 0 at which D may begin; 0 for none.
        a_copies: How many blocks of lanes have an A of their own; 0 where no source says.
    """

    letter: str
    ctas: int
    row: tuple[int, ...]
    block: tuple[int, ...] = ()
    other_lane: int = 0
    a_copies: int = 1

    @property
    def rows(self) -> int:
        """M."""
        return self.ctas << len(self.row)

    @property
    def fold(self) -> int:
        """Blocks of columns that lie on lanes of their own: D has N / fold columns."""
        return 1 << len(self.block)


# FlashMLA at 9241ae3 (kerutils/device/sm100/gemm.cuh) duplicates A of .ws, and CUTLASS that of a
# pair (TmemAllocMode::Duplicated).
ROWS = {
    rows.letter: rows
    for rows in (
        Rows("A", 2, (1, 2, 4, 8, 16, 32, 64)),
        Rows("B", 2, (1, 2, 4, 8, 16, 32), (64,), a_copies=2),
        Rows("C", 2, (1, 2, 4, 8, 32, 64), other_lane=16),
        Rows("D", 1, (1, 2, 4, 8, 16, 32, 64)),
        Rows("E", 1, (1, 2, 4, 8, 16, 32), (64,), a_copies=2),
        Rows("F", 1, (1, 2, 4, 8, 32, 64), other_lane=16),
        Rows("G", 1, (1, 2, 4, 8, 16), (32, 64), a_copies=0),
    )
}


@dataclass(frozen=True)
class Element:
    """How one element of A lies in tensor memory.

    Attributes:
        kind: .kind of the instruction.
        name: Type.
        bits: Its width.
        holder: Width of what holds it.
        shift: Its lowest bit in the holder.
    """

    kind: str
    name: str
    bits: int
    holder: int
    shift: int = 0


ELEMENTS = (
    Element("f16", "f16", 16, 16),
    Element("f16", "bf16", 16, 16),
    Element("tf32", "tf32", 32, 32),
    Element("i8", "s8", 8, 8),
    Element("i8", "u8", 8, 8),
    Element("f8f6f4", "e4m3", 8, 8),
    Element("f8f6f4", "e5m2", 8, 8),
    Element("f8f6f4", "e2m3", 6, 8, 1),
    Element("f8f6f4", "e3m2", 6, 8, 1),
    Element("f8f6f4", "e2m1", 4, 8, 2),
    Element("mxf4", "e2m1", 4, 4),
)


def k_columns(holder: int) -> list[tuple[int, int]]:
    """The column, and the bit in it, that each bit of an element's k adds, lowest first."""
    step = STEP_COLUMNS * 32 // holder
    return [divmod(holder << bit, 32) for bit in range(step.bit_length() - 1)]


@dataclass(frozen=True)
class Scales:
    """Scale factors of one MMA, from the byte that the scale factor ID names on.

    Attributes:
        row: The lane and the column that each bit of a row's number in its half adds.
        copy: The lane that each bit of the number of a copy adds.
        half: The lane that the number of the half of the rows adds, where there are halves.
        block: The bit that each bit of a block's number adds.
    """

    row: tuple[tuple[int, int], ...]
    copy: tuple[int, ...]
    half: tuple[int, ...] = ()
    block: tuple[int, ...] = (8, 16)


_SCALE_ROWS = ((1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (0, 1), (0, 2), (0, 4))
#: By whether the rows are folded: those of B for layout B of D are.
SCALES = {False: Scales(_SCALE_ROWS, (32, 64)), True: Scales(_SCALE_ROWS, (32,), (64,))}
