"""Expressions of addresses: Python's own arithmetic is the oracle, C's where they differ."""

from __future__ import annotations

import random
import re

import pytest

from lanemap.errors import UserError
from lanemap.layout.arithmetic import read


def made(draw: random.Random, depth: int) -> str:
    """A random expression without parentheses where precedence decides, and some with them."""
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(["lane", str(draw.randrange(1, 40)), hex(draw.randrange(1, 40))])
    symbol = draw.choice(["+", "*", "&", "|", "^", "%", "/", "<<", ">>"])
    left, right = made(draw, depth - 1), made(draw, depth - 1)
    if symbol in "/%":
        right = f"({right} | 1)"
    if symbol in ("<<", ">>"):
        right = f"({right} & 7)"
    text = f"{left} {symbol} {right}"
    return f"({text})" if draw.random() < 0.3 else text


def python(text: str, lane: int) -> int:
    return int(eval(text.replace("/", "//"), {"__builtins__": {}}, {"lane": lane}))


def test_precedence_and_values_are_those_of_python() -> None:
    """For values that are not negative C and Python agree; & ^ | stand in the same order."""
    draw = random.Random(7)
    compared = 0
    while compared < 300:
        text = made(draw, 4)
        for lane in (0, 5, 31):
            try:
                found = read(text, ("lane",)).value(lane=lane)
            except UserError as error:
                assert re.search("shifts by|is too large", str(error)), text
                continue
            assert found == python(text, lane), text
            compared += 1


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("-7 / 2", -3), ("-7 % 2", -1), ("7 / -2", -3), ("1 - 2 - 3", -4), ("-(3 + 4)", -7),
        ("lane*272", 3536), ("lane*0x10", 208), ("(lane&3)^8|1<<4", 25), ("lane%8*16 ^ lane/8", 81),
    ],
)  # fmt: skip
def test_signs_and_precedence_are_those_of_c(text: str, wanted: int) -> None:
    """Worked out by hand from C17, 6.5.5: a quotient is rounded toward zero."""
    assert read(text, ("lane",)).value(lane=13) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a number, a name or '(' was expected at its end"),
        ("lane*", "a number, a name or '(' was expected at its end"),
        ("lane 4", "an operator was expected at '4'"),
        ("(lane", "')' was expected at its end"),
        ("lane; rm", "';' is not understood"),
        ("lane**2", "a number, a name or '(' was expected at '*'"),
        ("warp*4", "uses 'warp'; the names are lane"),
        ("__import__('os')", "is not understood"),
        ("lane.real", "'.' is not understood"),
        ("lane/0", "divides by zero for lane 13"),
        ("1 << (lane*10)", "shifts by 130 for lane 13"),
        ("1 << 40 << 40", "is too large for lane 13"),
        ("99999999999999999999", "is too large"),
        ("(" * 60 + "lane" + ")" * 60, "is nested more than 40 deep"),
        ("1+" * 300 + "1", "an expression of 601 letters is too long"),
    ],
)
def test_what_is_no_expression_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        read(text, ("lane",)).value(lane=13)
