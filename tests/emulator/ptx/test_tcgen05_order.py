"""Every way in which two warps meet passes the order of tensor memory on.

Strict asks for the two fences of the ISA; by default a relaxed meeting alone needs them, because
what Triton 3.9 and CuTe DSL 4.8.1 compile never has them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

_BEFORE = "tcgen05.fence::before_thread_sync;"
_AFTER = "tcgen05.fence::after_thread_sync;"


def _polled(load: str) -> str:
    return f"AGAIN:\n{load}\nsetp.eq.u32 %p, %v3, 0;\n@%p bra AGAIN;"


#: What warp 0 does after it has stored, and what warp 4 does before it loads.
WAYS: dict[str, tuple[str, str]] = {
    "bar.sync": ("bar.sync 1, 64;", "bar.sync 1, 64;"),
    "bar.arrive": ("bar.arrive 1, 64;", "bar.sync 1, 64;"),
    "mbarrier": (
        "mbarrier.arrive.shared::cta.b64 _, [bar];",
        "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;\n@!%p bra AGAIN;",
    ),
    "relaxed mbarrier": (
        "mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [bar];",
        "AGAIN: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p, [bar], 0;\n"
        "@!%p bra AGAIN;",
    ),
    "release and acquire": (
        "st.release.cta.shared.b32 [flag], 1;", _polled("ld.acquire.cta.shared.b32 %v3, [flag];")
    ),
    "relaxed flag": (
        "st.relaxed.cta.shared.b32 [flag], 1;", _polled("ld.relaxed.cta.shared.b32 %v3, [flag];")
    ),
    "volatile flag": (
        "st.volatile.shared.b32 [flag], 1;", _polled("ld.volatile.shared.b32 %v3, [flag];")
    ),
    "atomic": (
        "red.relaxed.cta.shared.add.u32 [flag], 1;",
        _polled("atom.relaxed.cta.shared.add.u32 %v3, [flag], 0;"),
    ),
}  # fmt: skip


def _text(way: str, before: str = _BEFORE, after: str = _AFTER) -> str:
    leave, come = WAYS[way]
    body = f"""\
.reg .pred %p, %one; .reg .b32 %n, %w, %base, %v<4>; .reg .b64 %r;
.shared .b32 slot; .shared .b32 flag; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; setp.eq.u32 %one, %n, 0;
@%one mbarrier.init.shared::cta.b64 [bar], 32;
@%one st.shared.b32 [flag], 0;
setp.eq.u32 %p, %w, 0;
@%p tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;
bar.sync 0;
ld.shared.b32 %base, [slot];
setp.eq.u32 %p, %w, 4;
@%p bra LOAD;
setp.ne.u32 %p, %w, 0;
@%p bra END;
mul.lo.u32 %v0, %n, 3;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%base], {{%v0}};
tcgen05.wait::st.sync.aligned;
{before}
{leave}
bra END;
LOAD:
{come}
{after}
tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v1}}, [%base];
tcgen05.wait::ld.sync.aligned;
sub.u32 %v2, %n, 128; mad.wide.u32 %r, %v2, 4, %out;
st.global.b32 [%r], %v1;
END:
bar.sync 0;
setp.eq.u32 %p, %w, 0;
@%p tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 32;"""
    return ptx.entry(body, target="sm_100a")


RELAXED = ("relaxed mbarrier", "relaxed flag", "volatile flag", "atomic")


def _run(text: str, strict: bool = True) -> Any:
    (result,) = ptx.launch(text, np.zeros(32, np.uint32), block=160, strict=strict)
    return result


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_with_both_fences_the_store_is_seen(way: str, strict: bool) -> None:
    assert np.array_equal(_run(_text(way), strict), 3 * np.arange(32))


@pytest.mark.parametrize("missing", ["before", "after"])
@pytest.mark.parametrize("way", WAYS)
def test_without_one_of_them_it_is_a_hazard(way: str, missing: str) -> None:
    with pytest.raises(Hazard, match=f"tcgen05.fence::{missing}_thread_sync") as caught:
        _run(_text(way, **{missing: ""}))
    assert caught.value.kind == "order" and caught.value.wave == 4


@pytest.mark.parametrize("way", [way for way in WAYS if way not in RELAXED])
def test_release_and_acquire_are_enough_by_default(way: str) -> None:
    assert np.array_equal(_run(_text(way, "", ""), strict=False), 3 * np.arange(32))


@pytest.mark.parametrize("missing", ["before", "after"])
@pytest.mark.parametrize("way", RELAXED)
def test_a_relaxed_meeting_needs_both_fences_by_default(way: str, missing: str) -> None:
    with pytest.raises(Hazard) as caught:
        _run(_text(way, **{missing: ""}), strict=False)
    assert caught.value.kind == "order" and caught.value.wave == 4


def test_by_default_the_store_is_waited_for() -> None:
    text = _text("bar.sync", "", "").replace("tcgen05.wait::st.sync.aligned;", "", 1)
    with pytest.raises(Hazard, match="tcgen05.wait::st by warp 0"):
        _run(text, strict=False)


def test_by_default_the_warps_meet() -> None:
    text = _text("bar.sync", "", "").replace("bar.sync 1, 64;", "")
    with pytest.raises(Hazard, match="a barrier or mbarrier that orders warp"):
        _run(text, strict=False)


def test_a_fence_that_no_lane_executes_is_none() -> None:
    with pytest.raises(Hazard, match=r"tcgen05.fence::before_thread_sync"):
        _run(_text("bar.sync", before=f"setp.eq.u32 %p, %n, 1000;\n@%p {_BEFORE}"))


@pytest.mark.parametrize("compiler", ["triton", "cute_dsl"])
def test_compilers_leave_the_fences_out(compiler: str) -> None:
    """What docs/emulator-tensor-memory.md says of them."""
    folder = Path(__file__).resolve().parent / compiler
    texts = [path.read_text() for path in folder.glob("*.sm_100a.ptx")]
    products = [text for text in texts if "tcgen05.mma" in text]
    assert products and not any("tcgen05.fence" in text for text in texts)


def test_ptxas_accepts_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for way in WAYS:
        cubin, messages = ptxas.judge(_text(way), "sm_100a")
        assert cubin is not None, (way, messages)
