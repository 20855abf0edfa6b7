"""fence.proxy.async.shared::cta hands over the shared memory of the CTA that executes it, no other.

PTX ISA, membar/fence: the state space behind .async says which memory the fence is for; shared::cta
is the executing CTA's window of shared memory, shared::cluster that of all CTAs of its cluster
(State Spaces, Shared State Space). Triton emits the fence of shared::cluster where an asynchronous
operation accesses a peer's memory (triton-lang/triton, pull request 10843).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx

CTAS, WORDS = 4, 32
CTA, CLUSTER = "fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cluster;"
ALL = "fence.proxy.async;"
RELEASE = "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;"
ACQUIRE = "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"
_BEGIN = """\
.reg .pred %one, %p<4>; .reg .b32 %n, %rank, %r<16>; .reg .b64 %d<8>;
.shared .align 128 .b8 data[128]; .shared .align 128 .b8 source[128]; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; mov.u32 %rank, %cluster_ctarank; setp.eq.u32 %one, %n, 0;
add.u32 %r0, %rank, 1; and.b32 %r0, %r0, 3; shl.b32 %r1, %n, 2;
mov.u32 %r2, data; add.u32 %r2, %r2, %r1; mov.u32 %r9, bar;
mapa.shared::cluster.u32 %r3, %r2, %r0;
shl.b32 %r4, %rank, 5; add.u32 %r4, %r4, %n; mad.lo.u32 %r4, %r4, 3, 1;
mul.wide.u32 %d0, %rank, 128; add.u64 %result, %result, %d0;
"""
_MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
OWN, NEXT = "st.shared.b32 [%r2], %r4;", "st.shared::cluster.b32 [%r3], %r4;"
#: Thread 0 stores its CTA's data to global memory.
OUT = """@%one cp.async.bulk.global.shared::cta.bulk_group [%result], [data], 128;
@%one cp.async.bulk.commit_group; @%one cp.async.bulk.wait_group 0;
"""
#: Thread 0 of each CTA overwrites the next one's data, and waits for its own.
OVER = """mapa.shared::cluster.u32 %r7, %r9, %r0; mov.u32 %r8, data;
mapa.shared::cluster.u32 %r8, %r8, %r0;
@%one cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes
[%r8], [source], 128, [%r7];
AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], 0;
@!%p1 bra AGAIN;
ld.shared.b32 %r5, [%r2]; mul.wide.u32 %d1, %n, 4; add.u64 %d2, %result, %d1;
st.global.b32 [%d2], %r5;
"""
_READY = """@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%one mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 128;
mov.u32 %r6, source; add.u32 %r6, %r6, %r1; st.shared.b32 [%r6], %r4; fence.proxy.async.shared::cta;
fence.mbarrier_init.release.cluster;
"""


def _text(*steps: str) -> str:
    """Steps with a meeting of the cluster after each."""
    body = _BEGIN + "".join(f"{step}\n{_MEET}" for step in steps)
    return ptx.entry(body, "given result")


def _run(text: str, strict: bool = False) -> Any:
    given, result = np.arange(CTAS * WORDS, dtype=np.uint32), np.zeros((CTAS, WORDS), np.uint32)
    _, result = ptx.launch(text, given, result, grid=CTAS, cluster=CTAS, strict=strict)
    return result


_OWN = np.arange(CTAS * WORDS).reshape(CTAS, WORDS) * 3 + 1
_FROM_BEFORE = np.roll(_OWN, 1, axis=0)
_ONE_CTA = "setp.eq.u32 %p2, %rank, {}; @%p2 {}"
_COPY = """shl.b32 %r5, %rank, 7; add.u32 %r5, %r5, %r1;
cvt.u64.u32 %d1, %r5; add.u64 %d1, %given, %d1;
cp.async.ca.shared.global [%r2], [%d1], 4; cp.async.wait_all;"""
CLEAN = {
    "the CTA's own memory": ((OWN + CTA, OUT), _OWN),
    "the CTA's own memory, as a release": ((OWN + RELEASE, OUT), _OWN),
    "another CTA's memory, shared::cluster": ((NEXT + CLUSTER, OUT), _FROM_BEFORE),
    "another CTA's memory, no space": ((NEXT + ALL, OUT), _FROM_BEFORE),
    "another CTA's memory, by its own CTA": ((NEXT, CTA + OUT), _FROM_BEFORE),
    "another CTA's memory, acquired": ((NEXT, ACQUIRE + OUT), _FROM_BEFORE),
    "both, each by its CTA": ((NEXT, OWN + CTA, CTA + OUT), _OWN),
    "overwritten by the next CTA": ((_READY + OWN + CTA, OVER), _FROM_BEFORE),
    "overwritten by the next CTA, shared::cluster": ((_READY + OWN, CLUSTER + OVER), _FROM_BEFORE),
    "copied": ((_COPY + CTA, OUT), np.arange(CTAS * WORDS).reshape(CTAS, WORDS)),
    "copied, shared::cluster": ((_COPY, CLUSTER + OUT),
                                np.arange(CTAS * WORDS).reshape(CTAS, WORDS)),
}  # fmt: skip
FAULTY = {
    "another CTA's memory": (NEXT + CTA, OUT),
    "another CTA's memory, as a release": (NEXT + RELEASE, OUT),
    "a third CTA's fence": (NEXT, _ONE_CTA.format(2, CTA), OUT),
    "overwritten by the next CTA": (_READY + OWN, CTA + OVER),
    "copied, a third CTA's fence": (_COPY, _ONE_CTA.format(2, CTA), OUT),
}


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", CLEAN)
def test_what_was_handed_over_may_be_accessed(name: str, strict: bool) -> None:
    steps, expected = CLEAN[name]
    assert np.array_equal(_run(_text(*steps), strict), expected)


@pytest.mark.parametrize("name", FAULTY)
def test_what_was_not_is_a_hazard(name: str) -> None:
    with pytest.raises(Hazard, match="through the async proxy") as caught:
        _run(_text(*FAULTY[name]))
    assert caught.value.kind == "order"
    if "copied" not in name and "third" not in name:
        assert "fence.proxy.async.shared::cluster" in str(caught.value)


def test_without_any_fence_the_report_asks_for_none_of_a_space() -> None:
    with pytest.raises(Hazard, match="fence.proxy.async is missing between them"):
        _run(_text(OWN, OUT))


@pytest.mark.parametrize(("fence", "noted"), [(CTA, True), (CLUSTER, False), (ALL, False)])
def test_an_mbarrier_of_another_cta_needs_the_wider_fence(fence: str, noted: bool) -> None:
    ready = _READY.replace("fence.mbarrier_init.release.cluster;", "").replace(CTA, "")
    device = lanemap.open_device("sm_90a", device="emulator")
    result = device.zeros((CTAS, WORDS), np.uint32)
    device.load(_text(ready, CTA + fence + OVER))["k"](
        (CTAS, 1, 1), (WORDS, 1, 1), (result, result), cluster=(CTAS, 1, 1)
    )
    assert np.array_equal(result.get(), _FROM_BEFORE)
    assert ["mbarrier" in str(note) for note in device.notes] == [True] * noted


def test_ptxas_accepts_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for name, steps in [*FAULTY.items(), *((name, steps) for name, (steps, _) in CLEAN.items())]:
        cubin, messages = ptxas.judge(_text(*steps), "sm_90a")
        assert cubin is not None, (name, messages)
