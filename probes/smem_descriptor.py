"""Descriptors of tcgen05: which element each part of shared memory holds, and what each field does.

Every major and swizzle of elements of 32, 16, 8 and 4 bits. The dense tile of a layout is read as B
and, where it has the rows of A, as A; further descriptors vary LBO, SBO, the start address and the
base offset. That is the number of the 128-byte row of the pattern where a start address lies, or 0,
where the pattern goes by the address: no source says what others do, so no descriptor has them.
"""

from __future__ import annotations

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tensor_core.descriptors import (
    SWIZZLES,
    TESTED_BYTES,
    TensorFields,
    form_of,
    lines_of_a,
    read,
)
from lanemap.probing.tensor_core.kernel import source
from lanemap.probing.wgmma.layouts import (
    DescriptorReading,
    Layouts,
    dense_reading,
    tile_spaces,
    varied_reading,
)

#: N where a K-major B is read through further descriptors.
OTHER_COLUMNS = 32


def variants() -> dict[str, tuple[bool, str, int]]:
    """Major, swizzle and width by variant: 32 bits are MN-major in atoms of 32 bytes alone."""
    plain = [name for name in SWIZZLES if name != "128b_atom32b"]
    found = [(False, swizzle, bits) for swizzle in plain for bits in (32, 16, 8, 4)]
    found += [(True, swizzle, bits) for swizzle in plain for bits in (16, 8)]
    found.append((True, "128b_atom32b", 32))
    return {
        f"shared.{'mn' if mn else 'k'}_major.{swizzle}.{bits}bit": (mn, swizzle, bits)
        for mn, swizzle, bits in found
    }


VARIANTS = variants()
SOURCE = source(form_of(bits) for _, _, bits in VARIANTS.values())
ANALYSIS = Layouts(
    {
        name: tile_spaces(*SWIZZLES[swizzle].dense_tile(mn, bits)[:2], bits)
        for name, (mn, swizzle, bits) in VARIANTS.items()
    }
)


def columns_of(mn: bool, swizzle: str, bits: int, of_a: bool) -> int:
    """N: the rows of the tile where it is B, K where B is an identity."""
    return 256 // bits if of_a else SWIZZLES[swizzle].dense_tile(mn, bits)[0]


def dense(state: State, name: str, of_a: bool) -> DescriptorReading | None:
    """The reading of a dense tile; None where the rows of A are no whole atoms of it."""
    mn, swizzle, bits = VARIANTS[name]
    rows, depth, leading, stride = SWIZZLES[swizzle].dense_tile(mn, bits)
    lines, step = lines_of_a(bits) if of_a else rows, min(256 // bits, depth)
    if lines != rows and not (mn and lines == 8 * SWIZZLES[swizzle].width // bits):
        return None
    fields = TensorFields(mn, swizzle, bits, 0, leading, stride)
    columns = columns_of(mn, swizzle, bits, of_a)
    return dense_reading(
        name,
        "A" if of_a else "B",
        (rows, depth),
        (lines, step),
        fields,
        lambda blocks: read(state, blocks, of_a, columns),
    )


def fields_of(mn: bool, swizzle: str, bits: int, lines: int) -> list[TensorFields]:
    """Descriptors that vary one field after another, and steps of k inside an atom.

    Together they set every bit of a field that an operand inside the tested bytes can have. Bits
    below 128 bytes belong to LBO and SBO only where there is no swizzle.
    """
    _, _, leading, stride = SWIZZLES[swizzle].dense_tile(mn, bits)
    low = 16 * 7 if swizzle == "none" else 0
    varied = [
        (0, leading, stride, 0),
        (16 + 64, 2048 + 256 + low, 1152 + low, 0),
        (48, 1152, 2048, 0),
        (1024 + 32, 512, 1024, 0),
        (1024 + 128, 512, 1024, 1),
        (3 * 128 + 32, 1024, 512, 3),
        (5 * 128, 4096, 768, 5),
        (7 * 128 + 32, leading, stride, 0),
        (2048 + 4096 + 8192, leading, stride, 0),
        (16384, leading, stride, 0),
        *((0, far, stride, 0) for far in (8192, 16384)),
        *((0, leading, far, 0) for far in (4096, 8192, 16384)),
    ]
    found = [TensorFields(mn, swizzle, bits, *each) for each in varied]
    line, k = np.indices((lines, 256 // bits))
    return [each for each in found if each.place(line, k).max() < 8 * TESTED_BYTES]


@axis("layout", tuple(VARIANTS))
@probe("shared", target="sm_100a", source=SOURCE, analysis=ANALYSIS)
def smem_descriptor(state: State) -> list[DescriptorReading]:
    """Which element does each part of shared memory hold, and what does each field say?"""
    name = str(state["layout"])
    mn, swizzle, bits = state.choose("layout", VARIANTS)
    found = [each for of_a in (False, True) if (each := dense(state, name, of_a)) is not None]
    for of_a in (False, True):
        columns = columns_of(mn, swizzle, bits, of_a) if mn or of_a else OTHER_COLUMNS
        varied = fields_of(mn, swizzle, bits, lines_of_a(bits) if of_a else columns)
        for fields, seen in zip(varied, read(state, varied, of_a, columns), strict=True):
            found.append(varied_reading(name, "A" if of_a else "B", fields, seen))
    return found
