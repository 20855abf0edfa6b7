"""Readings of `tcgen05.ld` and `tcgen05.st`, and what they prove.

To observe a load, the reference store writes a different tag into every bit of tensor memory. The
tag that a register bit receives names the bit that it came from. To observe a store, the reference
load reads all of tensor memory afterwards. Register bits and old contents have different tags, so
every bit shows whether it received a register bit, is unchanged, or is undefined. All four warps
run, at several addresses.

Programs can observe only a load after a store. So there are several certificates: one for the
composition with the reference, one for the meaning of taddr, and one each for the renamings of
lanes and of bits that no program can observe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from lanemap.layout import UNDEFINED, LayoutMap
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import Certificate, NamedRules
from lanemap.probing.proof.renamings import Relation, Renamings
from lanemap.probing.tags.bits import CONSTANT_0, CONSTANT_1, BitTags
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
    MEMORY,
    MOST_REGISTERS,
    THREADS,
    WARPS,
    Base,
    Batch,
    Form,
)

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
Shown = npt.NDArray[np.int32]
# Tags for the registers of the CTA, then for tensor memory.
REGISTER_WORDS = CTA_THREADS * MOST_REGISTERS
JOINT = BitTags(REGISTER_WORDS + LANES * COLUMNS)
COLUMN_BITS, REGISTER_BITS = COLUMNS.bit_length() - 1, MOST_REGISTERS.bit_length() - 1
# Results for a bit that receives no register bit of its own warp.
KEPT, NEVER_DEFINED, ELSEWHERE = -10, -11, -12
REST = {
    KEPT: "unchanged",
    NEVER_DEFINED: "undefined",
    CONSTANT_0: "zero",
    CONSTANT_1: "one",
}
LANE_RULES: tuple[tuple[str, Callable[[Integers, Integers], Integers]], ...] = (
    ("32*(warp%4) + lane%32", lambda warp, lane: 32 * warp + lane % 32),
    ("lane", lambda warp, lane: lane),
    ("32*(warp%4)", lambda warp, lane: 32 * warp),
)
COLUMN_RULES: tuple[tuple[str, Callable[[Integers], Integers]], ...] = (
    ("column", lambda column: column),
    ("0", lambda column: 0 * column),
)


@dataclass(frozen=True, eq=False)
class Aftermath:
    """All of tensor memory after a launch of stores.

    Attributes:
        batch: The forms that were launched.
        words: uint32[passes, column 512, lane 128].
        undefined: bool[column 512, lane 128, bit 32], the undefined bits; None if the device
            knows of none or cannot know.
    """

    batch: Batch
    words: Words
    undefined: npt.NDArray[np.bool_] | None = None

    @cached_property
    def touched(self) -> npt.NDArray[np.bool_]:
        """bool[column, lane]: words that changed in some pass."""
        changed: npt.NDArray[np.bool_] = np.any(self.words != store_images(), axis=0)
        return changed if self.undefined is None else changed | self.undefined.any(axis=-1)


@dataclass(frozen=True, eq=False)
class MoveReading:
    """The readings of one launch of a form.

    Attributes:
        form: The form.
        base: Where taddr pointed.
        column: The column of taddr.
        words: The loaded registers, uint32[passes, warp 4, register, lane 32]; None for a store.
        after: All of tensor memory after a store; None for a load.
    """

    form: Form
    base: Base
    column: int
    words: Words | None = None
    after: Aftermath | None = None

    @property
    def variant(self) -> str:
        """The variant that was tested."""
        return self.form.variant

    @property
    def passes(self) -> int:
        """Number of passes."""
        held = self.words if self.after is None else self.after.words
        return 0 if held is None else len(held)


def memory_words() -> Integers:
    """The number of every word of tensor memory, [column 512, lane 128]."""
    lane, column = np.arange(LANES), np.arange(COLUMNS)
    return lane[None, :] * COLUMNS + column[:, None]


def register_words() -> Integers:
    """The number of every register of the CTA, [register 128, thread 128]."""
    register, thread = np.arange(MOST_REGISTERS), np.arange(CTA_THREADS)
    return thread[None, :] * MOST_REGISTERS + register[:, None]


@cache
def load_images() -> Words:
    """Return the reference store's words before a load, uint32[passes, column, lane]."""
    return MEMORY.show(memory_words())


@cache
def store_images() -> Words:
    """Contents of tensor memory before a store, uint32[passes, column, lane]."""
    return JOINT.show(REGISTER_WORDS + memory_words())


@cache
def store_registers() -> Words:
    """The contents of the registers to store, uint32[passes, register, thread]."""
    return JOINT.show(register_words())


