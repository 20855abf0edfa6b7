"""Allocation of tensor memory: between CTAs of one SM, and by a pair of CTAs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.errors import UserError
from tests import ptx
from tests.emulator.ptx.launching import require

#: Warp 0 of each CTA; %c its number in the grid, %f the flag in result[2], %r its own word.
_BEGIN = """\
.reg .pred %p; .reg .b32 %c, %t, %v<4>; .reg .b64 %r, %f, %x;
.shared .b32 slot;
mov.u32 %c, %ctaid.x;
add.u64 %f, %out, 1024; mad.wide.u32 %r, %c, 4, %out;
"""
_ALLOC = """tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;
ld.shared.b32 %t, [slot];
"""
_FREE = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 512;\n"
_SET_FLAG = "st.release.gpu.global.b32 [%f], 1;\n"
_AWAIT_FLAG = "AGAIN: ld.acquire.gpu.global.b32 %v0, [%f]; setp.eq.u32 %p, %v0, 0; @%p bra AGAIN;\n"


def _text(body: str) -> str:
    return ptx.entry(_BEGIN + body, target="sm_100a")


def _run(
    body: str, grid: int, multiprocessors: int | None, cluster: int = 1, threads: int = 32
) -> Any:
    device = lanemap.open_device("sm_100a", device="emulator")
    device.multiprocessors = multiprocessors
    text, result = _text(body), np.zeros(512, np.uint32)
    sizes = {"grid": grid, "block": threads, "cluster": cluster}
    (result,) = ptx.launch(text, result, device=device, **sizes)
    return result


def test_a_cta_waits_until_the_other_one_deallocates() -> None:
    """Both want all of the one SM; CTA 0 keeps it until CTA 1 has begun."""
    body = f"""setp.eq.u32 %p, %c, 1;
@%p bra SECOND;
{_ALLOC}{_AWAIT_FLAG}st.global.b32 [%r], 5;
{_FREE}bra END;
SECOND:
{_SET_FLAG}{_ALLOC}st.global.b32 [%r], 7;
{_FREE}END:
"""
    assert _run(body, 2, 1)[:2].tolist() == [5, 7]


HOLDS_AND_WAITS = f"""setp.eq.u32 %p, %c, 1;
{_ALLOC}@%p bra SECOND;
{_AWAIT_FLAG}{_FREE}bra END;
SECOND:
{_SET_FLAG}{_FREE}END:
st.global.b32 [%r], %c;
"""


def test_holding_all_columns_while_waiting_for_the_next_cta_never_ends() -> None:
    device = lanemap.open_device("sm_100a", device="emulator")
    device.multiprocessors = 1
    device.instruction_limit = 20_000
    text, result = _text(HOLDS_AND_WAITS), np.zeros(512, np.uint32)
    with pytest.raises(Hazard) as caught:
        ptx.launch(text, result, grid=2, device=device)
    assert caught.value.kind in ("deadlock", "endless-loop")


def test_ctas_of_a_small_grid_have_an_sm_each() -> None:
    """The same kernel ends on a B200, whose 148 SMs have a tensor memory each."""
    assert _run(HOLDS_AND_WAITS, 2, None)[:2].tolist() == [0, 1]
    assert _run(HOLDS_AND_WAITS, 2, 2)[:2].tolist() == [0, 1]


def test_two_ctas_that_each_lack_the_others_columns_are_a_deadlock() -> None:
    """Both hold half of the SM and want another half."""
    half = _ALLOC.replace("512", "256")
    body = f"""{half}
