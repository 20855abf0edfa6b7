"""tcgen05.commit stands for what its own thread has issued (PTX ISA, tcgen05.commit), and no more.

Lanes of one warp issue copies and commit them, each for itself; who waits for a lane's mbarrier may
read what that lane has copied. tests/hazards/sm_100a/commit*.ptx are the faults.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

_BEGIN = """\
.reg .pred %p, %one, %two, %even; .reg .b32 %n, %base, %to, %v<4>; .reg .b64 %r, %from;
.shared .align 1024 .b8 data[512]; .shared .b32 slot; .shared .align 8 .b64 bar[2];
mov.u32 %n, %tid.x; setp.eq.u32 %one, %n, 0; setp.eq.u32 %two, %n, 1;
@%one mbarrier.init.shared::cta.b64 [bar], COUNT; @%one mbarrier.init.shared::cta.b64 [bar+8], 1;
mad.lo.u32 %v0, %n, 7, 5; mov.u32 %v1, data; mad.lo.u32 %v1, %n, 16, %v1;
st.shared.v4.b32 [%v1], {%v0, %v0, %v0, %v0}; fence.proxy.async.shared::cta;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128;
bar.sync 0;
ld.shared.b32 %base, [slot]; mov.u32 %v2, data; shr.u32 %v2, %v2, 4;
cvt.u64.u32 %from, %v2; or.b64 %from, %from, 0x400800000000; mov.u32 %v3, -1;
"""
_END = """mad.wide.u32 %r, %n, 4, %out;
st.global.b32 [%r], %v3; bar.sync 0;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 128;
"""
COPIED = 7 * np.arange(32) + 5


def _copy(who: str, column: int | str) -> str:
    """A copy of the data to four columns, by a predicate's lanes."""
    to = f"%base+{column}" if isinstance(column, int) else column
    return f"{who} tcgen05.cp.cta_group::1.32x128b.warpx4 [{to}], %from;\n"


def _commit(who: str, at: int = 0) -> str:
    return (
        f"{who} tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar+{at}];\n"
    )


def _wait(at: int = 0, phase: int = 0) -> str:
    return (
        f"{{ AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar+{at}], {phase};\n"
        "@!%p bra AGAIN; }\ntcgen05.fence::after_thread_sync;\n"
    )


def _read(*columns: int) -> str:
    """Each thread's least value so far."""
    return "".join(
        f"tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v0}}, [%base+{column}];\n"
        "tcgen05.wait::ld.sync.aligned; min.u32 %v3, %v3, %v0;\n"
        for column in columns
    )


ONE, TWO = "@%one", "@%two"
_IN_TURN = "".join(_copy(who, 4 * n % 128) for n in range(40) for who in (ONE, TWO))
CLEAN = {
    "all lanes": (32, "mad.lo.u32 %to, %n, 4, %base;\n" + _copy("", "%to") + _commit("") + _wait()
                  + _read(0, 21, 126)),
    "two lanes in turn, many times": (2, _IN_TURN + _commit(ONE) + _commit(TWO) + _wait()
                                      + _read(0, 21, 126)),
    "each lane to an mbarrier of its own": (
        1, _copy(ONE, 0) + _copy(TWO, 4) + _copy(ONE, 8) + _commit(ONE) + _wait() + _read(0, 8)
        + _commit(TWO, 8) + _wait(8) + _read(4)),
    "again": (1, "".join(
        _copy(TWO, 4 * n) + _copy(ONE, 64) + _commit(ONE) + _wait(0, n % 2) + _read(64)
        + _commit(TWO, 8) + _wait(8, n % 2) + _read(4 * n, 64) for n in range(4))),
    "one lane, two commits": (2, _copy(ONE, 0) + _commit(ONE) + _copy(ONE, 4) + _commit(ONE)
                              + _wait() + _read(0, 4)),
}  # fmt: skip
FAULTY = {
    "the other lane's in between": (
        1, _copy(ONE, 0) + _copy(TWO, 4) + _copy(ONE, 8) + _commit(ONE) + _wait() + _read(0, 4)),
    "the other lane's before": (
        1, _copy(TWO, 4) + _copy(ONE, 8) + _commit(ONE) + _wait() + _read(8, 4)),
    "committed since, to another mbarrier": (
        1, _copy(TWO, 4) + _copy(ONE, 8) + _commit(ONE) + _commit(TWO, 8) + _wait() + _read(8, 4)),
    "in the second round": (
        1, _copy(TWO, 4) + _commit(TWO, 8) + _wait(8) + _read(4) + _copy(TWO, 4) + _copy(ONE, 8)
        + _commit(ONE) + _wait() + _read(8, 4)),
}  # fmt: skip


def _text(count: int, body: str) -> str:
    whole = _BEGIN.replace("COUNT", str(count)) + body + _END
    return ptx.entry(whole, target="sm_100a")


def _run(count: int, body: str, strict: bool) -> Any:
    (result,) = ptx.launch(_text(count, body), np.zeros(32, np.uint32), strict=strict)
    return result


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", CLEAN)
def test_what_its_lane_committed_may_be_read(name: str, strict: bool) -> None:
    assert np.array_equal(_run(*CLEAN[name], strict), COPIED)


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("name", FAULTY)
def test_what_another_lane_committed_is_a_hazard(name: str, strict: bool) -> None:
    with pytest.raises(Hazard, match="column 4 .*tcgen05.commit and a wait for its mbarrier"):
        _run(*FAULTY[name], strict)


def test_the_dealloc_needs_the_commit_too() -> None:
    body = _copy(TWO, 4) + _copy(ONE, 8) + _commit(ONE) + _wait() + _read(8)
    with pytest.raises(Hazard, match="deallocates .*; lane 1 issued it, and no other lane's"):
        _run(1, body, False)


def test_ptxas_accepts_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for name, (count, body) in (CLEAN | FAULTY).items():
        cubin, messages = ptxas.judge(_text(count, body), "sm_100a")
        assert cubin is not None, (name, messages)
