"""Readings of `tcgen05.cp` and `tcgen05.shift`, and what they prove.

Both are observed like stores. The reference store fills tensor memory with tags; after the
instruction, the reference load reads all of it. Shared memory holds tags, too, so every bit shows
what it received. The source cells of a copy are named by row and bit, where the descriptor places
the rows; several descriptors show that the descriptor does place them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import Certificate, NamedRules
from lanemap.probing.proof.renamings import Relation, Renamings
from lanemap.probing.tags.bits import BitTags
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
    THREADS,
)
from lanemap.probing.tmem.kernel import Piece
from lanemap.probing.tmem.moves import ELSEWHERE, KEPT, REST, Shown, memory_words

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
SHARED_BYTES = 16384
SHARED_WORDS = SHARED_BYTES // 4
CHUNK_BYTES = 16
# Shared memory first, then tensor memory.
TAGS = BitTags(SHARED_WORDS + LANES * COLUMNS)
COPIES = (
    "128x256b",
    "4x256b",
    "128x128b",
    "64x128b.warpx2::02_13",
    "64x128b.warpx2::01_23",
    "32x128b.warpx4",
)
SHIFTED_COLUMNS = 8


@dataclass(frozen=True)
class SourceLayout:
    """Where a descriptor places rows (NVIDIA PTX ISA, canonical K-major layouts).

    Attributes:
        name: As the axis calls it.
        start: First byte, from the beginning of the source.
        leading: LBO: from a row's 16 bytes to its next 16, without swizzle.
        stride: SBO: from 8 rows to the next 8.
        swizzle: 2 for 128 bytes, 0 for none.
        column: Column of taddr in this launch.
    """

    name: str
    start: int
    leading: int
    stride: int
    swizzle: int
    column: int

    @property
    def description(self) -> str:
        """The layout in words."""
        swizzled = "128-byte swizzle" if self.swizzle else f"LBO {self.leading}"
        return (
            f"rows from byte {self.start} on, {swizzled}, SBO {self.stride}; "
            f"to column {self.column}"
        )

    @property
    def descriptor(self) -> int:
        """The descriptor without the address; bits 46 to 48 are 0b001."""
        leading, stride = self.leading // 16, self.stride // 16
        return leading << 16 | stride << 32 | 1 << 46 | self.swizzle << 61

    def byte(self, row: Integers, chunk: Integers) -> Integers:
        """The first byte of 16 of a row."""
        if not self.swizzle:
            return self.start + row // 8 * self.stride + row % 8 * 16 + chunk * self.leading
        linear = self.start + row // 8 * self.stride + row % 8 * 128 + chunk * 16
        return linear ^ (linear >> 7 & 7) << 4


SOURCES = {
    each.name: each
    for each in (
        SourceLayout("near", 0, 128, 256, 0, 0),
        SourceLayout("apart", 1024, 2048, 128, 0, 64),
        SourceLayout("gaps", 48, 4096, 144, 0, 504),
        SourceLayout("swizzled", 0, 0, 1024, 2, 256),
    )
}
# Other possible meanings of a descriptor's fields, which the layouts above separate.
_READINGS: tuple[tuple[str, Callable[[SourceLayout], SourceLayout]], ...] = (
    ("as the ISA says", lambda s: s),
    ("LBO and SBO exchanged", lambda s: replace(s, leading=s.stride, stride=s.leading)),
    ("LBO ignored: 16 bytes", lambda s: replace(s, leading=16)),
    ("SBO ignored: 128 bytes", lambda s: replace(s, stride=128)),
    ("swizzle ignored", lambda s: replace(s, swizzle=0)),
    ("start ignored", lambda s: replace(s, start=0)),
)


@cache
def images() -> Words:
    """The initial contents of tensor memory, uint32[passes, column, lane]."""
    return TAGS.show(SHARED_WORDS + memory_words())


@cache
def sources() -> Words:
    """Contents of shared memory, uint32[passes, word]."""
    return TAGS.show(np.arange(SHARED_WORDS))


def size_of(form: str) -> tuple[int, int]:
    """Rows and bits of a row of a copy's source, from its name."""
    rows, bits = re.findall(r"\d+", form)[:2]
    return int(rows), int(bits)


