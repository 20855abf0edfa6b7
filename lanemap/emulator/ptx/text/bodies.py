"""The body of a function: instructions, blocks, labels, declarations, line numbers."""

from __future__ import annotations

import re

from lanemap.emulator.ptx.text.calls import parse_call, parse_prototype
from lanemap.emulator.ptx.text.declarations import SPACES, parse_registers, parse_variables
from lanemap.emulator.ptx.text.errors import Place, PtxError
from lanemap.emulator.ptx.text.module import Function, Instruction, Module, Prototype, SourceLine
from lanemap.emulator.ptx.text.operand_text import OperandError, OperandParser, split_operands
from lanemap.emulator.ptx.text.operands import Label, LabelList, Operand, Register
from lanemap.emulator.ptx.text.scopes import Scope
from lanemap.emulator.ptx.text.variables import Variable

_STATEMENT = re.compile(
    r"\s*(?:([A-Za-z_$%][\w$]*)\s*:(?!:)"  # 1 label
    r"|(?:@\s*(!?)\s*([A-Za-z_$%][\w$]*)\s+)?([a-z][\w.:]*)"  # 2, 3 guard; 4 opcode
    r"|([{};])"  # 5
    r"|\.(\w+))"  # 6 directive
)
_LOC = re.compile(
    r"\s*(\d+)\s+(\d+)\s+(\d+)"
    r"(?:\s*,\s*function_name\s+[\w$.+]+\s*(?:\+\s*\w+)?\s*,\s*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?"
)
_BRANCHES = ("bra", "brx")


