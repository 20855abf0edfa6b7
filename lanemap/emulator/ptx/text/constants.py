"""Literals and constant expressions (NVIDIA PTX ISA, Syntax: Constants).

Integers are 64 bits wide, signed unless a `U` or a value beyond the signed range makes them
unsigned; floats are f64 bits unless written as `0f`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from lanemap.emulator.ptx.text.operands import Immediate

_HEX_FLOAT = re.compile(r"0[fF]([0-9a-fA-F]{8})$|0[dD]([0-9a-fA-F]{16})$")
_INTEGER = re.compile(r"(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9][0-9]*))(U?)$")
_FLOAT = re.compile(
    r"(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?"
    r"|[0-9]+[eE][+-]?[0-9]+)$"
)
_TOKEN = re.compile(
    r"\s*(\(\s*\.[su]64\s*\)"
    r"|0[xXfFdD][0-9a-fA-F]+U?|[0-9.][\w.]*(?:(?<=[eE])[+-][0-9]+)?|[A-Za-z_]\w*"
    r"|<<|>>|<=|>=|==|!=|&&|\|\||[-+!~*/%<>&^|?:()])"
)
_MASK = (1 << 64) - 1
WARP_SIZE = 32


class ConstantError(ValueError):
    """A malformed constant; the caller adds the line."""


def parse_literal(text: str) -> Immediate:
    """Return a single literal without sign.

    Raises:
        ConstantError: it is none.
    """
    match = _INTEGER.match(text)
    if match:
        hexadecimal, binary, octal, decimal, _ = match.groups()
        if hexadecimal is not None:
            value = int(hexadecimal, 16)
        elif binary is not None:
            value = int(binary, 2)
        else:
            value = int(octal, 8) if octal is not None else int(decimal)
        if value > _MASK:
            raise ConstantError(f"{text} does not fit 64 bits")
        return Immediate("int", value)
    match = _HEX_FLOAT.match(text)
    if match:
        single, double = match.groups()
        if single is not None:
            return Immediate("f32", int(single, 16))
        return Immediate("f64", int(double, 16))
    if _FLOAT.match(text):
        return _double(float(text))
    if text == "WARP_SZ":
        return Immediate("int", WARP_SIZE)
    raise ConstantError(f"{text!r} is not a constant")


def parse_constant(text: str) -> Immediate:
    """Return the value of a constant expression: "-1", "0x7fff", "(1 << 4) | 3", "-0f3F800000".

    Raises:
        ConstantError: it is malformed, or divides by zero.
    """
    text = text.strip()
    try:
        return parse_literal(text)
    except ConstantError:
        parser = _Expression(_tokens(text))
        value = parser.ternary()
        if parser.tokens:
            raise ConstantError(f"{text!r} is not a constant expression") from None
        return value.immediate()


def _double(value: float) -> Immediate:
    return Immediate("f64", int.from_bytes(struct.pack("<d", value), "little"))


def _tokens(text: str) -> list[str]:
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ConstantError(f"{text!r} is not a constant")
        tokens.append(match[1])
        position = match.end()
    return tokens


@dataclass(frozen=True)
class _Value:
    """An integer of 64 bits with its signedness, or a float as it is written."""

    number: int
    unsigned: bool = False
    kind: str = "int"

    def immediate(self) -> Immediate:
        return Immediate(self.kind, self.number)


def _wrap(number: int, unsigned: bool) -> _Value:
    number &= _MASK
    if not unsigned and number >> 63:
        number -= 1 << 64
    return _Value(number, unsigned)


def _divide(a: int, b: int) -> int:
    """Divide toward zero, as C does."""
    if b == 0:
        raise ConstantError("a constant expression divides by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - _divide(a, b) * b,
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&&": lambda a, b: bool(a) and bool(b),
    "||": lambda a, b: bool(a) or bool(b),
}
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip


class _Expression:
    """Recursive descent over C's operators; comparisons yield signed 0 or 1."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def take(self) -> str:
        if not self.tokens:
            raise ConstantError("a constant expression ends early")
        return self.tokens.pop(0)

    def ternary(self) -> _Value:
        condition = self.binary(0)
        if self.tokens[:1] != ["?"]:
            return condition
        self.take()
        chosen = self.ternary()
        if self.take() != ":":
            raise ConstantError("a constant expression has `?` without `:`")
        other = self.ternary()
        return chosen if condition.number else other

    def binary(self, level: int) -> _Value:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.tokens and self.tokens[0] in _LEVELS[level]:
            operator = self.take()
            left = _combine(operator, left, self.binary(level + 1))
        return left

    def unary(self) -> _Value:
        token = self.take()
        if token in "+-!~":
            return _unary(token, self.unary())
        if token[0] == "(" and token.endswith("64)"):
            return _wrap(self.unary().number, "u" in token)
        if token.startswith("(") and len(token) > 1:
            raise ConstantError(f"{token!r} is not a cast of a constant")
        if token == "(":
            value = self.ternary()
            if self.take() != ")":
                raise ConstantError("a constant expression lacks `)`")
            return value
        literal = parse_literal(token)
        if literal.kind != "int":
            return _Value(literal.value, kind=literal.kind)
        return _Value(literal.value, token.endswith("U") or literal.value >> 63 != 0)


def _unary(operator: str, value: _Value) -> _Value:
    if value.kind != "int":
        if operator == "+":
            return value
        if operator == "-":
            return _Value(value.number ^ 1 << (31 if value.kind == "f32" else 63), kind=value.kind)
        raise ConstantError(f"`{operator}` does not apply to a float")
    if operator == "!":
        return _Value(int(value.number == 0))
    number = {"+": value.number, "-": -value.number, "~": ~value.number}[operator]
    return _wrap(number, value.unsigned)


def _combine(operator: str, left: _Value, right: _Value) -> _Value:
    if left.kind != "int" or right.kind != "int":
        raise ConstantError(f"`{operator}` between float constants is not supported")
    unsigned = left.unsigned or right.unsigned
    if operator in ("<<", ">>"):
        unsigned = left.unsigned
    a, b = _wrap(left.number, unsigned).number, _wrap(right.number, unsigned).number
    if operator in _COMPARISONS:
        return _Value(int(_COMPARISONS[operator](a, b)))
    return _wrap(_ARITHMETIC[operator](a, b), unsigned)
