"""Windows of timing probes as traces: what a series' kernel issues between its clock reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError
from lanemap.timing.launch import WARP
from lanemap.timing.model.trace import WORK, Trace, Unit, WarpTrace
from lanemap.timing.series import Series
from lanemap.timing.window import reads_of_the_clock
from lanemap.toolchain.sass import SassInstruction

_LABEL = re.compile(r"\.L_x_\d+")
_WIDE = {"64": 2, "128": 4, "2": 2, "4": 4}


def trace_of(series: Series, links: int, kernel: Sequence[SassInstruction]) -> Trace:
    """The trace of a window, the clock reads included.

    Raises:
        UserError: its path is not known: it branches on what the lanes find.
    """
    first, last = reads_of_the_clock(kernel)
    issued = _path(kernel, first, last, series, links)
    works = _Works(series)
    numbers = works.of([kernel[place] for place in issued])
    return Trace(
        code=tuple(kernel),
        works=works.table(),
        sectors=np.zeros(0, np.uint32),
        warps=(WarpTrace(np.array(issued, np.int32), numbers),),
        ctas=((0,) * series.warps,),
        grid=np.zeros(1, np.int32),
        bases=(np.zeros(0, np.uint64),),
        threads=WARP * series.warps,
    )


def _path(
    kernel: Sequence[SassInstruction], first: int, last: int, series: Series, links: int
) -> list[int]:
    """The instructions from one clock read to the other: loops turn as often as declared."""
    at = {each.label: place for place, each in enumerate(kernel) if each.label}
    turns = links if series.turns else series.trips
    left: dict[int, int] = {}
    issued, place = [first], first + 1
    while place != last:
        each = kernel[place]
        issued.append(place)
        named = _LABEL.search(each.operands)
        place += 1
        if not each.opcode.startswith("BRA") or ".DIV" in each.opcode or named is None:
            continue
        target = at[named[0]]
        if target < place:
            left[place] = left.get(place, turns) - 1
            if left[place] > 0:
                place = target
        elif each.guard in ("", "@PT") or "taken by all lanes" in series.name:
            if not first < target <= last:
                raise UserError(f"{series.label}: a branch leaves the window")
            place = target
        if len(issued) > 2_000_000:
            raise UserError(f"{series.label}: the window does not end")
    return [*issued, last]


class _Works:
    """The works of a window's instructions, each distinct one once."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.kept: dict[tuple[tuple[str, int], ...], int] = {}

    def of(self, issued: Sequence[SassInstruction]) -> NDArray[np.int32]:
        """The number of each instruction's work, or -1."""
        return np.array([self._number(each) for each in issued], np.int32)

    def _number(self, each: SassInstruction) -> int:
        work = _work(self.series, each)
        if work is None:
            return -1
        return self.kept.setdefault(tuple(sorted(work.items())), len(self.kept))

    def table(self) -> NDArray[np.void]:
        """The works."""
        rows = np.zeros(len(self.kept), WORK)
        for key, number in self.kept.items():
            for name, value in key:
                rows[name][number] = value
        return rows


def _work(series: Series, each: SassInstruction) -> Mapping[str, int] | None:
    """What an instruction of a window asks for."""
    if any(patch.off and patch.opcode == each.opcode for patch in series.patches):
        return {"unit": Unit.OFF}
    opcode = each.opcode
    if opcode.startswith(("LDS", "STS", "ATOMS", "LDSM", "STSM")):
        return {"unit": Unit.SHARED, "passes": _passes(series, each), "least": _least(opcode)}
    if opcode.startswith(("SHFL", "REDUX", "MATCH")):
        return {"unit": Unit.SHARED, "passes": 1, "least": 1}
    if opcode.startswith(("BAR.SYNC", "BAR.ARV")):
        parts = [int(part.strip(), 0) for part in each.operands.split(",")]
        return {
            "unit": Unit.BARRIER, "object": parts[0], "amount": parts[1] if len(parts) > 1 else 0
        }  # fmt: skip
    return None


def _least(opcode: str) -> int:
    return _WIDE.get(opcode.rpartition(".")[2], 1)


def _passes(series: Series, each: SassInstruction) -> int:
    """Passes of an access: those that the series' axes name, of its own opcode."""
    if each.opcode != series.instruction:
        return _least(each.opcode)
    if series.axes.get("words") == 1:
        return WARP if "POPC" not in each.opcode else 1
    return int(series.axes.get("passes", _least(each.opcode)))
