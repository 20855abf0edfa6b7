"""Assembler expressions: numbers, symbols, operators, and the functions of LLVM's AMDGPU assembler.

Precedence, wrap-around at 64 bits, logical `>>` and comparisons that give -1 are those of LLVM's
assembler for ELF targets (LLVM, lib/MC/MCParser/AsmParser.cpp and lib/MC/MCExpr.cpp); the
functions are those of LLVM, lib/Target/AMDGPU/MCTargetDesc/AMDGPUMCExpr.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Union


class ExpressionError(ValueError):
    """A malformed expression, or one that cannot be evaluated; the assembler adds the line."""


class Value(NamedTuple):
    """The value of an expression.

    Attributes:
        base: None for a number, else the section or the undefined symbol that `offset` counts from.
        offset: A signed 64-bit number of bytes, or the number itself.
        variant: The relocation asked for: "rel32@lo", "rel32@hi", "gotpcrel32@lo", .. or "".
        symbol: The symbol that the variant applies to, or "".
    """

    base: str | None
    offset: int
    variant: str = ""
    symbol: str = ""


@dataclass(frozen=True)
class Number:
    """An integer."""

    value: int


@dataclass(frozen=True)
class SymbolRef:
    """A symbol, with the relocation variant written after it."""

    name: str
    variant: str = ""


@dataclass(frozen=True)
class Unary:
    """`-x`, `+x`, `~x` or `!x`."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """`left operator right`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Call:
    """A function of the AMDGPU assembler, as in `max(a, b)`."""

    name: str
    arguments: tuple[Expression, ...]


Expression = Union[Number, SymbolRef, Unary, Binary, Call]  # noqa: UP007 (a recursive alias)
Lookup = Callable[[str], Value]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+(?!\w)|\d+(?![\w.]))"
    r"|(?P<local>\d+[bf])\b"
    r"|(?P<name>[A-Za-z_.$][\w.$]*(?:@[\w]+)*|\"[^\"]+\"(?:@[\w]+)*)"
    r"|'(?P<character>\\?.)'"
    r"|(?P<operator><<|>>|==|!=|<>|<=|>=|&&|\|\||[-+*/%&|^~!()<>,]))"
)
_PRECEDENCE = {
    "||": 1, "&&": 2,
    "==": 3, "!=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
    "+": 4, "-": 4,
    "|": 5, "&": 5, "^": 5, "!": 5,
    "*": 6, "/": 6, "%": 6, "<<": 6, ">>": 6,
}  # fmt: skip


def signed64(value: int) -> int:
    """The two's complement value of the low 64 bits."""
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def parse_integer(text: str) -> int:
    """An integer as LLVM's lexer reads it: decimal, 0x, 0b, or octal after a leading 0.

    Raises:
        ExpressionError: It has a digit that its base lacks.
    """
    octal = len(text) > 1 and text[0] == "0" and text[1] not in "xXbB"
    try:
        return int(text, 8 if octal else 0)
    except ValueError:
        raise ExpressionError(f"{text} is not an integer") from None


def parse_expression(text: str, constants: Callable[[str], int | None] | None = None) -> Expression:
    """Parse a whole string as one expression.

    Args:
        text: The expression.
        constants: Gives the value of a symbol that is an absolute number so far, else None. Such a
            symbol is replaced at once, so that a later `.set` does not change this expression.

    Raises:
        ExpressionError: The text is not an expression.
    """
    parser = _Parser(text, constants)
    expression = parser.binary(1)
    if parser.peek():
        raise ExpressionError(f"unexpected {parser.peek()!r} in the expression {text.strip()!r}")
    return expression


