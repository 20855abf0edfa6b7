"""Loads that race with writes of other warps, many of them, whose values decide nothing."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

#: Both warps of a CTA go over its lines of 128 bytes; warp `reader` loads what the other stores.
BODY = """\
.reg .b64 %a, %o; .reg .b32 %i, %v, %t, %lane, %s; .reg .pred %p, %q;
mov.u32 %t, %tid.x; and.b32 %lane, %t, 31; shr.u32 %t, %t, 5;
mov.u32 %i, %ctaid.x; mul.lo.u32 %i, %i, %lines; mad.wide.u32 %a, %i, 128, %at;
mad.wide.u32 %a, %lane, 4, %a; mad.wide.u32 %o, %lane, 4, %out;
setp.eq.u32 %q, %t, %reader;
mov.b32 %i, 0; mov.b32 %s, 0;
LOOP:
@%q ld.global.b32 %v, [%a];
@%q add.u32 %s, %s, %v;
@!%q st.global.b32 [%a], %i;
add.u64 %a, %a, 128; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %lines;
@%p bra LOOP;
{use}"""
LINES, CTAS = 700, 9
SIZES = {"grid": CTAS, "block": 64}


def run(reader: int, use: str) -> np.ndarray:
    at = np.zeros(CTAS * LINES * 32, np.uint32)
    out = np.zeros(32, np.uint32)
    parameters = "at out lines:u32 reader:u32"
    text = ptx.entry(BODY.format(use=use), parameters, directives=".reqntid 64")
    return next(iter(ptx.launch(text, at, out, np.uint32(LINES), np.uint32(reader), **SIZES)))


@pytest.mark.parametrize("reader", [0, 1])
def test_races_whose_values_nothing_reads_are_clean_however_many(reader: int) -> None:
    """More than 6,000 loads of 128 bytes; the table once held 4,096 of them."""
    expected = np.tile(np.repeat(np.arange(LINES, dtype=np.uint32), 32), CTAS)
    assert np.array_equal(run(reader, ""), expected)


@pytest.mark.parametrize("reader", [0, 1])
def test_one_of_them_that_decides_memory_is_a_hazard(reader: int) -> None:
    with pytest.raises(Hazard, match="decides the contents of global memory"):
        run(reader, "mov.u32 %i, %ctaid.x; setp.eq.and.u32 %p, %i, 8, %q; @%p st.b32 [%o], %s;")
