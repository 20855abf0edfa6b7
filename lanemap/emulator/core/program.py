"""An entry as the core sees it: operations in basic blocks, registers, what is known of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.core import layout
from lanemap.emulator.core.values import BITS, Register

if TYPE_CHECKING:
    from lanemap.emulator.core.builder import Builder


@dataclass(slots=True)
class Operation:
    """One instruction.

    `emit` writes its semantics with a Builder. `reads` and `writes` name the registers that it may
    touch (for liveness and definedness). `undefines`: its results may be undefined although all it
    reads is defined (a load, in precise code). `partial`: it may leave lanes of what it writes as
    they were although all lanes execute. `fills_mask`: afterwards all lanes execute. `host` runs
    in Python after a block that ends with Builder.host.
    """

    text: str
    line: int
    emit: Callable[[Builder], None]
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    undefines: bool = False
    partial: bool = False
    fills_mask: bool = False
    waits: bool = False
    host: Callable[[Any], int | None] | None = None


@dataclass(slots=True)
class Block:
    """Operations first .. first + len(operations) - 1 of the entry; they run to the end."""

    index: int
    first: int
    operations: list[Operation]
    successors: tuple[int, ...]


@dataclass(slots=True)
class Facts:
    """What holds wherever a block begins: registers without undefined bits; all lanes execute."""

    clean: set[Register]
    mask_full: bool


@dataclass(slots=True)
class Program:
    """One entry, ready to be compiled.

    `file` and the operations' lines name places in errors. `initial` are the registers that are
    defined when a wave begins; `mask_registers` hold the lanes that execute (EXEC), None where the
    core keeps them (`Wave.active`); `masked`: writes go to lanes under a mask, so a register is
    defined in all lanes only if written while all lanes execute (AMDGCN). Where it is false, what
    a lane reads was written by that lane on its own path (PTX). `asynchronous`: some operation
    issues.
    `tables` are the int32 arrays that gathers follow, by number; `counters` names what waits wait
    for (s_waitcnt's words); `rules` are the sentences of Builder.rule, with `{}` for its value;
    `tensor_memory`: the entry uses that of its SM; `mbarriers`: it has mbarrier objects;
    `key` stands for the entry's text in the object cache ("": not kept there); `number` tells the
    programs of a process apart.
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
    counters: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tensor_memory: bool = False
    mbarriers: bool = False
    key: str = ""
    number: int = field(default_factory=itertools.count().__next__)
    _slots: dict[Register, int] = field(default_factory=dict)
    _slot_bytes: int = 0
    _live_out: list[set[Register]] = field(default_factory=list)
    _facts: dict[bool, list[Facts]] = field(default_factory=dict)
    _shadowed: dict[bool, set[Register]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for precise in (False, True):
            self._facts[precise] = definedness(self, precise)
        # the mask does not depend on precision, so either set of facts serves liveness
        live_in, self._live_out = liveness(self, self._facts[True])
        for precise in (False, True):
            self._shadowed[precise] = {
                register for block, facts in zip(self.blocks, self._facts[precise], strict=True)
                for register in live_in[block.index] if register not in facts.clean}
        live = set().union(self.initial, self.mask_registers or (), live_in[0], *self._live_out)
        self._slot_bytes = layout.SLOTS
        for register in sorted(live, key=lambda r: (not r.lanes, r.type, r.tracked, r.name)):
            self._slots[register] = self._slot_bytes
            self._slot_bytes += slot_bytes(register, self.lanes)

    @property
    def wave_bytes(self) -> int:
        """Bytes of a wave with the slots of its registers."""
        return self._slot_bytes

    @property
    def slots(self) -> dict[Register, int]:
        """Byte offset in the wave of every register that lives across blocks."""
        return self._slots

    def live_out(self, block: Block, register: Register) -> bool:
        """May a later block (or the host) read the register?"""
        return register in self._live_out[block.index] or bool(
            self.mask_registers and register in self.mask_registers)

    def facts(self, block: Block, precise: bool) -> Facts:
        """What holds at the beginning of a block."""
        return self._facts[precise][block.index]

    def shadowed(self, register: Register, precise: bool) -> bool:
        """Does some block begin with the register live and not provably defined?"""
        return register in self._shadowed[precise]

    def operations(self) -> Iterable[Operation]:
        """All operations in order."""
        for block in self.blocks:
            yield from block.operations


def gather_table(sources: NDArray[np.int64], source_bits: int) -> NDArray[np.int32]:
    """A layout map as runtime/lanes.c follows it.

    `sources[lane, register, bit]` is the source bit, counted over all chunks of `source_bits` bits,
    or -1. The table holds the widest aligned elements that the map moves whole.
    """
    flat = sources.reshape(-1)
    for bits in (32, 16, 8, 4, 2, 1):
        if source_bits % bits:
            continue
        elements = flat.reshape(-1, bits)
        first = elements[:, 0]
        whole = (elements == first[:, None] + np.arange(bits)).all(1) & (first % bits == 0)
        if (whole | (elements == -1).all(1)).all():
            numbers = np.where(first < 0, -1, first // bits)
            return np.concatenate([[bits], numbers]).astype(np.int32)
    raise AssertionError("every map moves single bits")


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


def liveness(program: Program, facts: Sequence[Facts]) -> tuple[list[set[Register]],
                                                                list[set[Register]]]:
    """Registers that may be read before they are written: at each block's beginning and end.

    A write that leaves lanes as they were reads the old value too.
    """
    blocks = program.blocks
    uses: list[set[Register]] = []
    kills: list[set[Register]] = []
    for block, before in zip(blocks, facts, strict=True):
        use: set[Register] = set()
        kill: set[Register] = set()
        full = before.mask_full
        for operation in block.operations:
            use.update(r for r in operation.reads if r not in kill)
            if operation.partial or (program.masked and not full):
                use.update(r for r in operation.writes if r.lanes and r not in kill)
            kill.update(operation.writes)
            full = _mask_after(program, operation, full)
        uses.append(use)
        kills.append(kill)
    live_in = [set(use) for use in uses]
    live_out: list[set[Register]] = [set() for _ in blocks]
    changed = True
    while changed:
        changed = False
        for i in range(len(blocks) - 1, -1, -1):
            out = set().union(*(live_in[s] for s in blocks[i].successors))
            if len(out) != len(live_out[i]):
                live_out[i] = out
                live_in[i] = uses[i] | (out - kills[i])
                changed = True
    return live_in, live_out


def definedness(program: Program, precise: bool) -> list[Facts]:
    """Registers that are defined wherever each block begins, on every path.

    In code that is not precise a load counts as defined: the runtime stops where it is not. In a
    masked program defined means in every lane, else in every lane that runs there.
    """
    blocks = program.blocks
    everything: set[Register] = set(program.initial)
    for operation in program.operations():
        everything.update(operation.writes)
    # where the core keeps the mask, nothing proves that all lanes of a warp run
    full = program.mask_registers is not None
    facts = [Facts(everything, full) for _ in blocks]
    facts[0] = Facts(set(program.initial), full)
    reached, work = {0}, [0]
    while work:
        i = work.pop(0)
        after = _after(program, blocks[i], facts[i], precise)
        for s in blocks[i].successors:
            old = facts[s]
            clean = old.clean & after.clean
            full = old.mask_full and after.mask_full
            if s not in reached or len(clean) != len(old.clean) or full != old.mask_full:
                reached.add(s)
                facts[s] = Facts(clean, full)
                if s not in work:
                    work.append(s)
    return facts


def _mask_after(program: Program, operation: Operation, full: bool) -> bool:
    if operation.fills_mask:
        return True
    masks = program.mask_registers or ()
    return full and not any(register in masks for register in operation.writes)


def _after(program: Program, block: Block, before: Facts, precise: bool) -> Facts:
    clean, full = set(before.clean), before.mask_full
    masks = program.mask_registers or ()
    for operation in block.operations:
        good = not (precise and operation.undefines) and all(r in clean for r in operation.reads)
        whole = not operation.partial and (full or not program.masked)
        for register in operation.writes:
            if register in masks:
                clean.add(register)  # its undefined bits are a hazard at once
            elif not good:
                clean.discard(register)
            elif whole or not register.lanes:
                clean.add(register)
        full = _mask_after(program, operation, full)
    return Facts(clean, full)
