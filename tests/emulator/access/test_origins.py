"""Origins of undefined bits stay exact however many a launch, or a device, has seen."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lanemap
from lanemap.errors import Disagreement
from tests.emulator.access.cells import marked

#: Every thread loads undefined words, one array row of 128 bytes after the other, and forgets them;
#: then one decides.
_TEXT = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 array, .param .u32 rows) {
.reg .pred %p; .reg .b32 %n, %rows, %v; .reg .b64 %a;
mov.u32 %n, %tid.x; ld.param.u64 %a, [array]; mad.wide.u32 %a, %n, 4, %a;
ld.param.u32 %rows, [rows];
LOOP:
ld.global.b32 %v, [%a];
add.u64 %a, %a, 128; sub.u32 %rows, %rows, 1; setp.ne.u32 %p, %rows, 0;
@%p bra LOOP;
ld.global.b32 %v, [%a]; // origin
setp.eq.u32 %p, %v, 7;
@%p bra END; // hazard
END:
ret;
}
"""


def _check(device: lanemap.Device, rows: int) -> None:
    """The last row is what decides."""
    array = device.empty((rows + 1) * 32, np.uint32)
    with pytest.raises(Disagreement) as caught:
        device.load(_TEXT)["kernel"]((1,), (32,), (array, np.uint32(rows)))
    (line,) = marked(_TEXT, "origin")
    sentence = str(caught.value)
    assert getattr(caught.value, "line", 0) in marked(_TEXT, "hazard")
    assert f"at line {line} " in sentence and "when lane 0 of warp 0" in sentence, sentence
    assert re.search(rf"\bbyte {128 * rows}\b", sentence), sentence


@pytest.mark.parametrize("rows", [1, 1900, 2200])
def test_the_origin_is_that_of_the_bits_that_decide(rows: int) -> None:
    _check(lanemap.open_device("sm_90a", device="emulator"), rows)


def test_a_device_does_not_run_out_of_origins() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    for _ in range(24):
        _check(device, 100)
