"""Which argument an address comes from: named where one alone is reached, and else not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.toolchain.amdgcn_kernel import Kernel

BYTES = 4096
FROM_B = {
    "flat": """s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v0, 7, v0
v_mov_b32 v1, s7
v_add_co_u32 v2, vcc, s6, v0
v_addc_co_u32 v3, vcc, 0, v1, vcc
global_load_dword v4, v[2:3], off offset:64""",
    "a scalar base": """s_load_dwordx2 s[6:7], s[0:1], 0x8
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v0, 7, v0
global_load_dword v4, v0, s[6:7] offset:64""",
    "a register of the other before": """s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
s_mov_b64 s[8:9], s[4:5]
s_mov_b64 s[8:9], s[6:7]
v_lshlrev_b32 v0, 7, v0
global_load_dword v4, v0, s[8:9] offset:64""",
    "some lanes": """s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v0, 7, v0
v_cmp_ne_u32 vcc, 0, v0
s_and_saveexec_b64 s[10:11], vcc
global_load_dword v4, v0, s[6:7] offset:64""",
}
FROM_NOBODY = {
    "lanes that did not execute": """s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_mov_b32 v2, s4
v_mov_b32 v3, s5
v_cmp_gt_u32 vcc, 60, v0
s_and_saveexec_b64 s[10:11], vcc
v_mov_b32 v2, s6
v_mov_b32 v3, s7
s_mov_b64 exec, s[10:11]
v_lshlrev_b32 v0, 7, v0
v_add_co_u32 v2, vcc, v2, v0
v_addc_co_u32 v3, vcc, 0, v3, vcc
global_load_dword v4, v[2:3], off offset:64""",
    "another segment": """s_load_dwordx2 s[4:5], s[0:1], 0x0
s_load_dwordx2 s[6:7], s[0:1], 0x8
s_waitcnt lgkmcnt(0)
v_mov_b32 v1, 0
v_mov_b32 v2, s6
v_mov_b32 v3, s7
global_store_dwordx2 v1, v[2:3], s[4:5]
s_waitcnt vmcnt(0)
s_mov_b64 s[0:1], s[4:5]
s_load_dwordx2 s[6:7], s[0:1], 0x0 glc
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v0, 7, v0
global_load_dword v4, v0, s[6:7] offset:64""",
}


def beyond(body: str) -> Any:
    """64 lanes read a word every 128 bytes from byte 64 on: the last ones lie past 4,096 bytes."""
    text = Kernel("k", ("a", "b"), (), 0, 16, 16, 256).text(f"{body}\ns_waitcnt vmcnt(0)\ns_endpgm")
    device = lanemap.open_device("gfx950", device="emulator", hazards="report")
    a = device.zeros(BYTES // 4, np.uint32, name="first")
    b = device.zeros(BYTES // 4, np.uint32, name="second")
    device.load(text)["k"](1, 64, (a, b))
    (finding,) = (each for each in device.findings if each.kind == "out-of-bounds")
    return finding


@pytest.mark.parametrize("how", FROM_B)
def test_the_argument_is_named(how: str) -> None:
    finding = beyond(FROM_B[how])
    assert finding.to_json()["argument"] == {
        "number": 1,
        "name": "b",
        "array": "array `second`",
        "size": BYTES,
    }
    assert "; the address is derived from b (workgroup 0" in finding.message()


@pytest.mark.parametrize("how", FROM_NOBODY)
def test_no_argument_is_named_where_others_may_be_meant(how: str) -> None:
    assert beyond(FROM_NOBODY[how]).to_json()["argument"] is None
