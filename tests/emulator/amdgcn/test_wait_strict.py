"""Wait states that one source asks for and the other does not: missing under strict alone."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.toolchain.amdgcn_kernel import Kernel

START = """
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 4, v0
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v12, 0
    v_mov_b32_e32 v13, 0
    v_mov_b32_e32 v14, 0
    v_mov_b32_e32 v15, 0
    s_waitcnt lgkmcnt(0)
    s_nop 4
"""
F64 = "v_mfma_f64_16x16x4_f64 v[4:11], v[2:3], v[2:3], 0"
# Two instructions, what the longer source asks for between them, and which it is: the ISA's table
# 38 or 11, or LLVM's GCNHazardRecognizer.cpp.
CASES = {
    "srcc_of_another_kind": (
        "v_mfma_f32_16x16x4_f32 v[4:7], v2, v2, 0",
        "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], v[4:7]", 0, "ISA"),
    "srcc_of_other_passes": (
        "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0",
        "v_mfma_f32_16x16x4_f32 v[4:7], v2, v2, v[4:7]", 6, "ISA"),
    "f64_rewritten": (F64, "v_mov_b32_e32 v9, 0", 19, "ISA"),
    "dot_then_matrix": (
        "v_dot4_i32_i8 v2, v3, v3, v3", "v_mfma_f32_16x16x4_f32 v[4:7], v2, v2, 0", 3, "ISA"),
    "result_loaded_over": (
        "v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0",
        "global_load_dword v7, v1, s[4:5]", 8, "LLVM"),
    "f64_then_fma": (F64, "v_fma_f64 v[12:13], v[14:15], v[14:15], v[14:15]", 2, "LLVM"),
    "lanes_of_v_cndmask": (
        "v_cmp_eq_u32_e32 vcc, 3, v0", "v_cndmask_b32_e32 v2, v3, v0, vcc", 2, "LLVM"),
    "carry_in": (
        "v_add_co_u32_e32 v4, vcc, v0, v0", "v_addc_co_u32_e32 v5, vcc, v0, v0, vcc", 2, "LLVM"),
    "exec_then_memory": (
        "v_cmpx_le_u32_e32 vcc, 0, v0", "global_load_dword v7, v1, s[4:5]", 5, "LLVM"),
    "stored_data_loaded_over": (
        "global_store_dwordx4 v1, v[12:15], s[6:7]", "global_load_dword v13, v1, s[4:5]", 1, "ISA"),
    "old_of_dpp": (
        "v_mov_b32_e32 v2, 1",
        "v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0x5 bank_mask:0xf", 2, "LLVM"),
}  # fmt: skip


def _missing(name: str, waits: int, strict: bool) -> list[str]:
    """The sentences of a run with so many wait states between the two instructions."""
    first, second, _, _ = CASES[name]
    nops = [f"s_nop {min(waits - done, 16) - 1}" for done in range(0, waits, 16)]
    body = "\n".join([START, first, *nops, second, "s_endpgm"])
    text = Kernel("k", ("given", "result"), (), 0, 16, 16, 64).text(body)
    device = lanemap.open_device("gfx950", device="emulator", hazards="report", strict=strict)
    given, result = (device.array(np.zeros(256, np.uint32)) for _ in range(2))
    device.load(text)["k"]((1, 1, 1), (64, 1, 1), (given, result))
    return [h.sentence for h in device.hazards if h.kind == "rule"]


@pytest.mark.parametrize("name", CASES)
def test_only_strict_asks_for_the_longer_wait(name: str) -> None:
    needed = CASES[name][2]
    assert _missing(name, needed, strict=True) == []
    if needed:
        (sentence,) = _missing(name, needed - 1, strict=True)
        assert f"{needed - 1} of {needed} wait states" in sentence
        assert CASES[name][3] in sentence


SHORTER = {"f64_rewritten": 11}


@pytest.mark.parametrize("name", CASES)
def test_the_shorter_wait_is_enough_otherwise(name: str) -> None:
    shorter = SHORTER.get(name, 0)
    assert _missing(name, shorter, strict=False) == []
    if shorter:
        assert _missing(name, shorter - 1, strict=False)


# -- what counts for less without strict ----------------------------------------------------------


def _reported(body: str, strict: bool) -> list[tuple[int, str]]:
    """The lines of the body, and the sentences, of what a run reports."""
    text = Kernel("k", ("given", "result"), (), 0, 64, 48, 64).text(f"{START}{body}\ns_endpgm")
    before = text[: text.index(START)].count("\n") + START.count("\n")
    device = lanemap.open_device("gfx950", device="emulator", hazards="report", strict=strict)
    given, result = (device.array(np.zeros(256, np.uint32)) for _ in range(2))
    device.load(text)["k"]((1, 1, 1), (64, 1, 1), (given, result))
    return [(h.line - before, h.sentence) for h in device.hazards if h.kind == "rule"]


# Of 8 passes: 12 wait states until a VALU instruction may read the result (the ISA's table 38).
SHIPPED = """v_mfma_f32_32x32x8_f16 v[16:31], v[2:3], v[2:3], 0
v_mfma_f32_32x32x8_f16 v[32:47], v[2:3], v[2:3], 0
s_nop {}
v_mov_b32_e32 v12, v16"""


def test_a_matrix_instruction_waits_until_the_unit_is_free() -> None:
    # The second one stands for 7 wait states before it is 1 itself.
    assert _reported(SHIPPED.format(3), strict=False) == []
    ((line, sentence),) = _reported(SHIPPED.format(2), strict=False)
    assert line == 4 and "11 of 12 wait states" in sentence
    ((line, sentence),) = _reported(SHIPPED.format(3), strict=True)
    assert line == 4 and "5 of 12 wait states" in sentence


def test_the_unit_is_busy_for_no_longer_than_on_any_way() -> None:
    """The way not taken leaves the unit idle, so that no stand counts on the other one either."""
    body = """v_mfma_f32_32x32x8_f16 v[16:31], v[2:3], v[2:3], 0