st.global.b32 [%r], %c;
setp.eq.u32 %p, %c, 1;
@%p bra SECOND;
{_AWAIT_FLAG}bra MORE;
SECOND:
{_SET_FLAG}MORE:
{half.replace("%t", "%v1")}
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %v1, 256;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 256;
"""
    with pytest.raises(Hazard, match="columns of tensor memory") as caught:
        _run(body, 2, 1)
    assert caught.value.kind == "deadlock"
    text = _text(body).splitlines()
    assert text[caught.value.line - 1].startswith("tcgen05.alloc")


def test_allocations_of_a_cta_lie_apart() -> None:
    """Four allocations, given back in another order, then all of it at once."""
    sizes = (128, 128, 64, 32)
    body = "".join(
        f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], {size};\n"
        f"ld.shared.b32 %v{i}, [slot]; st.global.b32 [%r+{4 * i}], %v{i};\n"
        for i, size in enumerate(sizes)
    )
    body += "".join(
        f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %v{i}, {sizes[i]};\n" for i in (1, 3, 0, 2)
    )
    got = _run(body + _ALLOC + "st.global.b32 [%r+16], %t;\n" + _FREE, 1, None)
    taken = [set(range(at, at + size)) for at, size in zip(got[:4].tolist(), sizes, strict=True)]
    assert sum(map(len, taken)) == len(set().union(*taken)) == sum(sizes)
    assert set().union(*taken) <= set(range(512)) and got[4] == 0


def test_a_warp_of_sixteen_threads_gets_the_address() -> None:
    """All columns begin at column 0 of lane 0; the upper lanes of the warp do not exist."""
    body = f"{_ALLOC}add.u32 %v0, %t, 7; st.global.b32 [%r], %v0;\n{_FREE}"
    assert _run(body, 1, None, threads=16)[0] == 7


_RELINQUISH = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"


@pytest.mark.parametrize(
    ("before", "aligned"),
    [
        ("", _ALLOC.splitlines(keepends=True)[0]),
        (_ALLOC, _FREE),
        (_ALLOC, _RELINQUISH),
    ],
)
def test_half_a_warp_waits_for_the_other_half(before: str, aligned: str) -> None:
    """PTX ISA: all threads of the warp must execute the same .aligned instruction."""
    body = f"""mov.u32 %v1, %tid.x; setp.ge.u32 %p, %v1, 16;
{before}@%p bra SKIP;
{aligned}SKIP: bar.warp.sync 0xffffffff;
"""
    with pytest.raises(Hazard, match="lanes") as caught:
        _run(body, 1, None)
    assert caught.value.kind == "deadlock"
    lines = _text(body).splitlines()
    assert lines[caught.value.line - 1] == aligned.strip()


# -- pairs of CTAs -------------------------------------------------------------------------------
PAIR = """.reg .b64 %d<4>; .reg .b16 %both; .reg .b32 %k, %e, %n, %w, %q;
.reg .pred %lead, %one, %first; mov.b16 %both, 3;
.shared .align 1024 .b8 source[1024]; .shared .align 8 .b64 bar;
mov.u32 %k, %cluster_ctarank; mov.u32 %n, %tid.x; shr.u32 %w, %n, 5;
setp.eq.u32 %one, %n, 0; setp.eq.u32 %lead, %k, 0; and.pred %lead, %lead, %one;
setp.eq.u32 %first, %w, 0;
@%one mbarrier.init.shared::cta.b64 [bar], 1;
@%one fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;
@%first tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 64;
@%first tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
mov.u32 %v1, source; mad.lo.u32 %v2, %n, 4, %v1; mad.lo.u32 %v3, %k, 1000, %n;
st.shared.b32 [%v2], %v3;
fence.proxy.async.shared::cta;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
ld.shared.b32 %t, [slot];
shl.b32 %q, %w, 21; add.u32 %q, %q, %t;
shr.u32 %v1, %v1, 4; cvt.u64.u32 %d0, %v1; or.b64 %d0, %d0, 0x400800000000;
"""
_COPY = """@%lead tcgen05.cp.cta_group::2.32x128b.warpx4 [%t], %d0;
@%lead tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64
[bar], %both;
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra WAIT;
tcgen05.fence::after_thread_sync;
"""
_LOAD = """tcgen05.ld.sync.aligned.32x32b.x1.b32 {%e}, [%q+1];
tcgen05.wait::ld.sync.aligned;
mad.lo.u32 %v1, %c, 128, %n; mad.wide.u32 %r, %v1, 4, %out;
st.global.b32 [%r], %e;
tcgen05.fence::before_thread_sync;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
tcgen05.fence::after_thread_sync;
"""
_END = "@%first tcgen05.dealloc.cta_group::2.sync.aligned.b32 %t, 64;\n"


def test_a_pair_allocates_copies_and_commits_together() -> None:
    """The leader copies and commits; both CTAs see what lay in their own shared memory."""
    got = _run(PAIR + _COPY + _LOAD + _END, 4, None, cluster=2, threads=128)
    row = np.arange(128) % 32
    for cta in range(4):
        expected = 1000 * (cta % 2) + 4 * row + 1
        assert np.array_equal(got[128 * cta : 128 * cta + 128], expected), cta


RUNS = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;\n"
#: Warp 0 of each CTA waits for a flag of the other one, where its result will lie.
FLAGS = """mul.lo.u32 %v1, %c, 512; cvt.u64.u32 %d1, %v1; add.u64 %d1, %d1, %out;
xor.b32 %v1, %c, 1; mul.lo.u32 %v1, %v1, 512; cvt.u64.u32 %d2, %v1; add.u64 %d2, %d2, %out;
mov.u32 %v1, 1; @%one st.release.gpu.global.u32 [%d1], %v1;
@!%first bra KNOWN;
SPIN: ld.acquire.gpu.global.u32 %e, [%d2]; setp.eq.u32 %p, %e, 0; @%p bra SPIN;
KNOWN:
"""
#: What comes before the allocation, and whether it leaves unknown that the peer CTA runs.
BEFORE = {
    "nothing": ("", True),
    "a barrier of the CTA": ("bar.sync 0;\n", True),
    "an arrival without the wait": ("barrier.cluster.arrive.relaxed.aligned;\n", True),
    "a cluster barrier": (RUNS, False),
    "one that releases": (RUNS.replace(".relaxed", ""), False),
    "flags": (FLAGS, False),
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_pair_allocates_once_the_peer_is_known_to_run(name: str) -> None:
    before, faulty = BEFORE[name]
    body = PAIR.replace(RUNS, before)
    if "without" in name:
        wait = "barrier.cluster.wait.aligned;\n"
        body = body.replace("@%first tcgen05.relinquish", f"{wait}@%first tcgen05.relinquish")
    if not faulty:
        _run(body + _COPY + _LOAD + _END, 2, None, cluster=2, threads=128)
        return
    with pytest.raises(Hazard, match="nothing tells this warp that the CTA of rank 1 runs"):
        _run(body + _COPY + _LOAD + _END, 2, None, cluster=2, threads=128)


def test_a_pair_shifts_together() -> None:
    store = """mad.lo.u32 %v1, %c, 500, %n;
