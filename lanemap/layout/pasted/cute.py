"""CuTe layouts as people paste them: printed, in Python, or as C++ types.

    ((4,8),(2,2)):((32,1),(16,8))                       print_layout, str(layout)
    Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)    print of a ComposedLayout
    Swizzle<3,3,3> o 0 o (_8,_64):(_64,_1)
    Layout<Shape<_8,_64>, Stride<_64,_1>>               C++
    ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<..>>

Conventions are those of CuTe (NVIDIA/cutlass, media/docs/cpp/cute/01_layout.md): a coordinate runs
through a mode's sub-modes colexicographically, the first the fastest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import IntArray
from lanemap.layout.pasted.words import OPENING, Nested, Words, flat
from lanemap.layout.swizzles import Swizzle

WHAT = "CuTe layout"
#: Beginnings of a text that is CuTe's.
STARTS = ("(", "Sw", "Layout", "ComposedLayout", "make_layout", "cute", "_")
MOST_CELLS = 1 << 22


@dataclass(frozen=True)
class CuteText:
    """A layout as swizzle(offset + layout(coordinates)).

    Attributes:
        modes: For each top-level mode its (extent, stride) pairs, the fastest first.
        offset: Added to the layout's value, before the swizzle.
        swizzle: Applied last, or None.
        element_bits: With `smem_ptr[16b]`, the width of an element: the swizzle is then one of byte
            addresses. 0 without it.
    """

    modes: tuple[tuple[tuple[int, int], ...], ...]
    offset: int = 0
    swizzle: Swizzle | None = None
    element_bits: int = 0

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of coordinates of each top-level mode."""
        return tuple(size(mode) for mode in self.modes)

    def values(self) -> IntArray:
        """The value at every coordinate, int64 of shape `sizes`; elements, not bytes."""
        total: Any = np.array(self.offset, dtype=np.int64)
        for mode in self.modes:
            line = np.zeros(1, dtype=np.int64)
            for extent, stride in mode:
                steps = np.arange(extent, dtype=np.int64)[:, None] * stride
                line = (line[None, :] + steps).reshape(-1)
            total = total[..., None] + line
        found: IntArray = total
        return found if self.swizzle is None else self._of_elements(self.swizzle).apply(found)

    def _of_elements(self, swizzle: Swizzle) -> Swizzle:
        """The swizzle of indices of elements, out of one of byte addresses."""
        if not self.element_bits:
            return swizzle
        base = swizzle.base + 3 - (self.element_bits.bit_length() - 1)
        if base < 0:
            raise UserError(
                f"{swizzle} of byte addresses moves parts of an element of {self.element_bits} bits"
            )
        return Swizzle(swizzle.bits, base, swizzle.shift)


def size(mode: tuple[tuple[int, int], ...]) -> int:
    """The number of coordinates of a mode."""
    product = 1
    for extent, _ in mode:
        product *= extent
    return product


def read(text: str) -> CuteText:
    """Read a layout.

    Raises:
        UserError: The text is no layout, an extent is not positive, or it has too many cells.
    """
    words = Words(text, WHAT)
    found = _composed(words) if _is_type(words, "ComposedLayout") else _printed(words)
    words.end()
    cells = 1
    for extent in found.sizes:
        cells *= extent
    if cells > MOST_CELLS:
        raise UserError(f"the layout has {cells:,} cells; at most {MOST_CELLS:,} can be shown")
    return found


def _is_type(words: Words, name: str) -> bool:
    return words.next.split("::")[-1] == name


def _printed(words: Words) -> CuteText:
    """`Sw<3,4,3> o smem_ptr[16b](unset) o offset o layout`, or the layout alone."""
    swizzle, bits, offset = None, 0, 0
    if words.next in ("Sw", "Swizzle", "cute::Swizzle"):
        swizzle = _swizzle(words)
        words.expect("o")
        while words.next not in STARTS[:1] and not _is_type(words, "Layout"):
            if words.next == "smem_ptr":
                bits = _pointer(words)
            else:
                offset = words.integer()
            words.expect("o")
    return CuteText(_layout(words), offset, swizzle, bits)


def _swizzle(words: Words) -> Swizzle:
    words.take()
    words.expect("<")
    parts = words.items(">", words.integer)
    if len(parts) != 3 or parts[0] < 0 or parts[1] < 0 or abs(parts[2]) < parts[0]:
        raise UserError(
            f"Swizzle<{','.join(map(str, parts))}> is none: it has bits, base and shift, "
            "and shifts by at least as many bits as it has"
        )
    return Swizzle(*parts)


def _pointer(words: Words) -> int:
    """`smem_ptr[16b](unset)`: the bits of an element."""
    words.take()
    words.expect("[")
    bits = words.integer()
    if not words.skip("b"):
        raise words.wrong("'b' was expected")
    words.expect("]")
    if words.skip("("):
        while words.next and not words.skip(")"):
            words.take()
    return _element(bits)


def _element(bits: int) -> int:
    if bits < 1 or bits & (bits - 1):
        raise UserError(f"elements of {bits} bits are none; they have a power of two")
    return bits


def _composed(words: Words) -> CuteText:
    words.take()
    words.expect("<")
    swizzle = _swizzle(words)
    words.expect(",")
    bits, offset = 0, 0
    if words.next.split("::")[-1] == "smem_ptr_flag_bits":
        words.take()
        words.expect("<")
        bits = _element(words.integer())
        words.expect(">")
    elif words.next.split("::")[-1] == "smem_ptr_flag":
        words.take()
    else:
        offset = words.integer()
    words.expect(",")
    modes = _layout(words)
    words.expect(">")
    return CuteText(modes, offset, swizzle, bits)


def _layout(words: Words) -> tuple[tuple[tuple[int, int], ...], ...]:
    shape: Nested
    stride: Nested = None
    if _is_type(words, "Layout"):
        words.take()
        words.expect("<")
        shape = _typed(words, "Shape")
        stride = _typed(words, "Stride") if words.skip(",") else None
        words.expect(">")
    elif _is_type(words, "make_layout") or words.next in ("cute.make_layout", "make_layout"):
        words.take()
        words.expect("(")
        shape = words.nested()
        if words.skip(","):
            if words.skip("stride"):
                words.expect("=")
            stride = words.nested()
        words.expect(")")
    else:
        shape = words.nested()
        stride = words.nested() if words.skip(":") else None
    return modes(shape, stride)


def _typed(words: Words, name: str) -> Nested:
    """`Shape<_4,Shape<_2,_2>>`, or an integer."""
    if not _is_type(words, name):
        return words.integer()
    words.take()
    words.expect("<")
    return words.items(OPENING["<"], lambda: _typed(words, name))


def modes(shape: Nested, stride: Nested = None) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The (extent, stride) pairs of each top-level mode.

    Without strides the layout is compact and its first mode the fastest, as CuTe's LayoutLeft.

    Raises:
        UserError: Shape and stride are not of one form, or an extent is not positive.
    """
    extents = flat(shape)
    if not extents or min(extents) < 1:
        raise UserError("each extent of a shape must be positive")
    if stride is None:
        strides = [1, *accumulate(extents[:-1], mul)]
    else:
        if _form(shape) != _form(stride):
            raise UserError(
                "shape and stride are not nested alike: each extent needs a stride in its place"
            )
        strides = flat(stride)
    pairs = iter(zip(extents, strides, strict=True))
    tops = [shape] if isinstance(shape, int) else shape
    return tuple(tuple(next(pairs) for _ in flat(top)) for top in tops)


def _form(value: Nested) -> Any:
    return None if isinstance(value, int) else tuple(_form(each) for each in value)
