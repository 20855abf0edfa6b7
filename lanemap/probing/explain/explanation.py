"""The search: every mistake that makes the wrong result, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError
from lanemap.model import Variant
from lanemap.probing.explain.operands import mistakes
from lanemap.probing.explain.rearranged import Finding, Floats, matrix, rearrangements

#: Results that are equal but for rounding differ by less than this share of the largest one.
TOLERANCE = 2e-3
#: Elements that only moved are equal but for another order of sums in float32.
MOVED_TOLERANCE = 2e-6


@dataclass(frozen=True)
class Explanation:
    """What was found.

    Attributes:
        wrong: How many elements differ.
        elements: How many there are.
        first: The first one that differs: row, column, its value, and the right one.
        findings: What makes the result, the least supposition first; none: no known mistake does.
        tried: How many mistakes were made and compared.
    """

    wrong: int
    elements: int
    first: tuple[int, int, float, float] | None
    findings: tuple[Finding, ...]
    tried: int


def explain(
    wrong: object,
    right: object,
    a: object = None,
    b: object = None,
    *,
    used: Sequence[Variant] = (),
    element_bytes: int = 2,
    tolerance: float = TOLERANCE,
) -> Explanation:
    """Search for the mistake that turns the right result into the wrong one.

    Args:
        wrong: The result, M x N.
        right: What it should be.
        a: Operand A, M x K, if it is a product.
        b: Operand B, K x N.
        used: The variants that the kernel uses.
        element_bytes: Size of the operands' elements in memory.
        tolerance: Equal values differ by less than this share of the largest right value.

    Raises:
        UserError: The shapes do not go together, or A and B do not make the right result.
    """
    is_, should = matrix("the wrong result", wrong), matrix("the right result", right)
    if is_.shape not in (should.shape, should.shape[::-1]):
        raise UserError(f"the wrong result is {is_.shape}, and the right one {should.shape}")
    within = tolerance * float(np.abs(should).max() or 1)
    moved = MOVED_TOLERANCE * float(np.abs(should).max() or 1)
    differs = _differing(is_, should, within)
    if differs is not None and not differs.any():
        return Explanation(0, should.size, None, (), 0)
    made, tried = _made(is_, should, a, b, element_bytes, within)
    # Values that lie close have neighbors that equal them, so that a rearrangement can be made up.
    least = min((each.size for each in made), default=None)
    findings = [
        *(each for each in rearrangements(is_, should, moved, used)
          if least is None or each.size <= least),
        *_scaled(is_, should, within),
        *made,
    ]  # fmt: skip
    row, column = (int(at[0]) for at in np.nonzero(differs)) if differs is not None else (0, 0)
    first = (row, column, float(is_[row, column]), float(should[row, column]))
    return Explanation(
        int(differs.sum()) if differs is not None else should.size,
        should.size,
        first,
        tuple(sorted(findings, key=lambda each: each.size)),
        tried,
    )


def _differing(wrong: Floats, right: Floats, within: float) -> npt.NDArray[np.bool_] | None:
    if wrong.shape != right.shape:
        return None
    return ~(np.abs(wrong - right) <= within)


def _made(
    wrong: Floats, right: Floats, a: object, b: object, element_bytes: int, within: float
) -> tuple[list[Finding], int]:
    """The mistakes of the library that make the wrong result, and how many were made."""
    if (a is None) != (b is None):
        raise UserError("give both operands, or none")
    if a is None:
        return [], 0
    left, other = matrix("A", a), matrix("B", b)
    if left.shape[1] != other.shape[0] or (left.shape[0], other.shape[1]) != right.shape:
        raise UserError(
            f"A {left.shape} times B {other.shape} is no {right.shape}; A is M x K, B is K x N"
        )
    if (np.abs(left @ other - right) > 4 * within).any():
        raise UserError("A times B is not the right result, so that no mistake can be made in them")
    found, tried = [], 0
    for each in mistakes(left, other, element_bytes):
        tried += 1
        if each.result.shape != wrong.shape or (np.abs(each.result - right) <= within).all():
            continue
        same = np.abs(each.result - wrong) <= 2 * within
        if same.all():
            found.append(Finding(each.name, each.sentence, each.change, each.size))
    return found, tried


def _scaled(wrong: Floats, right: Floats, within: float) -> Iterator[Finding]:
    """A factor of all, of each row or of each column; a constant that is added."""
    if wrong.shape != right.shape:
        return
    for axis, what in ((None, "the result"), (1, "each row"), (0, "each column")):
        square = (right * right).sum(axis=axis, keepdims=True)
        factor = (wrong * right).sum(axis=axis, keepdims=True) / np.where(square > 0, square, 1)
        if (np.abs(factor * right - wrong) > within).any():
            continue
        shown = ", ".join(f"{each:.4g}" for each in np.ravel(factor)[:4])
        yield Finding(
            "scale",
            f"{what} is multiplied by {shown}{' ..' if np.size(factor) > 4 else ''}",
            "look at the scale factors: which one is read, and whether it is applied once",
            1 if axis is None else 3,
        )
        return