class BodyParser:
    """Parses one body; `parse` fills the function."""

    def __init__(self, text: str, file: str, module: Module, function: Function) -> None:
        """Prepare for the body of `function` in comment-free `text`."""
        self._text = text
        self._file = file
        self._module = module
        self._function = function
        self._operands = OperandParser(module)
        self._scope = Scope(None, function.registers)
        self._source: SourceLine | None = None
        self._inlined: dict[tuple[int, int, int], SourceLine] = {}
        self._branches: list[tuple[Instruction, str, Scope]] = []
        self._line = 0

    def parse(self, position: int, line: int) -> int:
        """Parse after the opening brace, at `line`; return the position after the body.

        Raises:
            PtxError: the body is malformed.
        """
        self._line = line
        try:
            signature = self._function.prototype
            self._function.prototype = Prototype(
                tuple([self._declare_parameter(one) for one in signature.results]),
                tuple([self._declare_parameter(one) for one in signature.parameters]),
                signature.noreturn,
            )
            end = self._statements(position)
            self._resolve_branches()
        except OperandError as error:
            raise self._error(str(error)) from error
        except KeyError as error:
            raise self._error(f"`{error.args[0]}` is declared twice in one block") from error
        self._function.end_line = self._line
        return end

    def _error(self, message: str) -> PtxError:
        return Place(self._file, self._line).error(message)

    def _declare_parameter(self, parameter: Register | Variable) -> Register | Variable:
        if isinstance(parameter, Variable):
            self._scope.variable(parameter)
            return parameter
        return self._scope.register(parameter.name, parameter.type)

    def _statements(self, position: int) -> int:
        text, match_statement, count = self._text, _STATEMENT.match, self._text.count
        depth, counted = 1, position
        while True:
            match = match_statement(text, position)
            if match is None:
                raise self._error(self._unreadable(position))
            kind = match.lastindex or 0
            start = match.start(kind if kind < 4 or match.start(3) < 0 else 3)
            self._line += count("\n", counted, start)
            counted, position = start, match.end()
            if kind == 4:
                end = text.find(";", position)
                if end < 0:
                    raise self._error(f"`{match[4]}` lacks its `;`")
                self._instruction(match, text[position:end], text[match.start() : end])
                position = end + 1
            elif kind == 1:
                position = self._label(match[1], position)
            elif kind == 6:
                position = self._directive(match[6], position)
            elif match[5] == "{":
                depth += 1
                self._scope = Scope(self._scope, self._function.registers)
            elif match[5] == "}":
                depth -= 1
                if depth == 0:
                    return position
                assert self._scope.parent is not None
                self._scope = self._scope.parent

    def _unreadable(self, position: int) -> str:
        rest = self._text[position:].lstrip()
        self._line = self._text.count("\n", 0, len(self._text) - len(rest)) + 1
        if not rest:
            return f"the body of {self._function.name} lacks its closing brace"
        return f"`{rest.split(';')[0].splitlines()[0]}` is not a statement"

    def _instruction(self, match: re.Match[str], rest: str, raw: str) -> None:
        guard = self._guard(match[3]) if match[3] else None
        opcode, *modifiers = match[4].split(".")
        instruction = Instruction(
            opcode, tuple(modifiers), (), guard, bool(match[2]), self._line, raw, self._source
        )
        if opcode == "call":
            parse_call(instruction, rest, self._scope, self._operands)
        elif opcode in _BRANCHES:
            *values, target = split_operands(rest.strip())
            instruction.operands = tuple(self._parse(value) for value in values)
            self._branches.append((instruction, target, self._scope))
        else:
            rest = rest.strip()
            if rest:
                instruction.operands = tuple([self._parse(part) for part in split_operands(rest)])
        self._function.body.append(instruction)

    def _parse(self, text: str) -> Operand:
        known = self._scope.operands.get(text)
        return self._operands.parse(text, self._scope) if known is None else known

    def _guard(self, name: str) -> Register:
        found = self._scope.find(name)
        if not isinstance(found, Register) or found.type != "pred":
            raise OperandError(f"`@{name}` needs a predicate register that is declared")
        return found

    def _label(self, name: str, position: int) -> int:
        match = re.compile(r"\s*\.(callprototype|branchtargets|calltargets)\b([^;]*);").match(
            self._text, position
        )
        if match is None:
            if name in self._scope.labels:
                raise KeyError(name)
            index = len(self._function.body)
            self._scope.labels[name] = index
            self._function.labels.setdefault(index, name)
            return position
        if match[1] == "callprototype":
            self._scope.prototypes[name] = parse_prototype(match[2], self._line)
        else:
            self._scope.lists[name] = tuple(part.strip() for part in match[2].split(","))
        return match.end()

    def _directive(self, word: str, position: int) -> int:
        if word == "loc":
            return self._loc(position)
        end = self._text.find(";", position)
        if end < 0:
            raise self._error(f"`.{word}` lacks its `;`")
        text = self._text[position:end]
        if word == "reg":
            self._registers(text)
        elif word in SPACES:
            for variable in parse_variables(text, word, "", self._line):
                self._scope.variable(variable)
                self._function.variables.append(variable)
        elif word != "pragma":
            raise self._error(f"`.{word}` is not known in a function")
        return end + 1

    def _registers(self, text: str) -> None:
        for name, count, kind, width in parse_registers(text):
            if count is not None:
                self._scope.register_range(name, count, kind)
            elif width > 1:
                self._scope.vector_register(name, kind, width)
            else:
                self._scope.register(name, kind)

    def _loc(self, position: int) -> int:
        match = _LOC.match(self._text, position)
        if match is None:
            raise self._error("`.loc` needs file, line and column")
        file, line, column, *caller = match.groups()
        key = (int(file), int(line), int(column))
        inlined = None
        if caller[0] is not None:
            at = (int(caller[0]), int(caller[1]), int(caller[2]))
            inlined = self._inlined.get(at, SourceLine(*at))
        self._source = SourceLine(*key, inlined)
        # A later `.loc` that is inlined here names this one as its caller.
        self._inlined[key] = self._source
        return match.end()

    def _resolve_branches(self) -> None:
        for instruction, name, scope in self._branches:
            self._line = instruction.line
            if instruction.opcode == "bra":
                instruction.operands = (self._target(name, scope),)
                continue
            names = scope.list_of(name)
            if names is None:
                raise OperandError(f"`{name}` is not a list of `.branchtargets`")
            targets = tuple(self._target(target, scope) for target in names)
            instruction.operands += (LabelList(name, targets),)

    def _target(self, name: str, scope: Scope) -> Label:
        label = scope.label(name)
        if label is None:
            raise OperandError(f"label `{name}` is not defined here")
        return label
