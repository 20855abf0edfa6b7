"""cp.async and cp.async.bulk against what the PTX ISA says that they copy, and when it is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

_BEGIN = """\
.reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<16>;
.shared .align 128 .b8 data[8192]; .shared .align 8 .b64 bar[4];
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %given, %d0; add.u64 %d2, %result, %d0;
mov.u32 %r1, data; shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1;
"""
#: Each thread stores the 16 bytes at its place in shared memory.
_STORE = """ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2];
st.global.v4.b32 [%d2], {%r4, %r5, %r6, %r7};
"""
_INIT = """@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
"""
_FETCH = """@!%p0 bra WAIT;
mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], {size};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [data], [%given], {size}, [bar];
WAIT:
"""
_WAIT = """AGAIN:
mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;
@!%p1 bra AGAIN;
"""
_GIVEN = np.arange(64 * 4, dtype=np.uint32) * np.uint32(2654435761)


def run(
    body: str,
    threads: int = 64,
    target: str = "sm_90a",
    ctas: int = 1,
    cluster: int = 1,
    **options: Any,
) -> Any:
    """What each thread stored: [threads, 4] words."""
    text = ptx.entry(_BEGIN + body, "given result", target=target)
    result = np.zeros((ctas * threads, 4), np.uint32)
    sizes = {"grid": ctas, "block": threads, "cluster": cluster}
    _, result = ptx.launch(text, _GIVEN, result, **sizes, **options)
    return result


def test_cp_async_copies_and_its_group_is_waited_for() -> None:
    body = """cp.async.cg.shared.global [%r2], [%d1], 16;
cp.async.commit_group;
cp.async.wait_group 0;
"""
    assert np.array_equal(run(body + _STORE), _GIVEN.reshape(64, 4))


def test_cp_async_without_a_wait_is_pending() -> None:
    body = """cp.async.cg.shared.global [%r2], [%d1], 16;
cp.async.commit_group;
"""
    with pytest.raises(Hazard) as caught:
        run(body + _STORE)
    assert caught.value.kind == "pending"
    assert "`cp.async.cg.shared.global [%r2], [%d1], 16` (line 10)" in str(caught.value)
    assert "cp.async.wait_group" in str(caught.value)


def test_a_bulk_copy_arrives_with_its_mbarrier() -> None:
    body = _INIT + _FETCH.format(size=1024) + _WAIT + _STORE
    assert np.array_equal(run(body), _GIVEN.reshape(64, 4))


def test_a_bulk_copy_that_nobody_waited_for_is_pending() -> None:
    body = _INIT + _FETCH.format(size=1024) + "bar.sync 0;\n" + _STORE
    with pytest.raises(Hazard) as caught:
        run(body)
    assert caught.value.kind == "pending"
    assert "phase 0 of the mbarrier at shared address 0x2000" in str(caught.value)
    assert "cp.async.bulk.shared::cluster.global" in str(caught.value)


# -- cp.async --------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [4, 8, 16])
@pytest.mark.parametrize("counted", [None, 0, 1, 3, "size"])
def test_cp_async_fills_with_zeros_behind_its_source(size: int, counted: int | str | None) -> None:
    """PTX ISA, cp.async: what src-size leaves out of cp-size is zeros."""
    count = size if counted in (None, "size") else int(counted or 0)
    operand = "" if counted is None else f", {count}"
    zeros = "st.shared.v4.b32 [%r2], {-1, -1, -1, -1};\n"
    body = f"""{zeros}cp.async.ca.shared::cta.global.L2::128B [%r2], [%d1], {size}{operand};
cp.async.wait_all;
"""
    got = run(body + _STORE).view(np.uint8)
    expected = np.full((64, 16), 255, np.uint8)
    expected[:, :size] = 0
    expected[:, :count] = _GIVEN.view(np.uint8).reshape(64, 16)[:, :count]
    assert np.array_equal(got, expected)


def test_a_source_of_no_bytes_may_lie_anywhere() -> None:
    body = """setp.ge.u32 %p2, %r0, 32; selp.u32 %r8, 0, 16, %p2; selp.u64 %d1, 64, %d1, %p2;
