"""Votes, elections, matches and shuffles of any members, against the ISA's pseudocode in Python.

NVIDIA PTX ISA, Data Movement: shfl.sync; Parallel Synchronization: vote.sync, match.sync, elect.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.api import Hazard
from tests import ptx

LANES = np.arange(32)
FULL = 0xFFFFFFFF
#: Member masks by lane: all, halves, odd and even lanes, and the lanes that have not ended.
MEMBERS: dict[str, Callable[[int], int]] = {
    "all": lambda lane: FULL,
    "halves": lambda lane: 0xFFFF << (lane & 16),
    "parities": lambda lane: 0x55555555 << (lane & 1),
}
BODY = """\
.reg .pred %p, %q, %r; .reg .b32 %lane, %m, %x, %y, %v; .reg .b64 %o;
mov.u32 %lane, %laneid; mul.wide.u32 %o, %lane, 4;
add.u64 %members, %members, %o; ld.global.b32 %m, [%members];
add.u64 %given, %given, %o; ld.global.b32 %x, [%given]; add.u64 %out, %out, %o;
setp.lt.u32 %r, %lane, {ends}; @!%r exit;
{body}"""
STORE = "st.global.b32 [%out], %v; add.u64 %out, %out, 128;"


def _run(body: str, members: str, given: NDArray[Any], ends: int = 32) -> NDArray[np.uint32]:
    """What each instruction left in %v, by its place and lane; -1 of lanes that had ended."""
    count = body.count("STORE")
    text = ptx.entry(
        BODY.format(body=body.replace("STORE", STORE), ends=ends), "members given out",
        target="sm_90a",
    )  # fmt: skip
    masks = np.array([MEMBERS[members](lane) for lane in range(32)], np.uint32)
    out = np.full((count, 32), FULL, np.uint32)
    *_, got = ptx.launch(text, masks, given.astype(np.uint32), out)
    return got


def _set(members: str, lane: int, ends: int) -> int:
    return MEMBERS[members](lane) & (1 << ends) - 1


@pytest.mark.parametrize("ends", [32, 20])
@pytest.mark.parametrize("members", MEMBERS)
def test_votes(members: str, ends: int) -> None:
    body = ""
    words = [0, FULL, 1, 1 << 16, 2, 0x00FF00FF, 0xFFFF0000, 0xAAAAAAAA, 0x12345678, 0xFFFFF]
    for word in words:
        body += f"shr.u32 %y, {word}, %lane; and.b32 %y, %y, 1; setp.ne.u32 %p, %y, 0;\n"
        for mode in ("all", "any", "uni"):
            body += f"vote.sync.{mode}.pred %q, %p, %m; selp.b32 %v, 1, 0, %q; STORE\n"
        body += "vote.sync.ballot.b32 %v, %p, %m; STORE\n"
        body += "vote.sync.any.pred %q, !%p, %m; selp.b32 %v, 1, 0, %q; STORE\n"
    got = _run(body, members, LANES, ends).reshape(len(words), 5, 32)
    for word, found in zip(words, got, strict=True):
        for lane in range(ends):
            own = _set(members, lane, ends)
            votes = word & own
            expected = [votes == own, votes != 0, votes in (0, own), votes, votes != own]
            assert found[:, lane].tolist() == [int(each) for each in expected], (word, lane)


@pytest.mark.parametrize("ends", [32, 20])
@pytest.mark.parametrize("members", MEMBERS)
def test_one_member_is_elected(members: str, ends: int) -> None:
    body = "elect.sync %v|%p, %m; STORE\nselp.b32 %v, 1, 0, %p; STORE\n"
    for number, chosen in _run(body, members, LANES, ends).T[:ends].tolist():
        assert chosen in (0, 1) and 0 <= number < ends
    leader, chosen = _run(body, members, LANES, ends)[:, :ends]
    for lane in range(ends):
        own = _set(members, lane, ends)
        assert own >> int(leader[lane]) & 1, "the elected lane is a member"
        same = [other for other in range(ends) if _set(members, other, ends) == own]
        assert {int(leader[other]) for other in same} == {int(leader[lane])}
        assert [other for other in same if chosen[other]] == [int(leader[lane])]


@pytest.mark.parametrize("ends", [32, 20])
@pytest.mark.parametrize("members", MEMBERS)
def test_all_members_match_or_none(members: str, ends: int) -> None:
    body = """mov.b32 %y, %x;
