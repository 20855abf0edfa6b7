"""A cluster of CTAs in the runtime's form: their waves, registers and shared memory.

An AMD workgroup, or a CTA that no cluster was asked for, is a cluster of one.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import Program, slot_parts
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.memory import aligned_bytes, pattern
from lanemap.emulator.host.tensor import Mbarriers, Multiprocessors, TensorMemories
from lanemap.emulator.runtime import layout

Initial = Mapping[Register, "int | NDArray[np.uint32]"]
Size = tuple[int, int, int]
_SHARED_GRANULE_BYTES = 16


#: The same bytes serve every wave and CTA of a size.
_pattern = functools.lru_cache(maxsize=16)(pattern)


@dataclass(frozen=True)
class Place:
    """Which wave of which CTA a front end is asked the initial registers for."""

    wave: int
    group: Size
    grid: Size
    block: Size
    parameters: int
    shared_bytes: int
    cluster: Size = (1, 1, 1)
    rank: int = 0


@dataclass(frozen=True)
class Shape:
    """How a launch is divided: CTAs, clusters of them, waves of each CTA.

    Clusters are numbered with x fastest, CTAs in a cluster (their rank) likewise, CTAs of the grid
    likewise; waves of a cluster (members) CTA by CTA.
    """

    grid: Size
    cluster: Size
    block: Size
    lanes: int

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def waves(self) -> int:
        """Waves of a CTA."""
        return -(-self.threads // self.lanes)

    @property
    def ctas(self) -> int:
        """CTAs of a cluster."""
        return self.cluster[0] * self.cluster[1] * self.cluster[2]

    @property
    def clusters(self) -> int:
        """Clusters of the grid."""
        return self.grid[0] * self.grid[1] * self.grid[2] // self.ctas

    def cta(self, number: int, rank: int) -> Size:
        """The position in the grid of the CTA `rank` of cluster `number`."""
        x, y, z = (g // c for g, c in zip(self.grid, self.cluster, strict=True))
        cx, cy, cz = self.cluster
        return (number % x * cx + rank % cx, number // x % y * cy + rank // cx % cy,
                number // (x * y) % z * cz + rank // (cx * cy))

    def number(self, cluster: int, member: int) -> tuple[int, int]:
        """The number of a member's CTA in the grid, and of its wave in that CTA."""
        x, y, z = self.cta(cluster, member // self.waves)
        return x + self.grid[0] * (y + self.grid[1] * z), member % self.waves


class _CtaMemory:
    """One CTA's structure and its shared memory."""

    def __init__(self, rank: int, shape: Shape, shared_bytes: int, precise: bool) -> None:
        rounded = max((shared_bytes + 15) // 16 * 16, 16)
        granules, members = rounded // 4, shape.ctas * shape.waves
        self._shared = aligned_bytes(rounded)
        self._pattern = _pattern(rounded, 0x5EED)
        self._undefined = aligned_bytes(rounded)
        self._origin = np.zeros(granules, np.uint32)
        self._order = np.zeros(granules * _SHARED_GRANULE_BYTES, np.uint8)
        self._readers = np.zeros(shape.ctas * granules * shape.waves, np.uint64)
        self._visits = np.zeros(members, np.uint64)
        self._clocks = np.zeros((1 + layout.MAX_BARRIERS, layout.clock_words(members)), np.uint64)
        self.cta = c = layout.Cta()
        c.rank, c.wave_count, c.first_member = rank, shape.waves, rank * shape.waves
        c.shared_data, c.shared_undefined = self._shared.ctypes.data, self._undefined.ctypes.data
        c.shared_origin = self._origin.ctypes.data if precise else None
        c.shared_order, c.shared_readers = self._order.ctypes.data, self._readers.ctypes.data
        c.visits, c.granules = self._visits.ctypes.data, granules
        c.shared_size, c.shared_base = shared_bytes, rank << layout.RANK_SHIFT
        c.published, c.arrivals = self._clocks[0].ctypes.data, self._clocks[1].ctypes.data

    def begin(self) -> None:
        """Undefine shared memory; nothing has happened yet."""
        self.cta.live = self.cta.wave_count
        self._shared[:] = self._pattern
        self._undefined.fill(0xFF)
        if self.cta.shared_origin:
            self._origin.fill(0)
        self._visits.fill(0)
        self._clocks.fill(0)
        ctypes.memset(ctypes.addressof(self.cta.front_end), 0, ctypes.sizeof(self.cta.front_end))

    def forget_order(self) -> None:
        """Drop all stamps."""
        self._order.fill(0)
        self._readers.fill(0)


class GroupMemory:
    """The memory of one cluster, used for clusters of a launch in turn."""

    def __init__(self, program: Program, shape: Shape, shared_bytes: int, private_bytes: int,
                 first_origin: int) -> None:
        """`first_origin` is the origin number of the first slot's register, 0 if not precise."""
        self._ctas = [_CtaMemory(rank, shape, shared_bytes, bool(first_origin))
                      for rank in range(shape.ctas)]
        self._waves = [_WaveMemory(program, self._ctas[rank].cta, wave, shape.threads,
                                   private_bytes, first_origin)
                       for rank in range(shape.ctas) for wave in range(shape.waves)]
        #: The runtime's view of each wave.
        self.waves = [wave.view for wave in self._waves]
        members = len(self._waves)
        self._clocks = np.zeros((members + 3, layout.clock_words(members)), np.uint64)
        self._members = (ctypes.c_void_p * members)(*[wave.address for wave in self._waves])
        self._table = (ctypes.c_void_p * shape.ctas)(
            *[ctypes.addressof(memory.cta) for memory in self._ctas])
        self.group = g = layout.Group()
        g.member_count, g.cta_count = members, shape.ctas
        g.members, g.ctas = ctypes.addressof(self._members), ctypes.addressof(self._table)
        g.clock = self._clocks.ctypes.data
        g.published, g.gathering, g.gathered = (c.ctypes.data for c in self._clocks[members:])
        self._tensors = TensorMemories(g, [memory.cta for memory in self._ctas]) if (
            program.tensor_memory) else None
        self._mbarriers = [Mbarriers(memory.cta, shared_bytes, layout.clock_words(members))
                           for memory in self._ctas] if program.mbarriers else []
        for memory in self._ctas:
            memory.cta.group = ctypes.addressof(g)


    def begin(self, number: int, launch: layout.Launch, initial: list[Initial],
              multiprocessors: Multiprocessors) -> None:
        """Set everything up for the group `number`."""
        g = self.group
        g.sequence_base += max(int(w.view.sequence[1]) for w in self._waves)
        if g.sequence_base >> layout.SEQUENCE_BITS - 1:  # leave room for this group's
            for memory in self._ctas:
                memory.forget_order()
            g.sequence_base = 0
        g.number, g.current, g.polls, g.launch = number, 0, 0, ctypes.addressof(launch)
        g.handed = 0
        self._clocks.fill(0)
        ctypes.memset(ctypes.addressof(g.front_end), 0, ctypes.sizeof(g.front_end))
        for memory in self._ctas:
            memory.begin()
        if self._tensors is not None:
            self._tensors.begin(multiprocessors)
        for objects in self._mbarriers:
            objects.begin()
        for wave, registers in zip(self._waves, initial, strict=True):
            wave.begin(g, launch, registers)

    def end(self, multiprocessors: Multiprocessors) -> None:
        """The group has ended."""
        if self._tensors is not None:
            multiprocessors.leave(self._tensors.places)


class _WaveMemory:
    """One wave's structure, the slots of its registers and its private memory."""

    def __init__(self, program: Program, cta: layout.Cta, index: int, threads: int,
                 private_bytes: int, first_origin: int) -> None:
        self._program, self._index, self._first_origin = program, index, first_origin
        self._cta = cta
        self._initial: dict[Register, int | NDArray[np.uint32]] = {}
        lanes = program.lanes
        here = min(lanes, threads - index * lanes)
        self._full = (1 << here) - 1
        self._memory = aligned_bytes(program.wave_bytes)
        self.address = self._memory.ctypes.data
        self.view = layout.Wave.from_address(self.address)
        self._private_bytes = private_bytes
        size = max(private_bytes * lanes, 4)
        self._private = aligned_bytes(size)
        self._private_pattern = _pattern(size, 0x9217)
        self._private_undefined = aligned_bytes(size)
        self._private_origin = np.zeros(size // 4 + 1, np.uint32)
        self._kept = np.zeros(program.kept_bytes, np.uint8)
        self._slots = self._undefined_slots()

    def _undefined_slots(self) -> NDArray[np.uint8]:
        """All slots as a wave finds them: values from a seed, every bit undefined."""
        program = self._program
        template: NDArray[np.uint8] = _pattern(program.wave_bytes - layout.SLOTS, 0xACE5).copy()
        for number, (register, offset) in enumerate(program.slots.items()):
            at = offset - layout.SLOTS
            value, origin = slot_parts(register, program.lanes)
            template[at + value:at + 2 * value] = 0xFF
            origins = template[at + 2 * value:at + 2 * value + origin]
            name = self._first_origin + number if self._first_origin else 0
            origins[:] = np.full(origin // 4, name, np.uint32).view(np.uint8)
        return template

    def begin(self, group: layout.Group, launch: layout.Launch, initial: Initial) -> None:
        """Zero the wave's state and set its registers."""
        ctypes.memset(self.address, 0, layout.field_offset("address"))
        for register, value in initial.items():
            if self._initial.get(register) is not value:  # most are as in the group before
                self._initial[register] = value
                self._set(register, value)
        self._memory[layout.SLOTS:] = self._slots
        wave = self.view
        wave.full = wave.active = self._full
        wave.group, wave.launch = ctypes.addressof(group), ctypes.addressof(launch)
        wave.cta = ctypes.addressof(self._cta)
        wave.index, wave.member = self._index, self._cta.first_member + self._index
        if self._private_bytes:
            self._private[:] = self._private_pattern
            self._private_undefined.fill(0xFF)
            self._private_origin.fill(0)
        wave.private_data = self._private.ctypes.data
        wave.private_undefined = self._private_undefined.ctypes.data
        wave.private_origin = self._private_origin.ctypes.data if self._first_origin else None
        wave.private_size = self._private_bytes
        wave.kept = self._kept.ctypes.data

    def _set(self, register: Register, value: int | NDArray[np.uint32]) -> None:
        """Give a register its value at the beginning, defined."""
        offset = self._program.slots.get(register)
        if offset is None:
            return
        offset -= layout.SLOTS
        size, _ = slot_parts(register, self._program.lanes)
        if isinstance(value, int):
            data = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        else:
            data = np.ascontiguousarray(value).tobytes()
        self._slots[offset:offset + size] = np.frombuffer(data[:size], np.uint8)
        self._slots[offset + size:offset + 2 * size] = 0

