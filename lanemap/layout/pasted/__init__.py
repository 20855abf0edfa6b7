"""Layouts as people paste them: CuTe, Triton, Gluon, matrices over F2."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap, Space
from lanemap.layout.f2 import map_from_f2
from lanemap.layout.pasted import cute, triton
from lanemap.layout.pasted.cute import CuteText

__all__ = ["CuteText", "Pasted", "is_layout", "read"]

_BITS = re.compile(r"\s*(?:[fF]2\s*)?[\[(]*\s*[01][\s01,;\[\]()]*")
MOST_F2_BITS = 20


@dataclass(frozen=True, eq=False)
class Pasted:
    """A layout that somebody pasted.

    Attributes:
        kind: "cute", "triton" or "f2".
        layout: The map, as it is drawn.
        words: How it was read, in a sentence.
        text: The CuTe layout; None of others.
    """

    kind: str
    layout: LayoutMap
    words: str
    text: CuteText | None = None


def is_layout(text: str) -> bool:
    """Whether a text is a layout rather than the name of one."""
    return _is_cute(text) or triton.is_triton(text) or _is_matrix(text)


def _is_cute(text: str) -> bool:
    start = text.strip()
    if _is_matrix(start):
        return False
    return bool(
        re.match(r"\(|_?\d+\s*:|(?:cute::)?Sw(?:izzle)?\s*<|(?:cute(?:::|\.))?(?:Composed)?Layout\s*<"
                 r"|(?:cute(?:::|\.))?make_layout\s*\(", start)
    )  # fmt: skip


def _is_matrix(text: str) -> bool:
    """Whether it is rows of zeros and ones."""
    return bool(_BITS.fullmatch(text)) and bool(re.search(r"[;\n]|\]\s*,|^\s*[fF]2", text))


def read(text: str, shape: tuple[int, int] | None = None, row_major: bool = False) -> Pasted:
    """Read a layout.

    Args:
        text: The layout.
        shape: Rows and columns of the matrix that a CuTe layout's value counts, which then says
            who holds each element (the first mode is the thread, the others the values in it); or
            the shape of a tensor whose Triton layout does not say it.
        row_major: Whether the value of such a CuTe layout counts the last coordinate the fastest.

    Raises:
        UserError: The text is none, or the shape does not fit.
    """
    if _is_matrix(text):
        words = "A label is the value: matrix x bits of the coordinate over F2, the lowest first."
        return Pasted("f2", _matrix(text), words)
    if triton.is_triton(text):
        found = triton.read(text, shape)
        return Pasted("triton", found, "Read as a layout of Triton.")
    if not _is_cute(text):
        raise UserError(
            f"{text[:60]!r} is no layout; paste CuTe's (4,8):(8,1), Triton's #ttg.linear<{{..}}>, "
            "Gluon's DistributedLinearLayout(..) or rows of a matrix over F2 such as 10;01"
        )
    own = cute.read(text)
    if shape is None:
        return Pasted("cute", _drawn(own), _words(own), own)
    order = "last" if row_major else "first"
    words = (
        f"Read as (thread, value) to the index in a {shape[0]} x {shape[1]} matrix, whose {order} "
        "coordinate is the fastest."
    )
    return Pasted("cute", held(own, shape, row_major), words, own)


def _words(own: CuteText) -> str:
    if own.element_bits and own.swizzle is not None and len(own.modes) == 2:
        return f"Read as the place of elements of {own.element_bits} bits in shared memory."
    if len(own.modes) > 1:
        return "A label is the value; the first mode is down, the others are across."
    return "A label is the value."


def _drawn(own: CuteText) -> LayoutMap:
    """The map that shows a CuTe layout by itself."""
    values = own.values()
    if values.min() < 0:
        raise UserError(f"the layout has the negative value {int(values.min())}")
    most = int(values.max()) + 1
    if own.element_bits and own.swizzle is not None and values.ndim == 2:
        return _in_shared(own, most)
    first = values.shape[0]
    rest = np.moveaxis(values.reshape(first, -1, order="F"), 0, 0)
    axes = (
        (("mode 0", first), ("mode 1", rest.shape[1])) if values.ndim > 1 else (("mode 0", first),)
    )
    table = rest.reshape(-1)
    return LayoutMap(Space("coordinate", axes), Space("value", (("value", most),)), table)


def _in_shared(own: CuteText, most: int) -> LayoutMap:
    """Shared memory that holds a matrix of elements."""
    rows, columns = own.sizes
    bits = own.element_bits
    line = 8 * 128
    total = -(-most * bits // line) * line
    shared = Space("shared", (("byte", total // 8), ("bit", 8)))
    matrix = Space("matrix", (("row", rows), ("column", columns), ("bit", bits)))
    place = own.values().reshape(-1)[:, None] * bits + np.arange(bits)
    return LayoutMap(matrix, shared, place.reshape(-1)).inverse()


def held(own: CuteText, shape: tuple[int, int], row_major: bool = False) -> LayoutMap:
    """Which element of a matrix each value of each thread is.

    Raises:
        UserError: The layout has a value outside the matrix.
    """
    values = own.values()
    rows, columns = shape
    if values.min() < 0 or values.max() >= rows * columns:
        raise UserError(
            f"the layout's value {int(values.max())} is outside a matrix of {rows} x {columns}"
        )
    threads = values.shape[0]
    each = values.reshape(threads, -1, order="F")
    index = each if row_major else each % rows * columns + each // rows
    destination = Space("register", (("lane", threads), ("register", each.shape[1])))
    source = Space("matrix", (("row", rows), ("column", columns)))
    return LayoutMap(destination, source, index.reshape(-1))


def _matrix(text: str) -> LayoutMap:
    """Rows of zeros and ones, the lowest bit of the value first."""
    body = re.sub(r"^\s*[fF]2", "", text)
    lines = [re.sub(r"[^01]", "", line) for line in re.split(r"[;\n]|\]\s*,|\)\s*,", body)]
    rows = [line for line in lines if line]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise UserError("the rows of a matrix over F2 must have one length")
    if width > MOST_F2_BITS or len(rows) > MOST_F2_BITS:
        raise UserError(f"a matrix over F2 of {len(rows)} x {width} has too many cells to be shown")
    matrix = np.array([[int(bit) for bit in row] for row in rows], np.uint8)
    low = (width + 1) // 2
    axes = (("high bits", 1 << (width - low)), ("low bits", 1 << low))
    source = Space("value", (("value", 1 << len(rows)),))
    return map_from_f2(Space("coordinate", axes), source, matrix)
