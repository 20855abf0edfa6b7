"""Launches of one tcgen05.mma: cases with images of memories, and D of each as it lies."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lanemap.probing.probe import State
from lanemap.probing.tags.bits import CONSTANT_0, NO_CELL
from lanemap.probing.tensor_core.kernel import (
    FIRST_GIVEN,
    GIVEN_COLUMNS,
    IMAGE_UNIT,
    SFA_COLUMN,
    STEP_BYTES,
    Shape,
)
from lanemap.probing.tmem.forms import CTA_THREADS, LANES
from lanemap.probing.warp.tagged import LOST
from lanemap.probing.wgmma.elements import Bytes, Integers, digits, joined, operand, whole

Words = NDArray[np.uint32]
#: Bytes from 8 rows of an operand to the next. With a gap, so that no tile of a probe of
#: descriptors, nor a mutant of one, is the layout that names rows, columns and k.
STRIDE = 8 * STEP_BYTES + 128
#: Bytes for A, which lies first in an image.
A_BYTES = LANES // 8 * STRIDE
#: Dynamic shared memory begins at a multiple of this, behind what a kernel declares.
ALIGNMENT = 1024
#: What a column holds before a product: of a word, every bit is one.
PATTERN = np.uint32(0xFFFFFFFF)
#: The code of one as a scale: UE4M3 for scale_vec::4X, else UE8M0.
ONE = {0: 0, 1: 127, 2: 127, 4: 0x38}

assert FIRST_GIVEN % 8 == 0 and GIVEN_COLUMNS % 4 == 0


@dataclass(frozen=True, eq=False)
class Shown:
    """D's columns after a launch.

    Attributes:
        shape: The instruction.
        words: uint32[case, cta, lane, column].
        undefined: bool[case, cta, lane, column, 32]; None if the device cannot know.
        changed_elsewhere: Words behind D's columns that no longer are the pattern.
    """

    shape: Shape
    words: Words
    undefined: NDArray[np.bool_] | None
    changed_elsewhere: int

    @property
    def numbers(self) -> Integers:
        """The words as whole numbers, int64[case, cta, lane, column]; -1 for what is none."""
        if self.shape.d == "f16":
            return whole("f16", self.words.astype(np.uint16))
        return whole(self.shape.d, self.words)

    def bits(self, kept: int) -> Integers:
        """Contents of bits that received no element, int64[cta, lane, column, 32].

        Args:
            kept: The tag of a bit that no case changed.

        Returns:
            Tags as `BitTags.identify` gives them; LOST where the device says so.
        """
        bits = self.words[..., None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
        found = np.where(np.all(bits == 1, 0), kept, NO_CELL)  # of the pattern each bit is one
        found = np.where(np.all(bits == 0, 0), CONSTANT_0, found)
        return found if self.undefined is None else np.where(self.undefined.all(0), LOST, found)


@dataclass
class Cases:
    """Cases of one form that a launch runs side by side; all have as many columns of D."""

    shape: Shape
    images: list[Bytes] = field(default_factory=list)
    given: list[Words] = field(default_factory=list)
    operands: list[tuple[int, int, int]] = field(default_factory=list)

    def empty(self) -> Words:
        """The words of a case without A: scales of one, uint32[cta, lane, column]."""
        found = np.zeros((self.shape.form.ctas, LANES, GIVEN_COLUMNS), np.uint32)
        found[:, :, SFA_COLUMN:] = ONE[self.shape.form.vector] * 0x01010101
        return found

    def add(self, image: Bytes, a: int, b: int, given: Words | None = None) -> None:
        """Add a case.

        Args:
            image: uint8[cta, bytes].
            a: Descriptor of A without the address of the image.
            b: Matrix B.
            given: uint32[cta, lane, column]; None for scales of one.
        """
        self.images.append(image)
        self.given.append(self.empty() if given is None else given)
        self.operands.append((a, b, self.shape.descriptor))

    def run(self, state: State, behind: int = 0) -> Shown:
        """D's columns of every case.

        Args:
            state: The device and the text.
            behind: How many columns behind those of D are looked at, a multiple of 8; fewer where
                those of the operands begin.
        """
        device, ctas = state.device, self.shape.form.ctas
        passes = len(self.images) * ctas
        size = -(-max(each.shape[1] for each in self.images) // IMAGE_UNIT) * IMAGE_UNIT
        images = np.zeros((len(self.images), ctas, size), np.uint8)
        for number, image in enumerate(self.images):
            images[number, :, : image.shape[1]] = image
        operands = np.zeros((len(self.images), 4), np.uint64)
        operands[:, :3] = np.array(self.operands, np.uint64)
        own = self.shape.d_columns
        columns = min(own + behind, FIRST_GIVEN)
        output = device.zeros((passes, LANES, columns), np.uint32)
        arguments = [
            device.array(images),
            device.array(np.stack(self.given)),
            device.array(operands),
            output,
            device.array(np.array([size, columns], np.uint32)),
            np.uint32(0),
            np.uint32(0),
        ]
        entry = state.entry(self.shape.form.name)
        cluster = {"cluster": (ctas, 1, 1)} if ctas > 1 else {}
        entry(
            (passes, 1, 1), (CTA_THREADS, 1, 1), arguments, shared_bytes=size + ALIGNMENT, **cluster
        )
        undefined, space = output.undefined(), (len(self.images), ctas, LANES, columns)
        bits = None if undefined is None else undefined.reshape(*space, 32)[..., :own, :]
        words = output.get().reshape(space)
        elsewhere = int(np.any(words[..., own:] != PATTERN, axis=0).sum())
        return Shown(self.shape, words[..., :own], bits, elsewhere)


@dataclass(frozen=True, eq=False)
class Named:
    """Row and column of each word of D.

    Attributes:
        row: int64[cta, lane, column], -1 where the readings name none.
        column: The same of columns.
        shown: The readings.
    """

    row: Integers
    column: Integers
    shown: Shown


def image_of(shape: Shape, a: Integers, b: Integers) -> tuple[Bytes, int, int]:
    """An image with both operands in the reference layout, and their descriptors.

    Args:
        shape: The instruction.
        a: Small integers [row, k] of the whole A; each CTA holds its share of the rows.
        b: The same of B.
    """
    ctas = shape.form.ctas
    rows, columns = len(a) // ctas, len(b) // ctas
    image = np.zeros((ctas, A_BYTES + columns // 8 * STRIDE), np.uint8)
    near = far = 0
    for cta in range(ctas):
        near = operand(image[cta], shape.a, a[cta * rows :][:rows], 0, STRIDE)
        far = operand(image[cta], shape.b, b[cta * columns :][:columns], A_BYTES, STRIDE)
    # Bits 46 to 48 of a descriptor of tcgen05 are 0b001.
    return image, near | 1 << 46, far | 1 << 46


def name_elements(state: State, shape: Shape, behind: int = 0) -> Named:
    """Row and column of each word of D, by the reference layout of both operands.

    Args:
        state: The device and the text.
        shape: The instruction.
        behind: Columns behind those of D that are looked at, as for `Cases.run`.
    """
    rows = digits(shape.a, np.arange(shape.rows))
    columns = digits(shape.b, np.arange(shape.columns))
    cases = Cases(shape)
    for digit in rows:
        _add_product(cases, digit, np.ones(shape.columns, np.int64))
    for digit in columns:
        _add_product(cases, np.ones(shape.rows, np.int64), digit)
    shown = cases.run(state, behind)
    d, split = list(shown.numbers), len(rows)
    row, column = joined(shape.a, d[:split]), joined(shape.b, d[split:])
    named = (row >= 0) & (row < shape.rows) & (column >= 0) & (column < shape.columns)
    return Named(np.where(named, row, -1), np.where(named, column, -1), shown)


def _add_product(cases: Cases, lines: Integers, columns: Integers) -> None:
    """Add the case whose D is the outer product: only k = 0 has elements."""
    shape = cases.shape
    a = np.zeros((shape.rows, shape.depth), np.int64)
    b = np.zeros((shape.columns, shape.depth), np.int64)
    a[:, 0], b[:, 0] = lines, columns
    cases.add(*image_of(shape, a, b))


def matrix_of(d: Shown, names: Named) -> Integers:
    """D of cases as matrices int64[case, row, column]; -1 where no word has the name."""
    shape, row, column = d.shape, names.row, names.column
    found = np.full((len(d.words), shape.rows, shape.columns), -1, np.int64)
    named = row >= 0
    found[:, row[named], column[named]] = d.numbers[:, named]
    return found
