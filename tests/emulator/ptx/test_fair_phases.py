"""Warps that can go on do so before another warp completes two phases of an mbarrier.

Nothing keeps a run on a GPU from that, but it needs a warp that is behind by a whole phase.
"""

from __future__ import annotations

import numpy as np
import pytest

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


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("producer", range(4))
@pytest.mark.parametrize("phases", [2, 3, 20])
def test_no_warp_is_lapped(producer: int, phases: int, strict: bool) -> None:
    device = lanemap.open_device("sm_90a", "emulator", strict=strict)
    out = device.zeros(128, np.uint32)
    text = TEXT.replace("PRODUCER", str(producer)).replace("PHASES", str(phases))
    device.load(text)["kernel"](1, 128, (out,))
    assert np.array_equal(out.get(), np.full(128, phases))