class _Parser:
    """Precedence climbing over the tokens of one expression."""

    def __init__(self, text: str, constants: Callable[[str], int | None] | None) -> None:
        self.text = text
        self.constants = constants
        self.tokens: list[tuple[str, str]] = []
        self.position = 0
        at = 0
        end = len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise ExpressionError(
                    f"cannot read {text[at:].strip()!r} in the expression {text.strip()!r}"
                )
            kind = str(match.lastgroup)
            self.tokens.append((kind, match.group(kind)))
            at = match.end()

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.position >= len(self.tokens):
            raise ExpressionError(f"the expression {self.text.strip()!r} ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, operator: str) -> None:
        if self.peek() != operator:
            raise ExpressionError(f"missing {operator!r} in the expression {self.text.strip()!r}")
        self.position += 1

    def binary(self, least: int) -> Expression:
        left = self.primary()
        while True:
            operator = self.peek()
            precedence = _PRECEDENCE.get(operator, 0)
            if precedence < least:
                return left
            self.position += 1
            left = _fold(Binary(operator, left, self.binary(precedence + 1)))

    def primary(self) -> Expression:
        kind, token = self.take()
        if kind == "number":
            return Number(signed64(parse_integer(token)))
        if kind == "character":
            return Number(ord(token[-1]))
        if kind == "local":
            return SymbolRef(token)
        if kind == "name":
            return self.name(token)
        if token in ("-", "+", "~", "!"):
            return _fold(Unary(token, self.primary()))
        if token == "(":
            inner = self.binary(1)
            self.expect(")")
            return inner
        raise ExpressionError(f"unexpected {token!r} in the expression {self.text.strip()!r}")

    def name(self, token: str) -> Expression:
        name, _, variant = token.partition("@")
        name = name.strip('"')
        if self.peek() == "(" and name in _FUNCTIONS:
            return self.call(name)
        if not variant and self.constants is not None:
            value = self.constants(name)
            if value is not None:
                return Number(value)
        return SymbolRef(name, variant)

    def call(self, name: str) -> Expression:
        self.expect("(")
        arguments = [self.binary(1)]
        while self.peek() == ",":
            self.position += 1
            arguments.append(self.binary(1))
        self.expect(")")
        return _fold(Call(name, tuple(arguments)))


def _fold(expression: Expression) -> Expression:
    """Replace an expression of numbers alone by its value."""
    if isinstance(expression, Unary):
        parts: tuple[Expression, ...] = (expression.operand,)
    elif isinstance(expression, Binary):
        parts = (expression.left, expression.right)
    elif isinstance(expression, Call):
        parts = expression.arguments
    else:
        return expression
    if all(isinstance(part, Number) for part in parts):
        return Number(evaluate(expression, _no_symbols).offset)
    return expression


def _no_symbols(name: str) -> Value:
    raise ExpressionError(f"{name!r} is not a number here")


def evaluate(expression: Expression, lookup: Lookup) -> Value:
    """The value of an expression.

    Args:
        expression: What `parse_expression` gave.
        lookup: The value of a symbol by name; raises ExpressionError if there is none.

    Raises:
        ExpressionError: A symbol is missing, or an operator is applied to addresses that it has no
            meaning for.
    """
    if isinstance(expression, Number):
        return Value(None, expression.value)
    if isinstance(expression, SymbolRef):
        value = lookup(expression.name)
        return value._replace(variant=expression.variant, symbol=expression.name)
    if isinstance(expression, Unary):
        number = _number(evaluate(expression.operand, lookup), expression.operator)
        return Value(None, signed64(_UNARY[expression.operator](number)))
    if isinstance(expression, Call):
        numbers = [
            _number(evaluate(part, lookup), expression.name) for part in expression.arguments
        ]
        return Value(None, signed64(_call(expression.name, numbers)))
    left = evaluate(expression.left, lookup)
    right = evaluate(expression.right, lookup)
    return _binary(expression.operator, left, right)


def _number(value: Value, operator: str) -> int:
    if value.base is not None:
        raise ExpressionError(f"{operator!r} needs numbers, not the address of {value.symbol!r}")
    return value.offset


def _binary(operator: str, left: Value, right: Value) -> Value:
    if operator == "+" and (left.base is None or right.base is None):
        address, number = (left, right) if right.base is None else (right, left)
        return address._replace(offset=signed64(address.offset + number.offset))
    if operator == "-" and right.base is None:
        return left._replace(offset=signed64(left.offset - right.offset))
    if operator == "-" and left.base == right.base:
        return Value(None, signed64(left.offset - right.offset))
    if operator in _COMPARISONS and left.base == right.base:
        return Value(None, -int(_COMPARISONS[operator](left.offset, right.offset)))
    a, b = _number(left, operator), _number(right, operator)
    if operator in ("/", "%") and b == 0:
        raise ExpressionError("division by zero")
    if operator in ("<<", ">>") and not 0 <= b < 64:
        raise ExpressionError(f"a shift by {b} has no meaning")
    return Value(None, signed64(_BINARY[operator](a, b)))


def _truncating_divide(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_MASK = (1 << 64) - 1
_UNARY: dict[str, Callable[[int], int]] = {
    "-": lambda a: -a,
    "+": lambda a: a,
    "~": lambda a: ~a,
    "!": lambda a: int(a == 0),
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _truncating_divide,
    "%": lambda a, b: a - b * _truncating_divide(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "!": lambda a, b: a | ~b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: (a & _MASK) >> b,
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}


def _align_to(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment


def _total_vgprs(agprs: int, vgprs: int) -> int:
    # gfx90a and later share one file: AGPRs begin at a multiple of four behind the VGPRs.
    return _align_to(vgprs, 4) + agprs if agprs else vgprs


def _or(values: list[int]) -> int:
    result = 0
    for value in values:
        result |= value
    return result


_FUNCTIONS: dict[str, tuple[int, Callable[[list[int]], int]]] = {
    "max": (0, max),
    "or": (0, _or),
    "alignto": (2, lambda values: _align_to(values[0], values[1])),
    "totalnumvgprs": (2, lambda values: _total_vgprs(values[0], values[1])),
    # Where flat scratch is architected, as on gfx950, six SGPRs are always set aside.
    "extrasgprs": (3, lambda values: 6),
}


def _call(name: str, values: list[int]) -> int:
    count, function = _FUNCTIONS[name]
    if count and len(values) != count:
        raise ExpressionError(f"{name}() takes {count} arguments, not {len(values)}")
    return function(values)
