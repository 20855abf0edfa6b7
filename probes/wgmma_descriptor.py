"""Descriptors of wgmma: which element each byte of shared memory holds, and what each field does.

Every major and swizzle that wgmma has, for 32-, 16- and 8-bit elements. The dense tile of a layout
is read as B and, where it has the 64 rows of A, as A; further descriptors vary LBO, SBO, the start
address and the base offset.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.wgmma.elements import Integers, codes, digits, joined, operand, store
from lanemap.probing.wgmma.kernel import ROWS, Form, source
from lanemap.probing.wgmma.launches import Cases, matrix_of, name_elements
from lanemap.probing.wgmma.layouts import (
    SWIZZLES,
    DescriptorReading,
    Fields,
    Layouts,
    dense_reading,
    tile_spaces,
    varied_reading,
)

KINDS = {32: "tf32", 16: "f16", 8: "e4m3"}
# The tested operand comes first in an image.
TESTED_BYTES = 32768
OTHER_COLUMNS = 32


def variants() -> dict[str, tuple[bool, str, int]]:
    """Major, swizzle and width of each layout, by the variant's name."""
    found = {}
    for swizzle in SWIZZLES:
        for bits in KINDS:
            for mn in (False, True) if bits == 16 else (False,):
                major = "mn" if mn else "k"
                found[f"shared.{major}_major.{swizzle}.{bits}bit"] = (mn, swizzle, bits)
    return found


VARIANTS = variants()


def form_of(bits: int, mn: bool, of_a: bool, columns: int) -> Form:
    """The form that reads the tested operand as A or as B."""
    kind = KINDS[bits]
    return Form(columns, "f32", kind, kind, a_mn=mn and of_a, b_mn=mn and not of_a)


def columns_of(mn: bool, swizzle: str, bits: int, of_a: bool) -> int:
    """N: the rows of the tile where it is B, K where B is an identity."""
    return 256 // bits if of_a else SWIZZLES[swizzle].dense_tile(mn, bits)[0]


def varied_columns(mn: bool, swizzle: str, bits: int, of_a: bool) -> int:
    """The same for descriptors with other fields, of which a K-major B needs fewer rows."""
    return columns_of(mn, swizzle, bits, of_a) if mn or of_a else OTHER_COLUMNS


def forms() -> tuple[Form, ...]:
    """Every form of the probe; those that name the elements of D come with them."""
    found = []
    for mn, swizzle, bits in VARIANTS.values():
        for of_a in (False, True):
            for n in (columns_of(mn, swizzle, bits, of_a), varied_columns(mn, swizzle, bits, of_a)):
                found += [form_of(bits, mn, of_a, n), form_of(bits, False, False, n)]
    return tuple(dict.fromkeys(found))


SOURCE = source(forms())
ANALYSIS = Layouts(
    {
        name: tile_spaces(*SWIZZLES[swizzle].dense_tile(mn, bits)[:2], bits)
        for name, (mn, swizzle, bits) in VARIANTS.items()
    }
)


def read(state: State, fields: list[Fields], of_a: bool, columns: int) -> Integers:
    """The bit that each element of an operand comes from, int64[descriptor, line, k]."""
    first = fields[0]
    form = form_of(first.bits, first.mn, of_a, columns)
    names = name_elements(state, form_of(first.bits, False, False, columns))
    kind, depth = KINDS[first.bits], form.depth
    tags = np.arange(TESTED_BYTES * 8 // first.bits)
    shown = digits(kind, tags)
    other = columns if of_a else ROWS
    cases = Cases(form)
    for digit in shown:
        image = np.zeros(TESTED_BYTES + 2048, np.uint8)
        store(image, kind, tags * first.bits, codes(kind, digit))
        identity = operand(image, kind, np.eye(other, depth, dtype=np.int64), TESTED_BYTES)
        for each in fields:
            pair = (each.descriptor, identity) if of_a else (identity, each.descriptor)
            cases.add(image, *pair)
    d = matrix_of(cases.run(state), names, columns)
    d = d[:, :, :depth] if of_a else d[:, :depth].swapaxes(1, 2)
    split = d.reshape(len(shown), len(fields), *d.shape[1:])
    found = joined(kind, list(split))
    return np.where(found >= 0, found * first.bits, -1)


def dense(state: State, name: str, of_a: bool) -> DescriptorReading | None:
    """The reading of a dense tile; None where A has more rows than it."""
    mn, swizzle, bits = VARIANTS[name]
    rows, depth, leading, stride = SWIZZLES[swizzle].dense_tile(mn, bits)
    lines, step = (ROWS if of_a else rows), 256 // bits
    if rows % lines:
        return None
    fields = Fields(mn, swizzle, bits, 0, leading, stride)
    columns = columns_of(mn, swizzle, bits, of_a)
    return dense_reading(
        name,
        "A" if of_a else "B",
        (rows, depth),
        (lines, step),
        fields,
        lambda blocks: read(state, blocks, of_a, columns),
    )


def fields_of(mn: bool, swizzle: str, bits: int) -> list[Fields]:
    """Descriptors that vary one field after another."""
    _, _, leading, stride = SWIZZLES[swizzle].dense_tile(mn, bits)
    varied = [
        (0, leading, stride, 0),
        (16, 2048, 1152, 0),
        (48, 1152, 2048, 0),
        (1024 + 128, 512, 1024, 0),
        (1024 + 128, 512, 1024, 1),
        (3 * 128 + 32, 1024, 512, 3),
        (5 * 128, 4096, 768, 6),
    ]
    # An operand from each row of the pattern on, which begins at 0 or, by the base offset, there.
    for row in range(1, SWIZZLES[swizzle].mask + 1):
        start = 128 * row + 32 * (row % 4)
        varied += [(start, leading, stride, 0), (start, leading, stride, row)]
    return [Fields(mn, swizzle, bits, *each) for each in varied]


@axis("layout", tuple(VARIANTS))
@probe("shared", target="sm_90a", source=SOURCE, analysis=ANALYSIS)
def wgmma_descriptor(state: State) -> list[DescriptorReading]:
    """Which element does each byte of shared memory hold, and what does each field say?"""
    name = str(state["layout"])
    mn, swizzle, bits = state.choose("layout", VARIANTS)
    found = [each for of_a in (False, True) if (each := dense(state, name, of_a)) is not None]
    varied = fields_of(mn, swizzle, bits)
    for of_a in (False, True):
        columns = varied_columns(mn, swizzle, bits, of_a)
        for fields, seen in zip(varied, read(state, varied, of_a, columns), strict=True):
            found.append(varied_reading(name, "A" if of_a else "B", fields, seen))
    return found
