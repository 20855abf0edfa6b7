"""mbarrier objects in clusters: who arrives where, and what fences and arrivals order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.test_mbarrier import kernel_text

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
    text = kernel_text(_PEERS.format(fence=fence, sem=sem, waits=waits, space=space))
    device.load(text)["k"]((2,), (64,), (result,), cluster=(2, 1, 1))
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
    device.load(kernel_text(_LANES.format(lanes=lanes, meet=meet)))["k"](
        (2,), (64,), (result,), cluster=(2, 1, 1)
    )
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
    device.load(kernel_text(_BESIDE.format(fence=fence)))["k"](
        (2,), (64,), (result,), cluster=(2, 1, 1)
    )
    return result.get()


@pytest.mark.parametrize(
    "fence",
    [
        "fence.acq_rel.cluster;",
        "fence.release.sync_restrict::shared::cta.cluster;",
    ],
)
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
ld.param.u64 %g, [out];
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
{between}
@%q mbarrier.arrive.release.cluster.shared::cluster.b64 _, [{two}];
xor.b32 %f, %f, 1; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra CONSUME;
mad.lo.u32 %v3, %k, 32, %n; mul.wide.u32 %y, %v3, 4; ld.param.u64 %g, [out]; add.u64 %g, %g, %y;
st.global.b32 [%g+384], %v7;
END: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
"""


#: The reader of one CTA is slow between its two arrivals: all other warps come as far as they can.
_SLOW = """setp.ne.u32 %p, %k, {cta}; @%p bra QUICK;
mov.u32 %v5, 0;
SPIN: add.u32 %v5, %v5, 1; setp.lt.u32 %p, %v5, 20000; @%p bra SPIN;
QUICK:"""


def _run_ring(one: str, two: str, between: str, change: tuple[str, str] = ("", "")) -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    given = np.arange(192, dtype=np.uint32) ** 2
    result = device.array(given)
    text = kernel_text(_RING.format(one=f"%{one}+8", two=f"%{two}+8", between=between))
    device.load(text.replace(*change))["k"]((2,), (64,), (result,), cluster=(2, 1, 1))
    sums = given[:128].reshape(4, 32).sum(0)
    assert np.array_equal(result.get()[128:].reshape(2, 32), [sums, sums])


@pytest.mark.parametrize(("one", "two"), [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("slow", ["", _SLOW.format(cta=0), _SLOW.format(cta=1)])
def test_arrivals_one_after_the_other_stand_for_each_other(one: str, two: str, slow: str) -> None:
    """A reader may arrive at CTA 1 again before the other one, which has arrived at CTA 0, does."""
    _run_ring(one, two, slow)


_BOTH = "@%first mbarrier.init.shared::cta.b64 [bar+8], 2;"


@pytest.mark.parametrize("slow", ["", _SLOW.format(cta=0), _SLOW.format(cta=1)])
@pytest.mark.parametrize("few", [
    "@%first mbarrier.init.shared::cta.b64 [bar+8], 1;",  # of both CTAs
    "sub.u32 %v2, 2, %k; @%first mbarrier.init.shared::cta.b64 [bar+8], %v2;",  # of CTA 1
])  # fmt: skip
def test_too_small_a_count_shows_at_any_of_the_arrivals(few: str, slow: str) -> None:
    """A producer that goes on too early arms its phase twice, if that comes first."""
    with pytest.raises(
        Hazard, match="but nothing orders it after phase|more than the 0 that phase"
    ):
        _run_ring("a", "b", slow, (_BOTH, few))
