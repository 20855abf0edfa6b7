"""`call` and `.callprototype` (NVIDIA PTX ISA, Control Flow Instructions: call)."""

from __future__ import annotations

import re

from lanemap.emulator.ptx.text.module import CallTarget, Instruction, Prototype
from lanemap.emulator.ptx.text.operand_text import OperandError, OperandParser, split_operands
from lanemap.emulator.ptx.text.operands import FunctionName, Operand, Register, Symbol
from lanemap.emulator.ptx.text.scopes import Scope
from lanemap.emulator.ptx.text.signatures import parse_parameters
from lanemap.emulator.ptx.text.variables import Variable

_CALL = re.compile(
    r"\s*(?:\(([^()]*)\)\s*,)?\s*([\w$%]+)\s*(?:,\s*\(([^()]*)\)\s*)?(?:,\s*([\w$%]+)\s*)?$"
)
_PROTOTYPE = re.compile(r"\s*(?:\(([^()]*)\))?\s*_\s*(?:\(([^()]*)\))?\s*(.*)$", re.DOTALL)


def parse_call(instruction: Instruction, text: str, scope: Scope, operands: OperandParser) -> None:
    """Fill the operands and the call target of a `call`.

    Raises:
        OperandError: it is malformed, or an indirect call names no prototype.
    """
    match = _CALL.match(text)
    if match is None:
        raise OperandError(f"`call {' '.join(text.split())}` is not a call")
    results = tuple(_result(value) for value in _list(match[1], scope, operands))
    arguments = tuple(
        value.variable if isinstance(value, Symbol) else value
        for value in _list(match[3], scope, operands)
    )
    callee = operands.parse(match[2], scope)
    instruction.operands = (callee,)
    prototype = scope.prototype(match[4]) if match[4] else None
    candidates = scope.list_of(match[4]) if match[4] else None
    if not isinstance(callee, FunctionName):
        if not isinstance(callee, Register):
            raise OperandError(f"`{match[2]}` cannot be called")
        if prototype is None and candidates is None:
            raise OperandError("an indirect call needs a `.callprototype` or `.calltargets`")
    instruction.call = CallTarget(results, arguments, prototype, candidates or ())


def _list(text: str | None, scope: Scope, operands: OperandParser) -> list[Operand]:
    if text is None or not text.strip():
        return []
    return [operands.parse(part, scope) for part in split_operands(text.strip())]


def _result(value: Operand) -> Register | Variable:
    if isinstance(value, Symbol):
        return value.variable
    if isinstance(value, Register):
        return value
    raise OperandError(f"`{value}` cannot receive a result")


def parse_prototype(text: str, line: int) -> Prototype:
    """Return what follows `.callprototype`: `(results) _ (parameters) .noreturn`."""
    match = _PROTOTYPE.match(text)
    if match is None:
        raise OperandError(f"`{' '.join(text.split())}` is not a prototype")
    results = parse_parameters(match[1] or "", line)
    parameters = parse_parameters(match[2] or "", line)
    return Prototype(results, parameters, ".noreturn" in match[3])
