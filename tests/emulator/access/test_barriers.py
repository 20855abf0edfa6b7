"""Numbers and thread counts of barriers that the instruction set does not have.

PTX ISA, bar and barrier: a CTA has barriers 0 to 15; a thread count is a multiple of the warp's
size, and for bar.arrive not zero; more threads than the CTA has can never come.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from lanemap.errors import UserError
from tests import ptx

_BODY = """\
.reg .pred %p, %q; .reg .b32 %n, %w, %v;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; setp.ne.u32 %p, %w, 0; setp.eq.u32 %q, %n, 3;
@%p bra OTHER;
{first} // hazard
bra END;
OTHER:
{second} // hazard
END:"""
FORMS = {
    "bar.sync": ("bar.sync %number, %count;",) * 2,
    "barrier.sync": ("barrier.sync %number, %count;",) * 2,
    "bar.red": ("bar.red.popc.u32 %v, %number, %count, %q;",) * 2,
    "bar.arrive": ("bar.arrive %number, %count;", "bar.sync %number, %count;"),
}
THREADS = 64
GOOD = [(0, 64), (1, 64), (15, 64)]
NUMBERS, COUNTS = (16, 17, 31, 32, 0x80000001), (1, 33, 48, 96, 1024, 0x80000040)


def _text(first: str, second: str) -> str:
    return ptx.entry(_BODY.format(first=first, second=second), "number:u32 count:u32")


def _hazard(text: str, number: int = 0, count: int = 0) -> Hazard | None:
    return ptx.hazard(text, np.uint32(number), np.uint32(count), block=THREADS)


def _check(form: str, number: int, count: int, word: str) -> None:
    text = _text(*FORMS[form])
    hazard = _hazard(text, number, count)
    assert hazard is not None, "nothing was reported"
    assert hazard.kind == "rule", hazard
    assert hazard.line in ptx.marked(text)
    assert word in str(hazard)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("number", "count"), GOOD)
def test_barriers_that_there_are(form: str, number: int, count: int) -> None:
    assert _hazard(_text(*FORMS[form]), number, count) is None


@pytest.mark.parametrize("form", [form for form in FORMS if form != "bar.arrive"])
def test_a_count_of_zero_is_all_threads(form: str) -> None:
    assert _hazard(_text(*FORMS[form]), 1, 0) is None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_beyond_fifteen_breaks_a_rule(form: str, number: int) -> None:
    _check(form, number, 64, str(number))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", COUNTS)
def test_an_illegal_thread_count_breaks_a_rule(form: str, count: int) -> None:
    _check(form, 1, count, str(count))


def test_nobody_arrives_for_zero_threads() -> None:
    _check("bar.arrive", 1, 0, "0")


@pytest.mark.parametrize(
    ("first", "second", "word"), [
        ("bar.sync 1, 64;", "bar.sync 1, 32;", "32"),
        ("bar.arrive 1, 64;", "bar.sync 1, 32;", "32"),
        ("bar.sync 1, 64;", "bar.sync 1;", ""),
        ("bar.arrive 1, 64;", "bar.sync 1;", ""),
        ("bar.red.popc.u32 %v, 1, %q;", "bar.sync 1;", "bar.red"),
        ("bar.sync 1;", "bar.red.and.pred %q, 1, %q;", "bar.red"),
    ],
)  # fmt: skip
def test_warps_that_meet_agree(first: str, second: str, word: str) -> None:
    """On the count (none is all 64), and on whether they reduce: else the second one is named.

    Where the count is complete before the second one comes, it belongs to the next phase.
    """
    hazard = _hazard(_text(first, second))
    if not word:
        assert hazard is None
        return
    assert hazard is not None and hazard.kind == "rule" and re.search(word, str(hazard))


@pytest.mark.parametrize("statement", ["bar.sync 16;", "bar.sync 1, 48;", "bar.arrive 1, 0;"])
def test_an_illegal_constant_is_refused_or_breaks_a_rule(statement: str) -> None:
    try:
        hazard = _hazard(_text(statement, "bar.sync 1, 64;"))
    except UserError:
        return
    assert hazard is not None and hazard.kind == "rule"
