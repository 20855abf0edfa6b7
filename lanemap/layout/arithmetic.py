"""Arithmetic as people type it, `lane*272 + (lane & 3) ^ 8`: read by a grammar, never evaluated.

Operators and their precedence are C's: * / %, + -, << >>, &, ^, |, with parentheses and unary
minus; a division rounds toward zero, as C's does. Numbers are decimal or 0x.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lanemap.errors import UserError

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<|>>|[-+*/%&|^()])")
#: From the loosest to the tightest.
_LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
MOST_DEPTH, MOST_LETTERS = 40, 500
#: No value may reach this, so that a shift cannot fill the memory.
LIMIT = 1 << 48

Function = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class Arithmetic:
    """An expression that was read.

    Attributes:
        text: The text.
        names: The variables that it uses.
    """

    text: str
    names: frozenset[str]
    function: Function

    def value(self, **variables: int) -> int:
        """The value for some variables.

        Raises:
            UserError: Something is divided by zero, shifted too far, or too large.
        """
        return self.function(variables)


def read(text: str, variables: tuple[str, ...]) -> Arithmetic:
    """Read an expression.

    Args:
        text: The expression.
        variables: The names that it may use.

    Raises:
        UserError: The text is no expression, or uses another name.
    """
    if len(text) > MOST_LETTERS:
        raise UserError(f"an expression of {len(text)} letters is too long")
    reader = _Reader(text, variables)
    function = reader.level(0)
    if reader.next:
        raise reader.wrong("an operator was expected")
    return Arithmetic(text, frozenset(reader.used), function)


class _Reader:
    """The tokens of an expression and a place among them."""

    def __init__(self, text: str, variables: tuple[str, ...]) -> None:
        self.text, self.variables = text, variables
        self.used: set[str] = set()
        self.tokens: list[str] = []
        self.at = self.depth = 0
        place = 0
        stripped = text.rstrip()
        while place < len(stripped):
            match = _TOKEN.match(stripped, place)
            if match is None:
                rest = stripped[place:].strip()
                raise UserError(f"{text!r} is no expression: {rest[0]!r} is not understood")
            self.tokens.append(match[1])
            place = match.end()

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def wrong(self, why: str) -> UserError:
        found = f"at {self.next!r}" if self.next else "at its end"
        return UserError(f"{self.text!r} is no expression: {why} {found}")

    def level(self, number: int) -> Function:
        """Operands of one precedence, from left to right."""
        if number == len(_LEVELS):
            return self.operand()
        left = self.level(number + 1)
        while self.next in _LEVELS[number]:
            symbol = self.next
            self.at += 1
            left = _operation(symbol, left, self.level(number + 1), self.text)
        return left

    def operand(self) -> Function:
        token = self.next
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise UserError(f"{self.text[:40]!r} is nested more than {MOST_DEPTH} deep")
        self.at += 1
        if token == "-":
            inner = self.operand()
            found: Function = lambda given: -inner(given)  # noqa: E731
        elif token == "(":
            found = self.level(0)
            if self.next != ")":
                raise self.wrong("')' was expected")
            self.at += 1
        elif token[:1].isdigit():
            value = int(token, 16 if token[:2].lower() == "0x" else 10)
            if value >= LIMIT:
                raise UserError(f"{self.text!r}: {token} is too large")
            found = lambda given: value  # noqa: E731
        elif token[:1].isalpha() or token[:1] == "_":
            if token not in self.variables:
                raise UserError(
                    f"{self.text!r} uses {token!r}; the names are {', '.join(self.variables)}"
                )
            self.used.add(token)
            found = lambda given: given[token]  # noqa: E731
        else:
            self.at -= 1
            raise self.wrong("a number, a name or '(' was expected")
        self.depth -= 1
        return found


def _operation(symbol: str, left: Function, right: Function, text: str) -> Function:
    compute = _OPERATIONS[symbol]

    def found(given: Mapping[str, int]) -> int:
        one, two = left(given), right(given)
        if symbol in "/%" and two == 0:
            raise UserError(f"{text!r} divides by zero for {_given(given)}")
        if symbol in ("<<", ">>") and not 0 <= two < 48:
            raise UserError(f"{text!r} shifts by {two} for {_given(given)}")
        value = compute(one, two)
        if abs(value) >= LIMIT:
            raise UserError(f"{text!r} is too large for {_given(given)}")
        return value

    return found


def _given(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _quotient(one: int, two: int) -> int:
    """C's division, which rounds toward zero."""
    quotient = abs(one) // abs(two)
    return quotient if (one < 0) == (two < 0) else -quotient


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}
