"""mbarrier objects: counts, phases, states, who learns what; deadlocks name the object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from tests.emulator.ptx.launching import require

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 result) {
.reg .pred %p, %q, %first; .reg .b32 %n, %w, %v<8>; .reg .b64 %r, %x, %s<4>;
.shared .align 8 .b64 bar[4]; .shared .align 8 .b32 data[256];
mov.u32 %n, %tid.x;
shr.u32 %w, %n, 5;
ld.param.u64 %r, [result];
mul.wide.u32 %x, %n, 4;
add.u64 %r, %r, %x;
setp.eq.u32 %first, %n, 0;
"""


def _text(body: str) -> str:
    return f"{HEAD}{body}\nret;\n}}\n"


def _run(body: str, threads: int = 32, **options: Any) -> Any:
    device = lanemap.open_device("sm_90a", device="emulator", **options)
    result = device.zeros((threads,), np.uint32)
    device.load(_text(body))["kernel"]((1,), (threads,), (result,))
    return result.get(), device.hazards


INIT = "@%first mbarrier.init.shared::cta.b64 [bar], {};\nbar.sync 0;\n"
WAIT = """
AGAIN{0}:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], {1};
@!%p bra AGAIN{0};
"""


def test_a_barrier_of_all_threads_passes_data_on() -> None:
    """Every thread stores, arrives, waits, and reads what its opposite number stored."""
    body = INIT.format(128) + """
mul.lo.u32 %v0, %n, 3;
mov.u32 %v1, data;
mad.lo.u32 %v2, %n, 4, %v1;
st.shared.b32 [%v2], %v0;
mbarrier.arrive.shared::cta.b64 %s0, [bar];
""" + WAIT.format(0, 0) + """
sub.u32 %v3, 127, %n;
mad.lo.u32 %v2, %v3, 4, %v1;
ld.shared.b32 %v4, [%v2];
st.global.b32 [%r], %v4;
"""
    got, _ = _run(body, 128)
    assert np.array_equal(got, (127 - np.arange(128)) * 3)


def test_phases_alternate_and_states_name_them() -> None:
    """Ten phases of a barrier with the states of its arrivals."""
    body = INIT.format(64) + """
mov.b32 %v0, 0;
LOOP:
mbarrier.arrive.shared.b64 %s0, [bar];
AGAIN:
mbarrier.try_wait.shared.b64 %p, [bar], %s0, 0x100;
@!%p bra AGAIN;
mbarrier.test_wait.shared.b64 %q, [bar], %s0;
@%q add.u32 %v0, %v0, 1;
setp.lt.u32 %p, %v0, 10;
@%p bra LOOP;
st.global.b32 [%r], %v0;
"""
    got, _ = _run(body, 64)
    assert np.array_equal(got, np.full(64, 10))


def test_producer_and_consumer_with_two_barriers() -> None:
    """Warp 0 fills a buffer eight times, warp 1 empties it; each waits for the other."""
    body = """
@%first mbarrier.init.shared::cta.b64 [bar], 32;
@%first mbarrier.init.shared::cta.b64 [bar+8], 32;
bar.sync 0;
mov.u32 %v1, data;
and.b32 %v2, %n, 31;
mad.lo.u32 %v2, %v2, 4, %v1;
mov.b32 %v3, 0; mov.b32 %v5, 0; mov.b32 %v6, 0;
setp.eq.u32 %q, %w, 0;
@%q bra PRODUCE;
CONSUME:
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [bar], %v6;
@!%p bra CONSUME;
ld.shared.b32 %v4, [%v2];
add.u32 %v5, %v5, %v4;
mbarrier.arrive.release.cta.shared::cta.b64 _, [bar+8];
xor.b32 %v6, %v6, 1;
add.u32 %v3, %v3, 1;
setp.lt.u32 %p, %v3, 8;
@%p bra CONSUME;
st.global.b32 [%r], %v5;
bra END;
PRODUCE:
mad.lo.u32 %v4, %v3, 100, %n;
st.shared.b32 [%v2], %v4;
mbarrier.arrive.release.cta.shared::cta.b64 _, [bar];
EMPTY:
mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [bar+8], %v6;
@!%p bra EMPTY;
xor.b32 %v6, %v6, 1;
add.u32 %v3, %v3, 1;
setp.lt.u32 %p, %v3, 8;
@%p bra PRODUCE;
END:
"""
    got, _ = _run(body, 64)
    assert np.array_equal(got[32:], sum(100 * i + np.arange(32) for i in range(8)))


