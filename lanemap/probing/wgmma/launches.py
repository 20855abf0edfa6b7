"""Launches of one wgmma: cases with images of shared memory and registers of A, and D of each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lanemap.probing.probe import State
from lanemap.probing.wgmma.elements import (
    Bytes,
    Integers,
    digits,
    joined,
    operand,
    results,
)
from lanemap.probing.wgmma.kernel import GIVEN_REGISTERS, ROWS, THREADS, Form

#: Bytes for A, which lies first in an image.
A_BYTES = 2048
#: An image is a multiple of this.
IMAGE_UNIT = 2048


@dataclass
class Cases:
    """Cases of one form that a launch runs side by side."""

    form: Form
    images: list[Bytes] = field(default_factory=list)
    descriptors: list[tuple[int, int]] = field(default_factory=list)
    a: list[NDArray[np.uint32]] = field(default_factory=list)

    def add(self, image: Bytes, a: int | NDArray[np.uint32], b: int) -> None:
        """Add a case with A at a descriptor, or in registers uint32[thread, 4]."""
        held = np.zeros((THREADS, GIVEN_REGISTERS), np.uint32)
        if not isinstance(a, int):
            held[:, : a.shape[1]] = a
        self.images.append(image)
        self.descriptors.append((a if isinstance(a, int) else 0, b))
        self.a.append(held)

    def run(self, state: State) -> Integers:
        """D of every case as integers, int64[case, thread, element]."""
        device, count = state.device, len(self.images)
        size = -(-max(map(len, self.images)) // IMAGE_UNIT) * IMAGE_UNIT
        images = np.zeros((count, size), np.uint8)
        for number, image in enumerate(self.images):
            images[number, : len(image)] = image
        c = device.zeros((count, THREADS, self.form.d_registers), np.uint32)
        d = device.zeros((count, THREADS, self.form.d_registers), np.uint32)
        state.entry(self.form.name)(
            (count, 1, 1),
            (THREADS, 1, 1),
            [
                device.array(images),
                device.array(np.array(self.descriptors, np.uint64)),
                device.array(np.stack(self.a)),
                c,
                d,
                np.uint32(size),
                np.uint32(count),
                np.uint32(0),
            ],
            shared_bytes=size,
        )
        return results(self.form.d, d.get()).reshape(count, THREADS, -1)


def name_elements(state: State, form: Form) -> tuple[Integers, Integers]:
    """Row and column of each element of D, by the reference layout of both operands.

    Returns:
        int64[thread, element] of rows and of columns; -1 where the readings name none.
    """
    row_tags = np.arange(ROWS)
    column_tags = np.arange(form.n)
    kinds = (form.a, form.b)
    rows, columns = digits(kinds[0], row_tags), digits(kinds[1], column_tags)
    cases = Cases(form)
    for digit in rows:
        _add_product(cases, digit, np.ones(form.n, np.int64))
    for digit in columns:
        _add_product(cases, np.ones(ROWS, np.int64), digit)
    d = cases.run(state)
    row = joined(kinds[0], list(d[: len(rows)]))
    column = joined(kinds[1], list(d[len(rows) :]))
    named = (row >= 0) & (row < ROWS) & (column >= 0) & (column < form.n)
    return np.where(named, row, -1), np.where(named, column, -1)


def _add_product(cases: Cases, lines: Integers, columns: Integers) -> None:
    """Add the case whose D is the outer product: only k = 0 has elements."""
    form = cases.form
    size = A_BYTES + form.n * 32
    image = np.zeros(-(-size // IMAGE_UNIT) * IMAGE_UNIT, np.uint8)
    a, b = np.zeros((ROWS, form.depth), np.int64), np.zeros((form.n, form.depth), np.int64)
    a[:, 0], b[:, 0] = lines, columns
    near = operand(image, form.a, a, 0)
    cases.add(image, near, operand(image, form.b, b, A_BYTES))


def matrix_of(d: Integers, names: tuple[Integers, Integers], columns: int) -> Integers:
    """D of cases as matrices int64[case, row, column]; -1 where no element has the name."""
    row, column = names
    found = np.full((len(d), ROWS, columns), -1, np.int64)
    named = row >= 0
    found[:, row[named], column[named]] = d[:, named]
    return found
