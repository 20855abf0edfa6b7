"""Warps that can go on do so before another warp completes two phases of an mbarrier.

Nothing keeps a run on a GPU from that, but it needs a warp that is behind by a whole phase. Strict
mode names the phase that such a warp may miss.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.api import Hazard
from tests import ptx

ALONE = """\
.reg .pred %p<4>; .reg .b32 %n, %w, %i, %v; .reg .b64 %o, %s; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mad.wide.u32 %o, %n, 4, %out;
setp.eq.u32 %p0, %n, 0; @%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
mov.u32 %i, 0; setp.ne.u32 %p1, %w, PRODUCER;
LOOP:
@%p1 bra WAIT;
setp.eq.u32 %p0, %n, PRODUCER * 32;
@%p0 mbarrier.arrive.shared::cta.b64 %s, [bar]; // hazard
bra NEXT;
WAIT:
and.b32 %v, %i, 1;
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %v; @!%p2 bra WAIT;
NEXT:
add.u32 %i, %i, 1; setp.lt.u32 %p3, %i, PHASES; @%p3 bra LOOP;
st.global.u32 [%o], %i;
"""


#: A ring: consumers arrive at `empty` after each phase that they saw; the producer waits for that.
RING = (
    ALONE.replace(".b64 bar;", ".b64 bar; .shared .align 8 .b64 empty;")
    .replace("bar.sync 0;", "@%p0 mbarrier.init.shared::cta.b64 [empty], ARRIVALS;\nbar.sync 0;")
    .replace(
        "bra NEXT;",
        """AGAIN:
