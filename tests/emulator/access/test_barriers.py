"""Numbers and thread counts of barriers that the instruction set does not have.

PTX ISA, bar and barrier: a CTA has barriers 0 to 15; a thread count is a multiple of the warp's
size, and for bar.arrive not zero; more threads than the CTA has can never come.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import Disagreement, UserError
from tests.emulator.access.cells import marked

_TEXT = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u32 number, .param .u32 count) {{
.reg .pred %p, %q; .reg .b32 %n, %w, %a, %c, %v;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; setp.ne.u32 %p, %w, 0; setp.eq.u32 %q, %n, 3;
ld.param.u32 %a, [number]; ld.param.u32 %c, [count];
@%p bra OTHER;
{first} // hazard
bra END;
OTHER:
{second} // hazard
END:
ret;
}}
"""
FORMS = {
    "bar.sync": ("bar.sync %a, %c;",) * 2,
    "barrier.sync": ("barrier.sync %a, %c;",) * 2,
    "bar.red": ("bar.red.popc.u32 %v, %a, %c, %q;",) * 2,
    "bar.arrive": ("bar.arrive %a, %c;", "bar.sync %a, %c;"),
}
THREADS = 64
GOOD = [(0, 64), (1, 64), (15, 64)]
NUMBERS, COUNTS = (16, 17, 31, 32, 0x80000001), (1, 33, 48, 96, 1024, 0x80000040)


def _launch(form: str, number: int, count: int) -> Disagreement | None:
    first, second = FORMS[form]
    device = lanemap.open_device("sm_90a", device="emulator")
    kernel = device.load(_TEXT.format(first=first, second=second))["kernel"]
    try:
        kernel((1,), (THREADS,), (np.uint32(number), np.uint32(count)))
    except Disagreement as hazard:
        return hazard
    return None


def _check(form: str, number: int, count: int, word: str) -> None:
    hazard = _launch(form, number, count)
    assert hazard is not None, "nothing was reported"
    first, second = FORMS[form]
    assert getattr(hazard, "kind", "") == "rule", hazard
    assert getattr(hazard, "line", 0) in marked(_TEXT.format(first=first, second=second), "hazard")
    assert word in str(hazard)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("number", "count"), GOOD)
def test_barriers_that_there_are(form: str, number: int, count: int) -> None:
    assert _launch(form, number, count) is None


@pytest.mark.parametrize("form", [form for form in FORMS if form != "bar.arrive"])
def test_a_count_of_zero_is_all_threads(form: str) -> None:
    assert _launch(form, 1, 0) is None


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
    text = _TEXT.format(first=first, second=second)
    kernel = lanemap.open_device("sm_90a", device="emulator").load(text)["kernel"]
    words: Any = (np.uint32(0), np.uint32(0))
    if not word:
        kernel((1,), (THREADS,), words)
        return
    with pytest.raises(Disagreement, match=word) as caught:
        kernel((1,), (THREADS,), words)
    assert getattr(caught.value, "kind", "") == "rule"


@pytest.mark.parametrize("statement", ["bar.sync 16;", "bar.sync 1, 48;", "bar.arrive 1, 0;"])
def test_an_illegal_constant_is_refused_or_breaks_a_rule(statement: str) -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    text = _TEXT.format(first=statement, second="bar.sync 1, 64;")
    words: Any = (np.uint32(0), np.uint32(0))
    with pytest.raises((Disagreement, UserError)) as caught:
        device.load(text)["kernel"]((1,), (THREADS,), words)
    assert getattr(caught.value, "kind", "rule") == "rule"
