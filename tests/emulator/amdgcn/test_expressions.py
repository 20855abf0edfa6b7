from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.emulator.amdgcn.text.expressions import (
    ExpressionError,
    Number,
    Value,
    evaluate,
    parse_expression,
)

from .clang import assemble

NUMBERS = st.one_of(
    st.integers(0, 70), st.sampled_from([0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, 1 << 62])
).map(lambda n: hex(n) if n % 3 else str(n))
OPERATORS = st.sampled_from("+ - * / % & | ^ << >> == != < <= > >= && ||".split())


def _combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
        inner.map(lambda e: f"({e})"),
        st.tuples(st.sampled_from("-~!+"), NUMBERS).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda es: f"max({', '.join(es)})"),
        st.tuples(inner, inner).map(lambda t: f"or({t[0]}, {t[1]})"),
        st.tuples(inner, st.sampled_from(["4", "8"])).map(lambda t: f"alignto({t[0]}, {t[1]})"),
    )


EXPRESSIONS = st.recursive(NUMBERS, _combine, max_leaves=6)


def ours(text: str) -> int | None:
    try:
        expression = parse_expression(text)
    except ExpressionError:
        return None
    assert isinstance(expression, Number)
    return expression.value


@settings(max_examples=4, deadline=None, derandomize=True)
@given(st.lists(EXPRESSIONS, min_size=100, max_size=150))
def test_values_are_those_of_clangs_assembler(texts: list[str]) -> None:
    # alignto of a negative number wraps in LLVM as unsigned 64 bits; registers are never negative.
    known = [(text, ours(text)) for text in texts if "alignto" not in text]
    known = [(text, value) for text, value in known if value is not None]
    printed, errors = assemble([f".quad {text}" for text, _ in known])
    assert not errors
    values = [line.split(None, 1)[1] for line in printed if line.strip().startswith(".quad")]
    # What clang does not fold at once (comparisons of calls) it prints as it was.
    folded = [
        (text, value, int(theirs, 0))
        for (text, value), theirs in zip(known, values, strict=True)
        if re.fullmatch(r"-?\w+", theirs)
    ]
    assert len(folded) > len(known) // 3
    assert [(t, v) for t, v, _ in folded] == [
        (t, theirs - (1 << 64) if theirs >= 1 << 63 else theirs) for t, _, theirs in folded
    ]


def test_functions_of_the_amdgpu_assembler() -> None:
    # LLVM, AMDGPUMCExpr.cpp: AGPRs begin at the next multiple of four behind the VGPRs.
    assert ours("totalnumvgprs(3, 5)") == 11
    assert ours("totalnumvgprs(0, 5)") == 5
    assert ours("alignto(5, 4)") == 8
    assert ours("extrasgprs(1, 0, 0)") == 6


def lookup(name: str) -> Value:
    places = {"a": Value(".text", 16), "b": Value(".text", 40), "c": Value(".data", 8)}
    if name not in places:
        raise ExpressionError(f"{name!r} is not defined")
    return places[name]


def test_addresses() -> None:
    assert evaluate(parse_expression("b-a"), lookup) == Value(None, 24)
    assert evaluate(parse_expression("a+4-b"), lookup) == Value(None, -20)
    assert evaluate(parse_expression("c+4"), lookup)[:2] == (".data", 12)
    value = evaluate(parse_expression("a@rel32@lo+4"), lookup)
    assert value == Value(".text", 20, "rel32@lo", "a")


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "(1", "max(1", "max 1)", "1 2", "1 ? 2", "a * 2", "b - c", "1 / 0", "0x", "09z",
     "totalnumvgprs(1)"],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(parse_expression(text), lookup)


def test_a_known_number_is_taken_at_once() -> None:
    values = {"i": 3}
    first = parse_expression("i+1", values.get)
    values["i"] = 9
    assert first == Number(4)