cp.async.cg.shared.global.L2::cache_hint [%r2], [%d1], 16, %r8, %d9;
cp.async.commit_group; cp.async.wait_group 0;
"""
    expected = _GIVEN.reshape(64, 4).copy()
    expected[32:] = 0
    assert np.array_equal(run("mov.b64 %d9, 0;" + body + _STORE), expected)


def test_ignore_src_gives_zeros() -> None:
    body = """and.b32 %r8, %r0, 1; setp.eq.u32 %p2, %r8, 1;
cp.async.ca.shared.global [%r2], [%d1], 16, %p2; cp.async.wait_all;
"""
    expected = _GIVEN.reshape(64, 4).copy()
    expected[1::2] = 0
    assert np.array_equal(run(body + _STORE), expected)


_RING = """mov.u32 %r9, 0; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0;
cp.async.cg.shared.global [%r2], [%d1], 16; cp.async.commit_group;
cp.async.cg.shared.global [%r2+1024], [%d1], 16; cp.async.commit_group;
cp.async.wait_group {allowed};
ld.shared.b32 %r4, [%r2]; cp.async.wait_group 0; ld.shared.b32 %r5, [%r2+1024];
st.global.v4.b32 [%d2], {{%r4, %r5, 0, 0}};
"""


def test_wait_group_leaves_the_last_groups() -> None:
    got = run(_RING.format(allowed=1))
    assert np.array_equal(got[:, 0], _GIVEN[::4])
    assert np.array_equal(got[:, 1], _GIVEN[::4])
    with pytest.raises(Hazard) as caught:
        run(_RING.format(allowed=2))
    assert caught.value.kind == "pending"


@pytest.mark.parametrize("wait", ["cp.async.wait_all", "cp.async.wait_group 0"])
def test_a_wait_of_another_lane_does_not_count(wait: str) -> None:
    """PTX ISA, cp.async.wait_group: groups belong to the thread that executes it."""
    body = "cp.async.cg.shared.global [%r2], [%d1], 16;\ncp.async.commit_group;\n"
    assert np.array_equal(run(f"{body}{wait};\n{_STORE}", threads=32), _GIVEN.reshape(64, 4)[:32])
    with pytest.raises(Hazard) as caught:
        run(f"{body}@%p0 {wait};\nbar.warp.sync -1;\n{_STORE}", threads=32)
    assert caught.value.kind == "pending"


def test_a_lane_that_copied_nothing_need_not_wait() -> None:
    body = """mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;
setp.lt.u32 %p2, %r0, 8; @!%p2 bra END;
cp.async.cg.shared.global [%r2], [%d1], 16; cp.async.commit_group; cp.async.wait_group 0;
ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2];
END: st.global.v4.b32 [%d2], {%r4, %r5, %r6, %r7};
"""
    got = run(body, threads=32)
    assert np.array_equal(got[:8], _GIVEN.reshape(64, 4)[:8]) and not got[8:].any()


def test_halves_of_a_warp_may_copy_for_two_mbarriers() -> None:
    body = """@%p0 mbarrier.init.shared::cta.b64 [bar], 16;
@%p0 mbarrier.init.shared::cta.b64 [bar+8], 16;
bar.sync 0; mov.u32 %r8, bar;
setp.lt.u32 %p2, %r0, 16; @%p2 bra LOWER;
cp.async.cg.shared.global [%r2], [%d1], 16;
add.u32 %r8, %r8, 8; cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r8];
bra WAIT;
LOWER: cp.async.cg.shared.global [%r2], [%d1], 16;
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r8];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r8], 0; @!%p1 bra WAIT;
"""
    assert np.array_equal(run(body + _STORE, threads=32), _GIVEN.reshape(64, 4)[:32])


@pytest.mark.parametrize("counted", [False, True], ids=["inc", "noinc"])
def test_cp_async_arrives_at_an_mbarrier(counted: bool) -> None:
    """64 arrivals of copies (.noinc), or 64 ordinary ones beside them."""
    arrive = "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];"
    if not counted:
        arrive = """cp.async.mbarrier.arrive.shared.b64 [bar];