@dataclass(frozen=True, eq=False)
class CopyReading:
    """All of tensor memory after one launch.

    Attributes:
        variant: The variant that was asked of.
        name: The launch, as an axis calls it.
        description: The same in words.
        lane: First lane of the frame.
        column: First column of the frame.
        words: uint32[passes, column 512, lane 128].
        source: The layout of a copy's rows; None for a shift.
    """

    variant: str
    name: str
    description: str
    lane: int
    column: int
    words: Words
    source: SourceLayout | None = None

    @property
    def frame(self) -> Space:
        """The part of tensor memory that the variant covers, starting at taddr."""
        lanes, columns = (THREADS, SHIFTED_COLUMNS) if self.source is None else (LANES, 0)
        columns = columns or size_of(self.variant.removeprefix("tcgen05.cp."))[1] // 32
        return Space("tmem", (("lane", lanes), ("column", columns), ("bit", 32)))

    @property
    def given(self) -> Space:
        """The source space: rows of shared memory, or the frame itself."""
        if self.source is None:
            return self.frame
        rows, bits = size_of(self.variant.removeprefix("tcgen05.cp."))
        return Space("shared", (("row", rows), ("bit", bits)))

    @cached_property
    def numbers(self) -> Integers:
        """The tag in every bit of tensor memory, int64[column, lane, bit]; KEPT if unchanged."""
        touched = np.any(self.words != images(), axis=0)
        number = np.full((*touched.shape, 32), KEPT, np.int64)
        number[touched] = TAGS.identify(self.words[:, touched])
        return number

    @property
    def inside(self) -> tuple[slice, slice]:
        """Columns and lanes of the frame."""
        lanes, columns, _ = self.frame.sizes
        return slice(self.column, self.column + columns), slice(self.lane, self.lane + lanes)

    def codes(self) -> Integers:
        """The source of each bit of the frame, int64[frame]; negative for none."""
        own = self.numbers[self.inside].transpose(1, 0, 2).reshape(-1)
        if self.source is None:
            return self._moved(own)
        placed = self._row_bits()
        shared = (own >= 0) & (own < SHARED_WORDS * 32)
        found = np.where(shared, placed[np.where(shared, own, 0)], own)
        return np.where((own >= 0) & ~shared, ELSEWHERE, found)

    def _moved(self, own: Integers) -> Integers:
        """The source cells of a shift in the frame; an unchanged bit is its own source."""
        word, bit = own // 32 - SHARED_WORDS, own % 32
        lane, column = word // COLUMNS - self.lane, word % COLUMNS - self.column
        lanes, columns, _ = self.frame.sizes
        inside = (word >= 0) & (lane >= 0) & (lane < lanes) & (column >= 0) & (column < columns)
        index = (lane * columns + column) * 32 + bit
        found = np.where(inside, index, np.where(own >= 0, ELSEWHERE, own))
        return np.where(own == KEPT, np.arange(own.size), found)

    def _row_bits(self) -> Integers:
        """The row's bit (row * bits + bit) at each bit of shared memory; ELSEWHERE for none."""
        assert self.source is not None
        rows, bits = self.given.sizes
        row, chunk = np.indices((rows, bits // 128))
        first = self.source.byte(row, chunk)[..., None] * 8 + np.arange(128)
        found = np.full(SHARED_WORDS * 32, ELSEWHERE, np.int64)
        found[first] = np.arange(rows * bits).reshape(first.shape)
        return found

    def touched_outside(self) -> int:
        """Bits that changed outside the frame."""
        changed = self.numbers != KEPT
        changed[self.inside] = False
        return int(changed.sum())


class Copies:
    """Explains the readings of copies or of the shift."""

    def observe(self, readings: Sequence[CopyReading]) -> LayoutMap:
        """The observation on bits: undefined where nothing of the source arrives."""
        codes = _settled(readings)
        return LayoutMap(
            readings[0].frame, readings[0].given, np.where(codes >= 0, codes, UNDEFINED)
        )

    def explain(self, readings: Sequence[CopyReading]) -> Finding:
        """The observation, the other bits of the frame, and the certificates."""
        codes, layout = _settled(readings), self.observe(readings)
        rest = {words: int((codes == n).sum()) for n, words in REST.items()}
        outside = sum(reading.touched_outside() for reading in readings)
        facts: dict[str, object] = {}
        if any(rest.values()):
            facts["frame_bits_without_source"] = {k: n for k, n in rest.items() if n}
        if outside:
            facts["bits_changed_outside_frame"] = outside
        none = np.isin(codes, list(REST))
        return Finding(
            map=layout,
            cell_map=_words(layout),
            certificates=tuple(_certificates(readings, layout)),
            patterns=tuple(
                PatternResult(
                    each.name,
                    each.description,
                    bool(np.array_equal(each.codes(), codes)),
                    int((each.codes() >= 0).sum()),
                    1,
                )
                for each in readings
            ),
            passes=sum(len(each.words) for each in readings),
            facts=facts,
            explained=bool(np.all((codes >= 0) | none)) and not outside,
            no_source=none,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[CopyReading]) -> list[Shown]:
        """The readings that maps predict: tags identify every bit, so this is the map itself."""
        assert TAGS.names_every_bit
        return [layout.table[:, None].astype(np.int32) for layout in maps]

    def seen(self, readings: Sequence[CopyReading]) -> tuple[Shown, bool]:
        """The actual readings in that form; bits that receive nothing are marked."""
        return self.observe(readings).table[:, None].astype(np.int32), True


def _settled(readings: Sequence[CopyReading]) -> Integers:
    """The sources on which all readings agree; ELSEWHERE if they differ."""
    each = np.stack([reading.codes() for reading in readings])
    settled: Integers = np.where(np.all(each == each[0], axis=0), each[0], ELSEWHERE)
    return settled


def _words(layout: LayoutMap) -> LayoutMap:
    """The map on 32-bit words, without their axis, if words move as a whole."""
    from lanemap.errors import UserError

    try:
        coarse = layout.coarsen(32, "word")
    except UserError:
        return layout
    spaces = [
        Space(space.name, tuple(axis for axis in space.axes if axis != ("word", 1)))
        for space in (coarse.destination, coarse.source)
    ]
    return coarse.with_spaces(*spaces)


def _certificates(readings: Sequence[CopyReading], layout: LayoutMap) -> list[Certificate]:
    cells = LANES * COLUMNS * 32
    rules = cells + 2 + (SHARED_WORDS * 32 if readings[0].source is not None else 0)
    told = TAGS.names_every_bit
    shared = f"any bit of {SHARED_BYTES} bytes of shared memory, " if readings[0].source else ""
    what = (
        f"each bit of tensor memory, as the reference load names it, from {shared}"
        "any bit of tensor memory (its own: unchanged), zero or one"
    )
    found = [Certificate(what, cells, rules, rules if told else 0, told)]
    if readings[0].source is not None:
        quadrants = Relation("a warp reaches its own quadrant", reaches=np.arange(LANES) // THREADS)
        names = Renamings("lanes of tensor memory", LANES, (quadrants,))
        return [
            *found,
            _of_descriptors(readings),
            names.certificate("the reference load and this form", "probe tcgen05_shift"),
        ]
    return [*found, _order_of_lanes(layout)]


def _of_descriptors(readings: Sequence[CopyReading]) -> Certificate:
    """Which meanings of a descriptor's fields the descriptors can tell apart."""
    rows, bits = readings[0].given.sizes
    row, chunk = np.indices((rows, bits // 128))
    outcomes = [
        np.concatenate(
            [
                read(each.source).byte(row, chunk).reshape(-1)
                for each in readings
                if each.source is not None
            ]
        )
        for _, read in _READINGS
    ]
    found = NamedRules(tuple(name for name, _ in _READINGS), np.stack(outcomes)).certificate()
    return replace(found, hypotheses=f"what a descriptor's fields mean: {found.hypotheses}")


def _order_of_lanes(layout: LayoutMap) -> Certificate:
    """Which renamings of the lanes the observed shift leaves open."""
    lanes = layout.destination.sizes[0]
    given = layout.source.coords(np.maximum(layout.table, 0))["lane"]
    source = given.reshape(lanes, -1)[:, 0]
    moved = Relation("this form moves lanes as observed", moves_from=source)
    return Renamings("lanes of a quadrant", lanes, (moved,)).certificate(
        "all instructions", "none: the form moves no lane onto another"
    )


def share(label: str) -> Piece:
    """Fill `source` in shared memory from the pass's image, and let the async proxy see it."""
    text = f"""\
    mul.wide.u32 from, pass, {SHARED_BYTES};
    add.s64 from, from, shared_images;
    mul.wide.u32 far, thread, 4;
    add.s64 from, from, far;
    mov.u32 address, source;
    mad.lo.u32 address, thread, 4, address;
    mov.u32 column, thread;
{label}:
    ld.global.b32 word, [from];
    st.shared.b32 [address], word;
    add.s64 from, from, {4 * CTA_THREADS};
    add.u32 address, address, {4 * CTA_THREADS};
    add.u32 column, column, {CTA_THREADS};
    setp.lt.u32 more, column, {SHARED_WORDS};
    @more bra {label};
    fence.proxy.async.shared::cta;
"""
    return Piece(text, "pass thread shared_images", "from far address column word more")


def point() -> Piece:
    """Put the descriptor of `source` into `far`, and taddr and `offset` into `target`."""
    text = """\
    mov.u32 address, source;
    ld.global.u32 column, [descriptors];
    add.u32 address, address, column;
    shr.u32 address, address, 4;
    cvt.u64.u32 far, address;
    ld.global.u64 from, [descriptors+8];
    or.b64 far, far, from;
    ld.shared.b32 target, [slot];
    add.u32 target, target, offset;
"""
    return Piece(text, "descriptors offset", "address column far from target")
