"""The global memory of a running launch, to which kernels add objects by malloc and new.

An object is an allocation of its own, so that an access beyond it, or to a freed one, is a hazard.
Addresses only grow: the runtime's table stays sorted, and no object gets the place of a freed one.
Objects outlive the launch.
"""

from __future__ import annotations

import bisect
import ctypes
from typing import TYPE_CHECKING

from lanemap.emulator.host.hazards import Facts, Hazard
from lanemap.emulator.host.memory import Allocation, GlobalMemory
from lanemap.emulator.host.waves import lane_words, set_lane_words, who
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.emulator.codegen import operation

#: Objects that a launch may make; the emulator keeps about 8 KB for each.
MOST_OBJECTS = 1 << 16
#: What malloc of a launch gives before it returns null. A GPU's heap has 8 MB unless the host asks
#: for more.
HEAP_BYTES = 1 << 28


class Heap:
    """The table of allocations of one pass of a launch; `codegen.operation.Heap` is its face."""

    def __init__(
        self, memory: GlobalMemory, launch: abi.Launch, precise: bool, allocates: bool
    ) -> None:
        """Describe all allocations to the runtime, with room for objects if a program makes any."""
        self._memory, self._launch, self._precise = memory, launch, precise
        self._table, self._arrays = memory.table(precise, MOST_OBJECTS if allocates else 0)
        launch.memories, launch.memory_count = ctypes.addressof(self._table), len(self._arrays)
        self._made: list[Allocation] = []
        self._freed: list[Allocation] = []
        self._bytes = 0

    def allocate(self, size: int, name: str) -> int:
        """Return the address of a new object; 0 if the heap is full.

        Raises:
            UserError: there are more objects than the emulator keeps.
        """
        count = len(self._arrays)
        if self._bytes + size > HEAP_BYTES:
            return 0
        if count == len(self._table):
            raise UserError(
                f"the kernel makes more than {MOST_OBJECTS} objects by malloc or new; the emulator "
                "keeps no more, so make fewer or larger ones"
            )
        made = self._memory.allocate(size, name=name)
        made.in_heap = True
        self._table[count] = abi.Memory.from_buffer_copy(made.row(self._precise))
        self._table[count].tag = self._memory.tag
        self._arrays.append((made, made))
        self._launch.memory_count = count + 1
        self._made.append(made)
        self._bytes += size
        return made.base

    def free(self, address: int, where: str) -> bool:
        """Free an object; return whether there is one that begins at the address.

        Reports say `where`. The memory goes back when the launch has ended.
        """
        found = self._memory.find(address)
        if found is None or not found.in_heap or found.base != address or found.freed:
            return False
        found.freed = where
        row = bisect.bisect_left(self._arrays, address, key=lambda each: each[0].base)
        self._table[row].size = 0
        self._freed.append(found)
        return True

    def keep(self) -> None:
        """End the launch: what was freed goes back."""
        self._give_back(self._freed)

    def undo(self) -> None:
        """Restore the objects to what they were before the pass."""
        for each in self._freed:
            each.freed = ""
        self._give_back(self._made)

    def _give_back(self, objects: list[Allocation]) -> None:
        for each in objects:
            self._memory.free(each.base)
        self._made, self._freed = [], []


def make_each(heap: operation.Heap, wave: abi.Wave, lanes: int, row: int, where: str) -> None:
    """Make an object for each lane; its bytes, then its address, lie from scratch row `row`.

    Reports call it by `where` it was made.
    """
    for lane, size in lane_words(wave, lanes, row):
        address = heap.allocate(size, f"object made at {where}")
        set_lane_words(wave, lane, row, address)


def free_each(
    heap: operation.Heap,
    wave: abi.Wave,
    lanes: int,
    row: int,
    where: str,
    line: tuple[str, int],
    places: tuple[tuple[str, int], ...],
    called: str,
) -> None:
    """Free the object of each lane, whose address lies from scratch row `row`; null is none.

    Raises:
        Hazard: no object begins there; it stops a launch in every mode. It names the `line` of the
            text, the `places` in the source, and the wave as it is `called`.
    """
    for lane, address in lane_words(wave, lanes, row):
        if address and not heap.free(address, where):
            cta, text = who(wave, 1 << lane, called)
            raise Hazard(
                "rule",
                f"frees {address:#x} ({text}), where no object begins that malloc or new made and "
                "nothing has freed",
                file=line[0],
                line=line[1],
                cta=cta,
                wave=wave.index,
                lane=lane,
                lanes=1 << lane,
                facts=Facts(cause="frees what is no object", places=places),
            )
