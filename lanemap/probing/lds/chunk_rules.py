"""The rules that a read through per-lane addresses may follow, and how readings decide among them.

Every lane of a wave passes an address. The instruction may move any data at these addresses into
any lane's registers. The class of rules is

    out(l, j) = mem[addr[s(l, j)] + b(l, j)]      any lane s(l, j), any offset b(l, j) in the chunk

for each destination cell (l, j) independently. The probe's actual addresses and memory contents
partition the class. Rules whose offset leaves the chunk (one leader's address for all lanes, the
own address plus a stride) are outside the class; `free_offsets` decides whether the inputs exclude
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.probing.proof.certificates import (
    NEVER_WRITTEN,
    AffineMaps,
    Certificate,
    Input,
    Partition,
    Permutations,
    cheapest_split,
    rows_as_bytes,
)
from lanemap.probing.tags.cells import Tagging, fields, word_bits

Integers = npt.NDArray[np.int64]
# The value of a cell: up to 16 bits, or NEVER_WRITTEN.
Shown = npt.NDArray[np.int32]
CELL_NAMES = {1: "bit", 4: "nibble", 6: "field", 8: "byte", 16: "half"}


def cell_name(cell_bits: int) -> str:
    """The name of a cell of this width."""
    return CELL_NAMES.get(cell_bits, f"{cell_bits}-bit cell")


# Results for a destination cell that no single rule explains.
AMBIGUOUS, UNEXPLAINED = -1, -2


@dataclass(frozen=True, eq=False)
class Reading:
    """The inputs and the output of one wave in one launch.

    Attributes:
        launch: the point of the probe's axes, in words.
        wave: the wave of the workgroup.
        addresses: int64[lanes], the byte address of each lane.
        memory: uint8[passes, memory_bytes], the memory's contents in each pass.
        output: uint32[passes, lanes, registers], the registers after the read.
        tagging: how `memory` names its cells; None if it holds something else.
        written: bool[memory_bytes], which bytes the probe wrote; None for all of them.
        undefined: bool[passes, lanes, registers * 32], bits that the device marks as coming from
            memory that nothing had written; None for no marks.
        pattern: the address pattern's name.
        hazards: what the device reported about the output, in sentences.
    """

    launch: str
    wave: int
    addresses: Integers
    memory: npt.NDArray[np.uint8]
    output: npt.NDArray[np.uint32]
    tagging: Tagging | None = None
    written: npt.NDArray[np.bool_] | None = None
    undefined: npt.NDArray[np.bool_] | None = None
    pattern: str = ""
    hazards: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The launch and the wave, for messages."""
        return f"{self.launch} wave={self.wave}"

    def positions(self, cell_bits: int) -> Integers:
        """The memory bit at which each received cell starts, (lanes, cells); -1 for no cell.

        Raises:
            UserError: the reading's tags are not cells of that width.
        """
        if self.tagging is None or self.tagging.cell_bits != cell_bits:
            raise UserError(f"{self.label} has no tags of {cell_bits} bits")
        cell = self.tagging.identify(fields(self.output, cell_bits))
        return np.where(cell >= 0, self.tagging.positions()[cell], -1)


@dataclass(frozen=True)
class Decoded:
    """Which rule of the class each destination cell follows.

    Attributes:
        rule: int64[destination cells], source lane * cells per chunk + offset; AMBIGUOUS if several
            rules match, UNEXPLAINED if none does.
        part: int64[destination cells], the part of the class that matches; -1 if none does.
    """

    rule: Integers
    part: Integers

    @property
    def complete(self) -> bool:
        """Whether every cell follows exactly one rule of the class."""
        return bool(np.all(self.rule >= 0))

    @property
    def explained(self) -> bool:
        """Whether some rule of the class matches every cell."""
        return not bool(np.any(self.rule == UNEXPLAINED))


