"""Warps that can go on do so before another warp completes two phases of an mbarrier.

Nothing keeps a run on a GPU from that, but it needs a warp that is behind by a whole phase.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import lanemap

TEXT = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %n, %w, %i, %v; .reg .b64 %o, %d, %s; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; ld.param.u64 %o, [out];
mul.wide.u32 %d, %n, 4; add.u64 %o, %o, %d;
setp.eq.u32 %p0, %n, 0; @%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
mov.u32 %i, 0; setp.ne.u32 %p1, %w, PRODUCER;
LOOP:
@%p1 bra WAIT;
setp.eq.u32 %p0, %n, PRODUCER * 32; @%p0 mbarrier.arrive.shared::cta.b64 %s, [bar];
bra NEXT;
WAIT:
and.b32 %v, %i, 1;
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %v; @!%p2 bra WAIT;
NEXT:
add.u32 %i, %i, 1; setp.lt.u32 %p3, %i, PHASES; @%p3 bra LOOP;
st.global.u32 [%o], %i;
ret;
}
"""


#: A ring: consumers arrive at `empty` after each phase that they saw; the producer waits for that.
RING = (
    TEXT.replace(".b64 bar;", ".b64 bar; .shared .align 8 .b64 empty;")
    .replace("bar.sync 0;", "@%p0 mbarrier.init.shared::cta.b64 [empty], 96;\nbar.sync 0;")
    .replace("bra NEXT;", """AGAIN:
and.b32 %v, %i, 1;
mbarrier.try_wait.parity.shared::cta.b64 %p2, [empty], %v; @!%p2 bra AGAIN;
bra NEXT;""")
    .replace("bra WAIT;\nNEXT:", "bra WAIT;\nmbarrier.arrive.shared::cta.b64 %s, [empty];\nNEXT:")
)

#: One warp ends two phases without a branch in between, before others have reached their waits.
STRAIGHT = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %n, %w, %i, %v; .reg .b64 %o, %d, %s; .shared .align 8 .b64 bar;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; ld.param.u64 %o, [out];
mul.wide.u32 %d, %n, 4; add.u64 %o, %o, %d;
setp.eq.u32 %p0, %n, 0; @%p0 mbarrier.init.shared::cta.b64 [bar], 1;
bar.sync 0;
mov.u32 %i, 2; setp.ne.u32 %p1, %w, PRODUCER;
@%p1 bra WAIT;
setp.eq.u32 %p0, %n, PRODUCER * 32;
@%p0 mbarrier.arrive.shared::cta.b64 %s, [bar];
@%p0 mbarrier.arrive.shared::cta.b64 %s, [bar];
bra DONE;
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT;
AGAIN:
mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 1; @!%p2 bra AGAIN;
DONE:
st.global.u32 [%o], %i;
ret;
}
"""


def _run(text: str, producer: int, phases: int, strict: bool) -> NDArray[np.uint32]:
    device = lanemap.open_device("sm_90a", "emulator", strict=strict)
    out = device.zeros(128, np.uint32)
    text = text.replace("PRODUCER", str(producer)).replace("PHASES", str(phases))
    device.load(text)["kernel"](1, 128, (out,))
    return np.asarray(out.get())


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
def test_no_warp_is_lapped(producer: int, phases: int) -> None:
    assert np.array_equal(_run(TEXT, producer, phases, False), np.full(128, phases))


@pytest.mark.parametrize("producer", range(4))
def test_no_warp_is_lapped_by_straight_code(producer: int) -> None:
    assert np.array_equal(_run(STRAIGHT, producer, 2, False), np.full(128, 2))


@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
def test_a_ring_laps_nobody(producer: int, phases: int) -> None:
    assert np.array_equal(_run(RING, producer, phases, True), np.full(128, phases))
