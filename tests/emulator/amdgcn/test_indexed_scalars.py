"""SGPRs that M0 picks (AMD CDNA4 ISA, S_MOVRELS_B32 and alike), and modes of VGPR indexing."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard

from .machine import run, words

SHOW = "".join(f"v_mov_b32 v{20 + i}, s{16 + i}\n" for i in range(8))
OUTPUTS = [f"v{20 + i}" for i in range(8)]


@pytest.mark.parametrize("index", [0, 2, 5])
def test_moves_from_and_to_an_indexed_sgpr(index: int) -> None:
    """SGPR[16 + M0] goes to s22, then s23 to SGPR[17 + M0]; pairs likewise, by even indices."""
    scalars = words(740, 8)[None]
    text = f"s_mov_b32 m0, {index}\ns_nop 0\ns_movrels_b32 s22, s16\ns_movreld_b32 s17, s23\n"
    found = run(text + SHOW, [], OUTPUTS, scalars=scalars)[:, 0].tolist()
    expected = scalars[0].tolist()
    expected[6] = expected[index]
    expected[1 + index] = expected[7]
    assert found == expected
    if index % 2 == 0:
        text = f"s_mov_b32 m0, {index}\ns_nop 0\ns_movrels_b64 s[20:21], s[16:17]\n"
        text += "s_movreld_b64 s[18:19], -3\n"
        found = run(text + SHOW, [], OUTPUTS, scalars=scalars)[:, 0].tolist()
        expected = scalars[0].tolist()
        expected[4:6] = expected[index : index + 2]
        expected[2 + index : 4 + index] = [0xFFFFFFFD, 0xFFFFFFFF]
        assert found == expected


@pytest.mark.parametrize(
    "move, index",
    [
        ("movrels_b32 s30, s16", 86),
        ("movreld_b32 s16, s30", -1),
        ("movrels_b64 s[30:31], s[16:17]", 1),
    ],
)
def test_an_index_beyond_the_sgprs_is_a_hazard(move: str, index: int) -> None:
    text = f"s_mov_b32 s30, 1\ns_mov_b32 m0, {index}\ns_nop 0\ns_{move}\n"
    with pytest.raises(Hazard, match="M0 leads to an SGPR beyond s101, or to the second of a pair"):
        run(text, [], ["v0"])


def test_a_move_too_soon_after_m0_is_a_hazard() -> None:
    """AMD CDNA4 ISA, 4.5, table 11: one wait state."""
    with pytest.raises(Hazard, match="0 of 1 wait states .* depends on M0"):
        run("s_mov_b32 m0, 1\ns_movrels_b32 s30, s16\n", [], ["v0"])


def test_an_index_is_the_low_byte_of_m0_and_nothing_else_changes() -> None:
    text = """s_mov_b32 m0, 0x765432ff
s_movk_i32 s30, 0x1fe
s_set_gpr_idx_idx s30
s_mov_b32 s31, m0
v_mov_b32 v20, s31
"""
    assert (run(text, [], ["v20"]) == 0x765432FE).all()


def test_a_mode_of_vgpr_indexing() -> None:
    """First the source is indexed, then the destination; M0[15:12] follows, the index stays."""
    data = [words(741 + i, 64) for i in range(3)]
    text = """s_mov_b32 m0, 0
v_mov_b32 v20, 0
v_mov_b32 v21, 0
s_set_gpr_idx_on 1, gpr_idx(SRC0)
v_mov_b32 v22, v10
s_set_gpr_idx_mode gpr_idx(DST)
v_mov_b32 v20, v12
s_mov_b32 s30, m0
s_set_gpr_idx_off
s_set_gpr_idx_mode gpr_idx(SRC0)
v_mov_b32 v23, v10
v_mov_b32 v24, s30
"""
    found = run(text, data, ["v20", "v21", "v22", "v23", "v24"])
    assert (found[0] == 0).all() and (found[1] == data[2]).all()
    assert (found[2] == data[1]).all() and (found[3] == data[0]).all()
    assert (found[4] & np.uint32(0xF0FF) == 0x8001).all()