def test_transactions_hold_a_phase_open() -> None:
    body = INIT.format(1) + """
@!%first bra REST;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 48;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v0, 1, 0, %p;
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 60;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v1, 2, 0, %p;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 4;
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
selp.b32 %v2, 4, 0, %p;
add.u32 %v0, %v0, %v1;
add.u32 %v0, %v0, %v2;
st.global.b32 [%r], %v0;
REST:
"""
    got, _ = _run(body)
    assert got[0] == 4


def test_pending_counts_and_dropped_arrivals() -> None:
    """The second phase expects what is left after two drops."""
    body = INIT.format(8) + """
@!%first bra REST;
mbarrier.arrive.noComplete.shared::cta.b64 %s0, [bar], 3;
mbarrier.arrive_drop.shared::cta.b64 %s1, [bar];
mbarrier.arrive_drop.noComplete.shared::cta.b64 %s2, [bar], 1;
mbarrier.arrive.shared::cta.b64 _, [bar], 3;
mbarrier.arrive.shared::cta.b64 %s3, [bar], 6;
mbarrier.pending_count.b64 %v0, %s0;
mbarrier.pending_count.b64 %v1, %s1;
mbarrier.pending_count.b64 %v2, %s2;
mbarrier.pending_count.b64 %v3, %s3;
st.global.v4.b32 [%r], {%v0, %v1, %v2, %v3};
mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 1;
selp.b32 %v0, 1, 0, %p;
st.global.b32 [%r+16], %v0;
REST:
"""
    got, _ = _run(body)
    assert got[:5].tolist() == [8, 5, 4, 6, 1]


def test_lanes_wait_for_their_own_phase() -> None:
    """Lane 0 waits for what lane 1 of the same warp does later."""
    body = INIT.format(1) + """
setp.eq.u32 %q, %n, 1;
@%q bra ARRIVE;
""" + WAIT.format(0, 0) + """
ld.shared.b32 %v0, [data];
st.global.b32 [%r], %v0;
bra END;
ARRIVE:
st.shared.b32 [data], 77;
mbarrier.arrive.shared::cta.b64 _, [bar];
st.global.b32 [%r], 5;
END:
"""
    got, _ = _run(body, 32)
    assert got[1] == 5 and (np.delete(got, 1) == 77).all()


def test_a_wait_that_nobody_ends_is_a_deadlock_that_names_the_object() -> None:
    body = INIT.format(33) + "mbarrier.arrive.shared::cta.b64 _, [bar];" + WAIT.format(0, 0)
    with pytest.raises(Hazard) as caught:
        _run(body, 32)
    assert caught.value.kind == "deadlock"
    assert _text(body).splitlines()[caught.value.line - 1].startswith("mbarrier.try_wait")
    for words in ("warp 0", "parity 0", "shared address 0x0", "lacks 1 of its 33 arrivals"):
        assert words in str(caught.value)


def test_a_wait_returns_false_where_nothing_else_can_go_on() -> None:
    """A bounded number of tries ends by itself."""
    body = INIT.format(33) + """
mov.b32 %v0, 0;
TRY:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@%p bra DONE;
add.u32 %v0, %v0, 1;
setp.lt.u32 %q, %v0, 5;
@%q bra TRY;
DONE:
st.global.b32 [%r], %v0;
"""
    got, _ = _run(body)
    assert (got == 5).all()


def test_relaxed_arrivals_make_nothing_known() -> None:
    body = INIT.format(32) + """
setp.eq.u32 %q, %w, 1;
@%q bra WAITS;
st.shared.b32 [data], 3;
mbarrier.arrive.{sem}.cta.shared::cta.b64 _, [bar];
bra END;
WAITS:
""" + WAIT.format(0, 0) + "ld.shared.b32 %v0, [data];\nst.global.b32 [%r], %v0;\nEND:\n"
    got, _ = _run(body.replace("{sem}", "release"), 64)
    assert (got[32:] == 3).all()
    with pytest.raises(Hazard, match="without being ordered") as caught:
        _run(body.replace("{sem}", "relaxed"), 64)
    assert caught.value.kind == "order"


