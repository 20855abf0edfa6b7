"""Issues of tcgen05.ld and st: what a plan consists of, and how runs of atoms become issues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from lanemap.layout.cells import UNDEFINED, IntArray
from lanemap.layout.planner.placement import LANES
from lanemap.layout.planner.shapes import Atom, Family

SCRATCH = -1


@dataclass(frozen=True)
class AtomAt:
    """x1 of a family at an address, with the fragment register of each of its registers.

    Attributes:
        lane: Lane offset from the warp's quadrant: 0 or 16.
        column: Column offset.
        gap: Columns from the first half of the threads to the second for a split shape, else None.
        registers: Registers of the fragment; `SCRATCH` for one that is loaded but not wanted.
    """

    family: Family = field(repr=False)
    lane: int
    column: int
    gap: int | None
    registers: tuple[int, ...]


@dataclass(frozen=True)
class Issue:
    """One tcgen05.ld or st of a warp.

    Attributes:
        family: The shape.
        repeat: N of xN.
        lane: Lane offset in the warp's quadrant, added to taddr: 0, or 16 for a second issue of a
            16-lane shape.
        column: Column offset, added to taddr.
        gap: The operand imm of 16x32bx2, else None.
        registers: The fragment's register in each place of the register list; `SCRATCH` for one
            that is loaded but not wanted.
    """

    family: Family = field(repr=False)
    repeat: int
    lane: int
    column: int
    gap: int | None
    registers: tuple[int, ...]

    @property
    def variant(self) -> str:
        """The exact instruction form."""
        return self.family.variants[self.repeat].name

    def ptx(self, taddr: str = "%taddr", prefix: str = "%r", scratch: str = "%scratch") -> str:
        """The instruction as PTX, on an address register and numbered data registers.

        The lane lies in bits 31 to 16 of an address, the column in bits 15 to 0 (NVIDIA PTX ISA,
        tensor memory addressing).
        """
        names = [scratch if r == SCRATCH else f"{prefix}{r}" for r in self.registers]
        listed = "{" + ", ".join(names) + "}"
        offset = (self.lane << 16) + self.column
        address = f"[{taddr} + {offset}]" if offset else f"[{taddr}]"
        if self.gap is not None:
            address += f", {self.gap}"
        family = self.family
        name = (
            f"tcgen05.{family.op}.sync.aligned.{family.shape}.x{self.repeat}{family.modifier}.b32"
        )
        operands = f"{listed}, {address}" if family.op == "ld" else f"{address}, {listed}"
        return f"{name} {operands};"

    def __str__(self) -> str:
        where = f"lane +{self.lane}, column +{self.column}"
        imm = "" if self.gap is None else f", imm {self.gap}"
        return f"{self.variant} at {where}{imm}: registers {_ranges(self.registers)}"


def places(
    atom: Atom, lane: int, column: int, gap: int | None
) -> tuple[IntArray, IntArray, IntArray]:
    """Lane, column and unit of every [register, thread, unit] of an atom or issue at an address.

    Lanes count in the quadrant; -1 where the unit is not moved.
    """
    lanes = np.where(atom.lane >= 0, atom.lane + lane, UNDEFINED)
    columns = atom.column + column
    if gap is not None:
        columns = columns + np.repeat([0, gap], LANES // 2)[:, None]
    return lanes, columns, atom.unit


def gather(tmem: IntArray, atom: Atom, at: AtomAt | Issue) -> IntArray:
    """Return the units of an atom or issue, [32 lanes, columns, units]; -1 if empty."""
    lanes, columns, units = places(atom, at.lane, at.column, at.gap)
    held: IntArray = np.where(lanes >= 0, tmem[lanes, columns, units], UNDEFINED)
    return held


def gather_all(tmem: IntArray, atom: Atom, starts: Sequence[AtomAt]) -> IntArray:
    """Return the contents of a fragment [32, registers, units] of atoms at several addresses."""
    column = np.array([at.column for at in starts])[:, None, None, None]
    lane = np.array([at.lane for at in starts])[:, None, None, None]
    gap = np.array([at.gap or 0 for at in starts])[:, None, None, None]
    upper = np.repeat([0, 1], LANES // 2)[:, None]
    moved = atom.lane >= 0
    lanes = np.where(moved, atom.lane + lane, 0)
    held = tmem[lanes, atom.column + column + gap * upper, atom.unit]
    held = np.where(moved, held, UNDEFINED)
    return np.ascontiguousarray(held.reshape(-1, LANES, tmem.shape[2]).transpose(1, 0, 2))


def issues_of(atoms: Iterable[AtomAt], unit: int) -> list[Issue] | None:
    """The fewest issues that execute the atoms; None if the allowed xN cannot.

    Neighboring atoms with the same family, lane offset and gap are joined. Taking the largest power
    of two first gives the fewest issues.
    """
    tracks: dict[tuple[int, int, int], list[AtomAt]] = {}
    for at in atoms:
        gap = UNDEFINED if at.gap is None else at.gap
        tracks.setdefault((id(at.family), at.lane, gap), []).append(at)
    found: list[Issue] = []
    for track in tracks.values():
        track.sort(key=lambda at: at.column)
        for run in _runs(track, unit):
            joined = _join(run)
            if joined is None:
                return None
            found += joined
    return found


def _runs(track: Sequence[AtomAt], unit: int) -> list[list[AtomAt]]:
    atom = track[0].family.atom(unit)
    if atom is None:
        raise AssertionError("an atom that splits its units was placed")
    runs: list[list[AtomAt]] = []
    for at in track:
        if runs and at.column == runs[-1][-1].column + atom.width:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _join(run: Sequence[AtomAt]) -> list[Issue] | None:
    family = run[0].family
    found: list[Issue] = []
    start = 0
    while start < len(run):
        fitting = [n for n in family.repetitions if n <= len(run) - start]
        if not fitting:
            return None
        part = run[start : start + fitting[-1]]
        registers = tuple(register for at in part for register in at.registers)
        first = part[0]
        found.append(Issue(family, fitting[-1], first.lane, first.column, first.gap, registers))
        start += fitting[-1]
    return found


def _ranges(registers: Sequence[int]) -> str:
    """Registers in short: "0-63", "0, 2, 1, 3", "_" for scratch."""
    parts: list[str] = []
    start = 0
    for i in range(1, len(registers) + 1):
        straight = i < len(registers) and registers[i] == registers[i - 1] + 1
        if straight and registers[i - 1] >= 0:
            continue
        run = registers[start:i]
        first = "_" if run[0] == SCRATCH else str(run[0])
        parts.append(
            f"{first}-{run[-1]}"
            if len(run) > 2
            else ", ".join("_" if r == SCRATCH else str(r) for r in run)
        )
        start = i
    return ", ".join(parts)
