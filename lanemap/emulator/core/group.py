"""A workgroup or CTA in the runtime's form: its waves, their registers, its shared memory."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.core import layout
from lanemap.emulator.core.memory import aligned_bytes, pattern
from lanemap.emulator.core.program import Program, slot_parts
from lanemap.emulator.core.values import Register

Initial = Mapping[Register, "int | NDArray[np.uint32]"]
_SHARED_GRANULE_BYTES = 16


@dataclass(frozen=True)
class Place:
    """Which wave of which group a front end is asked the initial registers for."""

    wave: int
    group: tuple[int, int, int]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    parameters: int
    shared_bytes: int


class GroupMemory:
    """The memory of one group, used for all groups of a launch in turn."""

    def __init__(self, program: Program, waves: int, threads: int, shared_bytes: int,
                 private_bytes: int, first_origin: int) -> None:
        """`first_origin` is the origin number of the first slot's register, 0 if not precise."""
        self.program, self.precise = program, bool(first_origin)
        precise = self.precise
        self.group = layout.Group()
        self.shared_bytes = shared_bytes
        rounded = max((shared_bytes + 15) // 16 * 16, 16)
        self._shared = aligned_bytes(rounded)
        self._shared_pattern = pattern(rounded, 0x5EED)
        self._shared_undefined = aligned_bytes(rounded)
        self._shared_origin = np.zeros(rounded // 4, np.uint32)
        self._order = np.zeros(rounded // 4 * _SHARED_GRANULE_BYTES, np.uint8)
        self._readers = np.zeros(rounded // 4 * layout.MAX_WAVES, np.uint64)
        self._waves = [_WaveMemory(program, w, threads, private_bytes, first_origin)
                       for w in range(waves)]
        g = self.group
        g.wave_count = waves
        for i, wave in enumerate(self._waves):
            g.waves[i] = wave.address
        g.shared_data = self._shared.ctypes.data
        g.shared_undefined = self._shared_undefined.ctypes.data
        g.shared_origin = self._shared_origin.ctypes.data if precise else None
        g.shared_order = self._order.ctypes.data
        g.shared_readers = self._readers.ctypes.data
        g.shared_size = shared_bytes

    @property
    def waves(self) -> list[layout.Wave]:
        """The runtime's view of each wave."""
        return [wave.view for wave in self._waves]

    def begin(self, number: int, launch: layout.Launch, initial: list[Initial]) -> None:
        """Set everything up for the group `number`."""
        g = self.group
        used = max(int(w.view.sequence[1]) for w in self._waves)
        g.sequence_base += used
        if g.sequence_base >> 29:  # stamps have 30 bits of sequence
            self._order.fill(0)
            self._readers.fill(0)
            g.sequence_base = 0
        g.number, g.current, g.launch = number, 0, ctypes.addressof(launch)
        ctypes.memset(ctypes.addressof(g.clock), 0, ctypes.sizeof(g.clock))
        ctypes.memset(ctypes.addressof(g.front_end), 0, ctypes.sizeof(g.front_end))
        self._shared[:] = self._shared_pattern
        self._shared_undefined.fill(0xFF)
        if self.precise:
            self._shared_origin.fill(0)
        for wave, registers in zip(self._waves, initial, strict=True):
            wave.begin(g, launch, registers)


class _WaveMemory:
    """One wave's structure, the slots of its registers and its private memory."""

    def __init__(self, program: Program, index: int, threads: int, private_bytes: int,
                 first_origin: int) -> None:
        self._program, self._index, self._first_origin = program, index, first_origin
        lanes = program.lanes
        here = min(lanes, threads - index * lanes)
        self._full = (1 << here) - 1
        self._memory = aligned_bytes(program.wave_bytes)
        self.address = self._memory.ctypes.data
        self.view = layout.Wave.from_address(self.address)
        self._private_bytes = private_bytes
        size = max(private_bytes * lanes, 4)
        self._private = aligned_bytes(size)
        self._private_pattern = pattern(size, 0x9217)
        self._private_undefined = aligned_bytes(size)
        self._private_origin = np.zeros(size // 4 + 1, np.uint32)
        self._template = self._slots_template()

    def _slots_template(self) -> NDArray[np.uint8]:
        """All slots as a wave finds them: values from a seed, every bit undefined."""
        program = self._program
        template = pattern(program.wave_bytes - layout.SLOTS, 0xACE5)
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
        self._memory[layout.SLOTS:] = self._template
        wave = self.view
        wave.full = wave.active = self._full
        wave.group, wave.launch = ctypes.addressof(group), ctypes.addressof(launch)
        wave.index = self._index
        if self._private_bytes:
            self._private[:] = self._private_pattern
            self._private_undefined.fill(0xFF)
            self._private_origin.fill(0)
        wave.private_data = self._private.ctypes.data
        wave.private_undefined = self._private_undefined.ctypes.data
        wave.private_origin = self._private_origin.ctypes.data if self._first_origin else None
        wave.private_size = self._private_bytes
        for register, value in initial.items():
            self._set(register, value)

    def _set(self, register: Register, value: int | NDArray[np.uint32]) -> None:
        offset = self._program.slots.get(register)
        if offset is None:
            return
        size, _ = slot_parts(register, self._program.lanes)
        if isinstance(value, int):
            data = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
        else:
            data = np.ascontiguousarray(value).tobytes()
        self._memory[offset:offset + size] = np.frombuffer(data[:size], np.uint8)
        self._memory[offset + size:offset + 2 * size] = 0

