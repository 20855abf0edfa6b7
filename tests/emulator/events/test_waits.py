"""What waves wait for in the scheduler, in kernels where that can be told."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.devices.emulator import Counts
from tests.emulator.events.kernels import counted, device, gfx, ptx, waves_and_lanes


def waits(counts: Counts) -> dict[str, int]:
    return {one.reason: one.waits for one in counts.waits}


def turns(counts: Counts) -> dict[str, int]:
    return {one.reason: one.turns for one in counts.waits}


@pytest.mark.parametrize("warps", [1, 2, 8])
def test_all_warps_but_the_last_wait_at_a_barrier(warps: int) -> None:
    text = ptx("bar.sync 0; mov.u32 %r1, 1; bar.sync 0;", parameters="")
    counts = counted(device(), text, 3, 32 * warps, [])
    expected = 3 * 2 * (warps - 1)
    assert waits(counts) == ({"barrier": expected} if expected else {})
    assert waves_and_lanes(counts, "mov.u32") == (3 * warps, 3 * warps * 32)


def test_turns_pass_while_another_warp_is_busy() -> None:
    """Warp 0 goes round a loop that polls; warp 1 waits at the barrier for each of its turns."""
    body = """
        mov.u32 %t, %tid.x; setp.ge.u32 %p, %t, 32; mov.u32 %r1, tile; mov.u32 %r2, 0;
        st.volatile.shared.u32 [%r1], %r2;
        @%p bra MEET;
        LOOP: ld.volatile.shared.u32 %r3, [%r1]; add.u32 %r2, %r2, 1;
        setp.lt.u32 %q, %r2, {rounds}; @%q bra LOOP;
        MEET: bar.sync 0;
    """
    found = {}
    for rounds in (64, 640):
        text = ptx(body.replace("{rounds}", str(rounds)), parameters="")
        counts = counted(device(), text, 1, 64, [])
        assert waits(counts)["barrier"] == 1
        found[rounds] = waits(counts)["poll"], turns(counts)["barrier"]
    # a warp that polls lets others run: the barrier's turns grow as the polls do
    polls, passed = (found[640][i] - found[64][i] for i in range(2))
    assert polls > 0 and passed == polls


def test_an_mbarrier_is_waited_for_and_tried_once() -> None:
    body = """
        mov.u32 %t, %tid.x; mov.u32 %r1, tile; setp.eq.u32 %p, %t, 0;
        @%p mbarrier.init.shared.b64 [%r1], 1;
        bar.sync 0;
        setp.ge.u32 %p, %t, 32; @%p bra WAIT;
        setp.eq.u32 %q, %t, 0; @%q mbarrier.arrive.shared.b64 %d1, [%r1];
        bra END;
        WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%r1], 0;
        END:
    """
    counts = counted(device(), ptx(body, parameters=""), 2, 64, [])
    # warp 0 waits at the barrier for warp 1, which runs on from there to the mbarrier and waits
    assert waits(counts) == {"barrier": 2, "mbarrier phase": 2}
    # it looked twice, and executed the instruction once
    assert waves_and_lanes(counts, "mbarrier.try_wait") == (2, 2 * 32)
    assert waves_and_lanes(counts, "@%q mbarrier.arrive") == (2, 2)
    assert counts.by_kind()["mbarrier"].waves == 2 * (2 + 1 + 1)  # init, by both warps


def test_a_cluster_barrier() -> None:
    body = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    counts = counted(device(), ptx(body, parameters=""), 8, 64, [], cluster=4)
    # of the 8 warps of a cluster all but the last to arrive wait
    assert waits(counts) == {"cluster barrier": 2 * 7}
    assert waves_and_lanes(counts, "barrier.cluster.arrive") == (16, 16 * 32)
    assert waves_and_lanes(counts, "barrier.cluster.wait") == (16, 16 * 32)


def test_columns_of_tensor_memory_are_waited_for() -> None:
    """Warp 0 has all columns, and polls for a while before it gives them back."""
    body = """
        mov.u32 %t, %tid.x; mov.u32 %r4, tile; setp.ge.u32 %p, %t, 32; mov.u32 %r2, 0;
        @%p add.u32 %r4, %r4, 8;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r4], 512;
        ld.shared.u32 %r1, [%r4];
        LOOP: ld.volatile.shared.u32 %r3, [%r4]; add.u32 %r2, %r2, 1;
        setp.lt.u32 %q, %r2, 20; @%q bra LOOP;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 512;
    """
    text = ptx(body, parameters="", shared=1024, target="sm_100a")
    counts = counted(device("sm_100a"), text, 3, 64, [])
    assert waits(counts)["tensor memory columns"] == 3
    # warp 1 looked for columns more than once, and allocates once
    assert waves_and_lanes(counts, "tcgen05.alloc") == (6, 6 * 32)
    assert waves_and_lanes(counts, "tcgen05.dealloc") == (6, 6 * 32)


def test_waits_for_counters_that_found_something_outstanding() -> None:
    body = """
        s_load_dwordx4 s[4:7], s[0:1], 0x0
        v_lshlrev_b32 v1, 2, v0
        s_waitcnt lgkmcnt(0)
        s_waitcnt lgkmcnt(0)
        global_load_dword v2, v1, s[4:5]
        global_load_dword v3, v1, s[4:5]
        s_waitcnt vmcnt(2)
        s_waitcnt vmcnt(1)
        v_add_u32 v2, v2, v2
        ds_write_b32 v1, v2
        s_waitcnt vmcnt(0) lgkmcnt(0)
        s_barrier
        s_waitcnt vmcnt(0) lgkmcnt(0)
    """
    opened = device("gfx950")
    counts = counted(opened, gfx(body), 2, 128, [opened.zeros(128, np.uint32), np.uint64(0)])
    waves = 2 * 2
    assert waits(counts) == {"lgkmcnt": 2 * waves, "vmcnt": 2 * waves, "barrier": waves}
    assert counts.by_kind()["wait"].waves == 6 * waves
    assert counts.by_kind()["barrier"].waves == waves
