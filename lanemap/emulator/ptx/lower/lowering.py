"""Lowers a parsed kernel to the core's Program: blocks, their operations and terminators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Block, Operation
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx.lower import special_registers
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.barriers import end_barrier
from lanemap.emulator.ptx.lower.calling import Calls
from lanemap.emulator.ptx.lower.classes import kind_of, products_of
from lanemap.emulator.ptx.lower.cluster import FRONT_END
from lanemap.emulator.ptx.lower.drafts import (
    Draft,
    Switches,
    end_branch,
    end_exit,
    end_goto,
    end_switch,
)
from lanemap.emulator.ptx.lower.frames import KEPT_BYTES, enter
from lanemap.emulator.ptx.lower.gates import needed
from lanemap.emulator.ptx.lower.independence import independent, meetings
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.lower.ordering import block_order
from lanemap.emulator.ptx.lower.pieces import Piece, cut, is_barrier, is_gate
from lanemap.emulator.ptx.lower.reaching import called, reached_functions, recursive_functions
from lanemap.emulator.ptx.lower.reserved import PARAMETERS, SHARED_BASE, STACK
from lanemap.emulator.ptx.lower.rules import Mbarrier, Rule
from lanemap.emulator.ptx.lower.runtime import COUNTERS, FUNCTIONS
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import find, not_supported
from lanemap.emulator.ptx.lower.tensor_reads import completing
from lanemap.emulator.ptx.lower.wording import PtxWording
from lanemap.emulator.ptx.text.errors import Place, PtxError
from lanemap.emulator.ptx.text.module import Function, Instruction, Module
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import LabelList
from lanemap.emulator.refusals import Refusals
from lanemap.model import banks

LANES = 32

#: Registers that are defined when a kernel begins, besides those of its symbols.
_INITIAL = frozenset((PARAMETERS, STACK, SHARED_BASE, *special_registers.INITIAL))


class Lowering:
    """One kernel with all that it calls.

    Attributes:
        names: Registers, addresses and sizes.
        program: The program that the core runs.
    """

    def __init__(
        self,
        module: Module,
        entry: Function,
        key: str,
        settings: Settings,
        gpu: str,
    ) -> None:
        """Lower a kernel for a GPU; `key` stands for the module's text in the object cache.

        Raises:
            PtxError: instructions are unknown or misused; the message names all, with their lines.
        """
        self.module = module
        self._refusals = Refusals()
        self.functions = reached_functions(module, entry)
        together = recursive_functions(module, self.functions)
        self.names = Names(module, entry, self.functions, settings, together, gpu)
        self._starts = {function.name: Draft(function.name) for function in self.functions}
        self._switches = Switches(self.names.tables)
        self._calls = Calls(
            self.module, self.names, self.functions, self._starts, together, self._switches
        )
        self._note = ""
        self._completing: dict[int, int] = {}
        self._notes = self._call_sites()
        drafts: dict[str, list[Draft]] = {}
        for function in self.functions:
            drafts[function.name] = self._function(function)
        self._refusals.check(module.file, PtxError)
        self._calls.finish()
        for function in self.functions:
            if function.name in together:
                results = self._calls.results(function)
                self._calls.frames.save_registers(drafts[function.name], results)
        order = [function.name for function in self.functions]  # the kernel first
        blocks = _number(
            [drafts[name] for name in reversed(order)],
            self._starts[entry.name],
            len(self.functions) > 1,
        )
        self._switches.settle()
        meeting = meetings(self.functions)
        drawn = not self.names.drawn.isdisjoint(self.names.read)
        self.program = Program(
            entry.name,
            module.file,
            LANES,
            blocks,
            _INITIAL.union(self.names.symbols.values()),
            None,
            False,
            self.names.tracks,
            True,
            tables=self.names.tables,
            slot_tables=self.names.slots,
            counters=COUNTERS,
            rules={**Mbarrier.sentences, **Rule.sentences},
            functions=FUNCTIONS,
            extension=self.names.extension,
            written=self.names.written,
            front_end=FRONT_END if self.names.extension else {},
            clocks=self.names.clocks,
            kept_bytes=KEPT_BYTES if together else 0,
            independent=independent(meeting, drawn) and not self._calls.allocates,
            releases=bool(meeting),
            allocates=self._calls.allocates,
            lanes_part=True,
            banks=banks.nvidia(module.target),
            wording=PtxWording(),
            places=module.places,
            key=f"{key} {entry.name}" if key else "",
        )

    def _refuse(self, instruction: Instruction, why: OperandError) -> None:
        """Record an error in an instruction and go on with the others."""
        error = Place(self.module.file, instruction.line).error(str(why))
        self._refusals.add(error.line, error.sentence)

    # -- functions -------------------------------------------------------------------------------
    def _call_sites(self) -> dict[str, str]:
        """Call sites of functions without `.loc`, such as the __trap that -G adds."""
        places: dict[str, dict[str, None]] = {}
        for function in self.functions:
            for instruction, callee in called(self.module, function):
                if instruction.source is not None:
                    name = self.module.source_name(instruction.source)
                    places.setdefault(callee.name, {})[name] = None
        return {
            function.name: f" // called at {', '.join(list(places[function.name])[:3])}"
            for function in self.functions
            if function.name in places and not any(i.source for i in function.body)
        }

    def _function(self, function: Function) -> list[Draft]:
        self._note = self._notes.get(function.name, "")
        if not self.names.settings.strict:
            self._completing = {
                id(function.body[index]): count for index, count in completing(function).items()
            }
        pieces = cut(function)
        starts = [self._starts[function.name], *[Draft(function.name) for _ in pieces[1:]]]
        leave = self._calls.leaving(function)
        made: list[Draft] = []
        frame = self.names.frame(function)
        if frame is not None:
            limit = self.names.private_bytes
            text = next((self._text(i) for i in function.body if i.source), "").partition("//")
            first = f"{function.name} {''.join(text[1:])}".strip()
            starts[0].operations.append(enter(frame, first, function.line, limit))
            made, starts[0] = [starts[0]], Draft(function.name)
            end_goto(made[0], starts[0], "", function.line)
        for piece, draft in zip(pieces, starts, strict=True):
            made.append(draft)
            made += self._piece(function, piece, draft, starts, leave)
        return made if leave is None else [*made, leave]

    def _piece(
        self,
        function: Function,
        piece: Piece,
        draft: Draft,
        starts: Sequence[Draft],
        leave: Draft | None,
    ) -> list[Draft]:
        """Fill a piece's block; return further blocks that it needs."""
        body = function.body[piece.first : piece.last]
        following = starts[piece.targets[0]] if piece.targets else leave
        line = body[-1].line if body else function.end_line
        if piece.ender is not None:
            for instruction in body:
                draft.operations.append(self.operation(instruction))
            return self._ender(function, piece, draft, starts, leave)
        more: list[Draft] = []
        if len(body) == 1 and body[0].guard is not None and is_gate(body[0]):
            assert following is not None
            behind = Draft(function.name)
            self._guard(draft, body[0], behind, following)
            more, draft = [behind], behind
            draft.operations.append(replace(self.operation(body[0], guarded=False), kind=""))
        else:
            for instruction in body:
                draft.operations.append(self.operation(instruction))
        if following is None:
            end_exit(draft, "}", line)
        else:
            end_goto(draft, following, "}" if following is leave else "", line)
        return more

    def _guard(self, draft: Draft, instruction: Instruction, then: Draft, otherwise: Draft) -> None:
        """End a block with a branch that counts as the instruction: what it leads to does not."""
        condition, register = self._condition(instruction)
        end_branch(
            draft,
            condition,
            [register],
            then,
            otherwise,
            self._text(instruction),
            instruction.line,
        )
        draft.operations[-1].kind = kind_of(instruction)

    def _condition(self, instruction: Instruction) -> tuple[Source, Register]:
        assert instruction.guard is not None
        register = self.names.register(instruction.guard)
        if instruction.guard_negated:
            return Source("pred", lambda b: b.alu.not_(b.registers.read(register))), register
        return Source("pred", lambda b: b.registers.read(register)), register

    def _ender(
        self,
        function: Function,
        piece: Piece,
        draft: Draft,
        starts: Sequence[Draft],
        leave: Draft | None,
    ) -> list[Draft]:
        """End a block with its last instruction, in a block of its own where that is guarded."""
        instruction = piece.ender
        assert instruction is not None
        following = starts[piece.targets[0]]
        text, line = self._text(instruction), instruction.line
        if instruction.opcode == "bra":
            target = starts[piece.targets[1]]
            if instruction.guard is None:
                end_goto(draft, target, text, line)
                draft.operations[-1].kind = kind_of(instruction)
            else:
                self._guard(draft, instruction, target, following)
            return []
        more: list[Draft] = []
        if instruction.guard is not None:
            behind = Draft(function.name)
            self._guard(draft, instruction, behind, following)
            draft, more = behind, [behind]
        try:
            more += self._end(instruction, draft, following, starts, piece, leave)
            if instruction.guard is None:
                draft.operations[-1].kind = kind_of(instruction)
        except OperandError as error:
            self._refuse(instruction, error)
        return more

    def _end(
        self,
        instruction: Instruction,
        draft: Draft,
        following: Draft,
        starts: Sequence[Draft],
        piece: Piece,
        leave: Draft | None,
    ) -> list[Draft]:
        text, line = self._text(instruction), instruction.line
        statement = Statement(instruction, self.names, 0)
        if is_barrier(instruction):
            return end_barrier(statement, draft, following, text)
        if instruction.opcode == "call":
            return self._calls.end_call(instruction, draft, following, text)
        if instruction.opcode == "brx":
            index = statement.source("u32")
            assert isinstance(instruction.operands[1], LabelList)
            targets = [starts[number] for number in piece.targets[1:]]
            table = self._switches.add(targets)
            end_switch(draft, index, statement.reads, targets, table, text, line)
        elif instruction.opcode == "ret" and leave is not None:
            end_goto(draft, leave, text, line)
        elif instruction.opcode in ("ret", "exit"):
            end_exit(draft, text, line)
        else:
            rule = Rule.TRAP if instruction.opcode == "trap" else Rule.BREAKPOINT
            end_exit(draft, text, line, rule)
        return []

    # -- instructions ----------------------------------------------------------------------------
    def _text(self, instruction: Instruction) -> str:
        """Return the instruction, with the line of CUDA or Python that it stands for."""
        if instruction.source is None:
            return instruction.text + self._note
        return f"{instruction.text} // {self.module.source_name(instruction.source)}"

    def _semantics(self, instruction: Instruction) -> tuple[Callable[[Builder], None], Statement]:
        """Return what emits an instruction, and its statement with the operands taken.

        Raises:
            OperandError: it is unknown or misused.
        """
        for feature in needed(instruction):
            self.names.require(feature)
        special = self._calls.parameter_access(instruction)
        if special is not None:
            self.names.read.update(special[1].reads)
            return special
        definition = find(instruction)
        if definition is None:
            raise OperandError(not_supported(instruction))
        if definition.needs:
            self.names.require(definition.needs)
        statement = Statement(instruction, self.names, definition.name.count("."))
        emit = definition.function(statement)
        statement.finish()
        self.names.read.update(statement.reads)
        return emit, statement

    def operation(self, instruction: Instruction, guarded: bool = True) -> Operation:
        """Return the operation of an instruction that does not end a block.

        Return an empty operation for a refused instruction, which no program contains.
        """
        try:
            emit, statement = self._semantics(instruction)
        except OperandError as error:
            self._refuse(instruction, error)
            return Operation(self._text(instruction), instruction.line, _nothing)
        reads = list(statement.reads)
        partial = False
        if instruction.guard is not None and guarded:
            condition, register = self._condition(instruction)
            reads.append(register)
            partial = True
            plain = emit

            def emit(b: Builder) -> None:
                with b.guarded(condition.read(b)):
                    b.executions.tell()
                    plain(b)

        if loads := self._completing.get(id(instruction)):
            emit = _completing(emit, loads)
        return Operation(
            self._text(instruction),
            instruction.line,
            emit,
            tuple(dict.fromkeys(reads)),
            tuple(dict.fromkeys(statement.writes)),
            undefines=statement.undefines,
            defines=statement.defines,
            partial=partial,
            kind=kind_of(instruction),
            products=products_of(instruction),
            late=partial or is_gate(instruction),
            addresses=() if "tensor" in instruction.modifiers else tuple(statement.addresses),
            fetches=statement.fetched(),
        )


