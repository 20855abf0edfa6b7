"""Lanes that an instruction of the whole warp needs and that are not there.

What shfl.sync reads from such a lane is undefined (PTX ISA). Votes, reductions and matches leave
out lanes that have ended (CUDA C++ Programming Guide, Warp Vote Functions: all non-exited threads
of the mask), and wait for the others.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

_BODY = """\
.reg .pred %p, %q; .reg .b32 %lane, %v, %w; .reg .b64 %a;
mov.u32 %lane, %tid.x; mad.wide.u32 %a, %lane, 4, %out;
setp.lt.u32 %p, %lane, 16; setp.lt.u32 %q, %lane, 64; mov.u32 %v, 0;
{body}
st.global.u32 [%a], %v;
END:"""
_ELSEWHERE = "@!{} bra OTHER;\n{} // here\nbra END;\nOTHER: bar.sync 0; // there"
_MASK = "selp.b32 %w, 0xffff, 0xffff0000, {};\n{} // here"
_SHUFFLE = "shfl.sync.idx.b32 %v, %lane, 20, 31, {};"
_MEMBERS = {
    "shfl": _SHUFFLE.format("-1"), "vote": "vote.sync.ballot.b32 %v, %p, -1;",
    "redux": "redux.sync.add.u32 %v, %lane, -1;", "match": "match.any.sync.b32 %v, %lane, -1;",
    "bar.warp": "bar.warp.sync -1;",
}  # fmt: skip


def _text(body: str) -> str:
    return ptx.entry(_BODY.format(body=body))


def _launch(body: str) -> np.ndarray:
    (out,) = ptx.launch(_text(body), np.zeros(32, np.uint32))
    return out


def _line(body: str, mark: str) -> int:
    (line,) = ptx.marked(_text(body), mark)
    return line


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"@!%p exit;\n{_SHUFFLE.format(-1)} // here", "had ended"),
        (_MASK.format("%p", _SHUFFLE.format("%w")), "was not in its member mask"),
    ],
)
def test_a_shuffle_from_a_lane_that_is_absent_names_it(body: str, why: str) -> None:
    with pytest.raises(Hazard) as caught:
        _launch(body)
    sentence = str(caught.value)
    assert f"they come from lane 20, which {why} when lane 0 of warp 0 asked" in sentence
    assert f"at line {_line(body, 'here')} (`shfl.sync" in sentence


def test_a_shuffle_from_a_lane_that_is_there_is_clean() -> None:
    assert (_launch(f"@!%q exit;\n{_SHUFFLE.format(-1)}") == 20).all()
    body = "setp.ne.u32 %q, %lane, 32;\n" + _MASK.format("%p", _SHUFFLE.format("%w")).replace(
        "%lane, 20", "%lane, %n"
    ).replace("selp", ".reg .b32 %n; selp.b32 %n, 4, 20, %p;\nselp")
    assert np.array_equal(_launch(body), np.where(np.arange(32) < 16, 4, 20))


def test_a_shuffle_by_lanes_outside_their_mask_names_them() -> None:
    with pytest.raises(Hazard, match="not in its own member mask") as caught:
        _launch(_SHUFFLE.format("0xffff"))
    assert caught.value.lanes == 0xFFFF0000


@pytest.mark.parametrize("name", _MEMBERS)
def test_lanes_that_wait_elsewhere_are_named(name: str) -> None:
    body = _ELSEWHERE.format("%p", _MEMBERS[name])
    with pytest.raises(Hazard) as caught:
        _launch(body)
    assert caught.value.kind == "deadlock"
    assert caught.value.line == _line(body, "here")
    here, there = (
        rf"lanes {lanes} at line {_line(body, mark)} \(`{text}"
        for lanes, mark, text in (("0-15", "here", name), ("16-31", "there", "bar"))
    )
    assert re.search(f"do not come: {here}.*; {there}", str(caught.value)), caught.value
    _launch(_ELSEWHERE.format("%q", _MEMBERS[name]))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("vote", 0xFFFF), ("redux", sum(range(16))), ("match", 1 << np.arange(16))],
)
def test_lanes_that_ended_do_not_count(name: str, expected: object) -> None:
    got = _launch(f"@!%p exit;\n{_MEMBERS[name]}")
    assert np.array_equal(got[:16], np.broadcast_to(np.asarray(expected), 16))
    assert not got[16:].any()


def test_a_barrier_that_hangs_is_named_by_its_own_line() -> None:
    body = "setp.lt.u32 %p, %lane, 32; @!%p bra OTHER;\nbar.sync 1, 64; // here\nOTHER:"
    with pytest.raises(Hazard) as caught:
        ptx.launch(_text(body), np.zeros(64, np.uint32), block=64)
    line = _line(body, "here")
    assert caught.value.line == line
    assert f"warp 0 waits at line {line} for the others at barrier 1" in str(caught.value)
