"""Shapes of tcgen05.ld and st, taken from the layout maps of their variants.

A family is a shape with or without packing; its xN is x1 repeated over the columns, so the planner
works with atoms of x1. Every finished plan is executed with the maps of the very xN that it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap
from lanemap.layout.planner.placement import LANES, WORD_BITS

_NAME = re.compile(r"tcgen05\.(ld|st)\.(\w+)\.x(\d+)(\.pack::16b|\.unpack::16b)?")
_ONLY = re.compile(r"(?:tcgen05\.(?:ld|st)\.)?(\w+?)(?:\.x(\d+))?(\.(?:un)?pack::16b)?")
SPLIT_SHAPE = "16x32bx2"


class VariantLike(Protocol):
    """The properties of a variant that the planner needs."""

    @property
    def name(self) -> str:
        """As assembly spells it, `tcgen05.ld.16x256b.x4`."""

    @property
    def map(self) -> LayoutMap:
        """Loads: registers from tensor memory; stores: tensor memory from registers; by bits."""


@dataclass(frozen=True, eq=False)
class Atom:
    """x1 of a family at one width of unit, as arrays [registers, 32 threads, units].

    Attributes:
        lane: Lane of tensor memory; -1 where the unit is not moved.
        column: Column, of each half of the threads on its own for a split shape.
        unit: Unit in the column's word.
        width: Columns of the atom.
        covered: bool[lanes, width, units]: the tensor-memory units that the atom moves.
    """

    lane: IntArray
    column: IntArray
    unit: IntArray
    width: int
    covered: np.ndarray

    @property
    def registers(self) -> int:
        """Registers of a thread."""
        return int(self.lane.shape[0])

    @property
    def lanes(self) -> int:
        """Lanes that one issue reaches: 16 or 32."""
        return int(self.covered.shape[0])


@dataclass(frozen=True, eq=False)
class Family:
    """A shape of loads or stores, with or without packing.

    Attributes:
        op: "ld" or "st".
        shape: The instruction's spelling.
        modifier: ".pack::16b", ".unpack::16b" or empty.
        variants: By N of xN.
        allowed: The N that a plan may use, ascending; all unless the caller wants one.
    """

    op: str
    shape: str
    modifier: str
    variants: dict[int, VariantLike]
    allowed: tuple[int, ...] = ()
    _atoms: dict[int, Atom | None] = field(default_factory=dict)
    _moves: dict[tuple[int, int], Atom] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The family without xN: `tcgen05.st.32x32b.unpack::16b`."""
        return f"tcgen05.{self.op}.{self.shape}{self.modifier}"

    @property
    def split(self) -> bool:
        """Whether an operand places the second half of the threads on its own."""
        return self.shape == SPLIT_SHAPE

    @property
    def repetitions(self) -> list[int]:
        """The N that a plan may use, ascending."""
        return sorted(self.allowed or self.variants)

    def atom(self, unit: int) -> Atom | None:
        """x1 as moves of units of a width in bits; None if it splits such units."""
        if unit not in self._atoms:
            try:
                self._atoms[unit] = self.issue(1, unit)
            except UserError:
                self._atoms[unit] = None
        return self._atoms[unit]

    def issue(self, repeat: int, unit: int) -> Atom:
        """The moves of xN, on units of a width in bits.

        Raises:
            UserError: The shape has no such N, or splits units.
        """
        if repeat not in self.variants:
            raise UserError(f"{self.name} has no x{repeat}; it has {_listed(self.variants)}")
        key = (repeat, unit)
        if key not in self._moves:
            self._moves[key] = self._read(self.variants[repeat].map, unit)
        return self._moves[key]

    def _read(self, layout: LayoutMap, unit: int) -> Atom:
        load = layout if self.op == "ld" else layout.inverse()
        registers, tmem = load.destination.sizes[1], load.source
        if load.destination.sizes != (LANES, registers, WORD_BITS):
            raise UserError(f"{self.name} maps {load.destination}, not 32 threads of registers")
        units = WORD_BITS // unit
        bits = load.table.reshape(LANES, registers, units, unit)
        first = bits[..., 0]
        whole = np.where(first[..., None] >= 0, first[..., None] + np.arange(unit), UNDEFINED)
        if not np.array_equal(bits, whole) or np.any(first[first >= 0] % unit):
            raise UserError(f"{self.name} splits units of {unit} bits")
        first = first.transpose(1, 0, 2)
        columns = tmem.sizes[1]
        lane = np.where(first >= 0, first // (columns * WORD_BITS), UNDEFINED)
        column = np.where(first >= 0, first // WORD_BITS % columns, 0)
        if self.split:
            column = (
                column - np.repeat([0, int(column[:, LANES // 2 :].min())], LANES // 2)[:, None]
            )
        inside = np.where(first >= 0, first % WORD_BITS // unit, 0)
        width = int(column.max()) + 1
        covered = np.zeros((int(lane.max()) + 1, width, units), dtype=bool)
        covered[lane[first >= 0], column[first >= 0], inside[first >= 0]] = True
        return Atom(lane, column, inside, width, covered)


def families(variants: Sequence[VariantLike], op: str, only: str | None = None) -> list[Family]:
    """The families of loads ("ld") or stores ("st") in a table of variants.

    Args:
        variants: Any variants; all but tcgen05.ld and st are ignored.
        op: "ld" or "st".
        only: The one family to keep, with xN if only that N may be used: `16x256b` (without
            packing), `32x32b.unpack::16b`, `tcgen05.ld.16x64b.x4`.

    Raises:
        UserError: `only` is no shape of the table, or its xN is illegal; legal values are listed.
    """
    found = _known(tuple(variants), op)
    usable = [family for family in found if 1 in family.variants]
    if not usable:
        raise UserError(f"the table of variants has no tcgen05.{op}")
    return usable if only is None else _kept(usable, op, only)


# Reading a table takes longer than planning with it, and callers pass the same one many times. The
# cache keeps the variants alive, so that no new object can get the id of one of them.
_TABLES: dict[tuple[str, tuple[int, ...]], tuple[tuple[VariantLike, ...], list[Family]]] = {}
_MAX_TABLES = 8


def _known(variants: tuple[VariantLike, ...], op: str) -> list[Family]:
    """The families of a table, read once."""
    key = (op, tuple(map(id, variants)))
    if key not in _TABLES:
        if len(_TABLES) >= _MAX_TABLES:
            _TABLES.clear()
        _TABLES[key] = (variants, _read_table(variants, op))
    return _TABLES[key][1]


def _read_table(variants: Sequence[VariantLike], op: str) -> list[Family]:
    found: dict[tuple[str, str], Family] = {}
    for variant in variants:
        match = _NAME.fullmatch(variant.name)
        if match is None or match[1] != op:
            continue
        key = (match[2], match[4] or "")
        found.setdefault(key, Family(op, *key, {})).variants[int(match[3])] = variant
    return list(found.values())


def _kept(usable: list[Family], op: str, only: str) -> list[Family]:
    match = _ONLY.fullmatch(only)
    shapes = sorted({family.shape for family in usable})
    if match is None or match[1] not in shapes:
        raise UserError(f"there is no shape {only!r}; tcgen05.{op} has {', '.join(shapes)}")
    shape, repeat, modifier = match.groups()
    kept = [f for f in usable if f.shape == shape and f.modifier == (modifier or "")]
    if not kept:
        raise UserError(f"tcgen05.{op}.{shape} has no {modifier}")
    if repeat is None:
        return kept
    if int(repeat) not in kept[0].variants:
        raise UserError(f"{shape} has no x{repeat}; it has {_listed(kept[0].variants)}")
    return [replace(kept[0], allowed=(int(repeat),))]


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(f"x{number}" for number in sorted(numbers))
