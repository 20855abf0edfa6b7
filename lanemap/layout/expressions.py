"""Small integer expressions, rendered as C, Python or a formula and evaluated by NumPy.

Every fit states its map in such expressions, so that one closed form gives every output format.
All values are non-negative integers, for which C and Python agree on division and shifts.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

# Of C's keywords those that could be the name of an axis.
_C_KEYWORDS = frozenset(["char", "double", "float", "int", "long", "short"])
_ASSOCIATIVE = frozenset(["+", "*", "|", "^", "&&"])

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "&&": np.logical_and,
}
_PYTHON_SYMBOLS = {"/": "//", "&&": "and"}


@dataclass(frozen=True)
class Variable:
    """The coordinate along one axis of the destination."""

    name: str


@dataclass(frozen=True)
class Constant:
    """An integer."""

    value: int


@dataclass(frozen=True)
class Operation:
    """Two operands and one of + - * / % & | ^ << >> == < >= &&."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Select:
    """One of two values, by a condition."""

    condition: Expression
    then: Expression
    otherwise: Expression


Expression = Variable | Constant | Operation | Select


def c_name(name: str) -> str:
    """An axis name as a C identifier; `register` is a keyword there and becomes `reg`."""
    if name == "register":
        return "reg"
    clean = "".join(letter if letter.isalnum() else "_" for letter in name)
    return clean + "_" if clean in _C_KEYWORDS or keyword.iskeyword(clean) else clean


def render(expression: Expression, language: str = "c") -> str:
    """Text of an expression in "c", "python" or as a "formula" (C with the axes' own names)."""
    text = _render(expression, language)
    return text[1:-1] if isinstance(expression, (Operation, Select)) else text


def _render(expression: Expression, language: str) -> str:
    if isinstance(expression, Variable):
        return expression.name if language == "formula" else c_name(expression.name)
    if isinstance(expression, Constant):
        return str(expression.value)
    if isinstance(expression, Select):
        condition = _render(expression.condition, language)
        then = _render(expression.then, language)
        otherwise = _render(expression.otherwise, language)
        if language == "python":
            return f"({then} if {condition} else {otherwise})"
        return f"({condition} ? {then} : {otherwise})"
    symbol = expression.symbol
    if language == "python":
        symbol = _PYTHON_SYMBOLS.get(symbol, symbol)
    left, right = (_render(side, language) for side in (expression.left, expression.right))
    inner = expression.left
    if isinstance(inner, Operation) and inner.symbol == expression.symbol in _ASSOCIATIVE:
        left = left[1:-1]
    return f"({left} {symbol} {right})"


def evaluate(expression: Expression, values: Mapping[str, Any]) -> Any:
    """The value of an expression for integers or int64 arrays of the destination's coordinates."""
    if isinstance(expression, Variable):
        return values[expression.name]
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Select):
        return np.where(
            evaluate(expression.condition, values),
            evaluate(expression.then, values),
            evaluate(expression.otherwise, values),
        )
    operation = _OPERATIONS[expression.symbol]
    return operation(evaluate(expression.left, values), evaluate(expression.right, values))


def add(terms: Iterable[Expression]) -> Expression:
    """The sum of terms; zero for none."""
    return _chain("+", terms)


def join(symbol: str, terms: Iterable[Expression]) -> Expression:
    """The terms joined by one of | ^ &&; without terms 0, or 1 (true) for &&."""
    terms = list(terms)
    return Constant(1) if symbol == "&&" and not terms else _chain(symbol, terms)


def times(expression: Expression, factor: int) -> Expression:
    """A multiple, without a multiplication by one."""
    if factor == 0:
        return Constant(0)
    if factor == 1:
        return expression
    return Operation("*", expression, Constant(factor))


def modulo(expression: Expression, size: int) -> Expression:
    """The remainder."""
    return Constant(0) if size == 1 else Operation("%", expression, Constant(size))


def divide(expression: Expression, divisor: int) -> Expression:
    """The quotient rounded down."""
    return expression if divisor == 1 else Operation("/", expression, Constant(divisor))


def _chain(symbol: str, terms: Iterable[Expression]) -> Expression:
    result: Expression | None = None
    for term in terms:
        if isinstance(term, Constant) and term.value == 0 and symbol != "&&":
            continue
        result = term if result is None else Operation(symbol, result, term)
    return Constant(0) if result is None else result
