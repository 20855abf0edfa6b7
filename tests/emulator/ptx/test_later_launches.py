"""What a launch left undefined in memory, and a later launch reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from tests import ptx

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
READS = """\
  .reg .b32 %value, %thread;
  .reg .b64 %at;
  .reg .pred %p;
  mov.u32 %thread, %tid.x;
  mad.wide.u32 %at, %thread, 4, %array;
  ld.global.u32 %value, [%at];
  setp.ne.u32 %p, %value, 0;
  @%p bra END;
  st.global.u32 [%at], 1;
END:"""


def test_what_an_earlier_launch_read_in_a_race_is_undefined() -> None:
    device: Any = lanemap.open_device("sm_90a", "emulator", hazards="report")
    array = device.zeros(64, np.uint32)
    device.load(EXAMPLES / "race.ptx")["hand_on"](1, 64, [array])
    assert {each.kind for each in device.hazards} == {"order"}
    raced = len(device.hazards)
    ptx.launch(ptx.entry(READS, "array"), array, block=64, device=device)
    (found,) = device.hazards[raced:]
    assert found.kind == "undefined"
    said = str(found)
    assert "decide the branch; lane 31 of warp 0 read them from shared memory at line 22" in said
    assert "a write was not ordered with that read" in said