RULES = {
    "mbarrier.arrive.shared::cta.b64 _, [bar+8];": "there is no mbarrier object",
    "ld.shared.b32 %v0, [bar+4];": "only mbarrier instructions may touch",
    "st.shared.b64 [bar], %x;": "only mbarrier instructions may touch",
    "@%first mbarrier.init.shared::cta.b64 [bar], 1;": "already",
    "@%first mbarrier.init.shared::cta.b64 [bar+8], 0;": "the count 0 is outside",
    "@%first mbarrier.arrive.shared::cta.b64 _, [bar], 5;": "5 arrivals are more than the 4",
    "@%first mbarrier.arrive.noComplete.shared::cta.b64 _, [bar], 4;": "which .noComplete forbids",
    "@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 1048576;": "1048576 bytes",
    # More than the sum may be, although the sum is not: an H200 stops at such a kernel.
    "@%first mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 1048576;": "1048576 bytes",
    "@%first mbarrier.arrive.shared::cta.b64 _, [bar+4];": "not a multiple of 8",
    "@%first mbarrier.inval.shared::cta.b64 [bar+16];": "there is no mbarrier object",
}


@pytest.mark.parametrize("statement", RULES)
def test_misuse_is_named(statement: str) -> None:
    body = INIT.format(4) + statement
    with pytest.raises(Hazard) as caught:
        _run(body)
    assert RULES[statement] in str(caught.value)
    assert _text(body).splitlines()[caught.value.line - 1] == statement


def test_an_old_state_is_no_phase_to_ask_for() -> None:
    body = INIT.format(1) + """
@!%first bra END;
mbarrier.arrive.shared::cta.b64 %s0, [bar];
mbarrier.arrive.shared::cta.b64 _, [bar];
mbarrier.test_wait.shared::cta.b64 %p, [bar], %s0;
END:
"""
    with pytest.raises(Hazard, match="the state is of phase 0, but the mbarrier is in phase 2"):
        _run(body)


def test_a_use_that_is_not_ordered_after_the_initialisation() -> None:
    body = """
@%first mbarrier.init.shared::cta.b64 [bar], 64;
mbarrier.arrive.shared::cta.b64 _, [bar];
"""
    with pytest.raises(Hazard) as caught:
        _run(body, 64)
    assert caught.value.kind == "order" and caught.value.wave == 1


def test_memory_is_ordinary_again_after_inval() -> None:
    body = INIT.format(1) + """
@%first mbarrier.inval.shared::cta.b64 [bar];
bar.sync 0;
st.shared.b32 [bar], 9;
ld.shared.b32 %v0, [bar];
st.global.b32 [%r], %v0;
"""
    got, _ = _run(body)
    assert (got == 9).all()


def test_polling_without_end_is_told_from_other_endless_loops() -> None:
    text = """.version 8.8
.target sm_90a
.address_size 64
.visible .entry k() {
.reg .pred %p; .shared .align 8 .b64 bar;
mbarrier.init.shared.b64 [bar], 1;
L: mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra L;
ret; }
"""
    device = lanemap.open_device("sm_90a", device="emulator")
    device.instruction_limit = 20_000  # type: ignore[attr-defined]
    with pytest.raises(Hazard, match="wait in loops for others, and nothing has changed"):
        device.load(text)["k"](1, 1, ())


ILLEGAL = [
    "mbarrier.init.shared::cluster.b64 [bar], 1;",
    "mbarrier.arrive.shared::cluster.b64 %s0, [bar];",
    "mbarrier.arrive.release.b64 %s0, [bar];",
    "mbarrier.arrive.expect_tx.shared::cta.b64 %s0, [bar];",
    "mbarrier.test_wait.parity.shared::cta.b64 %p, [bar], %s0;",
    "mbarrier.try_wait.shared::cluster.b64 %p, [bar], %s0;",
]


@pytest.mark.parametrize("statement", ILLEGAL)
def test_illegal_forms_are_refused(statement: str) -> None:
    with pytest.raises(PtxError):
        require(load(_text(statement), "k.ptx", {}))


def test_ptxas_refuses_them_too_and_accepts_the_others() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for statement in ILLEGAL:
        assert ptxas.judge(_text(statement), "sm_90a")[0] is None, statement
    for statement in RULES:
        cubin, messages = ptxas.judge(_text(INIT.format(4) + statement), "sm_90a")
        assert cubin is not None, (statement, messages)