mbarrier.arrive.shared::cta.b64 %d3, [bar];"""
    body = (
        f"""@%p0 mbarrier.init.shared::cta.b64 [bar], 64;
bar.sync 0;
xor.b32 %r8, %r0, 32; shl.b32 %r8, %r8, 4; add.u32 %r8, %r8, %r1;
cp.async.cg.shared.global [%r8], [%d1], 16;
{arrive}
"""
        + _WAIT
        + _STORE
    )
    got = run(body).reshape(2, 32, 4)
    assert np.array_equal(got[::-1].reshape(64, 4), _GIVEN.reshape(64, 4))


def test_an_arrival_of_copies_makes_nothing_else_known() -> None:
    body = (
        """@%p0 mbarrier.init.shared::cta.b64 [bar], 64;
bar.sync 0;
xor.b32 %r8, %r0, 32; shl.b32 %r8, %r8, 4; add.u32 %r8, %r8, %r1;
st.shared.b32 [%r8], %r0;
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];
"""
        + _WAIT
        + _STORE
    )
    with pytest.raises(Hazard, match="without being ordered after the write"):
        run(body)


# -- cp.async.bulk ---------------------------------------------------------------------------------
_FENCED = "fence.proxy.async.shared::cta; bar.sync 0;\n"


def _copied_out(wait: str, fence: str = _FENCED) -> str:
    return (
        """ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%d1];
st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};
"""
        + fence
        + """@!%p0 bra DONE;
cp.async.bulk.global.shared::cta.bulk_group [%result], [data], 1024;
cp.async.bulk.commit_group;
"""
        + wait
        + """DONE:
"""
    )


def test_a_bulk_copy_to_global_memory() -> None:
    assert np.array_equal(run(_copied_out("cp.async.bulk.wait_group 0;\n")), _GIVEN.reshape(64, 4))


def test_a_bulk_copy_reads_only_what_was_handed_over() -> None:
    with pytest.raises(Hazard, match=r"fence\.proxy\.async is missing"):
        run(_copied_out("", "bar.sync 0;\n"))
    with pytest.raises(Hazard, match=r"fence\.proxy\.async and a barrier are missing"):
        run(_copied_out("", "").replace("@!%p0 bra", "setp.ne.u32 %p0, %r0, 32;\n@%p0 bra"))


def test_the_source_is_locked_until_it_was_read() -> None:
    write = "st.shared.b32 [data], 7;\n"
    assert run(_copied_out("cp.async.bulk.wait_group.read 0;\n" + write))[0, 0] == _GIVEN[0]
    with pytest.raises(Hazard, match=r"wait_group\.read by its own warp is missing"):
        run(_copied_out(write))


def test_wait_group_read_says_nothing_of_the_destination() -> None:
    read = "ld.global.b32 %r4, [%result]; st.global.b32 [%result+16], %r4;\n"
    run(_copied_out("cp.async.bulk.wait_group 0;\n" + read))
    with pytest.raises(Hazard, match="commit_group and wait_group by its own warp is missing"):
        run(_copied_out("cp.async.bulk.wait_group.read 0;\n" + read))


def test_a_byte_mask_repeats_every_16_bytes() -> None:
    """PTX ISA, cp.async.bulk: bit i of byteMask copies byte i of each 16-byte chunk."""
    body = _copied_out("cp.async.bulk.wait_group 0;\n").replace(
        "bulk_group [%result], [data], 1024", "bulk_group.cp_mask [%result], [data], 1024, %h0"
    )
    masked = ".reg .b16 %h0; mov.b16 %h0, 0x50c3;" + body
    got = run(masked, target="sm_100a").view(np.uint8)
    kept = [bool(0x50C3 >> i & 1) for i in range(16)]
    assert np.array_equal(got, np.where(kept, _GIVEN.view(np.uint8).reshape(64, 16), 0))


@pytest.mark.parametrize(
    ("size", "words"), [(8, "8 bytes are not a multiple of 16"), (2048, "outside every allocation")]
)
def test_sizes_of_bulk_copies(size: int, words: str) -> None:
    with pytest.raises(Hazard, match=words):
        run(_INIT + _FETCH.format(size=size) + _WAIT + _STORE)


def test_a_bulk_copy_must_be_aligned() -> None:
    with pytest.raises(Hazard, match="is not a multiple of 16 bytes"):
        run(_INIT + _FETCH.format(size=512).replace("[%given]", "[%given+8]") + _WAIT + _STORE)


def test_the_wrong_mbarrier_does_not_help() -> None:
    body = (
        """@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 mbarrier.init.shared::cta.b64 [bar+8], 1;
