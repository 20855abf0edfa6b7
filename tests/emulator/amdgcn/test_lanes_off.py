"""Lanes that are off, and descriptors of nothing (AMD CDNA4 ISA, 9.1.5, 11.4)."""

from __future__ import annotations

import numpy as np
import pytest

from .machine import run, words


@pytest.mark.parametrize("mask", [0x5555555555555555, 0x00FF00FF00FF00FF, 1 << 63])
def test_a_swizzle_brings_zero_from_lanes_that_are_off(mask: int) -> None:
    data = words(7, 64) | np.uint32(1)
    body = f"""v_mov_b32 v20, 9
s_mov_b32 exec_lo, {mask & 0xFFFFFFFF:#x}
s_mov_b32 exec_hi, {mask >> 32:#x}
ds_swizzle_b32 v20, v10 offset:0x041f
s_waitcnt lgkmcnt(0)
s_mov_b64 exec, -1"""
    (found,) = run(body, [data], ["v20"])
    for lane in range(64):
        there = mask >> (lane ^ 1) & 1
        expected = 9 if not mask >> lane & 1 else data[lane ^ 1] if there else 0
        assert found[lane] == expected


def test_a_descriptor_of_zeros_holds_nothing() -> None:
    body = """s_mov_b64 s[24:25], 0
s_mov_b64 s[26:27], 0
v_mov_b32 v2, 0
v_mov_b32 v20, 7
buffer_load_dword v20, v2, s[24:27], 0 offen
s_waitcnt vmcnt(0)"""
    (found,) = run(body, [words(1, 64)], ["v20"])
    assert not found.any()
