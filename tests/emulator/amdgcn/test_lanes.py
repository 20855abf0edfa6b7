"""Moves between lanes: DPP, permutes, swizzles, swaps, single lanes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.host.hazards import Hazard

from .machine import run, words

LANE = np.arange(64)
OLD = 0xAAAA0000
Lanes = list[int | None]


def rotated(x: int, n: int) -> int:
    return (x & ~15) + ((x - n) & 15)


#: DPP control: the source of each lane, None where there is none (AMD CDNA4 ISA, DPP_CTRL).
CONTROLS: dict[str, Lanes] = {
    "quad_perm:[3,1,0,2]": [(x & ~3) + (3, 1, 0, 2)[x & 3] for x in range(64)],
    "row_shl:3": [x + 3 if (x & 15) + 3 < 16 else None for x in range(64)],
    "row_shr:2": [x - 2 if (x & 15) >= 2 else None for x in range(64)],
    "row_ror:5": [rotated(x, 5) for x in range(64)],
    "row_mirror": [(x & ~15) + 15 - (x & 15) for x in range(64)],
    "row_half_mirror": [(x & ~7) + 7 - (x & 7) for x in range(64)],
    "row_newbcast:6": [(x & ~15) + 6 for x in range(64)],
    "row_bcast:15": [None if x < 16 else (x // 16) * 16 - 1 for x in range(64)],
    "row_bcast:31": [None if x < 32 else 31 for x in range(64)],
    "wave_shl:1": [x + 1 if x < 63 else None for x in range(64)],
    "wave_shr:1": [x - 1 if x else None for x in range(64)],
    "wave_rol:1": [(x + 1) % 64 for x in range(64)],
    "wave_ror:1": [(x - 1) % 64 for x in range(64)],
}


def dpp(control: str, data: NDArray[np.uint32], mask: int = (1 << 64) - 1) -> NDArray[np.uint32]:
    """v20 after a DPP move of v10 under EXEC; it held OLD + lane."""
    text = f"""