# -- clusters ------------------------------------------------------------------------------------
_PEERS = """
.reg .b32 %k, %o, %a; .reg .b64 %y;
mov.u32 %k, %cluster_ctarank; xor.b32 %o, %k, 1;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
{fence}
barrier.cluster.arrive.{sem}.aligned; barrier.cluster.wait.acquire.aligned;
mov.u32 %a, bar; mapa.shared::cluster.u32 %a, %a, %o;
mov.u32 %v1, data; mapa.shared::cluster.u32 %v1, %v1, %o;
add.u32 %v2, %k, 40;
@%first st.shared::cluster.b32 [%v1], %v2;
@%first mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%a];
AGAIN: mbarrier.try_wait.parity.acquire.cluster{space}.b64 %p, [{waits}], 0;
@!%p bra AGAIN;
ld.shared.b32 %v0, [data];
mul.wide.u32 %y, %k, 256; add.u64 %r, %r, %y;
st.global.b32 [%r], %v0;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
"""
INIT_FENCE = "fence.mbarrier_init.release.cluster;"


#: The generic address of the other CTA's object.
REMOTE = "mov.u64 %y, bar; cvta.shared.u64 %y, %y; mapa.u64 %s0, %y, %o;"


def _run_pair(fence: str, sem: str, waits: str = "bar") -> Any:
    device = lanemap.open_device("sm_90a", device="emulator")
    result = device.zeros((2, 64), np.uint32)
    space = ".shared::cta" if waits == "bar" else ""
    text = _text(_PEERS.format(fence=fence, sem=sem, waits=waits, space=space))
    device.load(text)["kernel"]((2,), (64,), (result,), cluster=(2, 1, 1))
    return result.get()


@pytest.mark.parametrize(("fence", "sem"), [
    (INIT_FENCE, "relaxed"), (INIT_FENCE, "release"), ("", "release"),
    ("fence.acq_rel.cluster;", "relaxed"),
])  # fmt: skip
def test_each_cta_arrives_at_the_others_object(fence: str, sem: str) -> None:
    """Each CTA leaves a word in the other one's memory and wakes it."""
    assert np.array_equal(_run_pair(fence, sem), np.repeat([[41], [40]], 64, axis=1))


#: All lanes of warp 0 leave words in the other CTA. One of them arrives there, or one at each CTA.
_LANES = """
.reg .b32 %k, %o, %a; .reg .b64 %y; .reg .pred %all;
mov.u32 %k, %cluster_ctarank; xor.b32 %o, %k, 1; setp.lt.u32 %all, %n, 32;
@%first mbarrier.init.shared::cta.b64 [bar], {lanes};
@%first fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
xor.b32 %o, %n, %k; xor.b32 %o, %o, 1;
mov.u32 %a, bar; mapa.shared::cluster.u32 %a, %a, %o; xor.b32 %o, %k, 1;
setp.lt.u32 %q, %n, {lanes};
mov.u32 %v1, data; mad.lo.u32 %v1, %n, 4, %v1; mapa.shared::cluster.u32 %v3, %v1, %o;
add.u32 %v2, %n, 40;
@%all st.shared::cluster.b32 [%v3], %v2;
{meet}
@%q mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%a];
AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p, [bar], 0;
@!%p bra AGAIN;
mov.b32 %v0, 0;
@%all ld.shared.b32 %v0, [%v1];
mul.wide.u32 %y, %k, 256; add.u64 %r, %r, %y;
st.global.b32 [%r], %v0;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
"""


def _run_lanes(lanes: int, meet: str, strict: bool = True) -> Any:
    device = lanemap.open_device("sm_90a", device="emulator", strict=strict)
    result = device.zeros((2, 64), np.uint32)
    device.load(_text(_LANES.format(lanes=lanes, meet=meet)))["kernel"](
        (2,), (64,), (result,), cluster=(2, 1, 1))
    return result.get()


@pytest.mark.parametrize("lanes", [1, 2])
@pytest.mark.parametrize(("meet", "strict"), [("bar.warp.sync 0xffffffff;", True), ("", False)])
def test_one_lane_arrives_in_another_cta_for_its_warp(lanes: int, meet: str, strict: bool) -> None:
    expected = np.where(np.arange(64) < 32, np.arange(64) + 40, 0)
    assert np.array_equal(_run_lanes(lanes, meet, strict), [expected, expected])


@pytest.mark.parametrize("lanes", [1, 2])
def test_strict_wants_the_warp_to_meet_before_one_lane_arrives_in_another_cta(lanes: int) -> None:
    with pytest.raises(Hazard, match="before another lane of that warp arrived"):
        _run_lanes(lanes, "")


def test_an_initialisation_that_nothing_releases() -> None:
    with pytest.raises(Hazard, match="without being ordered") as caught:
        _run_pair("", "relaxed")
    assert caught.value.instruction.startswith(("mbarrier", "@%first mbarrier"))


