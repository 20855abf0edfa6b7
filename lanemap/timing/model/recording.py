"""What the emulator tells of a launch, kept for a trace: by warp, those that do the same once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator import api
from lanemap.errors import UserError
from lanemap.timing.model.trace import SECTOR_BYTES

if TYPE_CHECKING:
    from lanemap.emulator.api import Counts, Watched
    from lanemap.timing.model.kinds import Sample, Size

#: What is kept of an event (event.h). `what` is the space of an access, or what was done at a
#: barrier; `pattern` numbers the sectors of global memory that lanes access, from `base` on.
EVENT = np.dtype(
    [
        ("happening", np.uint8),
        ("what", np.uint8),
        ("direction", np.uint8),
        ("engine", np.uint8),
        ("operation", np.uint32),
        ("lanes", np.uint64),
        ("bytes", np.uint32),
        ("passes", np.uint16),
        ("least", np.uint16),
        ("place", np.uint32),
        ("rank", np.uint32),
        ("phase", np.uint32),
        ("pattern", np.int32),
    ]
)
_LANES = 32
#: Banks of shared memory, of a word each.
_BANKS = 32
#: Arrays are found by the pages of this size in which accesses begin.
_PAGE = 256
#: The address of each lane where an engine makes an access.
_NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
#: Lanes that access no global memory are behind all others when addresses are sorted.
_NOWHERE = np.uint64(1 << 63)
#: In the upper half of a generic address: its lower half is one of shared memory.
_RANK_SHIFT = 24


@dataclass(frozen=True)
class Alike:
    """Warps that did the same but for addresses in global memory.

    Attributes:
        events: What each of them did: of type EVENT.
        members: CTA and number of each.
        bases: For each, the bases of the events with a pattern, in order.
    """

    events: NDArray[np.void]
    members: tuple[tuple[int, int], ...]
    bases: tuple[NDArray[np.uint64], ...]


@dataclass(frozen=True)
class Recorded:
    """A launch.

    Attributes:
        kernel: Its symbol.
        instructions: By number of operation, the instructions that warps executed.
        warps: All warps.
        patterns: By number, offsets of sectors behind the lowest one in bytes.
        grid, block, cluster: Sizes by dimension.
        shared_bytes: Of a CTA.
        arrays: By address, the bytes of each array of global memory that was accessed, and those
            of the sectors of all accesses.
    """

    kernel: str
    instructions: dict[int, api.Instruction]
    warps: tuple[Alike, ...]
    patterns: tuple[NDArray[np.uint32], ...]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared_bytes: int
    arrays: dict[int, tuple[int, int]]


class Patterns:
    """Numbers the sets of sectors that accesses touch."""

    def __init__(self) -> None:
        """Begin with none."""
        self.offsets: list[NDArray[np.uint32]] = []
        self._numbers: dict[bytes, int] = {}

    def of(
        self, addresses: NDArray[np.uint64], lanes: NDArray[np.uint64], size: NDArray[np.uint32]
    ) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """Return base and pattern of each access.

        Args:
            addresses: (n, 32), of each lane.
            lanes: (n,), masks of those that access.
            size: (n,), bytes of each lane.
        """
        bits = np.uint64(1) << np.arange(_LANES, dtype=np.uint64)
        active = lanes[:, None] & bits != 0
        first = addresses // SECTOR_BYTES
        last = (addresses + size[:, None] - np.uint64(1)) // SECTOR_BYTES
        touched = np.concatenate([first, last], 1) if (last != first)[active].any() else first
        active = np.concatenate([active, active], 1)[:, : touched.shape[1]]
        touched = np.sort(np.where(active, touched, _NOWHERE), 1)
        touched[:, 1:][touched[:, 1:] == touched[:, :-1]] = _NOWHERE
        touched.sort(1)
        base = touched[:, 0].copy()
        behind = np.where(touched == _NOWHERE, touched, touched - base[:, None])
        rows, numbers = np.unique(behind, axis=0, return_inverse=True)
        own = np.array([self._number(row) for row in rows], np.int32)
        return base * np.uint64(SECTOR_BYTES), own[numbers.reshape(-1)]

    def _number(self, row: NDArray[np.uint64]) -> int:
        offsets = (row[row != _NOWHERE] * np.uint64(SECTOR_BYTES)).astype(np.uint32)
        key = offsets.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self.offsets)
            self.offsets.append(offsets)
        return self._numbers[key]


class TraceRecorder:
    """An observer that keeps what a trace of launches needs.

    Attributes:
        launches: The launches that ended.
    """

    watch = api.Watch.ISSUE | api.Watch.ACCESS | api.Watch.BARRIER | api.Watch.ADDRESSES

    def __init__(
        self, most: int = 20_000_000, chosen: Callable[[str, Size, Size], Sample] | None = None
    ) -> None:
        """Keep at most so many events of a launch, of all CTAs that run or of the chosen ones.

        Args:
            most: Events.
            chosen: Of a launch of which all CTAs run: those to keep, from the kernel's name and
                the CTAs of the grid and of a cluster by dimension.
        """
        self.launches: list[Recorded] = []
        self._most, self._chosen = most, chosen
        self.begin()

    def count(self) -> int:
        """How many events there were so far in this pass of the launch."""
        return self._count

    def begin(self) -> None:
        """Forget an earlier pass of the launch."""
        self._parts: list[tuple[NDArray[Any], ...]] = []
        self._count = 0
        self._launch: Watched | None = None
        self._patterns = Patterns()
        self._pages: dict[int, int] = defaultdict(int)
        self._kept: NDArray[np.int64] | None = None

    def record(self, launch: Watched, records: NDArray[Any]) -> None:
        """Keep events.

        Raises:
            UserError: there are more than may be kept.
        """
        if self._chosen is not None and self._launch is None:
            own = self._chosen(launch.kernel, launch.grid, launch.cluster)
            self._kept = None if own.ctas > 1 else np.array(list(own))
        self._launch = launch
        addresses = launch.addresses
        if self._kept is not None:
            of_kept = np.isin(records["cta"], self._kept)
            records, addresses = records[of_kept], addresses[of_kept]
        self._count += len(records)
        if self._count > self._most:
            raise UserError(
                f"{launch.kernel} does more than {self._most} things to be traced; launch fewer "
                "CTAs, or a smaller problem"
            )
        kept = np.zeros(len(records), EVENT)
        for name in ("happening", "direction", "operation", "lanes", "bytes", "passes", "least"):
            kept[name] = records[name]
        accesses = records["happening"] == api.Happening.ACCESS
        kept["what"] = np.where(accesses, records["space"], records["reason"])
        barriers = records["happening"] == api.Happening.BARRIER
        for name, of in (("place", "first"), ("rank", "end"), ("phase", "sequence")):
            kept[name] = np.where(barriers, records[of], 0)
        kept["pattern"] = -1
        bases = self._addressed(kept, accesses, addresses[:, :_LANES])
        far = accesses & (records["space"] == api.Space.GLOBAL)
        # Of cp.async the record has no address, only those of its lanes.
        first = np.where(kept["pattern"] >= 0, bases, records["first"])
        self._count_pages(first[far] // _PAGE * _PAGE, kept[far])
        warp = records["cta"].astype(np.int64) << 16 | records["wave"]
        self._parts.append((warp, kept, bases))

    def _count_pages(self, pages: NDArray[np.uint64], kept: NDArray[Any]) -> None:
        """Add the bytes of the sectors of accesses that begin in these pages."""
        sectors = np.array([0, *map(len, self._patterns.offsets)])[kept["pattern"] + 1]
        size = np.where(kept["pattern"] >= 0, sectors * SECTOR_BYTES, kept["bytes"])
        each, which = np.unique(pages, return_inverse=True)
        sums = np.bincount(which.reshape(-1), size, len(each))
        for page, more in zip(each.tolist(), sums.tolist(), strict=True):
            self._pages[page] += int(more)

    def _arrays(self, launch: Watched) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        for page, accessed in sorted(self._pages.items()):
            array = launch.array(page)
            if array is not None:
                found[array[0]] = array[1], found.get(array[0], (0, 0))[1] + accessed
        return found

    def _addressed(
        self, kept: NDArray[Any], accesses: NDArray[Any], addresses: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        """Fill in what the addresses of lanes say; return the bases of patterns."""
        bases = np.zeros(len(kept), np.uint64)
        by_lanes = ~(addresses == _NONE).all(1)
        kept["engine"] = accesses & ~by_lanes & (kept["lanes"] != 0)
        count = _ones(kept["lanes"])
        size = -(-kept["bytes"].astype(np.int64) // np.maximum(count, 1))
        far = accesses & by_lanes & (kept["what"] == api.Space.GLOBAL) & (count > 0)
        if far.any():
            found = self._patterns.of(
                addresses[far], kept["lanes"][far], size[far].astype(np.uint32)
            )
            bases[far], kept["pattern"][far] = found
            kept["passes"][far] = _bank_passes(addresses[far], kept["lanes"][far])
        remote = accesses & by_lanes & (kept["what"] == api.Space.CLUSTER)
        lowest = _lowest_lane(kept["lanes"][remote])
        kept["rank"][remote] = addresses[remote, lowest] >> np.uint64(_RANK_SHIFT) & np.uint64(255)
        atomic = accesses & by_lanes & (kept["direction"] == api.Direction.ATOMIC)
        for place in np.flatnonzero(atomic & (kept["what"] == api.Space.SHARED)):
            active = kept["lanes"][place] >> np.arange(_LANES, dtype=np.uint64) & np.uint64(1) != 0
            words = addresses[place][active] // 4
            kept["passes"][place] = np.bincount(words.astype(np.int64) % _BANKS).max()
            kept["least"][place] = np.bincount(np.unique(words).astype(np.int64) % _BANKS).max()
        return bases

    def end(self, counts: Counts) -> None:
        """Keep the launch that ended."""
        launch = self._launch
        if launch is None:
            return
        warp, events, bases = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        executed = np.unique(events["operation"][events["happening"] == api.Happening.ISSUE])
        instructions = {number: launch.instruction(number) for number in executed.tolist()}
        self.launches.append(
            Recorded(
                launch.kernel,
                instructions,
                _alike(warp, events, bases),
                tuple(self._patterns.offsets),
                launch.grid,
                launch.block,
                launch.cluster,
                launch.shared_bytes,
                self._arrays(launch),
            )
        )
        self._parts = []


def _bank_passes(addresses: NDArray[np.uint64], lanes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Of each access, the most distinct first words of lanes that lie in one bank of L1."""
    bits = np.uint64(1) << np.arange(_LANES, dtype=np.uint64)
    words = np.sort(np.where(lanes[:, None] & bits != 0, addresses // np.uint64(4), _NOWHERE), 1)
    first = words != _NOWHERE
    first[:, 1:] &= words[:, 1:] != words[:, :-1]
    banks = (words % np.uint64(_BANKS)).astype(np.int64)
    banks += np.arange(len(words))[:, None] * _BANKS
    counts = np.bincount(banks[first], minlength=len(words) * _BANKS)
    found: NDArray[np.int64] = counts.reshape(-1, _BANKS).max(1)
    return found


def _ones(lanes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many lanes each mask has."""
    masks = np.ascontiguousarray(lanes).view(np.uint8).reshape(-1, 8)
    found: NDArray[np.int64] = np.unpackbits(masks, axis=1).sum(1, dtype=np.int64)
    return found


def _lowest_lane(lanes: NDArray[np.uint64]) -> NDArray[np.int64]:
    lowest = lanes & (~lanes + np.uint64(1))
    found: NDArray[np.int64] = np.log2(np.maximum(lowest, 1).astype(np.float64)).astype(np.int64)
    return found


def _alike(
    warp: NDArray[np.int64], events: NDArray[Any], bases: NDArray[np.uint64]
) -> tuple[Alike, ...]:
    """Group events by warp, and warps by what they did."""
    order = np.argsort(warp, kind="stable")
    warp, events, bases = warp[order], events[order], bases[order]
    starts = np.flatnonzero(np.diff(warp, prepend=-1))
    groups: dict[bytes, tuple[NDArray[Any], list[tuple[int, int]], list[NDArray[np.uint64]]]] = {}
    for begin, stop in _spans(starts, len(warp)):
        part = events[begin:stop]
        group = groups.setdefault(part.tobytes(), (part, [], []))
        group[1].append((int(warp[begin]) >> 16, int(warp[begin]) & 0xFFFF))
        group[2].append(bases[begin:stop][part["pattern"] >= 0])
    return tuple(Alike(part, tuple(who), tuple(own)) for part, who, own in groups.values())


def _spans(starts: NDArray[np.intp], end: int) -> Sequence[tuple[int, int]]:
    bounds = [*starts.tolist(), end]
    return list(zip(bounds, bounds[1:], strict=False))