and.b32 %v, %i, 1;
mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], %v; @!%p2 bra AGAIN;
MEET
bra NEXT;""",
    )
    .replace("bra WAIT;\nNEXT:", "bra WAIT;\nARRIVE\nNEXT:")
)
_ARRIVE = "mbarrier.arrive.shared::cta.b64 %s, [empty];"
_SYNCWARP = "bar.warp.sync 0xffffffff;"
_EACH = RING.replace("ARRIVALS", "96").replace("ARRIVE", _ARRIVE)
_WHOLE = _EACH.replace("MEET", _SYNCWARP)
#: Only one of the consumers' warps arrives, which says nothing of the others.
_ONE = (RING.replace("MEET", _SYNCWARP).replace("ARRIVALS", "1")).replace(
    "ARRIVE", f"setp.eq.u32 %p0, %n, FOLLOWER * 32; @%p0 {_ARRIVE}"
)

#: One warp ends two phases without a branch in between, before others have reached their waits.
STRAIGHT = """\
.reg .pred %p<4>; .reg .b32 %n, %w, %i; .reg .b64 %o, %s; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; mad.wide.u32 %o, %n, 4, %out;
setp.eq.u32 %p0, %n, 0; @%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
mov.u32 %i, 2; setp.ne.u32 %p1, %w, PRODUCER;
@%p1 bra WAIT;
setp.eq.u32 %p0, %n, PRODUCER * 32;
FIRST
ARRIVE
bra DONE;
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT;
AGAIN:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 1; @!%p2 bra AGAIN;
DONE:
st.global.u32 [%o], %i;
"""
_PLAIN = "@%p0 mbarrier.arrive.shared::cta.b64 %s, [bar];"
_COPIES = "@%p0 cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];"
_COMMIT = "@%p0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];"
#: The first phase ends when its bytes have come.
_BYTES = """@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %s, [bar], 16;
@!%p0 bra SKIP;
SKIP:
@%p0 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;"""
_NAMES = ("plain", "copies", "commit", "bytes")

#: All warps have seen a phase before one ends the next, if they meet between.
MEETING = """\
.reg .pred %p<4>; .reg .b32 %n; .reg .b64 %s; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; setp.lt.u32 %p0, %n, 32; setp.eq.u32 %p1, %n, 0;
@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
@%p1 mbarrier.arrive.shared::cta.b64 %s, [bar];
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT;
BETWEEN
@%p1 mbarrier.arrive.shared::cta.b64 %s, [bar];
"""


def _run(body: str, producer: int, phases: int, strict: bool) -> NDArray[np.uint32]:
    body = body.replace("PRODUCER", str(producer)).replace("FOLLOWER", str((producer + 1) % 4))
    text = _text(body.replace("PHASES", str(phases)))
    (out,) = ptx.launch(text, np.zeros(128, np.uint32), block=128, strict=strict)
    return out


def _text(body: str) -> str:
    return ptx.entry(body, target="sm_100a" if _COMMIT in body else "sm_90a")


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
@pytest.mark.parametrize("text", [ALONE, _ONE], ids=["alone", "one-arrives"])
def test_no_warp_is_lapped(text: str, producer: int, phases: int) -> None:
    assert np.array_equal(_run(text, producer, phases, False), np.full(128, phases))


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("first", [_PLAIN, _COPIES, _COMMIT, _BYTES], ids=_NAMES)
@pytest.mark.parametrize("second", [_PLAIN, _COPIES, _COMMIT], ids=_NAMES[:3])
def test_no_warp_is_lapped_by_straight_code(producer: int, first: str, second: str) -> None:
    text = STRAIGHT.replace("FIRST", first).replace("ARRIVE", second)
    assert np.array_equal(_run(text, producer, 2, False), np.full(128, 2))


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
@pytest.mark.parametrize("text", [ALONE, _ONE], ids=["alone", "one-arrives"])
def test_strict_names_what_a_warp_may_miss(text: str, producer: int, phases: int) -> None:
    with pytest.raises(Hazard) as caught:
        _run(text, producer, phases, True)
    found = caught.value
    assert (found.kind, found.wave, found.line) == ("rule", producer, *ptx.marked(_text(text)))
    assert "phase 1 of the mbarrier may end" in str(found)
    other = found.facts.other
    assert other is not None and other.did == "waits"
    assert other.instruction.startswith("mbarrier.try_wait")


@pytest.mark.parametrize("producer", range(4))
def test_the_wait_is_that_for_the_phase_before(producer: int) -> None:
    # The others wait for the next phase already when the producer's lane ends it.
    seen = "@%p0 mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n"
    text = STRAIGHT.replace("FIRST", f"{_PLAIN}\n{3 * seen}").replace("ARRIVE", _PLAIN)
    with pytest.raises(Hazard) as caught:
        _run(text, producer, 2, True)
    other = caught.value.facts.other
    assert other is not None and _text(text).splitlines()[other.line - 2] == "WAIT:"


@pytest.mark.parametrize(
    ("between", "clean"),
    [
        (_SYNCWARP, False),
        ("bar.sync 0;", True),
        ("barrier.cluster.arrive; barrier.cluster.wait;", True),
        ("barrier.cluster.arrive.relaxed; barrier.cluster.wait;", True),
        ("@!%p0 ret; barrier.cluster.arrive; barrier.cluster.wait;", True),
        (f"{_SYNCWARP} @!%p0 ret;", False),
    ],
)
def test_what_comes_after_a_wait(between: str, clean: bool) -> None:
    text = MEETING.replace("BETWEEN", between)
    if clean:
        _run(text, 0, 2, True)
        return
    with pytest.raises(Hazard, match="warp 1 of its CTA has seen the end of the phase before"):
        _run(text, 0, 2, True)


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
def test_strict_finds_nothing_in_a_ring(producer: int, phases: int) -> None:
    assert np.array_equal(_run(_WHOLE, producer, phases, True), np.full(128, phases))


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize(
    ("meet", "clean"),
    [
        ("", False),
        (_SYNCWARP, True),
        ("vote.sync.any.pred %p3, %p2, 0xffffffff;", True),
        # Lanes 16 to 31 may still wait.
        ("setp.lt.u32 %p3, %n, PRODUCER * 32 + 16; @%p3 bar.warp.sync 0xffff;", False),
        # Each lane says for itself that it has seen the phase.
        ("mbarrier.arrive.shared::cta.b64 %s, [seen];", True),
        ("setp.lt.u32 %p3, %n, PRODUCER * 32 + 16;\n@%p3 bra LOW;\n"
         "mbarrier.arrive.shared::cta.b64 %s, [seen];\nbra NEXT;\nLOW:\n"
         "mbarrier.arrive.shared::cta.b64 %s, [seen];", True),
    ],
    ids=["nothing", "syncwarp", "vote", "half", "arrive", "arrive-apart"],
)  # fmt: skip
def test_a_lane_acts_for_its_warp_once_all_have_seen_the_phase(
    producer: int, meet: str, clean: bool
) -> None:
    text = _EACH.replace("MEET", meet).replace(" // hazard", "")
    text = text.replace(".b64 bar;", ".b64 bar; .shared .align 8 .b64 seen;").replace(
        "bar.sync 0;", "@%p0 mbarrier.init.shared::cta.b64 [seen], 999;\nbar.sync 0;"
    )
    if clean:
        assert np.array_equal(_run(text, producer, 20, True), np.full(128, 20))
        return
    with pytest.raises(Hazard) as caught:
        _run(text, producer, 20, True)
    assert f"warp {producer} of its CTA has seen the end of the phase before" in str(caught.value)


@pytest.mark.parametrize("producer", range(4))
def test_a_lane_that_waits_alone_acts_for_itself(producer: int) -> None:
    alone = _EACH.replace("MEET", "").replace("AGAIN:", "@!%p0 bra NEXT;\nAGAIN:")
    assert np.array_equal(_run(alone, producer, 20, True), np.full(128, 20))
