"""The native code of a program as the runtime takes it: tables of blocks and of segments."""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen import tiers
from lanemap.emulator.codegen.compiler import Unit, native
from lanemap.emulator.codegen.watch import Watch

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program

#: What a block may still run that is not compiled again.
_ENDLESS = 1 << 62
RunsLeft = NDArray[np.int64]


class Code:
    """Code of one program, fast or precise and for what is watched, made as it first executes.

    It serves all launches of the program. Its tables only grow: what workers read while another
    block is compiled stays as it is.
    """

    def __init__(self, program: Program, precise: bool, watch: Watch = Watch.NOTHING) -> None:
        self._program, self._precise, self._watch = program, precise, watch
        self._units = tiers.units(program.block_sizes)
        self._unit_of = {b: n for n, blocks in enumerate(self._units) for b in blocks}
        self._lock = threading.Lock()
        #: Whether a unit is being compiled.
        self.compiling = False
        self._loaded: dict[int, Unit] = {}
        #: All units, those that were made again too: another worker may still run their code.
        self._units_met: list[Unit] = []
        #: The address of each block (Launch.blocks).
        self.blocks = np.full(len(program.block_sizes), native().uncompiled, np.uint64)
        #: The bytecode of each block that has such (Launch.bytecode).
        self.bytecode = np.zeros(len(program.block_sizes), np.uint64)
        #: How often each block may still run before its unit is made again (Launch.runs_left).
        self.runs_left: RunsLeft = np.array(
            [tiers.BUDGET // max(size, 1) for size in program.block_sizes], np.int64
        )
        operations = sum(program.block_sizes)
        #: The registers of each stretch of code (Launch.segments): address of words, their count.
        self.segments = np.zeros((operations + 1, 2), np.uint64)
        #: What a layout map's gathers follow (Launch.tables).
        self.tables = (ctypes.c_void_p * max(len(program.tables), 1))(
            *[table.ctypes.data for table in program.tables]
        )
        self._words: list[NDArray[np.uint64]] = []

    def compile(self, block: int, runs_left: RunsLeft) -> None:
        """Compile the unit of a block that the runtime met, again where no runs are left.

        `runs_left` are those of the worker that met it.
        """
        number = self._unit_of[block]
        spent = bool(runs_left[block] < 0)
        with self._lock:
            loaded = self._loaded.get(number)
            if loaded is None or spent > loaded.level:  # else another worker met it too
                self.compiling = True
                try:
                    loaded = native().unit(self._program, number, self._precise, self._watch, spent)
                finally:
                    self.compiling = False
                self._loaded[number] = loaded
                self._add_segments(loaded)
                self._units_met.append(loaded)
                for each, address in loaded.blocks.items():
                    if not loaded.level:
                        self.bytecode[each], address = address, native().interpret
                    self.blocks[each] = address
        if loaded.level:
            runs_left[self._units[number]] = _ENDLESS

    def _add_segments(self, loaded: Unit) -> None:
        """Note the tracked registers of a unit's segments, as (word, mask) pairs."""
        for at, registers in loaded.segments.items():
            masks: dict[int, int] = {}
            for register in registers:
                masks[register // 64] = masks.get(register // 64, 0) | 1 << register % 64
            words = np.array(list(masks.items()), np.uint64).reshape(-1, 2)
            self._words.append(words)
            self.segments[at] = words.ctypes.data, len(words)


def code_of(program: Program, precise: bool, watch: Watch = Watch.NOTHING) -> Code:
    """The one Code of a program that is fast, or precise, and for what is watched."""
    watch = watch.generated
    found = program.code.get((precise, watch))
    if found is None:
        found = program.code.setdefault((precise, watch), Code(program, precise, watch))
    assert isinstance(found, Code)
    return found
