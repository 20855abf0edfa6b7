"""Operands from their text."""

from __future__ import annotations

import re

from lanemap.emulator.ptx.text.constants import ConstantError, parse_constant
from lanemap.emulator.ptx.text.module import Module
from lanemap.emulator.ptx.text.operands import (
    Address,
    FunctionName,
    Immediate,
    Not,
    Operand,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from lanemap.emulator.ptx.text.scopes import Scope
from lanemap.emulator.ptx.text.variables import Variable

#: NVIDIA PTX ISA, Special Registers; %envreg and %pm have numbered forms.
SPECIALS = frozenset(
    """%tid %ntid %laneid %warpid %nwarpid %ctaid %nctaid %smid %nsmid %gridid %is_explicit_cluster
    %clusterid %nclusterid %cluster_ctaid %cluster_nctaid %cluster_ctarank %cluster_nctarank
    %lanemask_eq %lanemask_le %lanemask_lt %lanemask_ge %lanemask_gt %clock %clock_hi %clock64
    %globaltimer %globaltimer_lo %globaltimer_hi %reserved_smem_offset_begin
    %reserved_smem_offset_end %reserved_smem_offset_cap %total_smem_size %aggr_smem_size
    %dynamic_smem_size %current_graph_exec""".split()
)
_NUMBERED = re.compile(r"%envreg\d+|%pm[0-7](?:_64)?|%reserved_smem_offset_[01]$")
_NAME = re.compile(r"[A-Za-z_$%][\w$]*(?:\.[xyzwrgba])?$")
_WITH_OFFSET = re.compile(r"([A-Za-z_$%][\w$]*)\s*([+-].*)$", re.DOTALL)
_SIMPLE_OFFSET = re.compile(r"[+-]?(?:0|[1-9]\d*)$")
_PARTS = re.compile(r"\s*((?:\[[^\]]*\]|\{[^}]*\}|\([^()]*\)|[^,\[{(])+)\s*(,|$)")


class OperandError(ValueError):
    """A malformed operand; the parser adds file and line."""


def split_operands(text: str) -> list[str]:
    """Split at the commas outside brackets, braces and parentheses.

    Raises:
        OperandError: an operand is missing or a bracket is left open.
    """
    if "{" not in text and "[" not in text and "(" not in text:
        return [part.strip() for part in text.split(",")]
    parts, position = [], 0
    while True:
        match = _PARTS.match(text, position)
        if match is None:
            raise OperandError(f"`{text[position:].strip()}` is not an operand")
        parts.append(match[1].strip())
        position = match.end()
        if not match[2]:
            return parts


class OperandParser:
    """Parses operands against the names of a module and of a block."""

    def __init__(self, module: Module) -> None:
        """Keep the module, whose variables and functions an operand may name."""
        self._module = module

    def parse(self, text: str, scope: Scope) -> Operand:
        """Return the operand that `text`, without blanks around it, means inside `scope`.

        Raises:
            OperandError: it is malformed or names nothing that is declared.
        """
        known = scope.operands.get(text)
        if known is None:
            known = scope.operands[text] = self._parse(text, scope)
        return known

    def _parse(self, text: str, scope: Scope) -> Operand:
        if not text:
            raise OperandError("an operand is missing before or after a comma")
        first = text[0]
        if first == "[":
            return self._address(text, scope)
        if first == "{" and text[-1] == "}":
            inner = text[1:-1].strip()
            parts = split_operands(inner) if inner else []
            return Vector(tuple(self.parse(part, scope) for part in parts))
        if "|" in text and first not in "(0123456789":
            left, _, right = text.partition("|")
            return Pair(self.parse(left.strip(), scope), self.parse(right.strip(), scope))
        if first == "!":
            operand = self.parse(text[1:].strip(), scope)
            if isinstance(operand, Register) and operand.type == "pred":
                return Not(operand)
        if text == "_":
            return Sink()
        if _NAME.match(text) and text != "WARP_SZ":
            return self._name(text, scope)
        match = _WITH_OFFSET.match(text)
        if match and match[1] != "WARP_SZ":
            variable = self._name(match[1], scope)
            if isinstance(variable, Symbol):
                return Symbol(variable.variable, _integer(match[2]))
        return _constant(text)

    def _name(self, name: str, scope: Scope) -> Operand:
        found = scope.find(name) or self._module.variables.get(name)
        if isinstance(found, Variable):
            return Symbol(found)
        if found is not None:
            return found
        if name in self._module.functions or name in self._module.aliases:
            return FunctionName(self._module.aliases.get(name, name))
        if name.partition(".")[0] in SPECIALS or _NUMBERED.match(name):
            return Special(name)
        raise OperandError(f"`{name}` is not declared")

    def _address(self, text: str, scope: Scope) -> Address:
        if text[-1] != "]":
            raise OperandError(f"`{text}` lacks `]`")
        parts = split_operands(text[1:-1])
        indices = tuple(self.parse(part, scope) for part in parts[1:])
        base, offset = self._base(parts[0], scope)
        return Address(base, offset, indices)

    def _base(self, text: str, scope: Scope) -> tuple[Register | Variable | None, int]:
        match = _WITH_OFFSET.match(text)
        name, offset = (match[1], _integer(match[2])) if match else (text, 0)
        if not _NAME.match(name):
            return None, _integer(text)
        operand = self._name(name, scope)
        if isinstance(operand, Symbol):
            return operand.variable, offset
        if isinstance(operand, Register):
            return operand, offset
        raise OperandError(f"`{name}` cannot be an address")


def _integer(text: str) -> int:
    if _SIMPLE_OFFSET.match(text):
        return int(text)
    # `[%r1+-8]` is how LLVM writes a negative offset.
    immediate = _constant(text)
    if immediate.kind != "int":
        raise OperandError(f"`{text}` is not an integer")
    return immediate.value


def _constant(text: str) -> Immediate:
    try:
        return parse_constant(text)
    except ConstantError as error:
        if any(blank in text for blank in "\n\t "):
            raise OperandError(
                f"`{' '.join(text.split())}` is not an operand; a `;` or `,` may be missing"
            ) from error
        raise OperandError(str(error)) from error