v_add_u32 v20, {OLD:#x}, v0
s_mov_b32 exec_lo, {mask & 0xFFFFFFFF:#x}
s_mov_b32 exec_hi, {mask >> 32:#x}
v_mov_b32_dpp v20, v10 {control}"""
    (found,) = run(text, [data], ["v20"])
    return found


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("mask", [(1 << 64) - 1, 0xFFFF0F0FF0F01234])
def test_dpp(control: str, mask: int) -> None:
    """A lane whose source does not exist or is off keeps its value, or gets 0 with bound_ctrl."""
    data = words(100, 64)
    for bound in ("", " bound_ctrl:0"):
        found = dpp(control + " row_mask:0xf bank_mask:0xf" + bound, data, mask)
        for lane, source in enumerate(CONTROLS[control]):
            if not mask >> lane & 1:
                expected = OLD + lane
            elif source is None or not mask >> source & 1:
                expected = 0 if bound else OLD + lane
            else:
                expected = int(data[source])
            assert found[lane] == expected, (control, bound, lane)


def test_dpp_writes_the_rows_and_banks_of_its_masks() -> None:
    data = words(101, 64)
    found = dpp("row_ror:1 row_mask:0x5 bank_mask:0x6", data)
    written = (LANE // 16 % 2 == 0) & np.isin(LANE % 16 // 4, [1, 2])
    source = data[[rotated(int(x), 1) for x in LANE]]
    assert (found == np.where(written, source, OLD + LANE)).all()


def test_dpp_in_arithmetic_moves_the_first_source_alone() -> None:
    a, b = words(102, 64), words(103, 64)
    (found,) = run("v_sub_u32_dpp v20, v10, v11 row_newbcast:2", [a, b], ["v20"])
    assert (found == a[(LANE & 48) + 2] - b).all()
    text = "v_mov_b32 v20, 7\nv_add_f32_dpp v20, -v10, v10 quad_perm:[1,0,3,2] row_mask:0xf"
    values = np.linspace(-4, 4, 64).astype(np.float32)
    (found,) = run(text, [values], ["v20"])
    assert (found.view(np.float32) == values - values[LANE ^ 1]).all()


def test_single_lanes() -> None:
    data = words(104, 64)
    text = """
v_readlane_b32 s30, v10, 17
s_mov_b32 s31, 64+9
v_readlane_b32 s32, v10, s31
s_mov_b32 m0, 5
v_writelane_b32 v10, s30, m0
v_writelane_b32 v10, s32, 6
s_mov_b32 exec_lo, 0xfff00
v_readfirstlane_b32 s33, v10
s_mov_b64 exec, 0
v_readfirstlane_b32 s34, v10
v_writelane_b32 v10, -3, 7
s_mov_b64 exec, -1
v_mov_b32 v20, s33
v_mov_b32 v21, s34"""
    found = run(text, [data], ["v10", "v20", "v21"])
    expected = data.copy()
    expected[5], expected[6], expected[7] = data[17], data[9], 0xFFFFFFFD
    assert (found[0] == expected).all()
    assert (found[1] == data[8]).all()
    assert (found[2] == data[0]).all()


def test_counting_bits_of_lanes_below() -> None:
    text = """
s_mov_b32 s30, 0x0f0f1234
s_mov_b32 s31, 0x80000001
v_mbcnt_lo_u32_b32 v20, s30, 50
v_mbcnt_hi_u32_b32 v20, s31, v20"""
    (found,) = run(text, [], ["v20"])
    mask = 0x800000010F0F1234
    assert found.tolist() == [50 + (mask & ((1 << x) - 1)).bit_count() for x in range(64)]


def test_permutes() -> None:
    data, chosen = words(105, 64), words(106, 64)
    text = """
s_mov_b64 exec, 0xfffffff0
ds_bpermute_b32 v20, v11, v10
s_waitcnt lgkmcnt(0)"""
    (found,) = run("v_mov_b32 v20, -1\n" + text, [data, chosen], ["v20"])
    active = (LANE >= 4) & (LANE < 32)
    source = chosen // 4 % 64
    expected = np.where(active[source], data[source], 0)
    assert (found == np.where(active, expected, 0xFFFFFFFF)).all()
    text = "ds_permute_b32 v20, v11, v10 offset:8\ns_waitcnt lgkmcnt(0)"
    order = np.random.default_rng(107).permutation(64).astype(np.uint32)
    (found,) = run(text, [data, order * 4], ["v20"])
    expected = np.zeros(64, np.uint32)
    expected[(order + 2) % 64] = data
    assert (found == expected).all()


@pytest.mark.parametrize("move", ["ds_bpermute_b32", "ds_permute_b32"])
def test_what_moves_between_lanes_is_undefined_where_its_source_is(move: str) -> None:
    text = f"{move} v20, v11, v60\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s30, v20\n"
    text += "s_cmp_eq_u32 s30, 0\ns_cbranch_scc0 L\ns_nop 0\nL:\n"
    with pytest.raises(Hazard, match="v60"):
        run(text, [words(105, 64), np.arange(64, dtype=np.uint32) * 4], ["v10"])


def test_the_highest_sender_wins_and_lanes_without_one_get_zero() -> None:
    data = words(108, 64)
    text = "ds_permute_b32 v20, v11, v10\ns_waitcnt lgkmcnt(0)"
    (found,) = run(text, [data, np.repeat(np.arange(8, dtype=np.uint32) * 32, 8)], ["v20"])
    expected = np.zeros(64, np.uint32)
    expected[::8] = data[7::8]
    assert (found == expected).all()


def reversed_bits(x: int, count: int) -> int:
    """The low `count` bits in the reverse order."""
    return sum((x >> i & 1) << (count - 1 - i) for i in range(count))


SWIZZLES = {
    # "GCN Assembly: Cross-Lane Operations": quad permutations and bit masks of 5 bits
    "quad_perm": (0x8000 | 0b00_01_10_11, [(x & ~3) + 3 - (x & 3) for x in range(64)]),
    "swap 1": (0x041F, [x ^ 1 for x in range(64)]),
    "swap 16": (0x401F, [x ^ 16 for x in range(64)]),
    "reverse 32": (0x7C1F, [x ^ 31 for x in range(64)]),
    "broadcast 3 of 8": (0x0078, [(x & 56) | 3 for x in range(64)]),
    "rotate by 3": (0xC060, [(x & 32) + ((x + 3) & 31) for x in range(64)]),
    "rotate by -3": (0xC460, [(x & 32) + ((x - 3) & 31) for x in range(64)]),
    "rotate by 3 within 8": (0xC078, [(x & ~7) + ((x + 3) & 7) for x in range(64)]),
    # AMD CDNA4 ISA, DS_SWIZZLE_B32, FFT decomposition: the bits of the lane below the mask reversed
    "fft of 32": (0xE000, [x & 32 | reversed_bits(x, 5) for x in range(64)]),
    "fft of 16": (0xE010, [x & 48 | reversed_bits(x, 4) for x in range(64)]),
    "fft of 4": (0xE01C, [x & 60 | reversed_bits(x, 2) for x in range(64)]),
    "no fft": (0xE01F, [*range(64)]),
}


@pytest.mark.parametrize("name", SWIZZLES)
def test_swizzles(name: str) -> None:
    pattern, sources = SWIZZLES[name]
    data = words(109, 64)
    text = f"ds_swizzle_b32 v20, v10 offset:{pattern:#x}\ns_waitcnt lgkmcnt(0)"
    (found,) = run(text, [data], ["v20"])
    assert (found == data[sources]).all()


def test_counts_of_lower_lanes() -> None:
    """AMD CDNA4 ISA, V_MBCNT_LO_U32_B32: ones of the mask below the lane, plus S1."""
    mask, more = words(117, 64), words(118, 64)
    texts = "v_mbcnt_lo_u32_b32 v20, v10, v11\nv_mbcnt_hi_u32_b32 v21, v10, v11"
    found = run(texts, [mask, more], ["v20", "v21"])
    for lane in range(64):
        bits = [int(mask[lane]) >> i & 1 for i in range(32)]
        low, high = sum(bits[:lane]), sum(bits[: max(lane - 32, 0)])
        assert found[0][lane] == (int(more[lane]) + low) % 2**32
        assert found[1][lane] == (int(more[lane]) + high) % 2**32


@pytest.mark.parametrize("distance", [16, 32])
def test_swaps_of_rows(distance: int) -> None:
    """AMD CDNA4 ISA, V_PERMLANE16_SWAP_B32: odd rows of the first against even of the second."""
    a, b = words(110, 64), words(111, 64)
    found = run(f"v_permlane{distance}_swap_b32 v10, v11", [a, b], ["v10", "v11"])
    new_a, new_b = a.copy(), b.copy()
    for lane in range(64):
        if lane & distance:
            new_a[lane], new_b[lane - distance] = b[lane - distance], a[lane]
    assert (found[0] == new_a).all() and (found[1] == new_b).all()


def test_a_swap_with_lanes_that_are_off_is_a_hazard() -> None:
    text = "s_mov_b64 exec, {}\nv_permlane32_swap_b32_e64 v10, v11{}"
    data = [words(112, 64), words(113, 64)]
    with pytest.raises(Hazard, match="swap registers with inactive lanes"):
        run(text.format("0xffff", ""), data, ["v10"])
    run(text.format("0xffff", " fi:1"), data, ["v10"])
    pairs = "s_mov_b32 exec_lo, 0xff\ns_mov_b32 exec_hi, 0xff\nv_permlane32_swap_b32 v10, v11"
    run(pairs, data, ["v10"])


def test_exchange_of_registers() -> None:
    a, b = words(114, 64), words(115, 64)
    found = run("s_mov_b32 exec_hi, 0\nv_swap_b32 v10, v11", [a, b], ["v10", "v11"])
    assert (found[0] == np.where(LANE < 32, b, a)).all()
    assert (found[1] == np.where(LANE < 32, a, b)).all()


def test_accumulation_registers() -> None:
    a = words(116, 64)
    text = """
v_accvgpr_write_b32 a7, v10
v_accvgpr_mov_b32 a8, a7
v_accvgpr_read_b32 v20, a8
v_accvgpr_write_b32 a9, 1.0
v_accvgpr_read_b32 v21, a9"""
    found = run(text, [a], ["v20", "v21"])
    assert (found[0] == a).all() and (found[1] == 0x3F800000).all()


def test_the_story_names_the_register_of_the_lanes_that_are_undefined() -> None:
    """v31 is unwritten in lanes that the copy to v30 left alone: there v30 itself is to blame."""
    text = """
v_cmp_gt_u32 vcc, v10, 4
s_and_saveexec_b64 s[30:31], vcc
v_mov_b32 v31, 1
v_mov_b32 v30, v31
s_cbranch_execz next
v_mov_b32 v32, 1
next:
s_mov_b64 exec, s[30:31]
v_cmp_eq_u32 vcc, v30, 1
s_and_saveexec_b64 s[34:35], vcc"""
    numbers = np.arange(64, dtype=np.uint32)
    with pytest.raises(Hazard, match="decide the EXEC; they come from register v30, which"):
        run(text, [numbers], ["v10"])
