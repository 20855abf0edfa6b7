"""Which parameters of a kernel an address is computed from: a backward slice of its registers."""

from __future__ import annotations

from lanemap.emulator.codegen.operation import Block, Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register

#: Definitions that a slice looks at; one that needs more says nothing.
_MOST_STEPS = 20_000

#: A register as it is before an operation of a block, by the numbers of both. The last says whether
#: the mask of lanes that execute may have changed since: then a write kept lanes that now execute.
_Use = tuple[int, int, Register, bool]


class Derivation:
    """Slices of one program."""

    def __init__(self, program: Program) -> None:
        """Find which blocks precede which."""
        self._program, self._blocks = program, program.blocks
        self._mask = frozenset(program.mask_registers or ())
        self._before: list[list[int]] = [[] for _ in program.blocks]
        for block in program.blocks:
            for following in block.successors:
                self._before[following].append(block.index)

    def parameters(self, number: int) -> frozenset[int]:
        """Return the bytes of the parameters that the address of an operation is computed from.

        Every path to it counts, values that were loaded from memory do not: nothing is known of
        where these come from. Conditions do not either. The result is empty if the slice is too
        large.

        Args:
            number: The operation's, counted over the entry.
        """
        block = next(each for each in self._blocks if number < each.first + len(each.operations))
        place = number - block.first
        open_: list[_Use] = [
            (block.index, place, register, False) for register in block.operations[place].addresses
        ]
        seen = set(open_)
        found: set[int] = set()
        while open_:
            for use in self._step(*open_.pop(), found):
                if use not in seen:
                    seen.add(use)
                    open_.append(use)
            if len(seen) > _MOST_STEPS:
                return frozenset()
        return frozenset(found)

    def _step(
        self, index: int, place: int, register: Register, changed: bool, found: set[int]
    ) -> list[_Use]:
        """Return what a register's value is made of; bytes of parameters go into `found`."""
        block: Block = self._blocks[index]
        uses: list[_Use] = []
        for at in reversed(range(place)):
            operation = block.operations[at]
            changed = changed or not self._mask.isdisjoint(operation.writes)
            if register not in operation.writes:
                continue
            uses += self._made_of(operation, register, (index, at), found)
            if not operation.partial and not (changed and register.lanes):
                return uses
        if index == 0 and register in self._program.preloaded:
            found.add(self._program.preloaded[register])
        ends = ((before, len(self._blocks[before].operations)) for before in self._before[index])
        return [*uses, *((before, end, register, changed) for before, end in ends)]

    def _made_of(
        self, operation: Operation, register: Register, at: tuple[int, int], found: set[int]
    ) -> list[_Use]:
        """Return the registers that an operation computes one from: none if it loads it."""
        fetched = dict(operation.fetches)
        if register in fetched and self._unwritten(*at, operation.addresses):
            found.add(fetched[register])
            return []
        if operation.undefines:
            return []
        return [
            (*at, read, False)
            for read in operation.reads
            if read.type != "i1" and read not in self._mask
        ]

    def _unwritten(self, index: int, place: int, registers: tuple[Register, ...]) -> bool:
        """Whether registers hold what they held when the wave began, on every path."""
        if not registers:
            return True
        open_: list[tuple[int, int]] = [(index, place)]
        seen: set[int] = set()
        while open_:
            block, end = open_.pop()
            for operation in self._blocks[block].operations[:end]:
                if not set(registers).isdisjoint(operation.writes):
                    return False
            for before in self._before[block]:
                if before not in seen:
                    seen.add(before)
                    open_.append((before, len(self._blocks[before].operations)))
        return True