class Moves:
    """Explains the readings of one form; `loads` tells ld from st."""

    def __init__(self, loads: bool) -> None:
        self.loads = loads
        #: The last readings that were decoded: `explain` and `seen` ask for the same ones.
        self._decoded: tuple[Sequence[MoveReading], Integers] | None = None

    def observe(self, readings: Sequence[MoveReading]) -> LayoutMap:
        """The observation on bits, undefined where the readings do not agree on a source."""
        return self._map(readings[0].form, _settled(self._codes(readings)))

    def _map(self, form: Form, codes: Integers) -> LayoutMap:
        register, tmem = form.frame()
        destination, source = (register, tmem) if self.loads else (tmem, register)
        return LayoutMap(destination, source, np.where(codes >= 0, codes, UNDEFINED))

    def explain(self, readings: Sequence[MoveReading]) -> Finding:
        """The observation, the other bits of the frame, and the certificates."""
        form = readings[0].form
        each = self._codes(readings)
        codes = _settled(each)
        layout = self._map(form, codes)
        facts: dict[str, object] = {}
        rest = {REST[n]: int((codes == n).sum()) for n in REST if not self.loads}
        if any(rest.values()):
            facts["frame_bits_without_register"] = {k: n for k, n in rest.items() if n}
        explained = codes >= 0 if self.loads else (codes >= 0) | np.isin(codes, list(REST))
        outside = [] if self.loads else [_touched_outside(reading) for reading in readings]
        facts |= {"words_changed_outside_frame": sum(outside)} if any(outside) else {}
        return Finding(
            map=layout,
            cell_map=_cells(layout, 16 if form.halves else 32),
            certificates=tuple(self._certificates(readings)),
            patterns=tuple(_alone(codes, each, readings)),
            passes=sum(reading.passes for reading in readings),
            facts=facts,
            explained=bool(explained.all()) and not any(outside),
            no_source=None if self.loads else np.isin(codes, list(REST)),
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[MoveReading]) -> list[Shown]:
        """The readings that maps predict: tags identify every bit, so this is the map itself."""
        assert self._tags.names_every_bit
        return [layout.table[:, None].astype(np.int32) for layout in maps]

    def seen(self, readings: Sequence[MoveReading]) -> tuple[Shown, bool]:
        """The actual readings in that form; bits that receive no register bit are marked."""
        return self.observe(readings).table[:, None].astype(np.int32), True

    @property
    def _tags(self) -> BitTags:
        return MEMORY if self.loads else JOINT

    def _codes(self, readings: Sequence[MoveReading]) -> Integers:
        """The source of each destination bit by reading and warp, int64[readings * 4, bits]."""
        if self._decoded is None or self._decoded[0] is not readings:
            one = _load_codes if self.loads else _store_codes
            self._decoded = readings, np.concatenate([one(reading) for reading in readings])
        return self._decoded[1]

    def _certificates(self, readings: Sequence[MoveReading]) -> list[Certificate]:
        form = readings[0].form
        return [
            self._of_tags(form),
            _of_addresses(readings),
            names_of_lanes(form.op, {reading.base.lane for reading in readings}),
            names_of_bits(form),
        ]

    def _of_tags(self, form: Form) -> Certificate:
        """The certificate for each bit; the reference names the cells."""
        tags = self._tags
        told = tags.names_every_bit
        if self.loads:
            cells, rules = form.registers * THREADS * 32, LANES * COLUMNS * 32
            what = (
                "each register bit from any bit of tensor memory, as the reference store names it"
            )
        else:
            # A form's unused registers are not filled, so they are not hypotheses.
            cells = LANES * COLUMNS * 32
            rules = WARPS * THREADS * form.registers * 32 + cells + 2
            what = (
                "each bit of tensor memory, as the reference load names it, from any register bit "
                "of the CTA, from any bit of tensor memory (its own: unchanged), zero or one"
            )
        return Certificate(what, cells, rules, rules if told else 0, told)


def _settled(each: Integers) -> Integers:
    """The sources on which all readings and warps agree; ELSEWHERE if they differ."""
    return np.where(np.all(each == each[0], axis=0), each[0], ELSEWHERE)


def _load_codes(reading: MoveReading) -> Integers:
    """The frame bit that each register bit received, int64[4, bits]; negative for none."""
    form = reading.form
    assert reading.words is not None
    # [warp, register, lane, bit] to [warp, lane, register, bit], as registers are numbered.
    number = MEMORY.identify(reading.words).transpose(0, 2, 1, 3)
    # Shifts are several times faster than divisions, and there are millions of bits.
    word, bit = number >> 5, number & 31
    warp = np.arange(WARPS)[:, None, None, None]
    lane = (word >> COLUMN_BITS) - 32 * warp - reading.base.lane
    column = (word & COLUMNS - 1) - reading.column
    inside = (lane >= 0) & (lane < form.lanes) & (column >= 0) & (column < form.columns)
    index = (lane * form.columns + column) * 32 + bit
    codes = np.where(number < 0, number, np.where(inside, index, ELSEWHERE))
    return codes.reshape(WARPS, -1)


