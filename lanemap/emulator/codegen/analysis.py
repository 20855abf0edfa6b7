"""Liveness and definedness of registers at the beginning of each basic block.

A set of registers is an integer with one bit per register, since an entry has thousands.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lanemap.emulator.codegen.operation import Block, Operation
from lanemap.emulator.codegen.values import Register


class Numbering:
    """A bit for every register that an entry names."""

    def __init__(self, blocks: Sequence[Block], named: Iterable[Register]) -> None:
        """Number the registers given, and those that operations access."""
        self.bits: dict[Register, int] = {}
        self.set_of(named)
        for operation in itertools.chain.from_iterable(block.operations for block in blocks):
            for register in (*operation.reads, *operation.writes):
                if register not in self.bits:
                    self.bits[register] = 1 << len(self.bits)

    def set_of(self, registers: Iterable[Register]) -> int:
        """The set of some registers."""
        found = 0
        for register in registers:
            bit = self.bits.get(register)
            if bit is None:
                bit = self.bits[register] = 1 << len(self.bits)
            found |= bit
        return found

    def members(self, registers: int) -> Iterator[Register]:
        """The registers of a set."""
        digits = f"{registers:b}"[::-1]
        return (r for r, digit in zip(self.bits, digits, strict=False) if digit == "1")


@dataclass(slots=True)
class Facts:
    """Facts at the beginning of a block: registers without undefined bits; all lanes active."""

    clean: int
    mask_full: bool


@dataclass(slots=True)
class Effect:
    """Transfer function of an operation on register sets.

    `lanes` are its writes to registers of every lane, `masks` those to the registers that hold the
    lanes that execute.
    """

    reads: int
    writes: int
    lanes: int
    masks: int
    undefines: bool
    defines: bool
    partial: bool
    fills: bool


class Analysis:
    """Liveness, and definedness in fast and in precise code, of one program."""

    def __init__(
        self,
        blocks: Sequence[Block],
        initial: frozenset[Register],
        mask_registers: tuple[Register, ...] | None,
        masked: bool,
    ) -> None:
        """Number the registers; the analyses run on demand.

        The arguments are attributes of the Program.
        """
        self._blocks, self._masked = blocks, masked
        # where the core keeps the mask, nothing proves that all lanes of a wave run
        self._begins_full = mask_registers is not None
        self.numbering = Numbering(blocks, (*initial, *(mask_registers or ())))
        self._initial = self.numbering.set_of(initial)
        self._masks = self.numbering.set_of(mask_registers or ())
        self._effects = [[self._effect(o) for o in block.operations] for block in blocks]
        self._facts: dict[bool, list[Facts]] = {}
        self._shadowed: dict[bool, int] = {}
        # The mask does not depend on precision, so either set of facts serves liveness.
        self.live_in, self.live_out = self._liveness(self.facts(False))

    def _effect(self, operation: Operation) -> Effect:
        bits = self.numbering.bits
        reads = writes = lanes = 0
        for register in operation.reads:
            reads |= bits[register]
        for register in operation.writes:
            writes |= bits[register]
            if register.lanes:
                lanes |= bits[register]
        return Effect(
            reads,
            writes,
            lanes,
            writes & self._masks,
            operation.undefines,
            operation.defines and not operation.partial,
            operation.partial,
            operation.fills_mask,
        )

    def facts(self, precise: bool) -> list[Facts]:
        """Facts at the beginning of each block."""
        if precise not in self._facts:
            self._facts[precise] = self._definedness(precise)
        return self._facts[precise]

    def shadowed(self, precise: bool) -> int:
        """Registers that are live and not provably defined where some block begins."""
        found = self._shadowed.get(precise)
        if found is None:
            found = 0
            for live, facts in zip(self.live_in, self.facts(precise), strict=True):
                found |= live & ~facts.clean
            self._shadowed[precise] = found
        return found

    def _liveness(self, facts: Sequence[Facts]) -> tuple[list[int], list[int]]:
        """Registers that may be read before they are written: at each block's beginning and end.

        A write that leaves lanes as they were reads the old value too.
        """
        masked = self._masked
        uses, kills = [], []
        for effects, before in zip(self._effects, facts, strict=True):
            use = kill = 0
            full = before.mask_full
            for effect in effects:
                use |= effect.reads & ~kill
                if effect.partial or (masked and not full):
                    use |= effect.lanes & ~kill
                kill |= effect.writes
                full = effect.fills or (full and not effect.masks)
            uses.append(use)
            kills.append(~kill)
        blocks = self._blocks
        live_in, live_out = list(uses), [0] * len(blocks)
        sources: list[list[int]] = [[] for _ in blocks]
        for i, block in enumerate(blocks):
            for successor in block.successors:
                sources[successor].append(i)
        work = dict.fromkeys(range(len(blocks) - 1, -1, -1))
        while work:
            i = next(iter(work))
            del work[i]
            out = 0
            for successor in blocks[i].successors:
                out |= live_in[successor]
            live_out[i] = out
            new = uses[i] | (out & kills[i])
            if new != live_in[i]:
                live_in[i] = new
                work.update(dict.fromkeys(sources[i]))
        return live_in, live_out

    def _definedness(self, precise: bool) -> list[Facts]:
        """Registers that are defined wherever each block begins, on every path.

        In code that is not precise a load counts as defined: the runtime stops where it is not. In
        a masked program defined means in every lane, else in every lane that runs there.
        """
        everything = self._initial
        for effects in self._effects:
            for effect in effects:
                everything |= effect.writes
        facts = [Facts(everything, self._begins_full) for _ in self._blocks]
        facts[0] = Facts(self._initial, self._begins_full)
        reached, work = {0}, {0: None}
        while work:
            i = next(iter(work))
            del work[i]
            after = self._after(self._blocks[i], facts[i], precise)
            for s in self._blocks[i].successors:
                old = facts[s]
                clean = old.clean & after.clean
                full = old.mask_full and after.mask_full
                if s not in reached or clean != old.clean or full != old.mask_full:
                    reached.add(s)
                    facts[s] = Facts(clean, full)
                    work[s] = None
        return facts

    def _after(self, block: Block, before: Facts, precise: bool) -> Facts:
        clean, full, masked = before.clean, before.mask_full, self._masked
        for effect in self._effects[block.index]:
            doubtful = effect.reads & ~clean and not effect.defines
            if doubtful or (precise and effect.undefines):
                clean &= ~effect.writes
            elif effect.partial or (masked and not full):
                clean |= effect.writes & ~effect.lanes
            else:
                clean |= effect.writes
            # undefined bits of the mask are a hazard at once
            clean |= effect.masks
            full = effect.fills or (full and not effect.masks)
        return Facts(clean, full)
