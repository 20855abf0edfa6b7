"""CTAs that wait for the whole grid, in loops with a barrier in them."""

from __future__ import annotations

import numpy as np

import lanemap

#: A barrier of the grid as a compiler for blocks of threads writes it: one lane polls, and what it
#: read goes to all warps through shared memory, between two barriers.
GRID_BARRIER = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry meet(.param .u64 count, .param .u64 out, .param .u32 ctas) {
  .reg .pred %first, %again;
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  .shared .align 4 .b8 seen[4];
  ld.param.u64 %rd1, [count];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [ctas];
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %first, %r2, 0;
  @%first atom.global.gpu.acq_rel.add.u32 %r3, [%rd1], 1;
  bar.sync 0;
again:
  bar.sync 0;
  @%first atom.global.gpu.acq_rel.add.u32 %r4, [%rd1], 0;
  @%first st.shared.u32 [seen], %r4;
  bar.sync 0;
  ld.shared.u32 %r5, [seen];
  setp.lt.u32 %again, %r5, %r1;
  @%again bra again;
  mov.u32 %r4, %ctaid.x;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd2, %rd3;
  @%first st.global.u32 [%rd4], %r5;
  ret;
}
"""


def test_a_grid_meets_where_one_warp_polls_and_the_others_wait_at_a_barrier() -> None:
    """Every CTA goes on once all have arrived, so each has read their number."""
    device = lanemap.open_device("sm_90a", "emulator")
    ctas = 40
    count, out = device.zeros(1, np.uint32), device.zeros(ctas, np.uint32)
    module = device.load(GRID_BARRIER)
    module["meet"](ctas, 128, (count, out, np.uint32(ctas)))
    assert out.get().tolist() == [ctas] * ctas
