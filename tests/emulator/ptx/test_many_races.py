"""Loads that race with writes of other warps, many of them, whose values decide nothing."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx import launching

#: Both warps of a CTA go over its lines of 128 bytes; warp `reader` loads what the other stores.
TEXT = """.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 at, .param .u64 out, .param .u32 lines, .param .u32 reader)
.reqntid 64
{{
.reg .b64 %a, %o; .reg .b32 %i, %n, %v, %t, %lane, %reader, %s; .reg .pred %p, %q;
ld.param.u64 %a, [at]; ld.param.u64 %o, [out]; ld.param.u32 %n, [lines];
ld.param.u32 %reader, [reader];
mov.u32 %t, %tid.x; and.b32 %lane, %t, 31; shr.u32 %t, %t, 5;
mov.u32 %i, %ctaid.x; mul.lo.u32 %i, %i, %n; mul.wide.u32 %o, %i, 128; add.u64 %a, %a, %o;
mad.wide.u32 %a, %lane, 4, %a; ld.param.u64 %o, [out]; mad.wide.u32 %o, %lane, 4, %o;
setp.eq.u32 %q, %t, %reader;
mov.b32 %i, 0; mov.b32 %s, 0;
LOOP:
@%q ld.global.b32 %v, [%a];
@%q add.u32 %s, %s, %v;
@!%q st.global.b32 [%a], %i;
add.u64 %a, %a, 128; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n;
@%p bra LOOP;
{use}
ret;
}}
"""
LINES, CTAS = 700, 9


def run(reader: int, use: str) -> np.ndarray:
    at = np.zeros(CTAS * LINES * 32, np.uint32)
    out = np.zeros(32, np.uint32)
    arguments = [at, out, np.uint32(LINES), np.uint32(reader)]
    return launching.run(TEXT.format(use=use), "k", CTAS, 64, arguments)[0]


@pytest.mark.parametrize("reader", [0, 1])
def test_races_whose_values_nothing_reads_are_clean_however_many(reader: int) -> None:
    """More than 6,000 loads of 128 bytes; the table once held 4,096 of them."""
    expected = np.tile(np.repeat(np.arange(LINES, dtype=np.uint32), 32), CTAS)
    assert np.array_equal(run(reader, ""), expected)


@pytest.mark.parametrize("reader", [0, 1])
def test_one_of_them_that_decides_memory_is_a_hazard(reader: int) -> None:
    with pytest.raises(Hazard, match="decides the contents of global memory"):
        run(reader, "mov.u32 %i, %ctaid.x; setp.eq.and.u32 %p, %i, 8, %q; @%p st.b32 [%o], %s;")
