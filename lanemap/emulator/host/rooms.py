"""Memory of clusters that launches have left, which later ones of the same kind use again.

A cluster begins in such memory as it does in what an earlier cluster of its launch has left
(runtime/begin.c). To make it anew takes milliseconds, mostly in the system, which fills it with
zeros.
"""

from __future__ import annotations

import functools

from lanemap.emulator.host.cluster import ClusterMemory, Start
from lanemap.emulator.host.work import Work
from lanemap.emulator.runtime import abi

#: How many clusters' memory of other launches stays at least.
_OTHERS = 4
#: What two clusters must have in common to use the same memory: the program, and sizes.
Kind = tuple[int, ...]


class Rooms:
    """The memory that launches of a device have left."""

    def __init__(self) -> None:
        """Begin without any."""
        self._kept: list[tuple[Kind, ClusterMemory]] = []

    def take(self, kind: Kind) -> ClusterMemory | None:
        """Memory for a cluster of this kind, if there is some."""
        for at in range(len(self._kept) - 1, -1, -1):
            if self._kept[at][0] == kind:
                return self._kept.pop(at)[1]
        return None

    def keep(self, kind: Kind, memories: list[ClusterMemory]) -> None:
        """Take what a launch leaves that has ended well; of what others left only as much stays."""
        self._kept = self._kept[-max(len(memories), _OTHERS) :]
        self._kept += [(kind, memory) for memory in memories]


class RunRooms:
    """The memory of clusters that one pass uses."""

    def __init__(self, rooms: Rooms, work: Work, start: Start, precise: bool) -> None:
        """`rooms`: those of the device; precise code needs more memory, which nobody keeps."""
        self._rooms, self._start, self._precise = rooms, start, precise
        program, shape, private = work.entry.program, work.shape, work.entry.private_bytes
        self._make = functools.partial(
            ClusterMemory, program, shape, work.shared_bytes, private, precise
        )
        self._kind = program.number, shape.ctas, shape.threads, work.shared_bytes, private
        self._spare: list[ClusterMemory] = []

    def take(self, launch: abi.Launch) -> ClusterMemory:
        """Memory for a cluster of a worker, whose launch this is."""
        memory = self._spare.pop() if self._spare else None
        if memory is None and not self._precise:
            memory = self._rooms.take(self._kind)
        if memory is None:
            memory = self._make()
        memory.serve(launch, self._start)
        return memory

    def give(self, *memories: ClusterMemory) -> None:
        """The clusters there have ended."""
        self._spare += memories

    def end(self) -> None:
        """The launch has ended well."""
        if not self._precise:
            self._rooms.keep(self._kind, self._spare)
        self._spare = []
