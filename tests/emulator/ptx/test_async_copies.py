"""cp.async and cp.async.bulk against what the PTX ISA says that they copy, and when it is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

_HEAD = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 given, .param .u64 result) {
.reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %given, %result, %d<16>;
.shared .align 128 .b8 data[8192]; .shared .align 8 .b64 bar[4];
ld.param.u64 %given, [given]; ld.param.u64 %result, [result];
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
mul.wide.u32 %d0, %r0, 16; add.u64 %d1, %given, %d0; add.u64 %d2, %result, %d0;
mov.u32 %r1, data; shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1;
"""
#: Each thread stores the 16 bytes at its place in shared memory.
_STORE = """ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2];
st.global.v4.b32 [%d2], {%r4, %r5, %r6, %r7};
ret;
}
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


def run(body: str, threads: int = 64, target: str = "sm_90a", **options: Any) -> Any:
    """What each thread stored: [threads, 4] words."""
    device = lanemap.open_device(target, device="emulator", **options)
    given, result = device.array(_GIVEN), device.zeros(threads * 4, np.uint32)
    kernel = device.load(_HEAD + body)["k"]
    kernel((1, 1, 1), (threads, 1, 1), (given, result))
    return result.get().reshape(threads, 4)


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
    assert "`cp.async.cg.shared.global [%r2], [%d1], 16` (line 11)" in str(caught.value)
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