bar.sync 0;
"""
        + _FETCH.format(size=1024)
        + "@%p0 mbarrier.arrive.shared::cta.b64 %d3, [bar+8];\n"
    )
    wait = _WAIT.replace("[bar]", "[bar+8]")
    assert np.array_equal(
        run(body + wait + _WAIT.replace("AGAIN", "MORE") + _STORE), _GIVEN.reshape(64, 4)
    )
    with pytest.raises(Hazard, match=r"after phase 0 of the mbarrier at shared address 0x2000"):
        run(body + wait + _STORE)


def test_what_one_warp_waited_for_a_barrier_passes_on() -> None:
    body = _INIT + _FETCH.format(size=1024) + "setp.lt.u32 %p3, %r0, 32;\n@!%p3 bra MEET;\n"
    assert np.array_equal(run(body + _WAIT + "MEET: bar.sync 0;\n" + _STORE), _GIVEN.reshape(64, 4))
    with pytest.raises(Hazard, match="without being ordered after the read by warp 1"):
        run(body + _WAIT + "MEET:\n" + _STORE)


def test_phases_follow_each_other() -> None:
    """Two fetches to one place by one mbarrier: the second is known only by the second phase."""
    second = _FETCH.replace("WAIT", "W2").replace("[%given]", "[%given+16]").format(size=512)
    wait = _WAIT.replace("AGAIN", "A2").replace("[bar], 0", "[bar], 1")
    body = _INIT + _FETCH.format(size=512) + _WAIT + "bar.sync 0;\n" + second
    got = run(body + wait + _STORE, threads=32)
    assert np.array_equal(got, _GIVEN.reshape(64, 4)[1:33])
    with pytest.raises(Hazard, match="phase 1 of the mbarrier"):
        run(body + _STORE, threads=32)


def test_a_multicast_reaches_every_cta_of_its_mask() -> None:
    body = """@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mov.u32 %r9, %cluster_ctarank; mov.u32 %r8, %ctaid.x;
mad.wide.u32 %d2, %r8, 1024, %d2;
@!%p0 bra WAIT;
mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 512;
setp.ne.u32 %p4, %r9, 1; @%p4 bra WAIT;
cvt.u16.u32 %h0, 11;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
  [data], [%given], 512, [bar], %h0;
WAIT: setp.eq.u32 %p5, %r9, 2; @%p5 bra END; setp.ge.u32 %p6, %r0, 32; @%p6 bra END;
"""
    got = run(f".reg .b16 %h0;{body}{_WAIT}{_STORE}END:", ctas=4, cluster=4)
    for rank in range(4):
        expected = _GIVEN.reshape(64, 4).copy()
        expected[32:] = 0
        assert np.array_equal(got[64 * rank : 64 * rank + 64], expected * (rank != 2)), rank


def test_a_copy_to_another_cta() -> None:
    """Each CTA of a pair sends its data to the other, whose mbarrier counts the bytes."""
    body = """@%p0 mbarrier.init.shared::cta.b64 [bar], 1;
@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 1024;
mov.u32 %r9, %cluster_ctarank; xor.b32 %r8, %r9, 1;
add.u32 %r4, %r0, %r9; st.shared.v4.b32 [%r2], {%r4, %r9, 2, 3};
fence.proxy.async.shared::cta; fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mov.u32 %r10, bar; mapa.shared::cluster.u32 %r10, %r10, %r8;
add.u32 %r11, %r1, 4096; mapa.shared::cluster.u32 %r11, %r11, %r8;
mad.wide.u32 %d2, %r9, 1024, %d2; add.u32 %r2, %r2, 4096;
@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r11], [data], 1024,
  [%r10];
