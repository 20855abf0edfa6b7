"""Scale factors in tensor memory: readings, and what they prove.

Every byte of the columns of one operand's scales has a tag, the same in those groups of 32 lanes
that hold copies of one another. A has a single one in each row, so that D shows the scale that its
k is multiplied by; all other scales are one. Further products have another scale in one of the
copies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lanemap.layout import Space
from lanemap.probing.finding import Finding
from lanemap.probing.probe import State
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.tags.digits import joined, split
from lanemap.probing.tensor_core.fragments import NAMED_BY
from lanemap.probing.tensor_core.kernel import SFA_COLUMN, SFB_COLUMN, Shape
from lanemap.probing.tensor_core.launches import (
    ONE,
    Cases,
    Named,
    image_of,
    matrix_of,
    name_elements,
)
from lanemap.probing.tmem.forms import LANES, THREADS
from lanemap.probing.warp.tagged import (
    UNREAD,
    Geometry,
    TaggedMoves,
    TagReading,
    Words,
)
from lanemap.probing.wgmma.elements import Integers, codes

COPIES, BYTES = LANES // THREADS, 4
#: Scales are 2^0 to 2^15 (UE8M0) or 0 to 15 (UE4M3): a digit of a tag.
BASE = 16


@dataclass(frozen=True)
class Asked:
    """The scales of one operand.

    Attributes:
        shape: The instruction.
        of_b: They are those of B.
        folded: The scales of B's second half of columns lie on lanes 64 to 127.
        apart: Both CTAs of a pair have scales of their own: of A those of their rows, of B those
            that their rows of D are multiplied by.
    """

    shape: Shape
    of_b: bool
    folded: bool = False
    apart: bool = False

    @property
    def rows(self) -> int:
        """Rows of A or columns of B that have scales."""
        return self.shape.columns if self.of_b else self.shape.rows

    @property
    def ctas(self) -> int:
        """CTAs with scales of their own."""
        return self.shape.form.ctas if self.apart else 1

    @property
    def halves(self) -> int:
        """Parts of D's rows that B's scales are asked of."""
        return self.ctas if self.of_b else 1

    @property
    def columns(self) -> int:
        """Columns of tensor memory, for a multiple of 128 rows."""
        split = self.folded or (self.apart and not self.of_b)
        return -(-self.rows // (256 if split else 128)) * 4

    @property
    def groups(self) -> int:
        """Groups of lanes with scales of their own."""
        return 2 if self.folded else 1

    @property
    def geometry(self) -> Geometry:
        """The spaces of its map."""
        axes = (("lane", LANES), ("column", self.columns), ("bit", 32))
        tmem = Space("tmem", (("cta", self.ctas), *axes) if self.apart else axes)
        scales = (("row", self.rows), ("block", self.shape.form.vector), ("bit", 8))
        halved = (("half", self.halves), *scales) if self.halves > 1 else scales
        return Geometry(tmem, Space("scales", halved), 8)

    def tags(self) -> Integers:
        """The tag of every byte, int64[cta, lane, column, byte]: copies have one tag."""
        cta, lane, column, byte = np.indices((self.ctas, LANES, self.columns, BYTES))
        group = cta * self.groups + lane // (LANES // self.groups)
        row = group * THREADS + lane % THREADS
        found: Integers = (row * self.columns + column) * BYTES + byte
        return found


@dataclass(frozen=True)
class Copy:
    """The effect of changing one of the four copies of the scales.

    Attributes:
        lanes: Its first lane.
        counts: Elements of D in each 32 lanes that show the other scale.
        ignored: Those that show the scale of the other copies.
        missing: Those that show no product.
    """

    lanes: int
    counts: tuple[int, ...]
    ignored: tuple[int, ...]
    missing: tuple[int, ...]

    def __str__(self) -> str:
        if not any(self.counts) and not any(self.ignored):
            return "no product is made"
        both = zip(self.counts, self.ignored, strict=True)
        return "; ".join(
            f"lanes {THREADS * at} to {THREADS * at + THREADS - 1} of D: {one} of {one + other} "
            "elements have its scale"
            for at, (one, other) in enumerate(both)
            if one + other
        )


@dataclass(frozen=True, eq=False)
class ScaleReading(TagReading):
    """The tags of scales, and what the copies do.

    Attributes:
        asked: The scales.
        copies: Products in which one copy differs.
        hazards: The device's reports about those, in words; a GPU reports none.
    """

    asked: Asked | None = None
    copies: tuple[Copy, ...] = field(default=())
    hazards: tuple[str, ...] = field(default=())


def _code(vector: int, digit: Integers) -> Integers:
    """Scales that are digits: powers of two, or small integers for scale_vec::4X."""
    return codes("e4m3", digit) if vector == 4 else ONE[vector] + digit


def _digit(vector: int, shown: Integers) -> Integers:
    """Digits of whole numbers; -1 for what is none."""
    if vector == 4:
        return np.where(shown < BASE, shown, -1)
    power = np.log2(np.maximum(shown, 1)).astype(np.int64)
    return np.where((shown > 0) & (1 << power == shown) & (power < BASE), power, -1)


def _place(cases: Cases, asked: Asked, held: Integers, k: int | range) -> None:
    """Add the case in which bytes hold these scales and A has ones at k alone."""
    shape, given = cases.shape, cases.empty()
    words = np.ascontiguousarray(held.astype(np.uint8)).view(np.uint32)[..., 0]
    first = SFB_COLUMN if asked.of_b else SFA_COLUMN
    given[:, :, first : first + asked.columns] = words
    a = np.zeros((shape.rows, shape.depth), np.int64)
    a[:, k] = 1
    image, near, far = image_of(shape, a, np.ones((shape.columns, shape.depth), np.int64))
    cases.add(image, near, far, given)


def _of_rows(asked: Asked, d: Integers) -> Integers:
    """Each scale as D shows it, int64[case, half * row]; -1 where the elements of D disagree."""
    lines = d
    if asked.of_b:
        halves = d.reshape(len(d), asked.halves, -1, asked.rows)
        lines = halves.swapaxes(-1, -2).reshape(len(d), asked.halves * asked.rows, -1)
    return np.where(np.all(lines == lines[..., :1], axis=-1), lines[..., 0], -1)


def read_scales(state: State, asked: Asked, named: Named) -> tuple[Integers, int]:
    """Which scale each bit of tensor memory is.

    Returns:
        int64[cta * lane * column * 32], and the number of products.
    """
    shape, vector = asked.shape, asked.shape.form.vector
    tags, block = asked.tags(), shape.depth // vector
    passes = 1
    while BASE**passes <= tags.max():
        passes += 1
    ends = [k for first in range(0, shape.depth, block) for k in (first, first + block - 1)]
    cases = Cases(shape)
    for digit in split(tags, BASE, passes):
        for k in ends:
            _place(cases, asked, _code(vector, digit), k)
    rows = _of_rows(asked, matrix_of(cases.run(state), named))
    shown = _digit(vector, rows).reshape(passes + 1, vector, 2, asked.halves * asked.rows)
    of = joined(list(shown), BASE)  # [block, end, row]
    products, first = len(cases.images) + vector, of[:, 0]
    good = np.all(of == first[:, None]) and first.min() >= 0 and first.max() <= tags.max()
    if not good or np.unique(first).size < first.size:  # no byte is the scale of two
        return np.full(tags.size * 8, NO_CELL, np.int64), products
    found = np.full(tags.max() + 1, UNREAD, np.int64)
    found[first] = np.arange(asked.halves * asked.rows) * vector + np.arange(vector)[:, None]
    element = found[tags]
    if not _whole_blocks(state, asked, named, np.where(element >= 0, element % vector, -1)):
        return np.full(tags.size * 8, NO_CELL, np.int64), products
    bits = np.where(element[..., None] >= 0, element[..., None] * 8 + np.arange(8), UNREAD)
    return bits.reshape(-1), products


def _whole_blocks(state: State, asked: Asked, named: Named, of: Integers) -> bool:
    """Whether every k between the first and the last one of a block has the scale of the block.

    All k of a block of A are one, and the scales of that block are two: each of its products is.

    Args:
        state: The device and the text.
        asked: The scales.
        named: The elements of D.
        of: int64[cta, lane, column, byte], the block that a byte scales, or -1.
    """
    shape, vector = asked.shape, asked.shape.form.vector
    block, two = shape.depth // vector, _code(vector, np.array(2 if vector == 4 else 1))
    cases = Cases(shape)
    for j in range(vector):
        held = np.where(of == j, two, ONE[vector])
        _place(cases, asked, held, range(j * block, (j + 1) * block))
    d = matrix_of(cases.run(state), named)
    return bool(np.all(d == 2 * block))


def read_copies(state: State, asked: Asked, named: Named) -> tuple[Copy, ...]:
    """Return the effect of scales of two in 32 lanes, with all others one."""
    vector = asked.shape.form.vector
    cases = Cases(asked.shape)
    for copy in range(COPIES):
        held = np.full((LANES, asked.columns, BYTES), ONE[vector], np.int64)
        held[THREADS * copy :][:THREADS] = codes("e4m3", 2) if vector == 4 else ONE[vector] + 1
        _place(cases, asked, held, 0)
    shown = cases.run(state)
    used = (named.row >= 0) & (named.column >= 0)

    def counts(chosen: NDArray[np.bool_]) -> tuple[int, ...]:
        own = (chosen & used).reshape(-1, COPIES, THREADS, shown.words.shape[-1])
        return tuple(int(each) for each in own.sum(axis=(0, 2, 3)))

    return tuple(
        Copy(THREADS * copy, counts(d == 2), counts(d == 1), counts((d != 1) & (d != 2)))
        for copy, d in enumerate(shown.numbers)
    )


def read(state: State, variant: str, asked: Asked) -> ScaleReading:
    """Everything that is asked of the scales of one operand."""
    named = name_elements(state, asked.shape)
    received, products = read_scales(state, asked, named)
    before = len(state.device.hazards)
    copies = read_copies(state, asked, named)
    hazards = {str(each.sentence): None for each in state.device.hazards[before:]}
    return ScaleReading(
        variant=variant,
        pattern="tagged columns",
        description="a number in each byte of the scales' columns, the same in all copies; A with "
        "a one at the first and at the last k of a block, B of ones",
        warps=COPIES * asked.shape.form.ctas,
        passes=products + len(copies),
        received=received,
        offered=np.arange(asked.geometry.source.size),
        asked=asked,
        copies=copies,
        hazards=tuple(hazards),
    )


class Scales(TaggedMoves):
    """Explains which scale each byte of tensor memory is, and what each copy is for."""

    def __init__(self, asked: Mapping[str, Asked]) -> None:
        """Describe the variants."""
        words = Words("byte of tensor memory", "scale", "not read")
        geometry = {name: each.geometry for name, each in asked.items()}
        super().__init__(geometry, BitTags(1), words, 0)

    def explain(self, readings: Sequence[TagReading]) -> Finding:
        """The map, and what the copies do."""
        found = super().explain(readings)
        own = [each for each in readings if isinstance(each, ScaleReading)]
        told = {
            f"another scale on lanes {copy.lanes} to {copy.lanes + THREADS - 1}": str(copy)
            for each in own
            for copy in each.copies
        }
        facts: dict[str, object] = {**found.facts, "copies": told}
        hazards = [sentence for each in own for sentence in each.hazards]
        if hazards:
            facts["hazards_of_copies"] = hazards
        return replace(found, facts=facts)

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        spaces = self.geometry[readings[0].variant]
        scales = spaces.source.size // 8
        folded = any(
            isinstance(each, ScaleReading) and each.asked and each.asked.folded for each in readings
        )
        yield Certificate(
            "each byte of the scales' columns, with its copies, is any scale, or not read",
            spaces.destination.size // 8 // (2 if folded else COPIES),
            scales + 1,
            scales + 1,
            True,
        )
        copies = 2 if folded else COPIES
        yield Certificate(
            "which of the copies is read",
            1,
            copies,
            1,
            False,
            f"{copies} groups of 32 lanes that hold the same",
            "products in which one copy differs: a GPU answers them, and on the emulator they are "
            "hazards",
        )
        yield Certificate(
            "which row, column and block of k have a number",
            1,
            2,
            1,
            False,
            f"renamings of rows, of columns, and of k within a block; they are named by {NAMED_BY}"
            "; the first and the last k of a block have its scale, so blocks are not renamed",
            "none: no input can split it",
        )
