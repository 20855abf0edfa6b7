"""Constant folding of integers, since bytecode executes what it is given.

Without it, a byte mask or an immediate in a register would be computed in every lane.
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.element_types import FLOATS
from lanemap.emulator.codegen.values import Value


def signed(value: int, bits: int) -> int:
    """The number that the bits stand for in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


_OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, bits: a + b,
    "sub": lambda a, b, bits: a - b,
    "mul": lambda a, b, bits: a * b,
    "and": lambda a, b, bits: a & b,
    "or": lambda a, b, bits: a | b,
    "xor": lambda a, b, bits: a ^ b,
    "shl": lambda a, b, bits: a << b,
    "lshr": lambda a, b, bits: a >> b,
    "ashr": lambda a, b, bits: signed(a, bits) >> b,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
#: Second operands that change nothing; those of the commutative ones may stand first.
_NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0, "shl": 0, "lshr": 0, "ashr": 0, "mul": 1,
            "and": -1}  # fmt: skip
_COMMUTATIVE = frozenset({"add", "or", "xor", "mul", "and"})


def known(value: Value) -> int | None:
    """The value where it is a constant without undefined bits, of an integer type."""
    return None if value.undefined is not None or value.type in FLOATS else value.constant


def folded(operation: str, a: Value, b: Value) -> int | None:
    """Fold `operation` over two constants; None if either is not known."""
    x, y = known(a), known(b)
    if x is None or y is None:
        return None
    return _OPERATIONS[operation](x, y, a.bits) & ((1 << a.bits) - 1)


def unchanged(operation: str, a: Value, b: Value) -> Value | None:
    """Return the operand that the result equals, if the other is an identity element."""
    neutral = _NEUTRAL[operation] & ((1 << a.bits) - 1)
    if known(b) == neutral and (a.lanes or not b.lanes):
        return a
    if operation in _COMMUTATIVE and known(a) == neutral and (b.lanes or not a.lanes):
        return b
    return None


def compared(predicate: str, a: Value, b: Value) -> bool | None:
    """Whether an integer comparison holds, None where that is not known."""
    x, y = known(a), known(b)
    if x is None or y is None:
        return None
    if predicate[0] == "s":
        x, y = signed(x, a.bits), signed(y, a.bits)
    name = predicate if predicate in ("eq", "ne") else predicate[1:]
    return _COMPARISONS[name](x, y)