match.all.sync.b32 %v|%p, %y, %m; STORE
selp.b32 %v, 1, 0, %p; STORE
.reg .b64 %w; mov.b64 %w, {%lane, %y}; and.b64 %w, %w, 0xffffffff00000000;
match.all.sync.b64 %v|%p, %w, %m; STORE
selp.b32 %v, 1, 0, %p; STORE
match.any.sync.b64 %v, %w, %m; STORE
"""
    for given in (np.full(32, 7), LANES % 2, LANES // 16, np.where(LANES == 19, 1, 0)):
        got = _run(body, members, given, ends)
        for lane in range(ends):
            own = _set(members, lane, ends)
            values = {int(given[i]) for i in range(32) if own >> i & 1}
            every = own if len(values) == 1 else 0
            same = sum(1 << i for i in range(32) if own >> i & 1 and given[i] == given[lane])
            expected = [every, int(bool(every)), every, int(bool(every)), same]
            assert got[:, lane].tolist() == expected


def test_active_lanes() -> None:
    body = """setp.lt.u32 %p, %lane, 5;
@%p bra FEW;
activemask.b32 %v; bra ALL;
FEW: activemask.b32 %v;
ALL: STORE
activemask.b32 %v; STORE
"""
    got = _run(body, "all", LANES)
    assert got[0].tolist() == [0x1F] * 5 + [FULL ^ 0x1F] * 27
    assert got[1].tolist() == [FULL] * 32


def _source(mode: str, lane: int, by: int, clamp: int) -> tuple[int, bool]:
    """The lane that a lane reads, and the predicate (PTX ISA, shfl.sync, Semantics)."""
    by, ends, segment = by & 31, clamp & 31, clamp >> 8 & 31
    least, most = lane & segment, lane & segment | ends & ~segment
    source = {"up": lane - by, "down": lane + by, "bfly": lane ^ by, "idx": least | by & ~segment}
    inside = source[mode] >= most if mode == "up" else source[mode] <= most
    return (source[mode] if inside else lane), inside


CLAMPS = {"up": (0, 0x1800, 0x1C00), "else": (31, 0x181F, 0x1C1F, 0x0C1F, 7)}
STEPS = (0, 1, 3, 8, 17, 31, 34)


@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles(mode: str) -> None:
    """Steps and clamps that are known when code is generated, and ones that are not."""
    cases = [(by, clamp) for by in STEPS for clamp in CLAMPS.get(mode, CLAMPS["else"])]
    body = ""
    for by, clamp in cases:
        known, given = f"{by}, {clamp}", "%y, %c"
        body += f".reg .b32 %c; add.u32 %y, %x, {by}; add.u32 %c, %x, {clamp};\n".replace(
            ".reg .b32 %c; ", "" if body else ".reg .b32 %c; "
        )
        for operands in (known, f"%y, {clamp}", given):
            for members in ("-1", "%m"):
                body += f"shfl.sync.{mode}.b32 %v|%p, %lane, {operands}, {members}; STORE\n"
                body += "selp.b32 %v, 1, 0, %p; STORE\n"
    got = _run(body, "all", np.zeros(32)).reshape(len(cases), 6, 2, 32)
    for (by, clamp), found in zip(cases, got, strict=True):
        expected = np.array([_source(mode, lane, by, clamp) for lane in range(32)]).T
        for each in found:
            assert np.array_equal(each, expected), (by, clamp)


@pytest.mark.parametrize("operands", ["%y, 31, -1", "%y, 31, %m", "%y, %c, -1"])
def test_a_shuffle_moves_what_is_undefined(operands: str) -> None:
    body = f"""setp.lt.u32 %p, %lane, 16; .reg .b32 %u, %c; add.u32 %c, %x, 31;
@%p add.u32 %u, %lane, 100; // origin
and.b32 %y, %lane, 15; add.u32 %y, %y, %x;
shfl.sync.idx.b32 %v, %u, {operands}; STORE
"""
    got = _run(body, "all", np.zeros(32))
    assert got[0].tolist() == (LANES % 16 + 100).tolist()
    with pytest.raises(Hazard, match="register %u, which nothing had written"):
        _run(body.replace("and.b32 %y, %lane, 15", "and.b32 %y, %lane, 31"), "all", np.zeros(32))


@pytest.mark.parametrize("operands", ["%u, 31, -1", "1, %u, -1", "1, 31, %u"])
def test_an_undefined_operand_of_a_shuffle_is_a_hazard(operands: str) -> None:
    body = f"""setp.lt.u32 %p, %lane, 16; .reg .b32 %u;
@%p mov.b32 %u, -1;
shfl.sync.idx.b32 %v, %lane, {operands}; // here
STORE
"""
    with pytest.raises(Hazard) as caught:
        _run(body, "all", LANES)
    assert re.search(r"`shfl\.sync.*undefined|undefined.*`shfl\.sync", str(caught.value))
