"""Windows of timing probes as traces: what a series' kernel issues between its clock reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError
from lanemap.timing.launch import WARP
from lanemap.timing.model.trace import LINE_BYTES, SECTOR_BYTES, WORK, Trace, Unit, WarpTrace
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
    paths = [_path(kernel, first, last, series, links)]
    if series.beside:
        end = max(n for n, each in enumerate(kernel) if "SR_CLOCK" in each.operands)
        paths.append(_path(kernel, first, end, series, links, beside=True))
    works = _Works(series)
    begun, begin = works.begun(kernel)
    warps: list[WarpTrace] = []
    for warp in range(series.warps):
        places = paths[-1 if warp < series.beside_warps else 0]
        numbers = works.of([kernel[place] for place in places], warp)
        if warp == 0 and begun:
            places, numbers = begun + places, begin + numbers
        each = WarpTrace(np.array(places, np.int32), np.array(numbers, np.int32))
        same = next((n for n, other in enumerate(warps) if _equal(each, other)), len(warps))
        works.warps.append(same)
        if same == len(warps):
            warps.append(each)
    return Trace(
        code=tuple(kernel),
        works=works.table(),
        sectors=np.zeros(0, np.uint32),
        warps=tuple(warps),
        ctas=(tuple(works.warps),),
        grid=np.zeros(1, np.int32),
        bases=(np.zeros(0, np.uint64),),
        cluster=series.cluster,
        threads=WARP * series.warps,
    )


def _equal(one: WarpTrace, other: WarpTrace) -> bool:
    return np.array_equal(one.issued, other.issued) and np.array_equal(one.works, other.works)


def _path(
    kernel: Sequence[SassInstruction],
    first: int,
    last: int,
    series: Series,
    links: int,
    beside: bool = False,
) -> list[int]:
    """The instructions from one clock read to the other: loops turn as often as declared.

    With `beside`, those of the warps that multiply beside the links.
    """
    multiplies = next((n for n, each in enumerate(kernel) if "GMMA." in each.opcode), len(kernel))
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
        elif series.beside and each.guard not in ("", "@PT"):
            place = target if beside == (target <= multiplies) else place
        elif each.guard in ("", "@PT") or "taken by all lanes" in series.name:
            if not first < target <= last:
                raise UserError(f"{series.label}: a branch leaves the window")
            place = target
        if len(issued) > 2_000_000:
            raise UserError(f"{series.label}: the window does not end")
    return [*issued, last]


@dataclass(frozen=True)
class _Mbarriers:
    """The mbarriers of a series: their arrivals in a phase, and who does what there.

    Attributes:
        arrivals: Of a phase of each.
        each: That one instruction makes.
        first: The phase of the first wait, of the first warp and of others.
        bytes: That an arrival announces.
    """

    arrivals: tuple[int, ...]
    each: int
    first: tuple[int, int]
    bytes: int = 0


#: Series of bulk copies that complete at an mbarrier.
_LOADS = (
    "cp.async.bulk load", "cp.async.bulk.tensor load", "cp.async.bulk multicast",
    "cp.async.bulk to a peer", "st.async.b32", "st.async.b64", "red.async.add.u32",
)  # fmt: skip


#: Series of boxes whose rows begin anywhere, and the bytes of one.
_BOXES, _BOX = "cp.async.bulk.tensor of rows", 16384


def _mbarriers(series: Series) -> _Mbarriers | None:
    """The mbarriers that a series of `sync` sets up; see `mbarriers.one` and `mbarriers.pair`."""
    name, axes = series.name, series.axes
    if name in _LOADS:
        return _Mbarriers((1,), 1, (1, 1), int(axes["bytes"]) * int(axes.get("in flight", 1)))
    if "with UBLKCP" in name:
        return _Mbarriers((1,), 1, (1, 1))
    if name == _BOXES:
        return _Mbarriers((1,), 1, (1, 1), int(axes["copies"]) * _BOX)
    lanes = int(axes.get("lanes", 1))
    if name == "mbarrier hand-off and back":
        return _Mbarriers((1, int(axes["consumers"])), 1, (0, 1))
    if name == "mbarrier hand-off of a value":
        return _Mbarriers((WARP, WARP), WARP, (0, 1))
    if name.startswith("cp.async.mbarrier.arrive"):
        return _Mbarriers((WARP,), WARP, (1, 1))
    if name.endswith("round trip") and name.startswith("mbarrier"):
        return _Mbarriers((lanes,), lanes, (1, 1))
    if name.startswith("mbarrier.") and "wait" in name and "try_wait false" not in name:
        return _Mbarriers((1,), 1, (0, 0))
    return _Mbarriers((1000000,), lanes, (0, 0)) if name.startswith("mbarrier.arrive") else None


class _Works:
    """The works of a window's instructions, each distinct one once."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self.kept: dict[tuple[tuple[str, int], ...], int] = {}
        self.mbarriers = _mbarriers(series)
        self.warps: list[int] = []
        self.waits = 0

    def begun(self, kernel: Sequence[SassInstruction]) -> tuple[list[int], list[int]]:
        """What initializes the mbarriers, issued before the window: places and works."""
        if self.mbarriers is None:
            return [], []
        place = next(n for n, each in enumerate(kernel) if each.opcode.startswith("SYNCS.EXCH"))
        works = [
            self._kept({"unit": Unit.MBARRIER_INIT, "object": number, "amount": arrivals})
            for number, arrivals in enumerate(self.mbarriers.arrivals)
        ]
        return [place] * len(works), works

    def of(self, issued: Sequence[SassInstruction], warp: int) -> list[int]:
        """The number of the work of each instruction of a warp, or -1."""
        self.waits = 0
        return [self._number(each, warp) for each in issued]

    def _number(self, each: SassInstruction, warp: int) -> int:
        work = self._of_mbarrier(each, warp) or _work(self.series, each, warp)
        return -1 if work is None else self._kept(work)

    def _kept(self, work: Mapping[str, int]) -> int:
        return self.kept.setdefault(tuple(sorted(work.items())), len(self.kept))

    def _of_mbarrier(self, each: SassInstruction, warp: int) -> Mapping[str, int] | None:
        own = self.mbarriers
        if own is None:
            return None
        pair = len(own.arrivals) == 2
        if ".A0TR" in each.opcode:  # it announces bytes, and does not arrive
            size = int(self.series.axes["bytes"])
            return {"unit": Unit.MBARRIER_ARRIVE, "object": 0, "amount": 0, "bytes": size}
        if each.opcode.startswith("SYNCS.ARRIVE"):
            there = int(pair and warp > 0)
            return {
                "unit": Unit.MBARRIER_ARRIVE, "object": there, "amount": own.each,
                "bytes": own.bytes,
            }  # fmt: skip
        if each.opcode.startswith("ARRIVES"):
            return {"unit": Unit.MBARRIER_COPIES, "object": 0, "amount": own.each}
        if each.opcode.startswith("SYNCS.PHASECHK"):
            first = own.first[min(warp, 1)]
            phase = first + self.waits if pair or first else 0
            self.waits += 1
            return {"unit": Unit.MBARRIER_WAIT, "object": int(pair and warp == 0), "phase": phase}
        return None

    def table(self) -> NDArray[np.void]:
        """The works."""
        rows = np.zeros(len(self.kept), WORK)
        for key, number in self.kept.items():
            for name, value in key:
                rows[name][number] = value
        return rows