def _store_codes(reading: MoveReading) -> Integers:
    """The register bit that each frame bit received, int64[4, bits]; negative for none."""
    form = reading.form
    own = _frame_numbers(reading)
    word, bit = own >> 5, own & 31
    thread, register = word >> REGISTER_BITS, word & MOST_REGISTERS - 1
    warp = np.arange(WARPS)[:, None, None, None]
    mine = (own >= 0) & (thread >> 5 == warp) & (register < form.registers)
    index = ((thread & 31) * form.registers + register) * 32 + bit
    codes = np.where(mine, index, np.where(own >= 0, ELSEWHERE, own))
    # A changed word may contain bits that did not change.
    lane = (reading.base.lane + np.arange(form.lanes))[None, :, None, None] + 32 * warp
    column = (reading.column + np.arange(form.columns))[None, None, :, None]
    before = (REGISTER_WORDS + lane * COLUMNS + column) * 32 + np.arange(32)
    found: Integers = np.where(own == before, KEPT, codes).reshape(WARPS, -1)
    return found


def _frame_numbers(reading: MoveReading) -> Integers:
    """The tags in the frame after a store, int64[warp, lane, column, bit]."""
    form, after = reading.form, reading.after
    assert after is not None
    columns = slice(reading.column, reading.column + form.columns)
    touched = after.touched[columns]
    number = np.full((*touched.shape, 32), KEPT, np.int64)
    number[touched] = JOINT.identify(after.words[:, columns][:, touched])
    if after.undefined is not None:
        number[after.undefined[columns]] = NEVER_DEFINED
    # [column, lane, bit] to [warp, lane, column, bit], as tensor memory is numbered.
    own = number.reshape(form.columns, WARPS, THREADS, 32)[:, :, _lanes(reading)]
    ordered: Integers = own.transpose(1, 2, 0, 3)
    return ordered


def _lanes(reading: MoveReading) -> slice:
    """The frame's lanes in a quadrant."""
    return slice(reading.base.lane, reading.base.lane + reading.form.lanes)


def _touched_outside(reading: MoveReading) -> int:
    """Words that a launch of stores changed outside the frames of its forms and warps."""
    after, base = reading.after, reading.base
    assert after is not None
    touched = after.touched.reshape(COLUMNS, WARPS, THREADS)
    outside = np.ones_like(touched)
    for form, column in after.batch.placed:
        first = base.column(form, column)
        outside[first : first + form.columns, :, _lanes(reading)] = False
    return int((touched & outside).sum())


def _cells(layout: LayoutMap, width: int) -> LayoutMap | None:
    """The map on words or halves, without an axis of size one; None if they do not move whole."""
    from lanemap.errors import UserError
    from lanemap.layout import Space

    try:
        coarse = layout.coarsen(width, "half" if width == 16 else "word")
    except UserError:
        return None
    spaces = [
        Space(space.name, tuple(axis for axis in space.axes if axis != ("word", 1)))
        for space in (coarse.destination, coarse.source)
    ]
    return coarse.with_spaces(*spaces)


def _alone(codes: Integers, each: Integers, readings: Sequence[MoveReading]) -> list[PatternResult]:
    """Each address alone: whether all four warps agree with the map of all addresses."""
    found = []
    for at, reading in enumerate(readings):
        own, base = each[WARPS * at : WARPS * at + WARPS], reading.base
        agrees = bool(np.array_equal(own, np.broadcast_to(codes, own.shape)))
        settled = int((_settled(own) >= 0).sum())
        found.append(PatternResult(base.name, base.description, agrees, settled, WARPS))
    return found


def _of_addresses(readings: Sequence[MoveReading]) -> Certificate:
    """Which meanings of taddr's two fields the addresses can tell apart."""
    warp = np.arange(WARPS)
    outcomes, names = [], []
    for lane_name, lane_rule in LANE_RULES:
        for column_name, column_rule in COLUMN_RULES:
            origin = []
            for reading in readings:
                column = np.full(WARPS, reading.column)
                # The probes pass a lane of the warp's own quadrant, as the ISA requires.
                origin += [lane_rule(warp, 32 * warp + reading.base.lane), column_rule(column)]
            names.append(f"({lane_name}, {column_name})")
            outcomes.append(np.concatenate(origin))
    found = NamedRules(tuple(names), np.stack(outcomes)).certificate()
    return Certificate(
        f"(lane, column) where the frame begins, of warp and taddr: {found.hypotheses}",
        found.cells,
        found.rules,
        found.parts,
        found.complete,
        found.remaining,
        None if found.complete else "probe tmem_lanes; the same shape at a smaller xN",
    )


def names_of_lanes(op: str, lanes: set[int]) -> Certificate:
    """Which renamings of lanes remain for loads and stores at these lanes of taddr."""
    halves = Relation("taddr lane 16 reaches lanes 16 to 31", reaches=np.arange(THREADS) // 16)
    given = (halves,) if lanes >= {0, 16} else ()
    other = "load" if op == "st" else "store"
    return Renamings("lanes of a quadrant", THREADS, given).certificate(
        f"the reference {other} and this form",
        "probe tcgen05_shift, which orders the lanes; tcgen05_cp calls them by rows of the source",
    )


def names_of_bits(form: Form) -> Certificate:
    """Which renamings of a column's bits remain for a form."""
    low = Relation("packed halves lie in bits 0 to 15", reaches=np.arange(32) // 16)
    other = "load" if form.op == "st" else "store"
    return Renamings("bits of a column", 32, (low,) if form.halves else ()).certificate(
        f"the reference {other} and this form", "a matrix instruction, which computes with the bits"
    )