"""
    ended = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    got = run(body + _WAIT + ended + _STORE, ctas=2, cluster=2)
    thread, rank = np.arange(128) % 64, np.arange(128) // 64
    expected = np.stack([thread + (1 - rank), 1 - rank, 0 * rank + 2, 0 * rank + 3], 1)
    assert np.array_equal(got, expected)
    assert np.array_equal(run(body + _WAIT + _STORE, ctas=2, cluster=2), expected)


def test_bulk_prefetch_is_a_hint() -> None:
    hint = "cp.async.bulk.prefetch.L2.global [%given], {};\n"
    run(hint.format(64) + "st.shared.v4.b32 [%r2], {1, 1, 1, 1};\n" + _STORE)
    with pytest.raises(Hazard, match="12 bytes are not a multiple of 16"):
        run(hint.format(12) + "st.shared.v4.b32 [%r2], {1, 1, 1, 1};\n" + _STORE)


# -- between clusters
_SENT = """mov.u32 %r8, %ctaid.x; setp.eq.u32 %p2, %r8, 1; @!%p0 bra END; @%p2 bra READ;
st.shared.v4.b32 [data], {{1, 2, 3, 4}};
fence.proxy.async;
cp.async.bulk.global.shared::cta.bulk_group [%result], [data], 16;
cp.async.bulk.commit_group;
{wait}
st.release.gpu.global.u32 [%result+16], 1;
bra END;
READ: ld.acquire.gpu.global.u32 %r4, [%result+16]; setp.eq.u32 %p3, %r4, 1; @!%p3 bra READ;
ld.global.u32 %r5, [%result+8]; st.global.u32 [%result+32], %r5;
END:
"""


def test_a_release_passes_on_that_a_bulk_copy_is_complete() -> None:
    got = run(_SENT.format(wait="cp.async.bulk.wait_group 0;"), threads=32, ctas=2)
    assert got[2, 0] == 3
    with pytest.raises(Hazard, match="its completion, a release and an acquire at GPU scope"):
        run(_SENT.format(wait="cp.async.bulk.wait_group.read 0;"), threads=32, ctas=2)


_TAKEN = """mov.u32 %r8, %ctaid.x; setp.eq.u32 %p2, %r8, 1; @!%p0 bra END; @%p2 bra READ;
st.global.v4.b32 [%result], {{1, 2, 3, 4}};
{writer}
st.release.gpu.global.u32 [%result+16], 1;
bra END;
READ: mbarrier.init.shared::cta.b64 [bar], 1;
POLL: ld.acquire.gpu.global.u32 %r4, [%result+16]; setp.eq.u32 %p3, %r4, 1; @!%p3 bra POLL;
{reader}
mbarrier.arrive.expect_tx.shared::cta.b64 %d3, [bar], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [data], [%result], 16, [bar];
AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra AGAIN;
ld.shared.u32 %r5, [data+8]; st.global.u32 [%result+32], %r5;
END:
"""


@pytest.mark.parametrize("side", ["writer", "reader", ""])
def test_a_bulk_copy_of_what_another_cluster_wrote(side: str) -> None:
    fences = {name: "fence.proxy.async;" if name == side else "" for name in ("writer", "reader")}
    if side:
        assert run(_TAKEN.format(**fences), threads=32, ctas=2)[2, 0] == 3
        return
    with pytest.raises(Hazard, match=r"another CTA wrote .*: fence\.proxy\.async is missing"):
        run(_TAKEN.format(**fences), threads=32, ctas=2)


@pytest.mark.parametrize("statement", [
    "cp.async.cg.shared.global [%r2], [%d9], 16;",
    "cp.async.ca.shared.global [%r2], [%d1], 16, %r9;",
    "cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], %r9;",
    "cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r9], 16;",
])  # fmt: skip
def test_undefined_addresses_and_sizes_are_hazards(statement: str) -> None:
    with pytest.raises(Hazard, match="undefined bits .*r9|undefined bits .*d9"):
        run(f"st.shared.v4.b32 [%r2], {{%r0, %r0, %r0, %r0}};\n{statement}")
