"""Calls of device functions: parameters, return addresses, indirect calls, printf.

Each function's blocks exist once. A caller copies its arguments to the callee's parameters, which
are registers, and stores the index of the call site in a per-lane register. So lanes may call from
different call sites, and different functions, at the same time. For calls that may recurse,
frames.py saves the live registers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.operation import Heap, Operation
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.access import Source
from lanemap.emulator.ptx.lower.accesses import check_access
from lanemap.emulator.ptx.lower.cells import Cells, parameter_of, read_cells, write_cells
from lanemap.emulator.ptx.lower.copies import Copy, copies
from lanemap.emulator.ptx.lower.drafts import Draft, Switches, end_exit, end_goto, switch
from lanemap.emulator.ptx.lower.frames import Frames, Site, leave
from lanemap.emulator.ptx.lower.heap import allocating, freeing
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.lower.printing import failed_assertion, printing
from lanemap.emulator.ptx.lower.reaching import candidates, function_of
from lanemap.emulator.ptx.lower.reserved import FUNCTION_BASE, FUNCTION_STEP
from lanemap.emulator.ptx.lower.rules import Rule
from lanemap.emulator.ptx.lower.runtime import ROW
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import CallTarget, Function, Instruction, Module
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Address, FunctionName
from lanemap.emulator.ptx.text.operands import Register as ParsedRegister
from lanemap.emulator.ptx.text.variables import Variable
from lanemap.emulator.runtime.abi import Wave

PRINTF, ASSERTION = "vprintf", "__assertfail"
#: What new and delete call too (CUDA C++ Programming Guide, Dynamic Global Memory Allocation).
MALLOC, FREE = "malloc", "free"


@dataclass
class Leaving:
    """Return of a function: the register with the call-site index, and all return blocks."""

    register: Register
    draft: Draft
    sites: list[Draft] = field(default_factory=list)

    def add(self, behind: Draft) -> int:
        """Return the index of a further place."""
        self.sites.append(behind)
        return len(self.sites) - 1


class Calls:
    """The calls among the functions that a kernel reaches."""

    def __init__(
        self,
        module: Module,
        names: Names,
        functions: Sequence[Function],
        starts: dict[str, Draft],
        together: Mapping[str, int],
        switches: Switches,
    ) -> None:
        """Decide where parameters lie; `starts` has the first block of every function.

        Functions with one number in `together` can call each other, and so themselves.
        """
        self._together = together
        self._switches = switches
        self.frames = Frames()
        #: Whether some call makes or frees an object.
        self.allocates = False
        self._module = module
        self._names = names
        self._starts = starts
        self._cells = Cells(names)
        self._leaving: dict[str, Leaving] = {}
        for function in functions:
            self._cells.note_accesses(function)
            for instruction in function.body:
                self._unite(instruction)
            if not function.is_entry:
                register = names.fresh(f"return address of {function.name}", "i32")
                self._leaving[function.name] = Leaving(register, Draft(function.name))
        self._cells.settle()

    def _unite(self, instruction: Instruction) -> None:
        call = instruction.call
        if call is None:
            return
        for callee in self._callees(instruction):
            if len(callee.prototype.parameters) == len(call.arguments):
                self._cells.unite(call.arguments, callee.prototype.parameters)
            if len(callee.prototype.results) == len(call.results):
                self._cells.unite(call.results, callee.prototype.results)

    def _callees(self, instruction: Instruction) -> list[Function]:
        target = instruction.operands[0]
        if isinstance(target, FunctionName):
            found = function_of(self._module, target.name)
            return [found] if found is not None and found.defined else []
        return candidates(self._module, instruction)

    # -- parameters ------------------------------------------------------------------------------
    def parameter_access(
        self, instruction: Instruction
    ) -> tuple[Callable[[Builder], None], Statement] | None:
        """Return the semantics of ld.param or st.param of a device function's parameter."""
        variable = parameter_of(instruction)
        if variable is None or self._names.parameter(variable) is not None:
            return None
        s = Statement(instruction, self._names, 0)
        kind = s.type("b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64")
        s.choice("param param::func")
        count = int(s.choice("v2 v4 v8", "v1")[1:])
        check_access(instruction, kind, count)
        if instruction.opcode == "ld":
            return self._load(s, kind, count, variable)
        return self._store(s, kind, count, variable)

    def _parts(
        self, variable: Variable, offset: int, kind: str, count: int
    ) -> list[list[Register]]:
        size = BITS[kind] // 8
        return [self._cells.touched(variable, offset + i * size, size) for i in range(count)]

    def _load(
        self, s: Statement, kind: str, count: int, variable: Variable
    ) -> tuple[Callable[[Builder], None], Statement]:
        if kind == "b128":
            destinations = s.wide_destinations(count)
            parts = self._parts(variable, _offset(s), "b64", 2 * count)
        else:
            raw = f"{'s' if kind[0] == 's' else 'b'}{BITS[kind]}"
            destinations = s.destinations(raw, count)
            parts = self._parts(variable, _offset(s), kind, count)
        s.finish()
        s.reads += [cell for part in parts for cell in part]

        def emit(b: Builder) -> None:
            values = [read_cells(b, part) for part in parts]
            for destination, value in zip(destinations, values, strict=True):
                destination.write(b, value)

        return emit, s

    def _store(
        self, s: Statement, kind: str, count: int, variable: Variable
    ) -> tuple[Callable[[Builder], None], Statement]:
        offset = _offset(s)
        if kind == "b128":
            parts = self._parts(variable, offset, "b64", 2 * count)
            sources: list[Source | None] = [*s.wide_sources(count)]
        else:
            parts = self._parts(variable, offset, kind, count)
            sources = s.stored(f"b{BITS[kind]}" if not s.holds_float() else kind, count)
        s.finish()
        given = [(each, part) for each, part in zip(sources, parts, strict=True) if each]
        s.writes += [cell for _, part in given for cell in part]

        def emit(b: Builder) -> None:
            for source, part in given:
                value = source.read(b)
                write_cells(b, part, b.alu.bitcast(value, f"i{value.bits}"))

        return emit, s

    # -- calling ---------------------------------------------------------------------------------
    def leaving(self, function: Function) -> Draft | None:
        """Return the block where a function returns; None for a kernel."""
        found = self._leaving.get(function.name)
        return None if found is None else found.draft

    def finish(self) -> None:
        """Emit the return of every function to its call sites."""
        for name, leaving in self._leaving.items():
            function = self._module.functions[name]
            frame = self._names.frame(function)
            if frame is not None:
                leaving.draft.operations.append(leave(frame, function.end_line))
            self._end_return(leaving, function.end_line)

    def _end_return(self, leaving: Leaving, line: int) -> None:
        """End a function: each lane returns to the block after its call."""
        sites = leaving.sites
        if not sites:
            end_exit(leaving.draft, "}", line)
            return
        table = self._switches.add(sites)

        def emit(b: Builder) -> None:
            if len(sites) == 1:
                b.flow.end_with("lm_ptx_goto", sites[0].number, 0)
            else:
                index = b.registers.read(leaving.register)
                switch(b, index, index, table, Rule.RETURN, 0)

        leaving.draft.end(emit, sites, "}", line, [leaving.register])

    def end_call(
        self, instruction: Instruction, draft: Draft, following: Draft, text: str
    ) -> list[Draft]:
        """End a block with a call; return the block after it, which fetches the results."""
        call, target = instruction.call, instruction.operands[0]
        assert call is not None
        if isinstance(target, FunctionName):
            name = self._module.aliases.get(target.name, target.name)
            if name == PRINTF:
                return self._end_printf(instruction, call, draft, following, text)
            if name == ASSERTION:
                self._end_assertion(instruction, call, draft, following, text)
                return []
            callee = function_of(self._module, name)
            if name in (MALLOC, FREE) and (callee is None or not callee.defined):
                return self._end_heap(name, instruction, call, draft, following, text)
            if callee is None or not callee.defined:
                raise OperandError(
                    f"function `{name}` has no body in this text and is not one that lanemap "
                    "provides"
                )
            return self._end_direct(instruction, call, callee, draft, following, text)
        assert isinstance(target, ParsedRegister)
        return self._end_indirect(instruction, call, target, draft, following, text)

    def _pass(self, call: CallTarget, callee: Function) -> list[Copy]:
        return copies(self._names, self._cells, call.arguments, callee.prototype.parameters)

    def _fetch(self, call: CallTarget, callee: Function) -> list[Copy]:
        return copies(self._names, self._cells, callee.prototype.results, call.results)

    def _end_direct(
        self,
        instruction: Instruction,
        call: CallTarget,
        callee: Function,
        draft: Draft,
        following: Draft,
        text: str,
    ) -> list[Draft]:
        behind, leaving = Draft(draft.function), self._leaving[callee.name]
        site = leaving.add(behind)
        start, passed = self._starts[callee.name], self._pass(call, callee)

        def emit(b: Builder) -> None:
            for copy in passed:
                copy.emit(b)
            b.registers.write(leaving.register, b.ir.constant("i32", site))
            b.flow.end_with("lm_ptx_goto", start.number, 0)

        reads = [r for copy in passed for r in copy.reads]
        writes = [leaving.register, *[r for copy in passed for r in copy.writes]]
        draft.end(emit, [start], text, instruction.line, reads, writes)
        draft.order_targets = [behind]
        fetched = self._fetch(call, callee)

        def receive(b: Builder) -> None:
            for copy in fetched:
                copy.emit(b)

        behind.operations.append(
            Operation(
                text,
                instruction.line,
                receive,
                tuple(r for c in fetched for r in c.reads),
                tuple(r for c in fetched for r in c.writes),
            )
        )
        end_goto(behind, following, text, instruction.line)
        self._note([callee], draft, behind, text, instruction.line)
        return [behind]

    def _note(
        self, callees: Sequence[Function], draft: Draft, behind: Draft, text: str, line: int
    ) -> None:
        """Record a call that may recurse into its own function."""
        number = self._together.get(draft.function)
        if number is None or number not in (self._together.get(f.name) for f in callees):
            return
        results = frozenset(cell for f in callees for cell in self.results(f))
        self.frames.note(Site(draft, behind, results, text, line))

    def results(self, function: Function) -> list[Register]:
        """Return the registers that a function leaves to its callers."""
        found: list[Register] = []
        for result in function.prototype.results:
            found += (
                self._cells.of(result)
                if isinstance(result, Variable)
                else [self._names.register(result)]
            )
        return found

    def _end_indirect(
        self,
        instruction: Instruction,
        call: CallTarget,
        target: ParsedRegister,
        draft: Draft,
        following: Draft,
        text: str,
    ) -> list[Draft]:
        callees = candidates(self._module, instruction)
        if not callees:
            raise OperandError(f"`{instruction.text}` cannot call any function of this text")
        behind = Draft(draft.function)
        address = self._names.register(target)
        numbers = [self._names.function_address(callee.name) for callee in callees]
        passed = [copy for callee in callees for copy in self._pass(call, callee)]
        returns = [self._leaving[callee.name] for callee in callees]
        sites = [leaving.add(behind) for leaving in returns]
        starts = [self._starts[callee.name] for callee in callees]
        by_number = {self._names.function_number(c.name): self._starts[c.name] for c in callees}
        table = self._switches.add([by_number.get(i) for i in range(max(by_number) + 1)])

        def emit(b: Builder) -> None:
            where = b.registers.read(address)
            where = b.checks.require_defined(where, "branch")
            for copy in passed:
                copy.emit(b)
            for leaving, site in zip(returns, sites, strict=True):
                b.registers.write(leaving.register, b.ir.constant("i32", site))
            switch(b, _function_number(b, where), where, table, Rule.CALL, 0)

        reads = [address, *[r for copy in passed for r in copy.reads]]
        writes = [*[x.register for x in returns], *[r for copy in passed for r in copy.writes]]
        draft.end(emit, starts, text, instruction.line, reads, writes)
        draft.order_targets = [behind]
        self._fetch_from_any(instruction, call, callees, address, numbers, behind, text)
        end_goto(behind, following, text, instruction.line)
        self._note(callees, draft, behind, text, instruction.line)
        return [behind]

    def _fetch_from_any(
        self,
        instruction: Instruction,
        call: CallTarget,
        callees: Sequence[Function],
        address: Register,
        numbers: Sequence[int],
        behind: Draft,
        text: str,
    ) -> None:
        """After an indirect call: each lane takes the results of the function that it called."""
        fetched = [self._fetch(call, callee) for callee in callees]

        def receive(b: Builder) -> None:
            where = b.registers.read(address)
            for number, group in zip(numbers, fetched, strict=True):
                with b.guarded(b.alu.compare("eq", where, b.ir.constant(where.type, number))):
                    for copy in group:
                        copy.emit(b)

        reads = [address, *[r for group in fetched for c in group for r in c.reads]]
        writes = [r for group in fetched for c in group for r in c.writes]
        behind.operations.append(
            Operation(
                text,
                instruction.line,
                receive,
                tuple(reads),
                tuple(writes),
                partial=len(callees) > 1,
            )
        )

    def _end_printf(
        self, instruction: Instruction, call: CallTarget, draft: Draft, following: Draft, text: str
    ) -> list[Draft]:
        """vprintf(format, arguments): the host prints, lane by lane, and returns a count."""
        behind = Draft(draft.function)
        if len(call.arguments) != 2 or len(call.results) != 1:
            raise OperandError("vprintf takes a format and the address of its arguments")
        show = printing(self._module.file, instruction.line)
        self._end_on_host(call, draft, behind, text, instruction.line, show)
        self._receive(call, 1, behind, text, instruction.line)
        end_goto(behind, following, text, instruction.line)
        return [behind]

    def _end_heap(
        self,
        name: str,
        instruction: Instruction,
        call: CallTarget,
        draft: Draft,
        following: Draft,
        text: str,
    ) -> list[Draft]:
        """malloc(bytes) and free(address): the host makes and frees an object for each lane."""
        self.allocates = True
        allocates, line = name == MALLOC, instruction.line
        if len(call.arguments) != 1 or len(call.results) != allocates:
            raise OperandError(f"{name} takes one argument and returns {int(allocates)} results")
        behind, file = Draft(draft.function), self._module.file
        source = instruction.source
        where = f"{file}:{line}" if source is None else self._module.source_name(source)
        places = self._module.places(line)
        function = allocating(where) if allocates else freeing(file, line, where, places)
        self._end_on_host(call, draft, behind, text, line, function)
        if allocates:
            self._receive(call, 2, behind, text, line)
        end_goto(behind, following, text, line)
        return [behind]

    def _receive(self, call: CallTarget, words: int, behind: Draft, text: str, line: int) -> None:
        """Fetch the result that the host left, of one or two words."""
        result = call.results[0]
        assert isinstance(result, Variable)
        written = self._cells.of(result)

        def receive(b: Builder) -> None:
            found = [b.rows.load(ROW + i, defined=True) for i in range(words)]
            write_cells(b, written, found[0] if words == 1 else b.alu.join(*found))

        behind.operations.append(Operation(text, line, receive, (), tuple(written)))

    def _end_assertion(
        self, instruction: Instruction, call: CallTarget, draft: Draft, following: Draft, text: str
    ) -> None:
        """__assertfail(message, file, line, function, size of a character): the launch stops."""
        if len(call.arguments) != 5:
            raise OperandError(f"{ASSERTION} takes five arguments")
        fail = failed_assertion(self._module.file, instruction.line)
        self._end_on_host(call, draft, following, text, instruction.line, fail)

    def _end_on_host(
        self,
        call: CallTarget,
        draft: Draft,
        behind: Draft,
        text: str,
        line: int,
        function: Callable[[Wave, Heap], str | None],
    ) -> None:
        """End a block with a function of the host; argument i lies in scratch rows 2 * i and on."""
        cells = [self._cells.of(a) for a in call.arguments if isinstance(a, Variable)]

        def emit(b: Builder) -> None:
            for i, part in enumerate(cells):
                value = read_cells(b, part)
                b.checks.require_defined(value, "address")
                b.rows.store(ROW + 2 * i, [value])
            b.flow.host(behind.number)

        draft.end(emit, [behind], text, line, [r for part in cells for r in part])
        draft.operations[-1].host = function


def _function_number(b: Builder, address: Value) -> Value:
    """Return the number of the function at an address; no function has it where there is none."""
    offset = b.alu.sub(b.alu.zext(address, "i64"), b.ir.constant("i64", FUNCTION_BASE))
    step, shift = FUNCTION_STEP, FUNCTION_STEP.bit_length() - 1
    number = b.alu.lshr(offset, b.ir.constant("i64", shift))
    between = b.alu.and_(offset, b.ir.constant("i64", step - 1))
    far = b.alu.compare("uge", number, b.ir.constant("i64", 1 << 31))
    wrong = b.alu.or_(far, b.alu.compare("ne", between, b.ir.constant("i64", 0)))
    return b.alu.select(wrong, b.ir.constant("i32", 0xFFFFFFFF), b.alu.trunc(number, "i32"))


def _offset(s: Statement) -> int:
    operand = s.operand()
    assert isinstance(operand, Address)
    return operand.offset
