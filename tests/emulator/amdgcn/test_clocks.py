"""Clocks, and the hardware registers that say where a wave runs."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

from .machine import kernel, run


@pytest.mark.parametrize("name", ["s_memtime", "s_memrealtime"])
def test_clocks_increase(name: str) -> None:
    text = f"""
{name} s[40:41]
s_waitcnt lgkmcnt(0)
s_nop 0
{name} s[42:43]
s_waitcnt lgkmcnt(0)
s_sub_u32 s44, s42, s40
s_subb_u32 s45, s43, s41
v_mov_b32 v20, s44
v_mov_b32 v21, s45"""
    low, high = run(text, [], ["v20", "v21"])
    assert (low > 0).all() and (high == 0).all()


def test_a_clock_increases_over_branches() -> None:
    text = """
s_mov_b32 s46, 0
s_nop 0
s_nop 0
s_memtime s[40:41]
s_waitcnt lgkmcnt(0)
s_branch next
next:
s_memtime s[42:43]
s_waitcnt lgkmcnt(0)
s_sub_u32 s44, s42, s40
v_mov_b32 v20, s44"""
    (elapsed,) = run(text, [], ["v20"])
    assert (elapsed == 3).all()  # s_memtime, s_waitcnt, s_branch


def test_a_clock_is_read_after_its_wait() -> None:
    with pytest.raises(Hazard, match="lgkmcnt"):
        run("s_memtime s[40:41]\ns_nop 4\nv_mov_b32 v20, s40", [], ["v20"])


def test_where_a_wave_runs() -> None:
    text = """
s_getreg_b32 s40, hwreg(HW_REG_HW_ID)
s_getreg_b32 s41, hwreg(HW_REG_HW_ID, 4, 2)
s_getreg_b32 s42, hwreg(HW_REG_XCC_ID)
v_mov_b32 v20, s40
v_mov_b32 v21, s41
v_mov_b32 v22, s42"""
    assert not run(text, [], ["v20", "v21", "v22"]).any()
    device = lanemap.open_device("gfx950", "emulator")
    out = device.zeros(6, np.uint32)
    source = kernel("", 0, [], 64).replace(
        "s_mov_b64 exec, -1",
        """
s_getreg_b32 s40, hwreg(HW_REG_HW_ID{field})
v_lshrrev_b32 v2, 6, v0
v_lshlrev_b32 v2, 2, v2
v_mov_b32 v3, s40
global_store_dword v2, v3, s[6:7]""",
    )
    # WAVE_ID in bits 3:0 and SIMD_ID in bits 5:4: six waves on four SIMDs
    whole = np.array([0x00, 0x10, 0x20, 0x30, 0x01, 0x11])
    for field, expected in (("", whole), (", 4, 2", whole >> 4), (", 0, 4", whole & 15)):
        module = device.load(source.replace("{field}", field))
        module["k"](1, 6 * 64, (out, out, device.zeros(8, np.uint32)))
        assert out.get().tolist() == expected.tolist()
