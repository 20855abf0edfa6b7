"""Origins of undefined bits stay exact however many a launch, or a device, has seen."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lanemap
from lanemap.devices.emulator import EmulatorDevice
from tests import ptx

#: Every thread loads undefined words, one array row of 128 bytes after the other, and forgets them;
#: then one decides.
_BODY = """\
.reg .pred %p; .reg .b32 %n, %v; .reg .b64 %a;
mov.u32 %n, %tid.x; mad.wide.u32 %a, %n, 4, %array;
LOOP:
ld.global.b32 %v, [%a];
add.u64 %a, %a, 128; sub.u32 %rows, %rows, 1; setp.ne.u32 %p, %rows, 0;
@%p bra LOOP;
ld.global.b32 %v, [%a]; // origin
setp.eq.u32 %p, %v, 7;
@%p bra END; // hazard
END:"""
_TEXT = ptx.entry(_BODY, "array rows:u32")


def _check(device: EmulatorDevice, rows: int) -> None:
    """The last row is what decides."""
    array = device.empty((rows + 1) * 32, np.uint32)
    hazard = ptx.hazard(_TEXT, array, np.uint32(rows), device=device)
    (line,) = ptx.marked(_TEXT, "origin")
    sentence = str(hazard)
    assert hazard is not None and hazard.line in ptx.marked(_TEXT)
    assert f"at line {line} " in sentence and "when lane 0 of warp 0" in sentence, sentence
    assert re.search(rf"\bbyte {128 * rows}\b", sentence), sentence


@pytest.mark.parametrize("rows", [1, 1900, 2200])
def test_the_origin_is_that_of_the_bits_that_decide(rows: int) -> None:
    _check(lanemap.open_device("sm_90a", device="emulator"), rows)


def test_a_device_does_not_run_out_of_origins() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    for _ in range(24):
        _check(device, 100)
