"""Relaxed meetings compose with the fences of tcgen05, up to the dealloc.

PTX ISA, Specialized Inter-thread Synchronization for tcgen05: the two fences compose with execution
ordering instructions, among them mbarrier and barrier instructions, whether they release or not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

BEFORE, AFTER = "tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;"
_MBARRIER = """mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [bar];
AGAIN{n}: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p, [bar], {n};
@!%p bra AGAIN{n};"""
#: How the two warps meet for the n-th time.
WAYS = {
    "cluster barrier": "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;",
    "mbarrier": _MBARRIER,
}
_BEGIN = """\
.reg .pred %p, %first; .reg .b32 %n, %w, %base, %own, %other, %v<2>; .reg .b64 %r;
.shared .b32 slot; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; setp.eq.u32 %first, %w, 0;
setp.eq.u32 %p, %n, 0;
@%p mbarrier.init.shared::cta.b64 [bar], 64;
@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
bar.sync 0;
ld.shared.b32 %base, [slot];
and.b32 %v0, %w, 3; setp.ne.u32 %p, %v0, 0;
@%p bra END;
add.u32 %own, %base, %w; xor.b32 %v0, %w, 4; add.u32 %other, %base, %v0;
mul.lo.u32 %v0, %n, 3;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%own], {%v0};
tcgen05.wait::st.sync.aligned;
"""
_LOAD = """tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%other];
tcgen05.wait::ld.sync.aligned;
mad.wide.u32 %r, %n, 4, %out;
st.global.b32 [%r], %v1;
"""
_END = """@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 32;
END:"""
FENCES = (BEFORE, AFTER, BEFORE, AFTER)


def _text(way: str, fences: tuple[str, ...] = FENCES) -> str:
    """Warps 0 and 4 exchange what they stored, then warp 0 deallocates: two meetings."""
    meetings = [f"{fences[2 * n]}\n{WAYS[way].format(n=n)}\n{fences[2 * n + 1]}\n" for n in (0, 1)]
    body = _BEGIN + meetings[0] + _LOAD + meetings[1] + _END
    return ptx.entry(body, target="sm_100a")


def _run(text: str, strict: bool) -> Any:
    (result,) = ptx.launch(text, np.zeros(160, np.uint32), block=160, strict=strict)
    return result


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("way", WAYS)
def test_with_the_fences_loads_and_the_dealloc_are_in_order(way: str, strict: bool) -> None:
    got = _run(_text(way), strict)
    assert np.array_equal(got[:32], 3 * np.arange(128, 160))
    assert np.array_equal(got[128:], 3 * np.arange(32))


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("missing", range(4))
@pytest.mark.parametrize("way", WAYS)
def test_without_one_of_them_it_is_a_hazard(way: str, missing: int, strict: bool) -> None:
    fences = tuple("" if number == missing else fence for number, fence in enumerate(FENCES))
    with pytest.raises(Hazard, match="deallocates" if missing >= 2 else "reads") as caught:
        _run(_text(way, fences), strict)
    assert caught.value.kind == "order"
    if missing % 2:
        assert "after_thread_sync" in str(caught.value)


@pytest.mark.parametrize("way", WAYS)
def test_a_load_that_nobody_waited_for_is_a_hazard_at_the_dealloc(way: str) -> None:
    text = _text(way).replace("tcgen05.wait::ld.sync.aligned;", "")
    text = text.replace("st.global.b32 [%r], %v1;", "")
    with pytest.raises(Hazard, match="tcgen05.wait::ld by warp 4"):
        _run(text, strict=False)


@pytest.mark.parametrize("way", WAYS)
def test_ptxas_accepts_the_texts(way: str) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    cubin, messages = ptxas.judge(_text(way), "sm_100a")
    assert cubin is not None, messages