#: A word that each CTA stores before the meeting, and the other one loads after it.
_BESIDE = """
.reg .b32 %k, %a; .reg .b64 %y;
mov.u32 %k, %cluster_ctarank; add.u32 %v2, %k, 40;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
@%first st.shared.b32 [data], %v2;
{fence}
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
xor.b32 %k, %k, 1; mov.u32 %a, data; mapa.shared::cluster.u32 %a, %a, %k;
ld.shared::cluster.b32 %v0, [%a];
mul.wide.u32 %y, %k, 256; add.u64 %r, %r, %y;
st.global.b32 [%r], %v0;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
"""


def _run_beside(fence: str) -> Any:
    device = lanemap.open_device("sm_90a", device="emulator")
    result = device.zeros((2, 64), np.uint32)
    device.load(_text(_BESIDE.format(fence=fence)))["kernel"](
        (2,), (64,), (result,), cluster=(2, 1, 1))
    return result.get()


@pytest.mark.parametrize("fence", [
    "fence.acq_rel.cluster;", "fence.release.sync_restrict::shared::cta.cluster;",
])  # fmt: skip
def test_a_fence_orders_what_was_stored_before_it(fence: str) -> None:
    assert np.array_equal(_run_beside(fence), np.repeat([[40], [41]], 64, axis=1))


def test_the_fence_of_initializations_orders_nothing_else() -> None:
    with pytest.raises(Hazard, match="reads shared memory at byte .* without being ordered"):
        _run_beside(INIT_FENCE)


def test_a_wait_for_the_object_of_another_cta() -> None:
    with pytest.raises(Hazard, match="a wait needs an mbarrier of its own CTA"):
        _run_pair(INIT_FENCE + "\n" + REMOTE, "release", "%s0")


#: Warp 0 of each CTA expects tiles, and that of CTA 0 fills those of both; warp 1 reads them, and
#: one thread of it arrives at the object of each CTA, one after the other.
_RING = """
.reg .b32 %k, %a, %b, %i, %f; .reg .b64 %y, %g; .reg .b16 %both;
.shared .align 16 .b8 tile[128];
mov.u32 %k, %cluster_ctarank; mov.b16 %both, 3; mov.b32 %i, 0; mov.b32 %f, 0; mov.b32 %v7, 0;
mov.u32 %v1, bar; mapa.shared::cluster.u32 %a, %v1, 0; mapa.shared::cluster.u32 %b, %v1, 1;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
@%first mbarrier.init.shared::cta.b64 [bar+8], 2;
@%first fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
ld.param.u64 %g, [result];
setp.eq.u32 %q, %w, 1; @%q bra CONSUME;
setp.ne.u32 %q, %n, 0; @%q bra END;
FILL: xor.b32 %v2, %f, 1;
EMPTY: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar+8], %v2;
@!%p bra EMPTY;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
setp.ne.u32 %q, %k, 0; @%q bra FILLED;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
  [tile], [%g], 128, [bar], %both;
FILLED: add.u64 %g, %g, 128;
xor.b32 %f, %f, 1; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra FILL;
bra END;
CONSUME: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], %f;
@!%p bra CONSUME;
mov.u32 %v3, tile; mad.lo.u32 %v3, %n, 4, %v3; ld.shared.b32 %v4, [%v3+-128];
add.u32 %v7, %v7, %v4;
bar.warp.sync 0xffffffff;
setp.eq.u32 %q, %n, 32;
@%q mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{one}];
@%q mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{two}];
xor.b32 %f, %f, 1; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra CONSUME;
mad.lo.u32 %v3, %k, 32, %n; mul.wide.u32 %y, %v3, 4; ld.param.u64 %g, [result]; add.u64 %g, %g, %y;
st.global.b32 [%g+384], %v7;
END: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
"""


@pytest.mark.parametrize(("one", "two"), [("a", "b"), ("b", "a")])
def test_arrivals_one_after_the_other_stand_for_each_other(one: str, two: str) -> None:
    """A reader may arrive at CTA 1 again before the other one, which has arrived at CTA 0, does."""
    device = lanemap.open_device("sm_90a", device="emulator")
    given = np.arange(192, dtype=np.uint32) ** 2
    result = device.array(given)
    text = _text(_RING.format(one=f"%{one}+8", two=f"%{two}+8"))
    device.load(text)["kernel"]((2,), (64,), (result,), cluster=(2, 1, 1))
    sums = given[:128].reshape(4, 32).sum(0)
    assert np.array_equal(result.get()[128:].reshape(2, 32), [sums, sums])