def _completing(emit: Callable[[Builder], None], loads: int) -> Callable[[Builder], None]:
    def completes(b: Builder) -> None:
        b.runtime.call("lm_tensor_read", loads)
        emit(b)

    return completes


def _nothing(b: Builder) -> None:
    """Emit nothing."""


def _number(functions: Sequence[Sequence[Draft]], start: Draft, calls: bool) -> list[Block]:
    """Give every block its number: callees before callers, the kernel last."""
    drafts: list[Draft] = []
    if calls:
        prologue = Draft("")
        end_goto(prologue, start, "", start.operations[0].line if start.operations else 0)
        drafts.append(prologue)
    for function in functions:
        index = {id(draft): i for i, draft in enumerate(function)}
        edges = [[index[id(t)] for t in d.order_targets if id(t) in index] for d in function]
        drafts += [function[i] for i in block_order(edges)]
    sources: dict[int, int] = {id(start): 2}
    for number, draft in enumerate(drafts):
        draft.number = number
        for target in draft.targets:
            sources[id(target)] = sources.get(id(target), 0) + 1
    blocks, first = [], 0
    for draft in drafts:
        draft.alone = sources.get(id(draft), 0) == 1
        successors = tuple(dict.fromkeys(target.number for target in draft.targets))
        blocks.append(Block(draft.number, first, draft.operations, successors))
        first += len(draft.operations)
    return blocks
