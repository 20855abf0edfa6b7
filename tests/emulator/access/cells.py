"""Cells of the matrix of access kind by hazard, and how one is held against a device.

A cell is one text, launched several times: with the fault in various places, and without it. Only
what `lanemap.open_device` offers is used, so nothing here depends on how the emulator keeps memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import lanemap
from lanemap.errors import Disagreement
from tests.faults import Fault as Fault


@dataclass(frozen=True)
class Launch:
    """One launch: the numbers that the kernel takes behind its array, and the fault, if any."""

    args: tuple[int, ...]
    fault: Fault | None = None


@dataclass(frozen=True)
class Cell:
    """One text and its launches; the kernel is named `k`.

    Attributes:
        text: assembly; a comment `<mark>` at the end of a line marks it.
        launches: at least one with a fault and one without.
        array_bytes: length of the array whose pointer is the first argument.
        defined: whether the host fills the array, with zeros.
        strict: whether the strict emulator plays it: by default a load that races is a hazard only
            where its value decides something, and these kernels do not use what they load.
    """

    target: str
    text: str
    launches: tuple[Launch, ...]
    grid: int = 1
    block: int = 32
    cluster: int = 1
    array_bytes: int = 1009
    defined: bool = True
    strict: bool = False


class _Player:
    """A device in one mode, with the cell's text loaded."""

    def __init__(self, cell: Cell, hazards: str = "raise", strict: bool = False) -> None:
        self._cell = cell
        self._device = lanemap.open_device(
            cell.target,
            device="emulator",
            hazards=hazards,
            strict=strict,  # type: ignore[arg-type]
        )
        self._kernel = self._device.load(cell.text)["k"]

    def play(self, launch: Launch) -> list[Disagreement]:
        """The hazards that a launch meets."""
        cell = self._cell
        make = self._device.zeros if cell.defined else self._device.empty
        array, before = make(cell.array_bytes, np.uint8), len(self._device.hazards)
        try:
            self._kernel(
                (cell.grid,),
                (cell.block,),
                (array, *(np.uint64(number % (1 << 64)) for number in launch.args)),
                cluster=(cell.cluster, 1, 1),
            )
        except Disagreement as hazard:
            return [hazard]
        return list(self._device.hazards[before:])


def complaints(cell: Cell, modes: bool = True) -> Iterator[str]:
    """What is wrong with how the emulator plays a cell: one sentence each, none if all is right.

    Every launch is made with hazards raised; with `modes` the first faulty one is also made with
    hazards reported, and on the strict emulator.
    """
    faulty = [launch for launch in cell.launches if launch.fault]
    assert faulty and len(faulty) < len(cell.launches), "a cell has a fault and its absence"
    raising = _Player(cell, strict=cell.strict)
    for launch in cell.launches:
        yield from _judged(cell, launch, raising.play(launch), "raise")
    if not modes:
        return
    reporting = _Player(cell, "report", cell.strict)
    yield from _judged(cell, faulty[0], reporting.play(faulty[0]), "report")
    yield from _judged(cell, faulty[0], _Player(cell, strict=True).play(faulty[0]), "strict")


def _judged(cell: Cell, launch: Launch, found: list[Disagreement], mode: str) -> Iterator[str]:
    who = f"{launch.args} ({mode})"
    if launch.fault is None:
        yield from (f"{who}: a false alarm: {hazard}" for hazard in found)
        return
    if not found:
        yield f"{who}: nothing was reported"
        return
    reasons = [launch.fault.wrong(hazard, cell.text) for hazard in found]
    if all(reasons):
        yield f"{who}: {reasons[0]}"
