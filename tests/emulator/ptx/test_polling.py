"""CTAs that wait for the whole grid, in loops with a barrier in them."""

from __future__ import annotations

import numpy as np

from tests import ptx

#: A barrier of the grid as a compiler for blocks of threads writes it: one lane polls, and what it
#: read goes to all warps through shared memory, between two barriers.
GRID_BARRIER = """\
  .reg .pred %first, %again;
  .reg .b32 %r<6>;
  .reg .b64 %at;
  .shared .align 4 .b8 seen[4];
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %first, %r2, 0;
  @%first atom.global.gpu.acq_rel.add.u32 %r3, [%count], 1;
  bar.sync 0;
again:
  bar.sync 0;
  @%first atom.global.gpu.acq_rel.add.u32 %r4, [%count], 0;
  @%first st.shared.u32 [seen], %r4;
  bar.sync 0;
  ld.shared.u32 %r5, [seen];
  setp.lt.u32 %again, %r5, %ctas;
  @%again bra again;
  mov.u32 %r4, %ctaid.x;
  mad.wide.u32 %at, %r4, 4, %out;
  @%first st.global.u32 [%at], %r5;"""


def test_a_grid_meets_where_one_warp_polls_and_the_others_wait_at_a_barrier() -> None:
    """Every CTA goes on once all have arrived, so each has read their number."""
    text, ctas = ptx.entry(GRID_BARRIER, "count out ctas:u32"), 40
    given = np.zeros(1, np.uint32), np.zeros(ctas, np.uint32), np.uint32(ctas)
    _, out = ptx.launch(text, *given, grid=ctas, block=128)
    assert out.tolist() == [ctas] * ctas
