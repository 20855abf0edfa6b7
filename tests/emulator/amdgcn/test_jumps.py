"""s_setpc_b64 and s_swappc_b64 reach the instructions that are known as targets, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.run import Run

from . import machine

#: s[16:17] is added to the address of `back` before the function returns there.
BODY = """
  s_getpc_b64 s[40:41]
  s_add_u32 s40, s40, double@rel32@lo+4
  s_addc_u32 s41, s41, double@rel32@hi+12
  v_mov_b32 v20, 7
  s_swappc_b64 s[42:43], s[40:41]
  v_add_u32 v20, v20, 1
  s_branch over
double:
  v_add_u32 v20, v20, v20
  s_add_u32 s42, s42, s16
  s_addc_u32 s43, s43, s17
  s_setpc_b64 s[42:43]
over:
"""


def launch(more: int, hazards: Any) -> tuple[list[int], list[str]]:
    device = lanemap.open_device("gfx950", "emulator", hazards)
    device.instruction_limit = 1000
    scalars = device.array(np.array([more & 0xFFFFFFFF, more >> 32, *[0] * 6], np.uint32))
    out = device.zeros(64, np.uint32)
    text = machine.kernel(BODY, 0, ["v20"], 64)
    device.load(text)["k"](1, 64, (device.zeros(1, np.uint32), out, scalars))
    return out.get().tolist(), [str(hazard) for hazard in device.hazards]


def test_a_function_returns() -> None:
    assert launch(0, "raise") == ([15] * 64, [])


@pytest.mark.parametrize("more", [1, 2, 3, 4, 8, 1 << 20, 1 << 32, (1 << 64) - 4, 1 << 63])
def test_other_addresses_are_hazards(more: int) -> None:
    with pytest.raises(Hazard, match=r"s_setpc_b64 s\[42:43\]`: the wave jumps to an address"):
        launch(more, "raise")
    out, found = launch(more, "report")
    assert out == [0] * 64, "the wave ends"
    assert len(found) == 1 and "s_setpc_b64" in found[0]


def test_a_call_returns_behind_itself() -> None:
    """AMD CDNA4 ISA, S_CALL_B64: the address of the next instruction, then the jump."""
    text = """
v_mov_b32 v20, 7
s_call_b64 s[42:43], double
v_add_u32 v20, v20, 1
s_branch over
double:
v_add_u32 v20, v20, v20
s_setpc_b64 s[42:43]
over:
"""
    (found,) = machine.run(text, [], ["v20"])
    assert (found == 15).all()


def test_a_trap_ends_the_wave_and_says_which() -> None:
    """Without a handler nothing comes back from it (AMD CDNA4 ISA, S_TRAP)."""
    body = "v_mov_b32 v20, 1\ns_trap 2\nv_mov_b32 v20, 2\n"
    with pytest.raises(Hazard, match="executes s_trap 2"):
        machine.run(body, [], ["v20"])
    assert not machine.run(body, [], ["v20"], hazards="report").any()


@pytest.mark.parametrize(
    "load", ["global_load_dword v20, v1, s[4:5] offset:-256", "ds_read_b32 v20, v1"]
)
def test_only_loops_that_poll_return_to_the_host(load: str, monkeypatch: Any) -> None:
    """Others' stores may answer a load of a wider scope alone; any other one would be a race."""
    checks = []
    monkeypatch.setattr(Run, "_check_deadlock", lambda run: checks.append(run))

    def rounds(load: str) -> int:
        body = f"""
ds_write_b32 v1, v1
s_mov_b32 s40, 100
again:
{load}
s_waitcnt vmcnt(0) lgkmcnt(0)
s_sub_u32 s40, s40, 1
s_cmp_lg_u32 s40, 0
s_cbranch_scc1 again
"""
        checks.clear()
        machine.run(body, [np.zeros(64, np.uint32)], ["v20"])
        return len(checks)

    assert rounds(load) == 0
    if load.startswith("global"):
        assert rounds(f"{load} sc1") > 90
