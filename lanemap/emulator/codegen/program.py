"""An entry as the core sees it: operations in basic blocks, and facts about its registers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.element_types import BITS
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.codegen.watch import Watch
from lanemap.emulator.codegen.wording import Wording
from lanemap.emulator.runtime import layout
from lanemap.emulator.runtime.abi import PLAIN_CLOCKS

if TYPE_CHECKING:
    from lanemap.emulator.codegen.analysis import Analysis
    from lanemap.emulator.codegen.extension import MakeExtension
    from lanemap.emulator.codegen.operation import Block, Operation
    from lanemap.emulator.codegen.plan import BlockPlan
    from lanemap.emulator.runtime.signature import Signature
    from lanemap.model.banks import BankRule


def _every_function() -> Mapping[str, Signature]:
    from lanemap.emulator.codegen.runtime_functions import FUNCTIONS

    return FUNCTIONS


#: The next number of a program.
_NUMBERS = itertools.count()


@dataclass(slots=True)
class Program:
    """One entry, ready to be compiled.

    `file` and the operations' lines name places in errors. `initial` are the registers that are
    defined when a wave begins; `mask_registers` hold the lanes that execute, None where the
    core keeps them (`Wave.active`); `masked`: writes go to lanes under a mask, so a register is
    defined in all lanes only if written while all lanes execute. Where it is false, what
    a lane reads was written by that lane on its own path. `asynchronous`: some operation
    issues.
    `tables` are the int32 arrays that gathers follow, by number; `slot_tables`: those that begin
    with the places in the wave of registers, which the program puts there; `counters` names what
    waits wait for; `rules` are the sentences of Checks.rule by number, with `{}` for its value;
    `pairs`: of those rules about two operations, what is missing between them and the number of the
    first;
    `functions` are those of the runtime that blocks call; `extension` makes what the front end
    keeps for each cluster; `front_end` names the functions that the runtime calls, by the fields of
    abi.FrontEnd;
    `clocks`: what clocks count (abi.PLAIN_CLOCKS, ENGINE_CLOCKS, ASYNC_CLOCKS); `kept_bytes`:
    memory of each wave that only the front end's own functions touch; `independent`: its clusters
    meet only in plain accesses of global memory, or in atomic ones whose order shows nowhere, so
    that they may run side by side; `releases`: some operation releases to other clusters, or may;
    `cluster_seconds`: what the first cluster of a launch took that went on on threads (0: of none);
    `allocates`:
    some operation of the host makes objects in global memory; `lanes_part`:
    lanes of a wave are in order only where they meet; `banks`: how its shared memory answers
    accesses;
    `written`: the function that is told of every write to a tracked register ("": none);
    `code`: what the host keeps of its code, by what that is made for;
    `wording`: what the front end calls things in reports; `places`: the source lines that a line of
    the text stands for, innermost first; `preloaded`: registers that hold parameters when a wave
    begins, each with its first byte there; `key` stands for the entry's text in the
    object cache ("": not kept there); `number` tells the programs of a process apart.

    What follows from these: `block_sizes`, operations of each block; `slots`, the byte offset in
    the wave of every register that lives across blocks, and `wave_bytes`, a wave with them;
    `start_slots`, the first of them, of `start_bytes`: registers that something may read before
    the wave writes them. These are set when a wave begins; what the others hold then matters to
    nobody.
    """

    name: str
    file: str
    lanes: int
    blocks: list[Block]
    initial: frozenset[Register]
    mask_registers: tuple[Register, ...] | None
    masked: bool
    asynchronous: bool
    synchronous_memory: bool
    tables: list[NDArray[np.int32]] = field(default_factory=list)
    slot_tables: Mapping[int, Sequence[Register]] = field(default_factory=dict)
    counters: Mapping[int, str] = field(default_factory=dict)
    rules: Mapping[int, str] = field(default_factory=dict)
    pairs: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    functions: Mapping[str, Signature] = field(default_factory=_every_function)
    extension: MakeExtension | None = None
    front_end: Mapping[str, str] = field(default_factory=dict)
    clocks: int = PLAIN_CLOCKS
    kept_bytes: int = 0
    independent: bool = False
    releases: bool = True
    cluster_seconds: float = 0.0
    allocates: bool = False
    lanes_part: bool = False
    banks: tuple[BankRule, ...] = ()
    written: str = ""
    code: dict[object, Any] = field(default_factory=dict)
    wording: Wording = field(default_factory=Wording)
    places: Callable[[int], tuple[tuple[str, int], ...]] = lambda line: ()
    preloaded: Mapping[Register, int] = field(default_factory=dict)
    key: str = ""
    number: int = field(default_factory=_NUMBERS.__next__)
    block_sizes: tuple[int, ...] = field(init=False)
    start_slots: dict[Register, int] = field(init=False)
    wave_bytes: int = field(init=False)
    start_bytes: int = field(init=False)
    slots: dict[Register, int] = field(default_factory=dict, init=False)
    _analysis: Analysis = field(init=False)

    def __post_init__(self) -> None:
        from lanemap.emulator.codegen.analysis import Analysis

        self.block_sizes = tuple(len(block.operations) for block in self.blocks)
        self._analysis = found = Analysis(
            self.blocks, self.initial, self.mask_registers, self.masked
        )
        first = found.live_in[0] | found.numbering.set_of(self.mask_registers or ())
        later = 0
        # At the beginnings of blocks, since no block leads to one that nothing reaches.
        for live in found.live_in:
            later |= live & ~first
        self.wave_bytes = layout.SLOTS
        self._place(found.numbering.members(first))
        self.start_slots, self.start_bytes = dict(self.slots), self.wave_bytes - layout.SLOTS
        self._place(found.numbering.members(later))
        for number, registers in self.slot_tables.items():
            self.tables[number][: len(registers)] = [self.slots[r] for r in registers]

    @staticmethod
    def next_number() -> int:
        """A number that no other program of the process has."""
        return next(_NUMBERS)

    def _place(self, registers: Iterable[Register]) -> None:
        """Give registers their slots, after those that have one."""
        for register in sorted(registers, key=lambda r: (not r.lanes, r.type, r.tracked, r.name)):
            self.slots[register] = self.wave_bytes
            self.wave_bytes += slot_bytes(register, self.lanes)

    def plan(self, block: Block, precise: bool, watch: Watch = Watch.NOTHING) -> BlockPlan:
        """Return the inputs to code generation of a block, for fast or precise code."""
        from lanemap.emulator.codegen.plan import BlockPlan

        found, facts = self._analysis, self._analysis.facts(precise)[block.index]
        return BlockPlan(
            block.index,
            block.first,
            len(block.operations),
            self.lanes,
            precise,
            self.masked,
            self.mask_registers,
            self.asynchronous,
            facts.mask_full,
            self.functions,
            self.slots,
            found.numbering.bits,
            found.live_out[block.index],
            facts.clean,
            found.shadowed(precise),
            watch,
            self.written,
        )

    def operation(self, number: int) -> Operation:
        """The operation of a number, counted over the entry."""
        for block in self.blocks:
            if number < block.first + len(block.operations):
                return block.operations[number - block.first]
        raise IndexError(number)

    def operations(self) -> Iterable[Operation]:
        """All operations in order."""
        for block in self.blocks:
            yield from block.operations


def slot_parts(register: Register, lanes: int) -> tuple[int, int]:
    """Bytes of the value (and of its undefined bits) and of the origins in a register's slot."""
    count = lanes if register.lanes else 1
    if register.type == "i1":
        return (lanes // 8 if register.lanes else 1), 4 * count
    return BITS[register.type] // 8 * count, 4 * count


def slot_bytes(register: Register, lanes: int) -> int:
    """Bytes of a register's slot: value, undefined bits, origins."""
    value, origin = slot_parts(register, lanes)
    return (2 * value + origin + 63) // 64 * 64
