"""The runtime's structures of one cluster: CTAs, waves, registers and shared memory.

A workgroup, or a CTA launched without clusters, is a cluster of one.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.program import Program, slot_parts
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.contents import Contents, aligned_bytes, pattern
from lanemap.emulator.host.multiprocessors import Multiprocessors
from lanemap.emulator.runtime import abi, layout
from lanemap.emulator.runtime.abi import Position

Size = tuple[int, int, int]
#: Fields of a wave before the first that is zero when it begins (runtime.h).
_SET_ONCE = next(number for number, field in enumerate(abi.Wave._fields_) if field[0] == "block")


#: What a register holds in the waves of a CTA: the same in each, or a row for each.
Value = int | NDArray[np.uint32] | Position
Initial = Mapping[Register, Value]

#: The same bytes serve every wave and CTA of a size.
_pattern = functools.lru_cache(maxsize=16)(pattern)


@dataclass(frozen=True)
class Place:
    """The CTA of a cluster (by rank) whose initial registers a front end is asked for.

    They serve the waves of this CTA in every cluster: where that is, they say by `Position`.
    """

    grid: Size
    block: Size
    parameters: int
    shared_bytes: int
    cluster: Size = (1, 1, 1)
    rank: int = 0

    def threads(self, lanes: int) -> NDArray[np.uint32]:
        """The number of each thread of the CTA, wave by wave, of `lanes` each: [wave, lane]."""
        waves = -(-self.block[0] * self.block[1] * self.block[2] // lanes)
        return np.arange(waves * lanes, dtype=np.uint32).reshape(waves, lanes)


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
        return (
            number % x * cx + rank % cx,
            number // x % y * cy + rank // cx % cy,
            number // (x * y) % z * cz + rank // (cx * cy),
        )

    def number(self, cluster: int, member: int) -> tuple[int, int]:
        """The number of a member's CTA in the grid, and of its wave in that CTA."""
        x, y, z = self.cta(cluster, member // self.waves)
        return x + self.grid[0] * (y + self.grid[1] * z), member % self.waves


class Start:
    """Initial register contents of every wave of a cluster."""

    def __init__(
        self, program: Program, shape: Shape, initial: Sequence[Initial], first_origin: int
    ) -> None:
        """Prepare the first slots of each wave.

        Args:
            program: What runs.
            shape: How the launch is divided.
            initial: For each CTA of a cluster, the registers that are defined when it begins.
            first_origin: The number of the first slot's origin; 0 in code that is not precise.
        """
        self._program = program
        #: The bytes, wave by wave.
        self.slots = np.empty((shape.ctas * shape.waves, program.start_bytes), np.uint8)
        self.slots[:] = self._undefined(first_origin)
        positions: list[tuple[int, int]] = []
        for register, first in initial[0].items():
            at = program.start_slots.get(register)
            if at is None:
                continue
            if isinstance(first, Position):
                positions.append((at, first.value))
            for rank, values in enumerate(initial):
                waves = self.slots[rank * shape.waves : (rank + 1) * shape.waves]
                self._set(waves, register, at - layout.SLOTS, values[register])
        #: (byte in the wave, Position) of registers that differ from CTA to CTA.
        self.placed = np.array(positions, np.uint32).reshape(-1, 2)

    def _undefined(self, first_origin: int) -> NDArray[np.uint8]:
        """The first slots as a wave finds them: values from a seed, every bit undefined."""
        program = self._program
        template: NDArray[np.uint8] = _pattern(program.start_bytes, 0xACE5).copy()
        for number, (register, offset) in enumerate(program.start_slots.items()):
            at = offset - layout.SLOTS
            value, origin = slot_parts(register, program.lanes)
            template[at + value : at + 2 * value] = 0xFF
            if first_origin:
                origins = template[at + 2 * value : at + 2 * value + origin]
                origins.view(np.uint32)[:] = first_origin + number
        return template

    def _set(self, waves: NDArray[np.uint8], register: Register, at: int, value: Value) -> None:
        """Give a register its value in the waves of a CTA, defined."""
        size, _ = slot_parts(register, self._program.lanes)
        waves[:, at + size : at + 2 * size] = 0
        if isinstance(value, Position):  # the runtime writes its four bytes
            assert size == 4, register
        elif isinstance(value, int):
            data = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
            waves[:, at : at + size] = np.frombuffer(data, np.uint8)
        else:
            rows = np.ascontiguousarray(value).reshape(len(waves), -1)
            waves[:, at : at + size] = rows.view(np.uint8)


class _CtaMemory:
    """One CTA's structure and its shared memory."""

    def __init__(
        self, rank: int, shape: Shape, shared_bytes: int, precise: bool, words: int, slots: int
    ) -> None:
        """`words`: of a clock; `slots`: of the cluster's barrier objects."""
        members = shape.ctas * shape.waves
        self._shared = Contents(shared_bytes)
        if precise:
            self._shared.track_bits()
        self._visits = np.zeros(3 * members + slots, np.uint64)
        self._clocks = np.zeros((1 + abi.MAX_BARRIERS, words), np.uint64)
        self.cta = c = abi.Cta()
        c.rank, c.wave_count, c.first_member = rank, shape.waves, rank * shape.waves
        self._shared.describe_to(c.shared, rank << abi.RANK_SHIFT, abi.Space.SHARED, 0x5EED)
        c.shared.owner = ctypes.addressof(c)
        c.visits = self._visits.ctypes.data
        c.published, c.arrivals = self._clocks[0].ctypes.data, self._clocks[1].ctypes.data


class ClusterMemory:
    """The memory of one cluster, used for clusters of launches in turn."""

    def __init__(
        self,
        program: Program,
        shape: Shape,
        shared_bytes: int,
        private_bytes: int,
        precise: bool,
    ) -> None:
        """Allocate; the runtime initializes the memory when a cluster begins (runtime/begin.c)."""
        members = shape.ctas * shape.waves
        slots = layout.barrier_slots(program.clocks, shape.ctas)
        words = layout.clock_words(members, program.clocks, slots, shape.ctas)
        self._ctas = [
            _CtaMemory(rank, shape, shared_bytes, precise, words, slots)
            for rank in range(shape.ctas)
        ]
        self._clocks = np.zeros((members + 3, words), np.uint64)
        self._waves = _Waves(program, shape, private_bytes, precise)
        self._table = np.array([ctypes.addressof(memory.cta) for memory in self._ctas], np.uint64)
        self.cluster = c = abi.Group()
        #: Where the runtime finds the cluster.
        self.address = ctypes.addressof(c)
        c.member_count, c.cta_count = members, shape.ctas
        c.members, c.ctas = self._waves.addresses.ctypes.data, self._table.ctypes.data
        c.clocks, c.slots, c.clock = program.clocks, slots, self._clocks.ctypes.data
        c.clock_words = words
        c.published, c.gathering, c.gathered = (row.ctypes.data for row in self._clocks[members:])
        ctas = [memory.cta for memory in self._ctas]
        self._extension = program.extension(c, ctas) if program.extension else None
        self._places: list[int] = []
        for memory in self._ctas:
            memory.cta.group = self.address
        fields = self._waves.fields
        fields["group"] = self.address
        fields["cta"] = np.repeat(self._table, shape.waves)

    def serve(self, launch: abi.Launch, start: Start) -> None:
        """Be memory of a launch, which frees what the runtime has allocated for an earlier one."""
        fields, self._start = self._waves.fields, start
        self.cluster.launch = fields["launch"] = ctypes.addressof(launch)
        fields["start"] = _addresses(start.slots)
        self.cluster.pool = abi.Pool()
        for memory in self._ctas:
            memory.cta.lane_order = None

    @functools.cached_property
    def waves(self) -> list[abi.Wave]:
        """The runtime's view of each wave."""
        return [abi.Wave.from_address(int(address)) for address in self._waves.addresses]

    def enter(self, multiprocessors: Multiprocessors) -> None:
        """Take multiprocessors for the clusters that this memory runs until it leaves them."""
        own = self._extension
        if own is None or not own.multiprocessor_bytes:
            return
        self._places = multiprocessors.enter(len(self._ctas))
        own.enter(
            [multiprocessors.memory(number, own.multiprocessor_bytes) for number in self._places]
        )

    def leave(self, multiprocessors: Multiprocessors) -> None:
        """The cluster has ended."""
        multiprocessors.leave(self._places)


def _addresses(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """Return the address of each row of an array."""
    first, stride = rows.ctypes.data, rows.strides[0]
    return np.array([first + number * stride for number in range(len(rows))], np.uint64)


class _Waves:
    """The waves of a cluster: structures, slots of registers and private memory."""

    def __init__(self, program: Program, shape: Shape, private_bytes: int, precise: bool) -> None:
        lanes, members = program.lanes, shape.ctas * shape.waves
        stride = (program.wave_bytes + 63) // 64 * 64
        size = -(-private_bytes // 4) * 4 * lanes
        memory = aligned_bytes(members * stride).reshape(members, stride)
        self._kept = np.zeros((members, program.kept_bytes), np.uint8)
        #: Where each wave lies.
        self.addresses = _addresses(memory)
        #: The fields that are set once for a launch, for all waves.
        self.fields = fields = memory[:, : _HEAD.itemsize].view(_HEAD)[:, 0]
        fields["member"] = np.arange(members)
        fields["index"] = fields["member"] % shape.waves
        threads = np.minimum(shape.threads - fields["index"].astype(np.int64) * lanes, lanes)
        fields["full"] = np.uint64(2**64 - 1) >> (64 - threads).astype(np.uint64)
        fields["private_size"] = private_bytes
        fields["kept"] = _addresses(self._kept)
        self._private = [Contents(size, ordered=False) for _ in range(members)]
        for address, private in zip(self.addresses, self._private, strict=True):
            if precise:
                private.track_bits()
            wave = abi.Wave.from_address(int(address))
            private.describe_to(wave.private, 0, abi.Space.PRIVATE, 0x9217)


#: The fields of a wave that are set once for a launch and are numbers or addresses.
_ONCE = [name for name, kind, *_ in abi.Wave._fields_[:_SET_ONCE] if name != "private"]
_HEAD = np.dtype(
    {
        "names": _ONCE,
        "formats": [f"u{getattr(abi.Wave, name).size}" for name in _ONCE],
        "offsets": [layout.field_offset(name) for name in _ONCE],
    }
)
