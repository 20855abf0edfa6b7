"""The native code of a program as the runtime takes it: tables of blocks and of segments."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.compiler import Unit, native, units
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.watch import Watch


class Code:
    """Code of one program, fast or precise and for what is watched, compiled as it first executes.

    Its tables only grow: what workers read while another block is compiled stays as it is.
    """

    def __init__(self, program: Program, precise: bool, watch: Watch = Watch.NOTHING) -> None:
        self._program, self._precise, self._watch = program, precise, watch
        self._unit_of = {b: n for n, blocks in enumerate(units(program)) for b in blocks}
        self._lock = threading.Lock()
        self._loaded: dict[int, Unit] = {}
        #: The address of each block (Launch.blocks).
        self.blocks = np.full(len(program.blocks), native().uncompiled, np.uint64)
        operations = sum(len(block.operations) for block in program.blocks)
        #: The registers of each stretch of code (Launch.segments): address of words, their count.
        self.segments = np.zeros((operations + 1, 2), np.uint64)
        #: What a layout map's gathers follow (Launch.tables).
        self.tables = (ctypes.c_void_p * max(len(program.tables), 1))(
            *[table.ctypes.data for table in program.tables])
        self._words: list[NDArray[np.uint64]] = []

    def compile(self, block: int) -> None:
        """Compile the unit of a block that the runtime met, again once it was spent."""
        number = self._unit_of[block]
        unit = native().unit(self._program, number, self._precise, self._watch)
        with self._lock:
            if self._loaded.get(number) is unit:  # another worker met it too
                return
            self._loaded[number] = unit
            self._add_segments(unit)
            for each, address in unit.blocks.items():
                self.blocks[each] = address

    def _add_segments(self, unit: Unit) -> None:
        """Note the tracked registers of a unit's segments, as (word, mask) pairs."""
        for at, registers in unit.segments.items():
            masks: dict[int, int] = {}
            for register in registers:
                masks[register // 64] = masks.get(register // 64, 0) | 1 << register % 64
            words = np.array(list(masks.items()), np.uint64).reshape(-1, 2)
            self._words.append(words)
            self.segments[at] = words.ctypes.data, len(words)
