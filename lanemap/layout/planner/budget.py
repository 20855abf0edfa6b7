"""Tensor-memory columns: what each operand takes, the allocation, and what else fits.

Columns are 32 bits on 128 lanes. Sources: NVIDIA PTX ISA, tcgen05.alloc (512 columns; powers of
two from 32), tcgen05 data path layouts A to G and packing formats, block scaling; NVIDIA/cutlass
at 7107b05, include/cute/atom/mma_traits_sm100.hpp, for A and scale factors in tensor memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lanemap.errors import UserError

TOTAL_COLUMNS = 512
LEAST_ALLOCATION = 32
# Bits that hold one element of A; elements of 4 and 6 bits have holders of 8 in kind::f8f6f4.
HOLDER_BITS = {
    "tf32": 32,
    "f16": 16,
    "bf16": 16,
    "e4m3": 8,
    "e5m2": 8,
    "s8": 8,
    "u8": 8,
    "e2m3": 8,
    "e3m2": 8,
    "e2m1": 8,
    "mxf4": 4,
    "nvf4": 4,
}
ACCUMULATORS = ("f32", "s32", "f16")
# Blocks of N that lie beside each other on other lanes, by data path layout.
FOLD = {"A": 1, "B": 2, "C": 1, "D": 1, "E": 2, "F": 1, "G": 4}
# Elements of K that share a scale.
SCALE_BLOCKS = {"mxf8": 32, "mxf4": 32, "nvf4": 16}
KINDS = ("d", "a", "sf", "columns")

_TEXT = re.compile(
    r"(?P<name>\w+)=(?P<kind>\w+)(?:/(?P<layout>\w))?:(?:(?P<rows>\d{1,18})x)?(?P<columns>\d{1,18})"
    r"(?::(?P<dtype>\w+))?(?:\*(?P<count>\d{1,18}))?(?:@(?P<shares>\w+)(?:\+(?P<offset>\d{1,18}))?)?"
)


@dataclass(frozen=True)
class Operand:
    """Something that wants tensor memory.

    Attributes:
        name: For the report and for sharing.
        kind: "d" (accumulator), "a" (the A operand), "sf" (scale factors of A or B), or "columns".
        columns: N of an accumulator; K of A and of scale factors; plain columns for "columns".
        rows: M, or N for the scale factors of B.
        dtype: Type of the element; for scale factors the kind of scaling: mxf8, mxf4, nvf4.
        layout: Data path layout of an accumulator, A to G.
        count: How many of them, as stages of a pipeline.
        shares: Name of the operand whose columns this one reuses.
        offset: First column inside the shared operand.
    """

    name: str
    kind: str
    columns: int
    rows: int = 128
    dtype: str = "f32"
    layout: str = "D"
    count: int = 1
    shares: str | None = None
    offset: int = 0

    @staticmethod
    def parse(text: str) -> Operand:
        """Read `NAME=KIND:ROWSxCOLUMNS:TYPE`, then `*COUNT`, then `@SHARED+OFFSET`.

        Examples: `S=d:128x128:f32*2`, `P=a:128x128:bf16@S`, `D=d/E:64x256:f32`,
        `SFA=sf:128x256:nvf4`, `spare=columns:16`.

        Raises:
            UserError: The text does not have this form, or its values are illegal.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise UserError(
                f"{text!r} is not an operand; write NAME=KIND:ROWSxCOLUMNS:TYPE such as "
                "S=d:128x128:f32 or P=a:128x128:bf16@S"
            )
        given = match.groupdict()
        operand = Operand(
            given["name"],
            given["kind"],
            int(given["columns"]),
            int(given["rows"] or 128),
            given["dtype"] or "f32",
            given["layout"] or "D",
            int(given["count"] or 1),
            given["shares"],
            int(given["offset"] or 0),
        )
        operand.width()
        return operand

    def width(self) -> int:
        """The columns of one stage.

        Raises:
            UserError: Kind, type, layout or size is illegal; the message lists the legal values.
        """
        if self.kind not in KINDS:
            raise UserError(
                f"{self.name}: the kind must be one of {', '.join(KINDS)}, not {self.kind}"
            )
        if self.columns < 1 or self.rows < 1 or self.count < 1:
            raise UserError(f"{self.name}: rows, columns and count are at least 1")
        if self.count > TOTAL_COLUMNS:
            raise UserError(
                f"{self.name}: {self.count} stages are more than tensor memory has columns, "
                f"{TOTAL_COLUMNS}"
            )
        if self.kind == "columns":
            return self.columns
        return {"d": self._accumulator, "a": self._a, "sf": self._scales}[self.kind]()

    def _accumulator(self) -> int:
        """One 32-bit column for an element; f16 fills the low half of it."""
        self._one_of("dtype", self.dtype, ACCUMULATORS)
        self._one_of("layout", self.layout, tuple(FOLD))
        if self.columns % 8 or not 8 <= self.columns <= 256:
            raise UserError(
                f"{self.name}: N = {self.columns} does not fit; N is a multiple of 8 from 8 to 256"
            )
        if self.columns % FOLD[self.layout]:
            raise UserError(f"{self.name}: layout {self.layout} needs N % {FOLD[self.layout]} = 0")
        return self.columns // FOLD[self.layout]

    def _a(self) -> int:
        self._one_of("dtype", self.dtype, tuple(HOLDER_BITS))
        bits = self.columns * HOLDER_BITS[self.dtype]
        # One MMA takes 32 bytes of K.
        if bits % 256:
            step = 256 // HOLDER_BITS[self.dtype]
            raise UserError(
                f"{self.name}: K = {self.columns} does not fit; K of {self.dtype} is a multiple "
                f"of {step}"
            )
        return bits // 32

    def _scales(self) -> int:
        """Four columns for 128 rows and up to four scales of each, a byte apiece."""
        self._one_of("dtype", self.dtype, tuple(SCALE_BLOCKS))
        block = SCALE_BLOCKS[self.dtype]
        if self.columns % block:
            raise UserError(
                f"{self.name}: K = {self.columns} does not fit; {self.dtype} has a scale for every "
                f"{block} elements"
            )
        return -(-self.rows // 128) * 4 * -(-(self.columns // block) // 4)

    def _one_of(self, what: str, value: str, legal: tuple[str, ...]) -> None:
        if value not in legal:
            raise UserError(
                f"{self.name}: the {what} must be one of {', '.join(legal)}, not {value}"
            )


@dataclass(frozen=True)
class Place:
    """Columns [first, first + columns) of an operand's stage."""

    operand: Operand
    stage: int
    first: int
    columns: int

    def __str__(self) -> str:
        stage = f"[{self.stage}]" if self.operand.count > 1 else ""
        shared = f", in the columns of {self.operand.shares}" if self.operand.shares else ""
        return (
            f"{self.operand.name}{stage}: {self.columns} columns, "
            f"{self.first} to {self.first + self.columns - 1}{shared}"
        )


@dataclass(frozen=True)
class Budget:
    """The columns that the operands take.

    Attributes:
        places: Every stage of every operand.
        used: Columns in use, shared ones once.
    """

    places: tuple[Place, ...]
    used: int

    @property
    def allocation(self) -> int | None:
        """The columns to ask of tcgen05.alloc: a power of two, at least 32; None beyond 512."""
        size = max(LEAST_ALLOCATION, 1 << max(self.used - 1, 0).bit_length())
        return size if size <= TOTAL_COLUMNS else None

    @property
    def fits(self) -> bool:
        """Whether one CTA's tensor memory holds it all."""
        return self.used <= TOTAL_COLUMNS

    @property
    def left_in_allocation(self) -> int:
        """Columns that are allocated but not used; 0 where it does not fit."""
        return 0 if self.allocation is None else self.allocation - self.used

    def more(self, name: str) -> int:
        """How many more stages of an operand the 512 columns would hold."""
        width = next((p.columns for p in self.places if p.operand.name == name), None)
        if width is None:
            raise UserError(f"the budget has no operand {name}")
        return max(TOTAL_COLUMNS - self.used, 0) // width

    def lines(self) -> Iterator[str]:
        """The budget in words."""
        yield from map(str, self.places)
        if self.allocation is None:
            yield f"{self.used} columns: does not fit, tensor memory has {TOTAL_COLUMNS}"
            return
        yield (
            f"{self.used} columns; tcgen05.alloc of {self.allocation}, "
            f"{self.left_in_allocation} of them unused"
        )
        own = dict.fromkeys(p.operand.name for p in self.places if p.operand.shares is None)
        more = [f"{self.more(name)} more of {name}" for name in own if self.more(name)]
        if more:
            yield f"{TOTAL_COLUMNS} columns would hold {', or '.join(more)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, Any]:
        """The budget as plain data."""
        return {
            "used": self.used,
            "allocation": self.allocation,
            "fits": self.fits,
            "left_in_allocation": self.left_in_allocation,
            "places": [
                {
                    "name": p.operand.name,
                    "stage": p.stage,
                    "first": p.first,
                    "columns": p.columns,
                    "shares": p.operand.shares,
                }
                for p in self.places
            ],
        }


def budget(operands: Sequence[Operand]) -> Budget:
    """Place operands in tensor memory, one after the other in the order given.

    An operand that shares lies inside the columns of the one that it names, stage by stage (stage
    0 for an operand of one stage).

    Args:
        operands: At least one; names differ.

    Raises:
        UserError: An operand is illegal, a name occurs twice, or a sharing one does not fit into
            what it shares.
    """
    if not operands:
        raise UserError("a budget needs an operand, such as S=d:128x128:f32")
    places: list[Place] = []
    first = 0
    for operand in operands:
        if any(operand.name == place.operand.name for place in places):
            raise UserError(f"the operand {operand.name} is given twice")
        width = operand.width()
        for stage in range(operand.count):
            if operand.shares is None:
                places.append(Place(operand, stage, first, width))
                first += width
            else:
                places.append(_shared(operand, stage, width, places))
    return Budget(tuple(places), first)


def _shared(operand: Operand, stage: int, width: int, places: Sequence[Place]) -> Place:
    hosts = [place for place in places if place.operand.name == operand.shares]
    if not hosts:
        raise UserError(f"{operand.name} shares {operand.shares}, which must come before it")
    if stage >= len(hosts):
        raise UserError(
            f"{operand.name} has {operand.count} stages, but {operand.shares} only {len(hosts)}"
        )
    host = hosts[stage]
    if operand.offset + width > host.columns:
        raise UserError(
            f"{operand.name} needs columns {operand.offset} to {operand.offset + width - 1} of "
            f"{operand.shares}, which has {host.columns}"
        )
    return Place(operand, stage, host.first + operand.offset, width)
