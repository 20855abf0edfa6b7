"""Lanes of one warp that share memory: what __syncwarp does not order is reported.

Strict runs hold all lanes in order, others those that parted, until they meet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lanemap.conformance.programs.races import lanes
from lanemap.conformance.programs.races.trial import Lanes
from lanemap.emulator.api import Hazard
from tests import ptx

_BODY = """\
.reg .pred %p, %q, %low; .reg .b32 %n, %lane, %v<5>, %w, %z; .reg .b64 %own, %next, %base, %o;
.shared .align 16 .b8 tile[1024];
mov.u32 %lane, %tid.x; mov.u64 %base, tile; mad.wide.u32 %own, %lane, 4, %base;
add.u32 %n, %lane, 1; and.b32 %n, %n, 31; mad.wide.u32 %next, %n, 4, %base;
setp.lt.u32 %low, %lane, 16; mad.wide.u32 %o, %lane, 4, %out;
mov.u32 %w, 7; mov.u32 %z, 0;
{body}
st.global.u32 [%o], %v0;
END:"""
SYNC, FULL = "bar.warp.sync 0xffffffff;", 0xFFFFFFFF
_STORE, _LOAD = "st.shared.u32 [%own], %lane;", "ld.shared.u32 %v0, [%next];"
_MATRIX = (
    "mad.wide.u32 %next, %lane, 16, %base;\n"
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v0}, [%next];"
)
_FILL = "".join(f"st.shared.u32 [%own + {128 * i}], %lane;\n" for i in range(4))
_HALVES = """@%low bra LOW;
bar.warp.sync 0xffff0000;
bra MET;
LOW: bar.warp.sync 0x0000ffff;
MET:"""
#: A word that one lane stores and all load; words that every lane has stored, in order.
_LEADER = "setp.ne.u32 %p, %lane, 0;\n@%p bra LED;\nst.shared.u32 [%base], %w;\nLED:"
_FIRST, _FILLED = "ld.shared.u32 %v0, [%base];", f"st.shared.u32 [%own], %w;\n{SYNC}"
#: Name: the kernel that races, and the one that does not.
PAIRS = {
    "read after write": (f"{_STORE}\n{_LOAD}", f"{_STORE}\n{SYNC}\n{_LOAD}"),
    "write after read": (
        f"{_STORE}\n{SYNC}\n{_LOAD}\nst.shared.u32 [%own], %w;",
        f"{_STORE}\n{SYNC}\n{_LOAD}\n{SYNC}\nst.shared.u32 [%own], %w;",
    ),
    "write after write": (
        "st.shared.u32 [%own], %lane;\nst.shared.u32 [%next], %w;\nmov.u32 %v0, 0;",
        f"st.shared.u32 [%own], %lane;\n{SYNC}\nst.shared.u32 [%next], %w;\nmov.u32 %v0, 0;",
    ),
    "half of the lanes": (
        f"{_STORE}\n{_HALVES}\n{_LOAD}",
        f"{_STORE}\n{_HALVES}\nxor.b32 %n, %lane, 1; mad.wide.u32 %next, %n, 4, %base;\n{_LOAD}",
    ),
    "a shuffle is no barrier": (
        f"{_STORE}\nshfl.sync.bfly.b32 %v1, %lane, 1, 31, -1;\n{_LOAD}",
        f"{_STORE}\nshfl.sync.bfly.b32 %v1, %lane, 1, 31, -1;\n{SYNC}\n{_LOAD}",
    ),
    "a matrix": (f"{_FILL}{_MATRIX}", f"{_FILL}{SYNC}\n{_MATRIX}"),
    "a generic address": (
        f"{_STORE}\ncvta.shared.u64 %next, %next;\nld.u32 %v0, [%next];",
        f"{_STORE}\n{SYNC}\ncvta.shared.u64 %next, %next;\nld.u32 %v0, [%next];",
    ),
    "an atomic after a plain store": (
        f"{_STORE}\natom.shared.add.u32 %v0, [%next], 1;",
        f"{_STORE}\n{SYNC}\natom.shared.add.u32 %v0, [%next], 1;",
    ),
    "lanes apart": (
        f"@%low bra LOW;\n{_STORE}\nLOW:\n{_LOAD}\nmov.u32 %v0, 0;".replace(
            "@%low", f"st.shared.u32 [%own], %w;\n{SYNC}\n@%low"),
        f"@%low bra LOW;\n{_STORE}\nLOW:\n{SYNC}\n{_LOAD}\nmov.u32 %v0, 0;".replace(
            "@%low", f"st.shared.u32 [%own], %w;\n{SYNC}\n@%low"),
    ),
    "apart, a shuffle is no barrier": (
        f"{_LEADER}\nshfl.sync.bfly.b32 %v1, %lane, 1, 31, -1;\n{_FIRST}",
        f"{_LEADER}\nshfl.sync.bfly.b32 %v1, %lane, 1, 31, -1;\n{SYNC}\n{_FIRST}",
    ),
    "apart, then half of the lanes": (
        f"{_LEADER}\n{_HALVES}\n{_FIRST}", f"{_LEADER}\n{_HALVES}\n{SYNC}\n{_FIRST}",
    ),
    "apart, write after read": (
        f"{_FILLED}\n@%low bra LOW;\n{_LOAD}\nLOW:\nst.shared.u32 [%own], %lane;",
        f"{_FILLED}\n@%low bra LOW;\n{_LOAD}\nLOW:\n{SYNC}\nst.shared.u32 [%own], %lane;",
    ),
    "apart, a matrix": (
        f"{_FILL}{SYNC}\n{_LEADER}\n{_MATRIX}", f"{_FILL}{SYNC}\n{_LEADER}\n{SYNC}\n{_MATRIX}",
    ),
    "apart, an atomic": (
        f"{_LEADER}\natom.shared.add.u32 %v0, [%base], 1;",
        f"{_LEADER}\n{SYNC}\natom.shared.add.u32 %v0, [%base], 1;",
    ),
    "apart, behind a switch": (
        f"TS: .branchtargets ONE, TWO;\nand.b32 %n, %lane, 1;\nbrx.idx %n, TS;\n"
        f"ONE: {_STORE}\nTWO:\n{_LOAD}\nmov.u32 %v0, 0;".replace("TS: ", f"{_FILLED}\nTS: "),
        f"TS: .branchtargets ONE, TWO;\nand.b32 %n, %lane, 1;\nbrx.idx %n, TS;\n"
        f"ONE: {_STORE}\nTWO:\n{SYNC}\n{_LOAD}\nmov.u32 %v0, 0;".replace(
            "TS: ", f"{_FILLED}\nTS: "),
    ),
}  # fmt: skip
#: Those whose lanes part before: runs find them by default too.
APART = [name for name in PAIRS if "apart" in name]
CLEAN = {
    "the CTA's barrier": f"{_STORE}\nbar.sync 0;\n{_LOAD}",
    "the cluster barrier":
        f"{_STORE}\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n{_LOAD}",
    "its own lane": f"{_STORE}\nld.shared.u32 %v0, [%own];",
    "volatile": "st.volatile.shared.u32 [%own], %lane;\nld.volatile.shared.u32 %v0, [%next];",
    "the same value": f"st.shared.u32 [%own], %w;\n{SYNC}\nst.shared.u32 [%next], %w;\n"
                      "mov.u32 %v0, 0;",
    "atomics": f"st.shared.u32 [%own], %z;\n{SYNC}\natom.shared.add.u32 %v0, [%own], 1;\n"
               "atom.shared.add.u32 %v0, [%next], 1;",
    "lanes that ended": f"{_STORE}\n@!%low bra END;\n{SYNC}\n{_LOAD}",
    "an acquire": f"{_STORE}\nfence.acq_rel.cta;\n{_LOAD}",
}  # fmt: skip


def _hazard(body: str, strict: bool = True) -> Hazard | None:
    text = ptx.entry(_BODY.format(body=body))
    return ptx.hazard(text, np.zeros(32, np.uint32), grid=2, strict=strict)


@pytest.mark.parametrize("name", PAIRS)
def test_a_missing_syncwarp_is_named_under_strict_and_where_lanes_parted(name: str) -> None:
    for strict in (True, False) if name in APART else (True,):
        hazard = _hazard(PAIRS[name][0], strict)
        assert hazard is not None and hazard.kind == "order", (strict, hazard)
        assert "of the same warp at line" in str(hazard) and "__syncwarp" in str(hazard)
    assert name in APART or _hazard(PAIRS[name][0], strict=False) is None


@pytest.mark.parametrize("name", PAIRS)
def test_with_syncwarp_it_is_clean(name: str) -> None:
    for strict in (True, False):
        assert _hazard(PAIRS[name][1], strict) is None


@pytest.mark.parametrize("name", CLEAN)
def test_what_orders_lanes_or_needs_no_order_is_clean(name: str) -> None:
    assert _hazard(CLEAN[name]) is None


# -- random programs ------------------------------------------------------------------------------

#: Steps of a program, and programs without and with a race: fast ones, then those of the slow run.
FAST, SLOW = [(15, 60), (40, 60)], [(15, 1500), (60, 1500)]


def _wrong(steps_of: str, shapes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The programs, by length and seed, of which the emulator does not say what the oracle says."""
    player, wrong = Lanes(), []
    for length, count in shapes:
        for seed in range(count):
            steps = getattr(lanes, steps_of)(seed, length)
            races = lanes.races(steps)
            assert races == (steps_of == "racy")
            if player.objects(steps) != races:
                wrong.append((length, seed))
    return wrong


@pytest.mark.parametrize("shapes", [FAST, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_random_programs_without_a_race_are_clean(shapes: list[tuple[int, int]]) -> None:
    assert _wrong("clean", shapes) == []


@pytest.mark.parametrize("shapes", [FAST, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_races_of_random_programs_are_found(shapes: list[tuple[int, int]]) -> None:
    assert _wrong("racy", shapes) == []


def test_the_oracle_knows_what_races() -> None:
    store, load = (lanes.Step(what, lane, 0, 4, 1) for what, lane in ((1, 0), (0, 5)))
    both, others = (lanes.Step(lanes.MEET, members=m) for m in (1 << 5 | 1, 1 << 5 | 2))
    assert lanes.races([store, load]) and lanes.races([store, others, load])
    assert not lanes.races([store, both, load])
    assert not lanes.races([load, lanes.Step(lanes.LOAD, 0, 0, 4)])
