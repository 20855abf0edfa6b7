"""Readings of `.pack::16b` and `.unpack::16b`, which move halves of columns, and what they prove.

Tensor memory has 65,536 words, so a 16-bit half can hold the number of its word, and one pass names
all words. The launches vary the other halves instead: two kinds of contents, and undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.layout import UNDEFINED, LayoutMap
from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.proof.certificates import NEVER_WRITTEN, Certificate
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
    THREADS,
    WARPS,
    Form,
)
from lanemap.probing.tmem.moves import Shown, memory_words

Integers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
REPEAT = 2
# The initial contents of the halves that do not move.
KINDS = ("like the low half", "its complement", "undefined")
NO_HALF = -1
# Odd, so multiplication by it is invertible modulo 2**16.
SPREAD = 40503


def asked(op: str, shape: str) -> Form:
    """The form that is tested for a shape."""
    return Form(op, shape, REPEAT, True)


def spread(number: Integers, way: int = 0) -> Words:
    """Spread numbers below 2**16 over 16 bits: a product, or a product with swapped bytes."""
    product = number * SPREAD & 0xFFFF
    return (_exchanged(product) if way else product).astype(np.uint32)


def gathered(tag: Integers, way: int = 0) -> Integers:
    """Invert `spread`."""
    return (_exchanged(tag) if way else tag) * pow(SPREAD, -1, 1 << 16) & 0xFFFF


def _exchanged(halves: Integers) -> Integers:
    """Halves with their two bytes exchanged."""
    return (halves >> 8 | halves << 8) & 0xFFFF


def _bits(words: Words) -> npt.NDArray[np.int32]:
    """The bits of words, lowest first, as a last axis."""
    places = np.arange(32, dtype=np.uint32)
    bits: npt.NDArray[np.int32] = (words[..., None] >> places & np.uint32(1)).astype(np.int32)
    return bits


def images() -> Words:
    """Initial tensor memory, uint32[kind 2, column, lane]; low halves name the word."""
    first, second = spread(memory_words()), spread(memory_words(), 1)
    high = np.uint32(16)
    return np.stack([first | first << high, second | ~second << high])


def pairs() -> Words:
    """The same low halves, packed for unpacking stores: uint32[column pair, lane]."""
    number = spread(memory_words())
    paired: Words = number[0::2] | number[1::2] << np.uint32(16)
    return paired


def registers(form: Form) -> Words:
    """The registers to store, uint32[register, thread]; their halves are numbered from 0."""
    number = np.arange(form.registers * CTA_THREADS * 2).reshape(CTA_THREADS, form.registers, 2)
    halves = spread(number).transpose(1, 0, 2)
    joined: Words = halves[..., 0] | halves[..., 1] << np.uint32(16)
    return joined


@dataclass(frozen=True, eq=False)
class HalvesReading:
    """The readings of the launches of one form.

    Attributes:
        form: The form.
        words: uint32[kind 3, register, thread] of a load, uint32[kind 3, column, lane] of a store.
        undefined: bool[.., 32], the undefined bits of `words`; None if the device cannot know.
    """

    form: Form
    words: Words
    undefined: npt.NDArray[np.bool_] | None

    @property
    def variant(self) -> str:
        """The variant that was tested."""
        return self.form.variant

    def defined(self) -> npt.NDArray[np.bool_]:
        """bool[.., 2]: whether each half of `words` is fully defined, as far as is known."""
        if self.undefined is None:
            return np.ones((*self.words.shape, 2), np.bool_)
        halves = self.undefined.reshape(*self.words.shape, 2, 16)
        return np.logical_not(halves.any(axis=-1))

    def halves(self) -> Integers:
        """int64[.., 2]: the value of each half of `words`; NO_HALF if it is undefined."""
        held = np.stack([self.words & 0xFFFF, self.words >> 16], axis=-1).astype(np.int64)
        return np.where(self.defined(), held, NO_HALF)


class Halves:
    """Explains the readings of one form; `loads` tells ld from st."""

    def __init__(self, loads: bool) -> None:
        self.loads = loads

    def observe(self, readings: Sequence[HalvesReading]) -> LayoutMap:
        """The observation on bits: whole halves, undefined if the kinds disagree."""
        (reading,) = readings
        register, tmem = reading.form.frame()
        cells = self._loaded(reading) if self.loads else self._stored(reading)
        table = np.where(cells[..., None] >= 0, cells[..., None] + np.arange(16), UNDEFINED)
        destination, source = (register, tmem) if self.loads else (tmem, register)
        if not self.loads:
            # Only low halves receive anything.
            table = np.concatenate([table, np.full_like(table, UNDEFINED)], axis=-1)
        return LayoutMap(destination, source, table.reshape(-1))

    def explain(self, readings: Sequence[HalvesReading]) -> Finding:
        """The observation, and what happens to the halves that do not move."""
        (reading,) = readings
        layout = self.observe(readings)
        facts = self._ignored(reading) if self.loads else self._rest(reading)
        none = np.zeros_like(layout.defined) if self.loads else ~layout.defined
        return Finding(
            map=layout,
            cell_map=None if not layout.defined.any() else layout.coarsen(16, "half"),
            certificates=(self._certificate(reading),),
            patterns=tuple(
                PatternResult(kind, f"the other halves: {kind}", True, int(layout.defined.sum()), 4)
                for kind in KINDS
            ),
            passes=len(KINDS),
            facts=facts,
            explained=bool(np.all(layout.defined | none)),
            no_source=none,
        )

    def shown_by(self, maps: Sequence[LayoutMap], readings: Sequence[HalvesReading]) -> list[Shown]:
        """The readings that maps predict, by kind and warp; NEVER_WRITTEN for undefined bits."""
        (reading,) = readings
        return [self._shown(reading.form, layout) for layout in maps]

    def seen(self, readings: Sequence[HalvesReading]) -> tuple[Shown, bool]:
        """The actual readings in that form."""
        (reading,) = readings
        bits = _bits(reading.words)
        if reading.undefined is not None:
            bits = np.where(reading.undefined, NEVER_WRITTEN, bits)
        if self.loads:
            own = bits.reshape(len(KINDS), reading.form.registers, WARPS, THREADS, 32)
            ordered = own.transpose(3, 1, 4, 0, 2)
        else:
            own = bits[:, : reading.form.columns]
            own = own.reshape(len(KINDS), reading.form.columns, WARPS, THREADS, 32)
            ordered = own[:, :, :, : reading.form.lanes].transpose(3, 1, 4, 0, 2)
        shown = ordered.reshape(-1, len(KINDS) * WARPS).astype(np.int32)
        return shown, reading.undefined is not None

    def _shown(self, form: Form, layout: LayoutMap) -> Shown:
        """The readings that one map predicts, [destination bit, kind * warp]."""
        given = layout.source.coords(np.maximum(layout.table, 0))
        shown = np.full((layout.destination.size, len(KINDS), WARPS), NEVER_WRITTEN, np.int32)
        for warp in range(WARPS):
            lane = given["lane"] + THREADS * warp
            if self.loads:
                for kind, before in enumerate(_bits(images())):
                    shown[:, kind, warp] = before[given["column"], lane, given["bit"]]
                # With undefined high halves, the low halves are those of the first kind.
                low = given["bit"] < 16
                shown[:, 2, warp] = np.where(low, shown[:, 0, warp], NEVER_WRITTEN)
            else:
                stored = _bits(registers(form))[given["register"], lane, given["bit"]]
                shown[:, :, warp] = stored[:, None]
        shown[~layout.defined] = NEVER_WRITTEN
        return shown.reshape(layout.destination.size, -1)

    def _loaded(self, reading: HalvesReading) -> Integers:
        """Bit 0 of the low half that each register half received, [lane, register, half]."""
        form, numbers = reading.form, self._numbers(reading)
        same = np.all(numbers == numbers[0], axis=0) & (numbers[0] >= 0)
        number = numbers[0]
        word = number.transpose(1, 0, 2).reshape(WARPS, THREADS, form.registers, 2)
        same = same.transpose(1, 0, 2).reshape(word.shape)
        lane = word // COLUMNS - THREADS * np.arange(WARPS)[:, None, None, None]
        column = word % COLUMNS
        inside = (lane >= 0) & (lane < form.lanes) & (column < form.columns)
        cell = np.where(same & inside, (lane * form.columns + column) * 32, NO_HALF)
        return np.where(np.all(cell == cell[0], axis=0), cell[0], NO_HALF)

    def _stored(self, reading: HalvesReading) -> Integers:
        """Bit 0 of the register half that each low half received, [lane, column]."""
        form = reading.form
        low = self._frame(reading)[..., 0]
        same = np.all(low == low[0], axis=0) & (low[0] >= 0)
        number = gathered(low[0])
        number, half = number // 2, number % 2
        thread, register = number // form.registers, number % form.registers
        warp = np.arange(WARPS)[:, None, None]
        mine = same & (thread // THREADS == warp) & (number < CTA_THREADS * form.registers)
        cell = ((thread % THREADS) * form.registers + register) * 32 + 16 * half
        cell = np.where(mine, cell, NO_HALF)
        return np.where(np.all(cell == cell[0], axis=0), cell[0], NO_HALF)

    def _frame(self, reading: HalvesReading) -> Integers:
        """The halves of the frame after a store, int64[kind, warp, lane, column, half]."""
        form = reading.form
        own = reading.halves()[:, : form.columns].reshape(-1, form.columns, WARPS, THREADS, 2)
        ordered: Integers = own[:, :, :, : form.lanes].transpose(0, 2, 3, 1, 4)
        return ordered

    def _ignored(self, reading: HalvesReading) -> dict[str, Any]:
        """Whether the high halves affect a load."""
        numbers = self._numbers(reading)
        return {
            "registers_differ_by_high_halves": int(np.sum(numbers[0] != numbers[1])),
            "registers_undefined_under_undefined_high_halves": int(np.sum(numbers[2] < 0)),
        }

    def _numbers(self, reading: HalvesReading) -> Integers:
        """The word that each register half names, int64[kind, register, thread, half]."""
        halves = reading.halves()
        named = np.stack([gathered(each, int(kind == 1)) for kind, each in enumerate(halves)])
        return np.where(halves < 0, NO_HALF, named)

    def _rest(self, reading: HalvesReading) -> dict[str, Any]:
        """Return the high halves of the frame after a store, by their earlier contents."""
        form, high = reading.form, self._frame(reading)[..., 1]
        before = images()[:, : form.columns] >> 16
        found = {}
        for at, kind in enumerate(KINDS):
            own = high[at]
            counts = {"undefined": int(np.sum(own < 0)), "zero": int(np.sum(own == 0))}
            if kind != "undefined":
                held = before[at].reshape(form.columns, WARPS, THREADS)[..., : form.lanes]
                kept = own == held.transpose(1, 2, 0)
                counts["unchanged"] = int(np.sum(kept))
            found[kind] = {words: count for words, count in counts.items() if count}
        return {"high_halves_after": found, "high_halves": high[0].size}

    def _certificate(self, reading: HalvesReading) -> Certificate:
        """The certificate for each half; all words and register halves have different numbers."""
        if self.loads:
            # The values of low and high halves in the two kinds with known contents.
            shown = [(images() >> np.uint32(shift) & 0xFFFF).reshape(2, -1) for shift in (0, 16)]
            told = np.unique(np.concatenate(shown, axis=1), axis=1).shape[1]
            rules = 2 * LANES * COLUMNS
            what = "each register half, moved whole, from either half of any word of tensor memory"
            cells = CTA_THREADS * reading.form.registers * 2
            return Certificate(what, cells, rules, told, told == rules)
        numbers = registers(reading.form)
        told = np.unique(np.stack([numbers & 0xFFFF, numbers >> 16])).size
        what = (
            "each low half of tensor memory, moved whole, from any half of any register of the CTA"
        )
        return Certificate(what, LANES * COLUMNS, numbers.size * 2, told, told == numbers.size * 2)
