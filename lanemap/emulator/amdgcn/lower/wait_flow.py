"""Pairs of instructions with too few wait states between them, along any path.

Within a basic block the distance is known when the text is loaded. Across blocks, the least
distance over all paths says which pairs may be too close. Whether they are depends on the path
that a wave takes, so a wave counts wait states for those pairs at run time. Clean kernels have
none.

In two cases fewer wait states are asked for than LLVM inserts, except under strict. A matrix
instruction waits until the matrix unit has taken in the one before, which takes as many wait states
as that one has passes (LLVM, SISchedule.td: it holds the resource HWXDL for so long). And an SGPR
that another instruction has overwritten is no longer that of the VALU instruction that wrote it
first.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lanemap.emulator.amdgcn.lower.flow import Flow
from lanemap.emulator.amdgcn.lower.wait_states import Rule, rules_of, source_of
from lanemap.emulator.amdgcn.lower.wait_traits import Traits, names_of, traits_of
from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Operation
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.host.settings import Settings
from lanemap.targets import TARGETS

_CLOCK = Register("wait_states", "i64", False)
_ALL_LANES = (1 << 64) - 1
#: Instructions by their index and the SGPRs of theirs that were overwritten, with the wait states
#: that have gone by since they were issued.
_Ages = dict[tuple[int, int], int]
#: A wave's count for an instruction, and the registers that it is about.
_Stamp = tuple[int, int]


@dataclass(frozen=True)
class Short:
    """Two instructions that are too close.

    Attributes:
        first, second: Their indices in the image's code.
        needed: Wait states that must lie between them.
        found: Those that do, at least.
        local: Whether they always do: both lie in one block, in this order.
        rule: What asks for them; `registers`: what it is about.
    """

    first: int
    second: int
    needed: int
    found: int
    local: bool
    rule: Rule
    registers: int


@dataclass
class WaitStates:
    """The pairs of a kernel that are too close.

    Attributes:
        flow: The kernel's code.
        settings: Whether rules count that only one of their sources has (`strict`).
        shorts: The pairs by the index of the second.
        places: Block and distance in wait states from its beginning, by index of an instruction.
    """

    flow: Flow
    settings: Settings
    shorts: dict[int, list[Short]] = field(default_factory=dict)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    _traits: dict[int, Traits] = field(default_factory=dict)
    _rules: dict[int, tuple[tuple[Rule, ...], int]] = field(default_factory=dict)
    _states: dict[int, int] = field(default_factory=dict)
    _lengths: list[int] = field(default_factory=list)
    _stamped: set[_Stamp] = field(default_factory=set)
    _numbers: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for indices in self.flow.blocks:
            self._look(indices)
        if not self.settings.strict:
            self._hold_matrix_unit()
        for number, indices in enumerate(self.flow.blocks):
            self._measure(number, indices)
        outs = [self._through(indices) for indices in self.flow.blocks]
        entering: list[_Ages] = [{} for _ in outs]
        work = list(range(len(outs)))
        while work:
            number = work.pop()
            leaving = outs[number] | self._past(self.flow.blocks[number], entering[number])
            for successor in self.flow.successors(number):
                into = entering[successor]
                closer = {key: age for key, age in leaving.items() if age < into.get(key, age + 1)}
                if closer:
                    into |= closer
                    work.append(successor)
        for number, ages in enumerate(entering):
            self._past(self.flow.blocks[number], ages, judge=True)
        for each in self.shorts.values():
            each.sort(key=lambda one: one.found)  # the latest producer is named first
        self._stamped = {
            (one.first, one.registers)
            for each in self.shorts.values()
            for one in each
            if not one.local
        }
        counts = itertools.accumulate((len(each) for each in self.shorts.values()), initial=0)
        self._numbers = dict(zip(self.shorts, counts, strict=False))

    def _look(self, indices: Sequence[int]) -> None:
        """Note the properties of a block's instructions."""
        indexed, cores = False, self._cores
        for index in indices:
            bound = self.flow.image.code[index].bound
            traits = traits_of(bound, indexed, cores)
            self._traits[index] = traits
            self._rules[index] = rules_of(traits, self.settings, cores)
            self._states[index] = traits.states
            if bound.definition.kind in ("index_on", "index_off"):
                indexed = bound.definition.kind == "index_on"

    @property
    def _cores(self) -> str:
        return TARGETS[self.flow.image.module.target].tensor_cores

    def _hold_matrix_unit(self) -> None:
        """Let matrix instructions count the wait states that they stand before a busy unit.

        A block begins with the shortest time that the unit is still busy on any way to it.
        """
        entering: dict[int, int] = {0: 0}
        work = [0]
        while work:
            number = work.pop()
            busy = entering[number]
            for index in self.flow.blocks[number]:
                matrix = self._traits[index].matrix
                if matrix is None:
                    busy = max(busy - self._traits[index].states, 0)
                else:
                    self._states[index], busy = 1 + busy, matrix.passes - 1
            for successor in self.flow.successors(number):
                if busy < entering.get(successor, busy + 1):
                    entering[successor] = busy
                    work.append(successor)

    def _measure(self, number: int, indices: Sequence[int]) -> None:
        """Count a block's wait states."""
        length = 0
        for index in indices:
            self.places[index] = (number, length)
            length += self._states[index]
        self._lengths.append(length)

    def _through(self, indices: Sequence[int]) -> _Ages:
        """Judge a block by itself; return its instructions that still matter at its end."""
        ages: _Ages = {}
        for index in indices:
            for key, age in ages.items():
                self._judge(key, index, age, True)
            ages = self._older(ages, index)
            if self._rules[index][1]:
                ages[index, 0] = 0
        return ages

    def _past(self, indices: Sequence[int], ages: _Ages, judge: bool = False) -> _Ages:
        """Carry earlier instructions through a block, until none of them matters."""
        for index in indices:
            if not ages:
                break
            for key, age in ages.items() if judge else ():
                self._judge(key, index, age, False)
            ages = self._older(ages, index)
        return ages

    def _older(self, ages: _Ages, index: int) -> _Ages:
        """The ages after an instruction was issued, of those that still matter."""
        passed, found = self._states[index], _Ages()
        overwrites = 0 if self.settings.strict else self._traits[index].overwrites
        for (first, gone), age in ages.items():
            if age + passed < self._rules[first][1]:
                key = first, gone | self._traits[first].overwrites & overwrites
                found[key] = min(age + passed, found.get(key, age + passed))
        return found

    def _judge(self, key: tuple[int, int], index: int, found: int, local: bool) -> None:
        """Note a pair that is too close, by the rule that asks for most."""
        first, gone = key
        traits = self._traits[first]
        if gone:
            traits = replace(traits, writes=traits.writes & ~gone)
        worst: Short | None = None
        for rule in self._rules[first][0]:
            needed, hit = rule.pair(traits, self._traits[index])
            if hit and found < needed and (worst is None or needed > worst.needed):
                worst = Short(first, index, needed, found, local, rule, hit)
        known = self.shorts.setdefault(index, []) if worst else []
        if worst is None or any(one.first == first and one.local for one in known):
            return
        known.append(worst)

    # -- emission ----------------------------------------------------------------------------------
    def sentences(self) -> list[str]:
        """One sentence per pair; `{}` stands for the wait states found."""
        return [self._sentence(short) for shorts in self.shorts.values() for short in shorts]

    def firsts(self) -> list[int]:
        """The index of each pair's first instruction, in the order of the sentences."""
        return [short.first for shorts in self.shorts.values() for short in shorts]

    def _sentence(self, short: Short) -> str:
        instruction = self.flow.image.code[short.first].bound.instruction
        text = instruction.text.replace("{", "{{").replace("}", "}}")
        why = short.rule.why.format(registers=names_of(short.registers))
        return (
            f"{{}} of {short.needed} wait states lie between `{text}` (line {instruction.line}) "
            f"and this: {why}; put s_nop or independent instructions between them "
            f"({source_of(short.rule, self._cores)})"
        )

    @property
    def counters(self) -> frozenset[Register]:
        """The counter registers of a wave, initially zero."""
        return frozenset([_CLOCK, *map(_register, self._stamped)] if self._stamped else ())

    def checked(self, index: int, operation: Operation, first_rule: int) -> Operation:
        """The operation of an instruction, with what reports it where it is too close.

        `first_rule`: the number of the first of `sentences` among the program's rules.
        """
        shorts = self.shorts.get(index, [])
        block, place = self.places[index]
        stood = self._states[index] - self._traits[index].states
        begins = bool(self._stamped) and self.flow.blocks[block][0] == index
        stamps = [_register(key) for key in sorted(self._stamped) if key[0] == index]
        ended = [_register(key) for key in sorted(self._stamped) if self._ends(index, key)]
        if not shorts and not begins and not stamps and not ended:
            return operation
        first_number = first_rule + self._numbers.get(index, 0)
        plain, length = operation.emit, self._lengths[block]

        def emit(b: Builder) -> None:
            if begins:
                b.registers.write(
                    _CLOCK, b.alu.add(b.registers.read(_CLOCK), b.ir.constant("i64", length))
                )
            for number, short in enumerate(shorts, first_number):
                self._report(b, short, number, length - place)
            for stamp in stamps:
                b.registers.write(stamp, _now(b, length - place - stood))
            for stamp in ended:
                b.registers.write(stamp, b.ir.constant("i64", 0))
            plain(b)

        reads = [_register(_key(short)) for short in shorts if not short.local]
        return replace(
            operation,
            emit=emit,
            reads=(*operation.reads, *((_CLOCK,) if begins or stamps or reads else ()), *reads),
            writes=(*operation.writes, *((_CLOCK,) if begins else ()), *stamps, *ended),
        )

    def _ends(self, index: int, key: _Stamp) -> bool:
        """Whether an instruction overwrites all registers that a pair is about."""
        first, registers = key
        return not (
            self.settings.strict or index == first or registers & ~self._traits[index].overwrites
        )

    def _report(self, b: Builder, short: Short, number: int, left: int) -> None:
        """Report a hazard if the pair is too close here; `left`: wait states to the block's end."""
        traits = self._traits[short.second]
        lanes = None
        if traits.matrix is not None or not (traits.vector or traits.memory):
            lanes = b.ir.constant("i64", _ALL_LANES)  # whatever EXEC says
        if short.local:
            b.checks.rule(b.ir.constant("i1", 1), number, short.found, lanes)
            return
        issued = b.registers.read(_register(_key(short)))
        found = b.alu.sub(b.alu.sub(_now(b, left), issued), b.ir.constant("i64", 1))
        near = b.alu.compare("ult", found, b.ir.constant("i64", short.needed))
        ever = b.alu.compare("ne", issued, b.ir.constant("i64", 0))
        b.checks.rule(b.alu.and_(near, ever), number, found, lanes)


def _now(b: Builder, left: int) -> Value:
    """Return the wait states so far; the clock is ahead by the rest of the block.

    It counts from 1, for 0 is the stamp of what was never issued.
    """
    return b.alu.sub(b.registers.read(_CLOCK), b.ir.constant("i64", left - 1))


def _key(short: Short) -> _Stamp:
    return short.first, short.registers


def _register(key: _Stamp) -> Register:
    """When a wave last issued an instruction; 0 once its registers are overwritten."""
    return Register(f"issued_{key[0]}_{key[1]:x}", "i64", False)
