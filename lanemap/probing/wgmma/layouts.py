"""Operands in shared memory behind a descriptor: readings, and what they prove.

Every element of shared memory is tagged. One operand is an identity, so that D shows which element
of shared memory the other operand has at each row (or column) and k. The dense tiles give a layout
map; further descriptors, with other offsets, show what each field does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, TypeVar

import numpy as np

from lanemap.layout import LayoutMap, Space
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import Certificate, NamedRules
from lanemap.probing.tags.bits import NO_CELL, BitTags
from lanemap.probing.warp.tagged import (
    Geometry,
    Shown,
    TaggedMoves,
    TagReading,
    Words,
)
from lanemap.probing.wgmma.elements import Integers, positions


@dataclass(frozen=True)
class Swizzle:
    """A swizzle of shared memory.

    Attributes:
        code: Its number in a descriptor.
        width: Bytes of a row of the pattern.
        mask: Bits of the number of a row of 128 bytes that count; 0 without a swizzle.
        shift: Where in an address those bits go.
        group: Rows of the pattern between which SBO lies (of MN-major operands k).
    """

    code: int
    width: int
    mask: int
    shift: int = 4
    group: int = 8

    def dense_tile(self, mn: bool, bits: int) -> tuple[int, int, int, int]:
        """Rows, K, LBO and SBO of a tile without gaps, two atoms of the swizzle if that is more.

        Args:
            mn: The rows of the operand are contiguous, not k.
            bits: Width of an element.
        """
        across, unit = 8 * self.width // bits, 128 // bits
        if not mn:
            return (64, across, 16, 8 * self.width) if self.mask else (64, 2 * unit, 128, 256)
        if not self.mask:
            return 8 * unit, 16, 1024, 128
        rows = self.group * self.width
        return 2 * across, 2 * self.group, 2 * rows, rows


SWIZZLES = {
    "none": Swizzle(0, 16, 0), "32b": Swizzle(3, 32, 1), "64b": Swizzle(2, 64, 3),
    "128b": Swizzle(1, 128, 7),
}  # fmt: skip


@dataclass(frozen=True)
class Fields:
    """A descriptor: where it says that elements lie.

    Attributes:
        mn: The rows (columns) of the operand are contiguous, not k.
        swizzle: A name of `swizzles`.
        bits: Width of an element.
        start: Start address, in bytes from the image.
        leading: LBO in bytes.
        stride: SBO in bytes.
        base: Base offset.
    """

    mn: bool
    swizzle: str
    bits: int
    start: int
    leading: int
    stride: int
    base: int = 0

    swizzles: ClassVar[Mapping[str, Swizzle]] = SWIZZLES
    #: Whether a certificate says of every bit of the fields whether the descriptors show it.
    bit_by_bit: ClassVar[bool] = False

    @property
    def pattern(self) -> Swizzle:
        """The swizzle."""
        return self.swizzles[self.swizzle]

    @property
    def descriptor(self) -> int:
        """The descriptor without the address of the image."""
        word = self.start >> 4 | self.leading >> 4 << 16 | self.stride >> 4 << 32
        return word | self.base << 49 | self.pattern.code << 62

    def place(self, line: Integers, k: Integers) -> Integers:
        """The bit of an element: what the fields are taken to mean."""
        pattern, unit = self.pattern, 128 // self.bits
        across = 8 * pattern.width // self.bits
        if self.mn:
            apart = (self.leading, self.stride) if pattern.mask else (self.stride, self.leading)
            byte = line // across * apart[0] + k // pattern.group * apart[1]
            byte = byte + k % pattern.group * pattern.width
            along = line % across
        else:
            byte = line // 8 * self.stride + line % 8 * pattern.width
            byte = byte + (0 if pattern.mask else k // unit * self.leading)
            along = k if pattern.mask else k % unit
        byte = byte + along * self.bits // 8 + self.start
        byte = byte ^ (((byte >> 7) - self.base) & pattern.mask) << pattern.shift
        return byte * 8 + along * self.bits % 8


FieldsT = TypeVar("FieldsT", bound=Fields)
Meaning = Callable[[Fields, Integers, Integers], Integers]


def _between_chunks(fields: Fields, line: Integers, k: Integers) -> Integers:
    unit = 128 // fields.bits
    inside = replace(fields, start=0).place(line, k % unit)
    return 8 * fields.start + inside + 8 * (k // unit * fields.leading)


#: Other meanings of the fields, which the descriptors must tell apart from the one above.
MEANINGS: dict[str, Meaning] = {
    "as CUTLASS's canonical layouts": lambda f, line, k: f.place(line, k),
    "LBO and SBO exchanged": lambda f, line, k: replace(
        f, leading=f.stride, stride=f.leading).place(line, k),
    "SBO ignored: 8 rows of the pattern": lambda f, line, k: replace(
        f, stride=f.pattern.group * f.pattern.width).place(line, k),
    "start ignored": lambda f, line, k: replace(f, start=0).place(line, k),
    "the other major": lambda f, line, k: replace(f, mn=not f.mn).place(line, k),
}  # fmt: skip
_ADDED = "base offset added instead of subtracted"
_SWIZZLED: dict[str, Meaning] = {
    "swizzle ignored": lambda f, line, k: f.place(line, k) ^ (
        ((f.place(line, k) >> 10) - f.base) & f.pattern.mask) << f.pattern.shift + 3,
    "base offset ignored": lambda f, line, k: replace(f, base=0).place(line, k),
    _ADDED: lambda f, line, k: replace(
        f, base=-f.base % 8).place(line, k),
    "swizzle counted from the start address": lambda f, line, k: 8 * f.start + replace(
        f, start=0).place(line, k),
}  # fmt: skip
_LEADING: dict[str, Meaning] = {
    "LBO ignored: 16 bytes": lambda f, line, k: replace(f, leading=16).place(line, k),
}
_CHUNKS: dict[str, Meaning] = {"LBO between the 16 bytes of a row": _between_chunks}


def meanings(fields: Fields) -> dict[str, Meaning]:
    """The meanings that may be confused for layouts of one major and swizzle."""
    swizzled = fields.swizzle != "none"
    leading = _CHUNKS if swizzled and not fields.mn else _LEADING
    found = MEANINGS | leading | (_SWIZZLED if swizzled else {})
    if fields.pattern.mask == 1:  # plus and minus are alike modulo 2
        del found[_ADDED]
    return found


#: Bits of each field; bit 0 is a unit of 16 bytes, of the base offset a row of the pattern.
_FIELD_BITS = {"start": 14, "leading": 14, "stride": 14, "base": 3}
_FIELD_NAMES = {"start": "start", "leading": "LBO", "stride": "SBO", "base": "base offset"}


def _without_bit(name: str, bit: int, fields: Fields, line: Integers, k: Integers) -> Integers:
    unit = 1 if name == "base" else 16
    less = getattr(fields, name) & ~(unit << bit)
    return replace(fields, **{name: less}).place(line, k)


def bit_meanings(fields: Fields) -> dict[str, Meaning]:
    """One bit of a field ignored: every bit that a layout of one major and swizzle depends on."""
    found: dict[str, Meaning] = {}
    for name, count in _FIELD_BITS.items():
        used = (1 << count) - 1
        if name == "base":
            used &= fields.pattern.mask
        elif name == "leading" and fields.pattern.mask and not fields.mn:
            used = 0
        for bit in (each for each in range(count) if used >> each & 1):
            found[f"bit {bit} of {_FIELD_NAMES[name]} ignored"] = partial(_without_bit, name, bit)
    return found


@dataclass(frozen=True, eq=False)
class DescriptorReading(TagReading):
    """The element of shared memory that each element of an operand was read from.

    Attributes:
        fields: The descriptor.
        seen: int64[line, k], bits from the image; -1 where the readings name none.
        dense: Whether the launch covers a dense tile, so that `received` is its map.
    """

    fields: Fields = Fields(False, "none", 16, 0, 0, 0)
    seen: Integers = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    dense: bool = True


class Layouts(TaggedMoves):
    """Explains where operands lie in shared memory, and what a descriptor's fields do."""

    def __init__(self, geometry: dict[str, Geometry]) -> None:
        """Describe the dense tile of each variant."""
        words = Words("element of shared memory", "element of the operand", "nothing else")
        super().__init__(geometry, BitTags(1), words, 0)

    def observe(self, readings: Sequence[TagReading]) -> LayoutMap:
        """The map of the dense tile."""
        return super().observe(_dense(readings))

    def explain(self, readings: Sequence[TagReading]) -> Finding:
        """The map of the dense tile, and whether every descriptor did what the fields mean."""
        found = super().explain(_dense(readings))
        others = [each for each in _described(readings) if not each.dense]
        right = [bool(np.array_equal(each.seen, _meant(each))) for each in others]
        patterns = [
            PatternResult(each.pattern, each.description, good, each.seen.size, 4)
            for each, good in zip(others, right, strict=True)
        ]
        return replace(
            found,
            certificates=(*found.certificates, *_of_fields(_described(readings))),
            patterns=(*found.patterns, *patterns),
            passes=found.passes + sum(each.passes for each in others),
            explained=found.explained and all(right),
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[TagReading]) -> list[Shown]:
        """The predictions of maps of the dense tile."""
        return super().shown_by(maps, _dense(readings))

    def seen(self, readings: Sequence[TagReading]) -> tuple[Shown, bool]:
        """The readings of the dense tile."""
        return super().seen(_dense(readings))

    def _cells(self, variant: str, layout: LayoutMap) -> LayoutMap:
        """Elements may be wider than the bytes of the tile: the fit is one of bits."""
        return layout

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        spaces = self.geometry[readings[0].variant]
        elements = spaces.source.size // spaces.cell_bits
        yield Certificate(
            f"each {spaces.cell_bits}-bit element of shared memory is any element of the operand",
            spaces.destination.size // spaces.cell_bits,
            elements,
            elements,
            True,
        )
        yield Certificate(
            "which row (column) and which k have a number",
            1,
            2,
            1,
            False,
            "renamings of rows common to A and D, of columns common to B and D, and of k common "
            "to A and B; they are named by the other operand, which lies K-major without a swizzle",
            "none: no input can split it",
        )


