"""A in tensor memory: which bits of it are which element, by products with identities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lanemap.probing.probe import State
from lanemap.probing.tags.bits import NO_CELL
from lanemap.probing.tensor_core.kernel import A_COLUMN, HOLDERS, STEP_BYTES, Shape
from lanemap.probing.tensor_core.launches import (
    Cases,
    Words,
    image_of,
    matrix_of,
    name_elements,
)
from lanemap.probing.tmem.forms import LANES
from lanemap.probing.warp.tagged import UNREAD
from lanemap.probing.wgmma.elements import WIDTHS, Integers, codes, digits, joined, value

#: Columns of tensor memory that one step of A takes.
STEP_COLUMNS = STEP_BYTES // 4
#: A bit of a holder that is no bit of its element.
NO_BIT = -1


def columns_of(kind: str) -> int:
    """N: two identities side by side, of those N that every form has."""
    return max(2 * 8 * STEP_BYTES // HOLDERS[kind], 64)


def places(shape: Shape) -> tuple[int, ...]:
    """Places of elements of A in tensor memory: cta, lane, column, part of the column."""
    return shape.form.ctas, LANES, STEP_COLUMNS, 32 // HOLDERS[shape.form.kind]


def words_of(shape: Shape, held: Integers) -> Words:
    """Columns of tensor memory from the contents of each place, the first in the low bits."""
    bits = HOLDERS[shape.form.kind]
    shifts = bits * np.arange(32 // bits)
    joint = (held.reshape(places(shape)).astype(np.uint64) << shifts.astype(np.uint64)).sum(-1)
    words: Words = joint.astype(np.uint32)
    return words


def identities(shape: Shape) -> Integers:
    """B: an identity in the first columns, and another in the first ones of the second half."""
    found = np.zeros((shape.columns, shape.depth), np.int64)
    for first in (0, shape.columns // 2):
        found[first : first + shape.depth] = np.eye(shape.depth, dtype=np.int64)
    return found


def with_a(cases: Cases, held: Integers) -> None:
    """Add the case with these contents of the places of A."""
    shape, given = cases.shape, cases.empty()
    given[:, :, A_COLUMN : A_COLUMN + STEP_COLUMNS] = words_of(shape, held)
    image, _, far = image_of(shape, np.zeros((shape.rows, shape.depth), int), identities(shape))
    cases.add(image, 0, far, given)


def bits_of_holder(shown: Words, kind: str, holder: int) -> Integers:
    """The bit of an element that each bit of its holder is.

    Args:
        shown: uint32[holder bit, ..], f32 results where all bits of every holder but one are set.
        kind: The element's type.
        holder: Bits of a holder.

    Returns:
        int64[holder bit]; NO_BIT for those that change nothing.
    """
    width = WIDTHS[kind]
    every = (1 << width) - 1
    without = value(kind, np.array([every, *(every & ~(1 << bit) for bit in range(width))]))
    seen = np.ascontiguousarray(shown).view(np.float32).reshape(holder, -1)
    found = np.full(holder, NO_BIT - 1, np.int64)
    for number, each in enumerate(seen):
        bit = np.flatnonzero(without == each[0])
        if bit.size and np.all(each == each[0]):
            found[number] = bit[0] - 1
    return found


def element_bits(state: State, shape: Shape) -> Integers:
    """The bit of an element that each bit of a place is, int64[bits of a place]."""
    holder, width = HOLDERS[shape.form.kind], WIDTHS[shape.a]
    if width == holder:
        return np.arange(holder)
    cases = Cases(shape)
    for bit in range(holder):
        with_a(cases, np.full(places(shape), (1 << holder) - 1 & ~(1 << bit)))
    shown = cases.run(state)
    named = name_elements(state, replaced(shape))
    of_k = named.column % (shape.columns // 2)
    used = (named.row >= 0) & (named.column >= 0) & (of_k < shape.depth)
    return bits_of_holder(shown.words[:, used], shape.a, holder)


def replaced(shape: Shape) -> Shape:
    """The same product with A in shared memory, which names the elements of D."""
    return replace(shape, form=replace(shape.form, tensor=False), a=shape.b)


def read_a(state: State, shape: Shape) -> tuple[Integers, int]:
    """Which bit of A each bit of tensor memory is.

    Returns:
        int64[bits of the columns of A], and the products that its tags take.
    """
    inside = element_bits(state, shape)
    holder, width = inside.size, WIDTHS[shape.a]
    numbers = np.arange(np.prod(places(shape)))
    shown = digits(shape.a, numbers)
    cases = Cases(shape)
    for digit in shown:
        code = codes(shape.a, digit)
        with_a(cases, sum((code >> j & 1) << bit for bit, j in enumerate(inside) if j >= 0))
    d = matrix_of(cases.run(state), name_elements(state, replaced(shape)))
    of = joined(shape.a, list(d))
    found = np.full((numbers.size, holder), UNREAD, np.int64)
    element = np.arange(shape.rows * shape.depth).reshape(shape.rows, shape.depth)
    for first in (0, shape.columns // 2):
        place = of[:, first : first + shape.depth]
        good = (place >= 0) & (place < numbers.size)
        tags = np.where(inside >= 0, element[good][:, None] * width + inside, UNREAD)
        tags[:, inside < NO_BIT] = NO_CELL
        before = found[place[good]]
        differ = np.any((before != UNREAD) & (before != tags), axis=1) | ~good.all()
        found[place[good]] = np.where(differ[:, None], NO_CELL, tags)
    if not np.any(found != UNREAD):
        found[:] = NO_CELL
    taken = len(shown) - 1  # the last one checks the others
    return found.reshape(-1), taken + (holder if holder > width else 0)