tcgen05.st.sync.aligned.32x32b.x8.b32 [%q], {%v1, %v1, %v1, %v1, %v1, %v1, %v1, %v1};
tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
tcgen05.fence::after_thread_sync;
"""
    copy = "cp.cta_group::2.32x128b.warpx4 [%t], %d0"
    shift = _COPY.replace(copy, "shift.cta_group::2.down [%t]")
    got = _run(PAIR + store + shift + _LOAD + _END, 2, None, cluster=2, threads=128)
    for cta in range(2):
        thread = np.arange(128)
        thread[:31] += 1
        assert np.array_equal(got[128 * cta : 128 * cta + 128], 500 * cta + thread), cta


def test_the_peer_must_have_handed_its_source_to_the_async_proxy() -> None:
    """Only the leader's own writes went through a proxy fence."""
    body = PAIR.replace("fence.proxy.async.shared::cta;", "@%lead fence.proxy.async.shared::cta;")
    body = body.replace("@%lead fence", "setp.eq.u32 %p, %k, 0; @%p fence")
    with pytest.raises(Hazard, match="fence.proxy.async is missing") as caught:
        _run(body + _COPY + _LOAD + _END, 2, None, cluster=2, threads=128)
    assert "CTA 1" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        PAIR.replace("@%first tcgen05.dealloc", "").replace(
            "setp.eq.u32 %first, %w, 0;\n", "setp.eq.u32 %first, %w, 0;\n@!%lead bra SKIP;\n"
        )
        + "SKIP:\n",
    ],
)
def test_an_allocation_that_the_peer_does_not_ask_for_never_ends(body: str) -> None:
    with pytest.raises(Hazard) as caught:
        _run(body, 2, None, cluster=2)
    assert caught.value.kind in ("deadlock", "rule")
    assert "tcgen05.alloc" in caught.value.instruction or "columns" in str(caught.value)


def test_a_pair_needs_a_cluster() -> None:
    with pytest.raises(Hazard, match="has no peer in its cluster of 1"):
        _run(PAIR + _END, 1, None, threads=128)


def test_the_ctas_of_a_cluster_have_sms_of_their_own() -> None:
    with pytest.raises(UserError, match="a cluster of 2 CTAs needs as many SMs; there are 1"):
        _run(PAIR + _END, 2, 1, cluster=2, threads=128)


def test_groups_of_ctas_do_not_mix_in_a_kernel() -> None:
    from lanemap.emulator.ptx import load
    from lanemap.emulator.ptx.text.errors import PtxError

    text = _text(PAIR + _END.replace("group::2", "group::1"))
    with pytest.raises(PtxError, match="must have the same .cta_group"):
        require(load(text, "k.ptx"))


def test_ptxas_accepts_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for body in (PAIR + _COPY + _LOAD + _END, HOLDS_AND_WAITS):
        cubin, messages = ptxas.judge(_text(body), "sm_100a")
        assert cubin is not None, messages
