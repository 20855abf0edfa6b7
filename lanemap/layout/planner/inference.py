"""Reverse inference: the fragment that loads of a shape yield, the layout that stores make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lanemap.errors import UserError
from lanemap.layout.cells import UNDEFINED, IntArray, LayoutMap
from lanemap.layout.planner.copy import plan_placements
from lanemap.layout.planner.issues import AtomAt, places
from lanemap.layout.planner.matching import lane_offsets
from lanemap.layout.planner.placement import LANES, MAX_COLUMNS, Placement, place, placement_of
from lanemap.layout.planner.plan import Plan
from lanemap.layout.planner.shapes import Atom, Family, VariantLike, families
from lanemap.layout.planner.tiling import Blocked, tile_load


def infer_fragment(tmem: LayoutMap, shape: str, *, variants: Sequence[VariantLike]) -> Plan:
    """The register fragment that loads of one shape yield from a tensor-memory layout.

    A 16-lane shape is issued at lane +0 over all columns, then at lane +16 if elements lie
    there; registers count up in that order. 16x32bx2 gives the first half of the columns to the
    first half of the threads.

    Args:
        tmem: Where the matrix lies in tensor memory.
        shape: Such as "16x256b" or "32x32b.pack::16b".
        variants: The instruction forms.

    Returns:
        The plan of the loads; the fragment is `plan.destination.layout`.

    Raises:
        UserError: There is no such shape, or it cannot reach a cell, which the message names.
    """
    source = _placed(tmem, "tmem")
    (family,) = families(variants, "ld", shape)
    fragments = []
    for cta in range(source.ctas):
        for warp in range(source.warps):
            quadrant = source.ids[cta, warp]
            wanted = np.any(quadrant >= 0, axis=2)
            if not wanted.any():
                fragments.append(np.full((LANES, 0, quadrant.shape[2]), UNDEFINED))
                continue
            tiling = tile_load(quadrant, wanted, family, source.encoding.unit)
            if isinstance(tiling, Blocked):
                cell = source.word(cta, warp, tiling.lane, tiling.column)
                raise UserError(f"{family.name} does not fit: {cell} {tiling.reason}")
            fragments.append(tiling.fragment)
    registers = max(fragment.shape[1] for fragment in fragments)
    shaped = (source.ctas, source.warps, LANES, registers, source.encoding.units)
    ids = np.full(shaped, UNDEFINED, dtype=np.int64)
    for number, fragment in enumerate(fragments):
        cta, warp = divmod(number, source.warps)
        ids[cta, warp, :, : fragment.shape[1]] = fragment
    return _planned(source, placement_of(ids, "registers", source), variants, load=shape)


def infer_tmem(
    fragment: LayoutMap,
    shape: str,
    *,
    variants: Sequence[VariantLike],
    both_halves: bool = True,
) -> Plan:
    """The tensor-memory layout that stores of one shape make from a register fragment.

    Registers are taken in order, columns count up from 0; a 16-lane shape takes the first half of
    the registers at lane +0 and the rest at lane +16. 16x32bx2 writes its second half behind the
    first.

    Args:
        fragment: Where the matrix lies in registers of at most four warps.
        shape: Such as "16x128b" or "32x32b.unpack::16b".
        variants: The instruction forms.
        both_halves: Whether a 16-lane shape is issued at both halves of the quadrant.

    Returns:
        The plan of the stores; the layout is `plan.destination.layout`.

    Raises:
        UserError: There is no such shape, or the fragment's size does not fit it.
    """
    source = _placed(fragment, "registers")
    if source.warps > 4:
        raise UserError(f"a layout is inferred for at most 4 warps, not {source.warps}")
    (family,) = families(variants, "st", shape)
    unit = source.encoding.unit
    atom = family.atom(unit)
    if atom is None:
        raise UserError(f"{family.name} splits elements of {unit} bits")
    atoms = _laid_out(source.words, family, atom, both_halves)
    columns = max(at.column + atom.width + (at.gap or 0) for at in atoms)
    if columns > MAX_COLUMNS:
        raise UserError(f"{source.words} registers of {family.name} need {columns} columns of 512")
    shaped = (source.ctas, source.warps, LANES, columns, source.encoding.units)
    ids = np.full(shaped, UNDEFINED, dtype=np.int64)
    for cta in range(source.ctas):
        for warp in range(source.warps):
            _scatter(source.ids[cta, warp], atom, atoms, ids[cta, warp])
    return _planned(source, placement_of(ids, "tmem", source), variants, store=shape)


def _placed(layout: LayoutMap, kind: str) -> Placement:
    placement = place(layout)
    if placement.kind != kind:
        raise UserError(f"{layout.destination} is {placement.kind}, where {kind} is asked for")
    return placement


def _laid_out(registers: int, family: Family, atom: Atom, both_halves: bool) -> list[AtomAt]:
    """The atoms for a number of registers, ordered by lane offset, then column."""
    offsets = lane_offsets(atom) if both_halves else (0,)
    step = atom.registers * len(offsets)
    if registers == 0 or registers % step:
        raise UserError(
            f"a fragment of {registers} registers has the wrong size: {family.name} takes "
            f"{step} at a time"
        )
    count = registers // step
    gap = count * atom.width if family.split else None
    found = []
    for number in range(count * len(offsets)):
        offset, column = offsets[number // count], number % count * atom.width
        taken = range(number * atom.registers, (number + 1) * atom.registers)
        found.append(AtomAt(family, offset, column, gap, tuple(taken)))
    return found


def _scatter(fragment: IntArray, atom: Atom, atoms: Sequence[AtomAt], tmem: IntArray) -> None:
    for at in atoms:
        lanes, columns, units = places(atom, at.lane, at.column, at.gap)
        moved = lanes >= 0
        given = fragment[:, list(at.registers)].transpose(1, 0, 2)
        tmem[lanes[moved], columns[moved], units[moved]] = given[moved]


def _planned(
    source: Placement,
    destination: Placement,
    variants: Sequence[VariantLike],
    load: str | None = None,
    store: str | None = None,
) -> Plan:
    plan = plan_placements(source, destination, variants, load, store)
    if not isinstance(plan, Plan):
        raise UserError(plan.reason)
    return plan
