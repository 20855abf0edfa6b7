"""VGPR indexing (AMD CDNA4 ISA, S_SET_GPR_IDX_ON): M0[7:0] is the index, M0[15:12] the operands."""

from __future__ import annotations

import numpy as np
import pytest

from .machine import run, words


@pytest.mark.parametrize("index", [0, 3, 0x105])
def test_m0_gets_the_index_and_the_operands_and_keeps_the_rest(index: int) -> None:
    scalars = np.full((1, 8), index, np.uint32)
    text = """
s_mov_b32 m0, 0x87654321
s_set_gpr_idx_on s16, gpr_idx(SRC0,DST)
s_mov_b32 s30, m0
s_set_gpr_idx_idx s17
s_mov_b32 s31, m0
s_set_gpr_idx_off
v_mov_b32 v20, s30
v_mov_b32 v21, s31
"""
    scalars[0, 1] = 0xFFFFFF07
    first, second = run(text, [], ["v20", "v21"], scalars=scalars)
    assert (first == (0x87650300 | 0x9000 | index & 0xFF)).all()
    assert (second == (0x87650300 | 0x9000 | 7)).all()


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_move_from_and_to_an_indexed_register(index: int) -> None:
    data = [words(240 + i, 64) for i in range(4)]
    scalars = np.full((1, 8), index, np.uint32)
    clear = "".join(f"v_mov_b32 v{20 + i}, 0\n" for i in range(3))
    text = (
        clear
        + """s_set_gpr_idx_on s16, gpr_idx(SRC0)
v_mov_b32 v24, v10
s_set_gpr_idx_off
s_set_gpr_idx_on s16, gpr_idx(DST)
v_mov_b32 v20, v13
s_set_gpr_idx_off
"""
    )
    found = run(text, data, ["v24", "v20", "v21", "v22"], scalars=scalars)
    assert (found[0] == data[index]).all()
    for register in range(3):
        assert (found[1 + register] == (data[3] if register == index else 0)).all()