#: Of the hand-off by bar.arrive: the barriers at which each warp arrives, and those it waits at.
_HAND_OFF = ({"ARV": 1, "SYNC": 2}, {"ARV": 2, "SYNC": 1})


def _work(series: Series, each: SassInstruction, warp: int) -> Mapping[str, int] | None:
    """What an instruction of a window asks for."""
    if any(patch.off and patch.opcode == each.opcode for patch in series.patches):
        return {"unit": Unit.OFF}
    opcode = each.opcode
    if opcode == "BRA" and "by every second lane" in series.name:
        return {"unit": Unit.PARTED}
    if opcode.startswith(("LDS", "STS", "ATOMS", "LDSM", "STSM")):
        passes = _passes(series, each)
        least = passes if opcode.startswith("ATOMS") else _least(opcode)
        return {"unit": Unit.SHARED, "passes": passes, "least": least}
    if opcode.startswith("LDGSTS") and "pitch" in series.axes:
        return _of_rows(int(series.axes["pitch"]))
    if opcode.startswith("UTMALDG") and series.name == _BOXES:
        return {"unit": Unit.BULK_LOAD, "bytes": _BOX}
    if opcode.startswith(("UBLKCP.S.G", "UTMALDG")) and "bytes" in series.axes:
        return {"unit": Unit.BULK_LOAD, "bytes": int(series.axes["bytes"])}
    if opcode.startswith(("UBLKCP.S.S", "STAS", "REDAS")):
        return {"unit": Unit.PEER, "bytes": int(series.axes["bytes"])}
    if opcode.startswith(("UBLKCP.G.S", "UBLKRED", "UTMASTG", "UTMAREDG")):
        return {"unit": Unit.BULK_STORE, "bytes": int(series.axes["bytes"])}
    if opcode.startswith(("LD.", "ST.")) and "shared::cluster" in series.name:
        return {"unit": Unit.REMOTE, "bytes": WARP * 4, "passes": 1}
    if opcode.startswith("LD.") and "of shared memory" in series.name:
        return {"unit": Unit.SHARED, "passes": 1, "least": 1}
    if opcode.startswith(("LDG", "STG", "LD.", "ATOMG", "REDG")):
        scattered = SECTOR_BYTES if "words" in series.axes else 4 * _least(opcode)
        apart = int(series.axes.get("bytes between lanes", scattered))
        return _global(apart, 1 if ".U8" in opcode else 4 * _least(opcode))
    if opcode.startswith(("SHFL", "REDUX", "MATCH")):
        return {"unit": Unit.SHARED, "passes": 1, "least": 1}
    if opcode.startswith("SYNCS.EXCH"):
        return {"unit": Unit.MBARRIER_INIT, "amount": 1}
    if opcode.startswith("BAR."):
        parts = [part.strip() for part in each.operands.split(",")]
        number = int(parts[0], 0)
        if "hand-off" in series.name and _HAND_OFF[warp][opcode.split(".")[1]] != number:
            return {"unit": Unit.OFF}
        amount = int(parts[1], 0) if len(parts) > 1 and parts[1].startswith("0x") else 0
        return {"unit": Unit.BARRIER, "object": number, "amount": amount}
    return None