def dense_reading(
    variant: str,
    letter: str,
    tile: tuple[int, int],
    block: tuple[int, int],
    fields: FieldsT,
    read: Callable[[list[FieldsT]], Integers],
) -> DescriptorReading:
    """Return the contents of a dense tile, read block by block.

    Args:
        variant: The layout.
        letter: The operand, A or B.
        tile: Rows and k of the tile.
        block: Rows and k that one instruction reads.
        fields: The descriptor of the first block; others begin LBO further along rows.
        read: Returns places [descriptor, line, k] of the operand's elements.
    """
    (rows, depth), (lines, step), bits = tile, block, fields.bits
    starts = [(first, k) for first in range(0, rows, lines) for k in range(0, depth, step)]
    blocks = [
        replace(fields, start=fields.leading * (first // lines) + k * bits // 8)
        for first, k in starts
    ]
    places = np.full(tile, -1, np.int64)
    for (first, k), seen in zip(starts, read(blocks), strict=True):
        places[first : first + lines, k : k + step] = seen[:, :step]
    return DescriptorReading(
        variant=variant,
        pattern=f"dense tile as {letter}",
        description=f"{letter} is the tile, LBO {fields.leading}, SBO {fields.stride}; the other "
        "an identity",
        warps=4,
        passes=len(blocks),
        received=received(places, rows * depth * bits // 8, bits),
        offered=np.arange(rows * depth * bits),
        fields=fields,
        seen=places,
    )


def varied_reading(variant: str, letter: str, fields: Fields, seen: Integers) -> DescriptorReading:
    """Return the elements read through a descriptor with other fields than the dense tile's.

    Args:
        variant: The layout.
        letter: The operand, A or B.
        fields: The descriptor.
        seen: Places [line, k] of the operand's elements, as `DescriptorReading.seen`.
    """
    return DescriptorReading(
        variant=variant,
        pattern=f"{letter} at {fields.start}, LBO {fields.leading}, "
        f"SBO {fields.stride}, base offset {fields.base}",
        description="the operand lies where this descriptor says",
        warps=4,
        passes=1,
        received=np.zeros(0, np.int64),
        offered=np.zeros(0, np.int64),
        fields=fields,
        seen=seen,
        dense=False,
    )


def _described(readings: Sequence[TagReading]) -> list[DescriptorReading]:
    return [each for each in readings if isinstance(each, DescriptorReading)]


def _dense(readings: Sequence[TagReading]) -> list[TagReading]:
    return [each for each in _described(readings) if each.dense]


def _meant(reading: DescriptorReading) -> Integers:
    return reading.fields.place(*positions(reading.seen.shape))


def _of_fields(readings: Sequence[DescriptorReading]) -> Iterator[Certificate]:
    """Which meanings of the fields, and of their bits, the descriptors can tell apart."""
    fields = readings[0].fields
    usual = dict(list(MEANINGS.items())[:1])
    if fields.bit_by_bit:
        found = _told_apart(usual | bit_meanings(fields), readings)
        yield replace(found, hypotheses=f"which bits of a field count: {found.hypotheses}")
    found = _told_apart(meanings(fields), readings)
    yield replace(found, hypotheses=f"what a descriptor's fields mean: {found.hypotheses}")


def _told_apart(named: Mapping[str, Meaning], readings: Sequence[DescriptorReading]) -> Certificate:
    varied = [(each.fields, *positions(each.seen.shape)) for each in readings if not each.dense]
    outcomes = [
        np.concatenate([meaning(*each).reshape(-1) for each in varied])
        for meaning in named.values()
    ]
    return NamedRules(tuple(named), np.stack(outcomes)).certificate()


def tile_spaces(rows: int, depth: int, bits: int) -> Geometry:
    """The spaces of a dense tile of shared memory."""
    size = rows * depth * bits // 8
    shared = Space("shared", (("byte", size), ("bit", 8)))
    return Geometry(shared, Space("matrix", (("row", rows), ("k", depth), ("bit", bits))), bits)


def received(places: Integers, size: int, bits: int) -> Integers:
    """The element that each bit of a tile holds, from the bit where each element lies."""
    found = np.full((size * 8 // bits, bits), NO_CELL, np.int64)
    element = places.reshape(-1) // bits
    good = (element >= 0) & (element < len(found)) & (places.reshape(-1) >= 0)
    found[element[good]] = np.flatnonzero(good)[:, None] * bits + np.arange(bits)
    return found.reshape(-1)
