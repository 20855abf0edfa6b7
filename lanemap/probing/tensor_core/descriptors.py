"""Shared-memory descriptors of tcgen05: their fields, and operands read through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from lanemap.probing.probe import State
from lanemap.probing.tensor_core.kernel import HOLDERS, Form, Shape
from lanemap.probing.tensor_core.launches import STRIDE, Cases, matrix_of, name_elements
from lanemap.probing.wgmma.elements import Integers, codes, digits, joined, operand, store
from lanemap.probing.wgmma.layouts import Fields, Swizzle

SWIZZLES = {
    "none": Swizzle(0, 16, 0), "32b": Swizzle(6, 32, 1), "64b": Swizzle(4, 64, 3),
    "128b": Swizzle(2, 128, 7), "128b_atom32b": Swizzle(1, 128, 3, 5, 4),
}  # fmt: skip
#: Kind and type of elements by their width.
KINDS = {32: ("tf32", "tf32"), 16: ("f16", "f16"), 8: ("f8f6f4", "e4m3"), 4: ("mxf4", "e2m1")}
#: The tested operand comes first in an image.
TESTED_BYTES = 32768


@dataclass(frozen=True)
class TensorFields(Fields):
    """A descriptor of tcgen05."""

    swizzles: ClassVar[Mapping[str, Swizzle]] = SWIZZLES
    bit_by_bit: ClassVar[bool] = True

    @property
    def descriptor(self) -> int:
        """The descriptor without the address of the image; bits 46 to 48 are 0b001."""
        word = self.start >> 4 | self.leading >> 4 << 16 | self.stride >> 4 << 32 | 1 << 46
        return word | self.base << 49 | self.pattern.code << 61


def form_of(bits: int) -> Form:
    """The instruction that reads elements of a width."""
    kind = KINDS[bits][0]
    return Form(kind, vector=2 if kind == "mxf4" else 0)


def lines_of_a(bits: int) -> int:
    """M: packed elements of 4 bits have 128 only."""
    return 128 if bits == 4 else 64


def shape_of(bits: int, columns: int, a_mn: bool = False, b_mn: bool = False) -> Shape:
    """The product that reads an operand of a width."""
    form, element = form_of(bits), KINDS[bits][1]
    return Shape(form, lines_of_a(bits), columns, element, element, a_mn=a_mn, b_mn=b_mn)


def read(state: State, fields: Sequence[TensorFields], of_a: bool, columns: int) -> Integers:
    """The bit that each element of an operand comes from, int64[descriptor, line, k]."""
    first = fields[0]
    bits, element = first.bits, KINDS[first.bits][1]
    shape = shape_of(bits, columns, first.mn and of_a, first.mn and not of_a)
    named = name_elements(state, shape_of(bits, columns))
    tags = np.arange(TESTED_BYTES * 8 // bits)
    shown = digits(element, tags)
    other = columns if of_a else shape.rows
    cases = Cases(shape)
    for digit in shown:
        image = np.zeros((1, TESTED_BYTES + other // 8 * STRIDE), np.uint8)
        store(image[0], element, tags * bits, codes(element, digit))
        identity = np.eye(other, shape.depth, dtype=np.int64)
        unit = operand(image[0], element, identity, TESTED_BYTES, STRIDE) | 1 << 46
        for each in fields:
            cases.add(image, *((each.descriptor, unit) if of_a else (unit, each.descriptor)))
    d = matrix_of(cases.run(state), named)
    d = d[:, :, : shape.depth] if of_a else d[:, : shape.depth].swapaxes(1, 2)
    split = d.reshape(len(shown), len(fields), *d.shape[1:])
    found = joined(element, list(split))
    return np.where(found >= 0, found * bits, -1)


assert all(HOLDERS[kind] == bits for bits, (kind, _) in KINDS.items())