s_cmp_eq_u32 s4, s4
s_cbranch_scc1 .Lnext
{}
.Lnext:
v_mfma_f32_32x32x8_f16 v[32:47], v[2:3], v[2:3], 0
s_nop {}
v_mov_b32_e32 v12, v16"""
    # branch and comparison, the matrix instruction, and s_nop: 2 + 1 + 9
    assert _reported(body.format("s_nop 7", 8), strict=False) == []
    ((line, sentence),) = _reported(body.format("s_nop 7", 7), strict=False)
    assert line == 8 and "11 of 12" in sentence
    # Where both ways leave it busy for 5 more, it counts 6.
    assert _reported(body.format("", 3), strict=False) == []
    ((line, sentence),) = _reported(body.format("", 2), strict=False)
    assert line == 8 and "11 of 12" in sentence


# 4 wait states from the VALU's write of an SGPR until it selects a lane (the ISA's table 11).
SELECT = "v_readfirstlane_b32 s20, v0\n{}v_readlane_b32 s21, v2, s20"
PAIR = "v_cmp_eq_u32_e64 s[20:21], 3, v0\n{}v_readlane_b32 s22, v2, s21"


def test_an_sgpr_that_was_overwritten_is_no_concern() -> None:
    for text, other in (
        (SELECT, "s_mov_b32 s20, 3\n"),
        (PAIR, "s_mov_b64 s[20:21], 0\n"),
        (PAIR, "s_load_dword s21, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"),
    ):
        assert len(_reported(text.format(""), strict=False)) == 1
        assert _reported(text.format(other), strict=False) == []
        assert len(_reported(text.format(other), strict=True)) == 1
    # the other word of the pair
    assert len(_reported(PAIR.format("s_mov_b32 s20, 3\n"), strict=False)) == 1


def test_a_wave_that_passes_by_the_overwriting_is_told() -> None:
    body = """s_cmp_{}_u32 s4, s4
v_readfirstlane_b32 s20, v0
s_cbranch_scc1 .Lread
s_mov_b32 s20, 3
.Lread:
v_readlane_b32 s21, v2, s20"""
    assert [line for line, _ in _reported(body.format("eq"), strict=False)] == [6]
    assert _reported(body.format("lg"), strict=False) == []
    assert [line for line, _ in _reported(body.format("lg"), strict=True)] == [6]


def test_the_latest_producer_is_named_first() -> None:
    body = """v_readfirstlane_b32 s20, v0
v_readfirstlane_b32 s20, v1
v_readlane_b32 s21, v2, s20"""
    first, *_ = _reported(body, strict=True)
    assert "v_readfirstlane_b32 s20, v1" in first[1]
    assert [sentence.count("s20, v1") for _, sentence in _reported(body, strict=False)] == [1]