def _global(apart: int, width: int) -> Mapping[str, int]:
    """An access of a warp whose lanes are `apart` bytes from each other, and access `width`."""
    lines, sectors = (
        min(max(WARP * apart // size, 1), WARP) for size in (LINE_BYTES, SECTOR_BYTES)
    )
    size = max(WARP * min(apart, width), width)
    return {"unit": Unit.GLOBAL, "bytes": size, "passes": lines, "amount": sectors}


def _of_rows(pitch: int) -> Mapping[str, int]:
    """Parts of rows, a line long, of which a quarter of a warp reads one: the mean of 4."""
    parts = range(0, WARP * pitch, pitch)
    lines, sectors = (
        sum((at + LINE_BYTES - 1) // size - at // size + 1 for at in parts) * 4 // WARP
        for size in (LINE_BYTES, SECTOR_BYTES)
    )
    return {"unit": Unit.GLOBAL, "bytes": 4 * LINE_BYTES, "passes": lines, "amount": sectors}


def _least(opcode: str) -> int:
    return max((_WIDE.get(part, 1) for part in opcode.split(".")[1:]), default=1)


#: Passes of accesses whose lanes are 16 bytes apart, as in the pairs of `smem`.
_APART = 4


def _passes(series: Series, each: SassInstruction) -> int:
    """Passes of an access: those that the series' axes name, of its own opcode."""
    if " and " in series.name and series.name.startswith(series.instruction):
        return _APART
    if each.opcode != series.instruction:
        return _least(each.opcode)
    if series.axes.get("words") == 1:
        return WARP if "POPC" not in each.opcode else 1
    return int(series.axes.get("passes", _least(each.opcode)))