@dataclass(frozen=True)
class ChunkClass:
    """The rules mem[addr[s] + b] with any source lane s and any offset b inside the chunk.

    Attributes:
        lanes: lanes of a wave.
        chunk_bits: size of the chunk at every address.
        cell_bits: width of the cells that are assumed to move as a whole; 1 assumes nothing.
    """

    lanes: int
    chunk_bits: int
    cell_bits: int

    @property
    def cells(self) -> int:
        """Cells in a chunk, and in the destination registers of a lane."""
        return self.chunk_bits // self.cell_bits

    @property
    def rules(self) -> int:
        """Rules that one destination cell may follow."""
        return self.lanes * self.cells

    @property
    def cell_name(self) -> str:
        """The name of a cell of this width."""
        return cell_name(self.cell_bits)

    @cached_property
    def destination(self) -> Space:
        """The lanes' registers, by cell."""
        if self.cell_bits == 1:
            registers = self.chunk_bits // 32
            return Space("register", (("lane", self.lanes), ("register", registers), ("bit", 32)))
        return Space("register", (("lane", self.lanes), (self.cell_name, self.cells)))

    @cached_property
    def source(self) -> Space:
        """The chunks at the lanes' addresses, by cell."""
        return Space("chunk", (("lane", self.lanes), (self.cell_name, self.cells)))

    def outcomes(self, reading: Reading) -> Shown:
        """Predictions of rules, (rules, passes); NEVER_WRITTEN for cells that nothing wrote."""
        return _outcomes(self, reading)

    def observed(self, reading: Reading) -> Shown:
        """The tag that each destination cell received, shape (destination cells, passes)."""
        if self.cell_bits == 1:
            values = word_bits(reading.output).astype(np.int32)
        else:
            values = fields(reading.output, self.cell_bits).astype(np.int32)
        if reading.undefined is not None:
            split = reading.undefined.reshape(*values.shape, self.cell_bits)
            values = np.where(split.any(axis=-1), np.int32(NEVER_WRITTEN), values)
        return np.ascontiguousarray(values.reshape(values.shape[0], -1).T)

    def all_outcomes(self, readings: Sequence[Reading]) -> Shown:
        """`outcomes` under all readings, shape (rules, observables)."""
        return np.concatenate([self.outcomes(reading) for reading in readings], axis=1)

    def all_observed(self, readings: Sequence[Reading]) -> Shown:
        """`observed` under all readings, shape (destination cells, observables)."""
        return np.concatenate([self.observed(reading) for reading in readings], axis=1)

    def decode(self, readings: Sequence[Reading]) -> Decoded:
        """The rule that each destination cell follows, from all readings together."""
        outcomes, observed = self.all_outcomes(readings), self.all_observed(readings)
        partition = Partition.from_outcomes(outcomes)
        first = np.full(partition.count, -1, dtype=np.int64)
        first[partition.part[::-1]] = np.arange(partition.part.size)[::-1]
        numbers = {row: part for part, row in enumerate(rows_as_bytes(outcomes[first]))}
        found = [numbers.get(row, -1) for row in rows_as_bytes(observed)]
        part = np.asarray(found, dtype=np.int64)
        rule = np.where(partition.sizes[part] == 1, first[part], AMBIGUOUS)
        return Decoded(np.where(part < 0, UNEXPLAINED, rule), part)

    def layout_map(self, decoded: Decoded) -> LayoutMap:
        """The observation; undefined where a cell is ambiguous or unexplained."""
        return LayoutMap(self.destination, self.source, np.maximum(decoded.rule, -1))

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[Reading]) -> list[Shown]:
        """Predictions of whole maps for each destination cell, in the form of `all_observed`."""
        outcomes = self.all_outcomes(readings)
        nothing = np.int32(NEVER_WRITTEN)
        return [
            np.where(each.table[:, None] >= 0, outcomes[np.maximum(each.table, 0)], nothing)
            for each in maps
        ]

    def certificate(
        self, readings: Sequence[Reading], extra: Callable[[], Sequence[Reading]] = tuple
    ) -> Certificate:
        """Return the certificate of the inputs for this class.

        Args:
            readings: the probe's inputs; the outputs are ignored.
            extra: other possible inputs, from which the cheapest split is chosen; called only if
                rules remain together.
        """
        partition = Partition.from_outcomes(self.all_outcomes(readings))
        remaining = splits = None
        if not partition.complete:
            remaining = self._describe(partition)
            offers = [Input(each.launch, len(each.memory), self.outcomes(each)) for each in extra()]
            largest = partition.members(int(np.argmax(partition.sizes)))
            splits = cheapest_split(largest, offers).describe() if offers else None
        return Certificate(
            f"each {self.cell_name} from any lane's address, any offset inside the chunk",
            self.destination.size,
            self.rules,
            partition.count,
            partition.complete,
            remaining,
            splits,
        )

    def whole_maps(self, readings: Sequence[Reading]) -> list[Certificate]:
        """Certificates of the same inputs for whole maps: all permutations, all F2-affine maps.

        Both are part of the chunk class, so they matter only if its certificate is incomplete. The
        affine class is left out if its parts differ in size.
        """
        shown = self.all_outcomes(readings)
        found = [Permutations(shown).certificate()]
        power_of_two = self.rules & (self.rules - 1) == 0
        if power_of_two and (affine := AffineMaps(self.rules.bit_length() - 1, shown)).uniform:
            found.append(affine.certificate())
        return found

    def _describe(self, partition: Partition) -> str:
        """The parts that hold several rules, in words: which lanes and offsets remain together."""
        groups: dict[tuple[str, str], int] = {}
        for rules in partition.parts():
            if rules.size > 1:
                lanes, offsets = np.unique(rules // self.cells), np.unique(rules % self.cells)
                who = "every lane" if lanes.size == self.lanes else f"{lanes.size} lanes"
                what = "one offset" if offsets.size == 1 else f"{self.cell_name}s {spans(offsets)}"
                groups[who, what] = groups.get((who, what), 0) + 1
        return "; ".join(
            f"{count} part{'s' if count > 1 else ''} of {who} at {what}"
            for (who, what), count in groups.items()
        )


@lru_cache(maxsize=64)
def _outcomes(chunk: ChunkClass, reading: Reading) -> Shown:
    """The outcomes of one reading, cached because several callers need them."""
    start = reading.addresses[:, None] * 8 + np.arange(chunk.cells) * chunk.cell_bits
    bit = start.reshape(-1, 1) + np.arange(chunk.cell_bits)
    if bit.min() < 0 or bit.max() >= reading.memory.shape[1] * 8:
        raise UserError(f"{reading.label} has an address outside its memory")
    octet = reading.memory[:, bit // 8].astype(np.int32)
    weights = np.int32(1) << np.arange(chunk.cell_bits, dtype=np.int32)
    values = ((octet >> (bit % 8).astype(np.int32)) & 1) @ weights
    if reading.written is not None:
        whole = reading.written[bit // 8].all(axis=1)
        values = np.where(whole, values, np.int32(NEVER_WRITTEN))
    shown = np.ascontiguousarray(values.T)
    shown.setflags(write=False)
    return shown


def spans(values: Integers) -> str:
    """Sorted numbers as ranges: "1 to 7, 12"; "none" where there are none."""
    if not values.size:
        return "none"
    breaks = np.flatnonzero(np.diff(values) != 1) + 1
    return ", ".join(
        f"{run[0]} to {run[-1]}" if run.size > 1 else str(run[0])
        for run in np.split(values, breaks)
    )
