"""Readings of tagged bits, and the explanation of them.

Every bit of registers and memory has a number before the instruction. A reading says which number
each destination bit has afterwards, and which number each source bit had. A destination bit
received the source bit that has its number in every reading. It may also hold a constant, or what
it held before.

The same class of hypotheses describes a load (registers from rows at the lanes' addresses), a store
(rows from registers) and a move (registers from registers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import Certificate, Partition
from lanemap.probing.tags.bits import CONSTANT_0, CONSTANT_1, BitTags

Integers = npt.NDArray[np.int64]
Shown = npt.NDArray[np.int32]
# Results for a destination bit besides a source bit. They are no tags: a reading says NO_CELL of
# what it cannot explain (-1 and -2 are the tags of constants).
UNEXPLAINED, AMBIGUOUS, ZERO, ONE, KEPT = -1, -2, -3, -4, -5
#: What a reading says of a destination bit that is undefined, where a device knows that.
LOST = -6
#: What a reading says of a bit of an operand that the instruction does not read.
UNREAD = -7
REST = {ZERO: "zero", ONE: "one", KEPT: "unchanged", LOST: "undefined", UNREAD: "not read"}
#: How many numbers there may be for each row: a table has an entry for each number.
NUMBERS_OF_ROW = 8
_CELL_NAMES = {8: "byte", 16: "half", 32: "word"}


@dataclass(frozen=True, eq=False)
class TagReading:
    """The readings of one warp in one launch.

    Attributes:
        variant: The instruction form.
        pattern: The name of the launch's inputs.
        description: The same in words.
        warps: Warps of the launch.
        passes: Passes of the launch.
        received: int64[destination bits], the tag that each bit received; negative for none, as
            `BitTags.identify` says, LOST for a bit that is undefined, and UNREAD.
        offered: int64[source bits], the tag of each source bit.
        before: int64[destination bits], the tag that each bit had before; None if it had none.
        addresses: int64[lanes], the byte address that each lane gave; None if it gave none.
        changed_elsewhere: Words that the launch changed outside of all destination bits.
    """

    variant: str
    pattern: str
    description: str
    warps: int
    passes: int
    received: Integers
    offered: Integers
    before: Integers | None = None
    addresses: Integers | None = None
    changed_elsewhere: int = 0


@dataclass(frozen=True)
class Words:
    """Terms of certificates for the two sides.

    Attributes:
        destination: A bit of the destination, as "register bit".
        source: Its possible sources, as "bit of the rows at the lanes' addresses".
        further: Other contents that are hypotheses, as "zero or one".
        address: The kind of cell placed by addresses, as "register bit from"; "" for none.
    """

    destination: str
    source: str
    further: str
    address: str = ""


@dataclass(frozen=True)
class Geometry:
    """The spaces of one variant.

    Attributes:
        destination: The destination's bits.
        source: The source's bits.
        cell_bits: Width of the cells that move whole; 1 if bits move separately.
    """

    destination: Space
    source: Space
    cell_bits: int


class TaggedMoves:
    """Explains the readings of a variant whose source and destination bits are all tagged."""

    def __init__(
        self, geometry: dict[str, Geometry], tags: BitTags, words: Words, memory_bits: int
    ) -> None:
        """Describe what is moved.

        Args:
            geometry: The spaces of each variant that the probe tests.
            tags: The tags of all bits.
            words: What certificates call them.
            memory_bits: The bits of the memory that addresses point into.
        """
        self.geometry, self.tags, self.words = geometry, tags, words
        self.memory_bits = memory_bits

    def observe(self, readings: Sequence[TagReading]) -> LayoutMap:
        """The observation on bits, without certificates."""
        return self._map(readings, decode(readings))

    def explain(self, readings: Sequence[TagReading]) -> Finding:
        """The observation, what the other bits hold, the certificates, and each launch alone."""
        codes = decode(readings)
        layout = self._map(readings, codes)
        rest = {word: int((codes == code).sum()) for code, word in REST.items()}
        facts: dict[str, object] = {}
        if any(rest.values()):
            facts["bits_without_source"] = {word: n for word, n in rest.items() if n}
        elsewhere = sum(reading.changed_elsewhere for reading in readings)
        if elsewhere:
            facts["words_changed_elsewhere"] = elsewhere
        launches = {reading.pattern: reading.passes for reading in readings}
        return Finding(
            map=layout,
            cell_map=self._cells(readings[0].variant, layout),
            certificates=tuple(self._certificates(readings)),
            patterns=tuple(_alone(codes, readings)),
            passes=sum(launches.values()),
            facts=facts,
            explained=not elsewhere and not bool(np.isin(codes, (UNEXPLAINED, AMBIGUOUS)).any()),
            no_source=np.isin(codes, tuple(REST)) if any(rest.values()) else None,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[TagReading]) -> list[Shown]:
        """The tags that each map predicts, each of shape (bits, readings)."""
        offered = _offered(readings)
        return [
            np.where(each.table[:, None] >= 0, offered[np.maximum(each.table, 0)], UNDEFINED)
            for each in maps
        ]

    def seen(self, readings: Sequence[TagReading]) -> tuple[Shown, bool]:
        """The tags that arrived in that form; every bit had been written."""
        return _stacked([reading.received for reading in readings]), True

    def _map(self, readings: Sequence[TagReading], codes: Integers) -> LayoutMap:
        spaces = self.geometry[readings[0].variant]
        table = np.where(codes >= 0, codes, UNDEFINED)
        return LayoutMap(spaces.destination, spaces.source, table)

    def _cells(self, variant: str, layout: LayoutMap) -> LayoutMap | None:
        """The map on the elements that move whole; on bits where they do not have one width."""
        width = self.geometry[variant].cell_bits
        if width == 1:
            return layout
        try:
            return layout.coarsen(width, _CELL_NAMES[width])
        except UserError:
            return None

    def _certificates(self, readings: Sequence[TagReading]) -> Iterator[Certificate]:
        """Return the certificates of these inputs."""
        words, spaces = self.words, self.geometry[readings[0].variant]
        named = self.tags.names_every_bit
        partition = Partition.from_outcomes(_offered(readings))
        constants = 2 if readings[0].before is None else 3
        complete = named and partition.complete
        yield Certificate(
            f"each {words.destination} from any {words.source}, {words.further}",
            spaces.destination.size,
            spaces.source.size + constants,
            partition.count + constants if named else 1,
            complete,
            None if complete else f"{partition.part.size - partition.count} sources like others",
        )
        addresses = [r.addresses for r in readings if r.addresses is not None]
        if addresses:
            given = np.stack(addresses, axis=1)
            lanes = Partition.from_outcomes(given - given[:, :1])
            alike = [members for members in lanes.parts() if members.size > 1]
            yield Certificate(
                f"each {words.address} any lane's address, any offset in the whole memory",
                spaces.destination.size,
                lanes.part.size * self.memory_bits,
                lanes.count * self.memory_bits,
                not alike,
                "; ".join(f"lanes {', '.join(map(str, m))}" for m in alike[:4]) or None,
            )


def decode(readings: Sequence[TagReading]) -> Integers:
    """The source bit of each destination bit, or one of the results above, int64[bits]."""
    offered, received = _offered(readings), _stacked([r.received for r in readings])
    given, arrived = _row_numbers(offered, received)
    source = np.full(int(max(given.max(), arrived.max())) + 1, UNEXPLAINED, np.int64)
    source[given] = np.arange(given.size)
    source[: int(given.max()) + 1][np.bincount(given) > 1] = AMBIGUOUS
    codes = source[arrived]
    codes[np.all(received == CONSTANT_0, axis=1)] = ZERO
    codes[np.all(received == CONSTANT_1, axis=1)] = ONE
    for code in (LOST, UNREAD):
        codes[np.all(received == code, axis=1)] = code
    held = [reading.before for reading in readings if reading.before is not None]
    if held:
        codes[np.all(received == _stacked(held), axis=1)] = KEPT
    return codes


def _row_numbers(first: Shown, second: Shown) -> tuple[Integers, Integers]:
    """Numbers of the rows of two matrices; equal rows have one number."""
    rows = np.concatenate([first, second]).astype(np.int64)
    numbers, most = np.zeros(len(rows), np.int64), NUMBERS_OF_ROW * len(rows)
    for column in rows.T:
        column = column - column.min()
        if (int(numbers.max()) + 1) * (int(column.max()) + 1) > most:
            numbers, column = _compact(numbers), _compact(column)
        numbers = numbers * (int(column.max()) + 1) + column
    if numbers.max() >= most:
        numbers = _compact(numbers)
    return numbers[: len(first)], numbers[len(first) :]


def _compact(values: Integers) -> Integers:
    """Numbers from 0 up without gaps that are equal where the values are."""
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def _offered(readings: Sequence[TagReading]) -> Shown:
    return _stacked([reading.offered for reading in readings])


def _stacked(columns: Sequence[Integers]) -> Shown:
    """Columns side by side, (bits, readings); tags are below 2**31."""
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def _alone(codes: Integers, readings: Sequence[TagReading]) -> Iterator[PatternResult]:
    """Each launch alone, compared with all launches together."""
    for name in dict.fromkeys(reading.pattern for reading in readings):
        own = [reading for reading in readings if reading.pattern == name]
        found = decode(own)
        settled = found != AMBIGUOUS
        agrees = UNEXPLAINED not in found and np.array_equal(found[settled], codes[settled])
        cells = int((found >= 0).sum())
        yield PatternResult(name, own[0].description, bool(agrees), cells, own[0].warps)
