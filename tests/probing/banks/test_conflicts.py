"""Conflicts of one access: counts that NVIDIA and AMD state, and what an H200 took."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.errors import UserError
from lanemap.layout.arithmetic import read
from lanemap.probing.banks.conflicts import Conflicts, access_of, conflicts
from lanemap.records.files import read_record

ROW = Path(__file__).resolve().parents[3] / "results" / "sm_90a" / "cuda" / "smem_banks.json"


def asked(instruction: str, address: str, target: str = "sm_90a") -> Conflicts:
    access, expression = access_of(instruction, target), read(address, ("lane",))
    given = [expression.value(lane=lane) for lane in range(access.lanes)]
    return conflicts(access, target, given)


@pytest.mark.parametrize(
    ("instruction", "address", "passes", "least"),
    [
        # CUDA C++ Programming Guide, Shared Memory: strides of one, two and three words.
        ("ld.shared.f32", "lane*4", 1, 1),
        ("ld.shared.f32", "lane*8", 2, 1),
        ("ld.shared.f32", "lane*12", 1, 1),
        # The same: lanes that access one word, and a word each of one bank.
        ("ld.shared.u32", "64", 1, 1),
        ("ld.shared.u32", "lane*128", 32, 1),
        # A column of a 32 x 32 tile, without and with padding (CUDA C++ Best Practices Guide).
        ("st.shared.f32", "lane*32*4", 32, 1),
        ("st.shared.f32", "lane*33*4", 1, 1),
        # CUTLASS, implicit_gemm_convolution.md: eight lanes of 128 bits; rows of 128 bytes, then
        # padded by 16 bytes, then with its XOR swizzle.
        ("ldmatrix.x4", "lane*128", 32, 4),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "lane*144", 4, 4),
        ("ldmatrix.x4", "lane*128 + ((0 ^ lane%8) << 4)", 4, 4),
        # Far apart: banks repeat every 128 bytes.
        ("ld.shared.u32", "lane*65536", 32, 1),
    ],
)
def test_nvidias_counts(instruction: str, address: str, passes: int, least: int) -> None:
    found = asked(instruction, address)
    assert (found.passes, found.least, found.conflicts) == (passes, least, passes - least)
    assert found.rule.evidence == "silicon"


@pytest.mark.parametrize(
    ("instruction", "address", "target", "passes"),
    [
        # AMD, CK-Tile documentation: 128 bits are served to eight lanes at once, without conflicts
        # where these are consecutive.
        ("ds_read_b128", "lane*16", "gfx942", 8),
        ("ds_write_b128", "lane*16", "gfx942", 8),
        # rocRoller, LDSBankModel.cpp: 32 lanes of a dword in a clock; 64 banks of gfx950's b64.
        ("ds_read_b32", "lane*128", "gfx950", 64),
        ("ds_read_b64", "lane*8", "gfx950", 2),
        ("ds_load_b64", "lane*8", "gfx942", 4),
    ],
)
def test_amds_counts(instruction: str, address: str, target: str, passes: int) -> None:
    assert asked(instruction, address, target).passes == passes


def test_what_an_h200_took_at_each_stride() -> None:
    """The row of silicon has the passes that were timed; addresses are modulo 16 KB."""
    measured = read_record(ROW).findings["variants"]
    for name, strides in (("ld.shared.v4.b32", (1, 5, 8, 33)), ("st.shared.v2.b32", (2, 12)),
                          ("ldmatrix.sync.aligned.m8n8.x2.shared.b16", (6,))):  # fmt: skip
        taken = measured[f"{name}:banks"]["passes_by_stride"]
        size = access_of(name, "sm_90a").size
        for stride in strides:
            found = asked(name, f"lane*{size * stride} % 16384")
            assert found.passes == taken[str(stride)], (name, stride)


def test_who_conflicts_is_named() -> None:
    found = asked("ld.shared.u32", "(lane/16)*128 + (lane%16)*4")
    (phase,) = found.phases
    assert phase.words == ((0, (0,)), (32, (16,))) and (phase.bank, phase.passes) == (0, 2)
    assert phase.sentence() == (
        "lanes 0 to 31: 2 passes, bank 0 has word 0 (lane 0), word 32 (lane 16)"
    )


@pytest.mark.parametrize(
    ("instruction", "address", "target", "said"),
    [
        ("ld.shared.b128", "lane", "sm_90a", "is no access of shared memory on sm_90a"),
        ("ds_read_b32", "lane*4", "sm_90a", "is no access of shared memory on sm_90a"),
        ("ds_read3_b32", "lane*4", "gfx950", "name one such as ds_read_b128"),
        ("ds_read2_b32", "lane*4", "gfx950", r"ds_read_b32 at the address \+ 4\*offset0 and"),
        ("ds_write2st64_b64", "lane*8", "gfx950", r"ds_write_b64 at the address \+ 512\*offset0"),
        ("atom.shared.add.u32", "lane*4", "sm_90a", "`lanemap time` has the cycles of shared"),
        ("red.relaxed.shared::cta.add.u32", "0", "sm_90a", "no passes of red.relaxed.shared::cta"),
        ("ds_add_u32", "lane*4", "gfx950", "how banks serve the atomic ds_add_u32"),
        ("ds_add_rtn_u32", "lane*4", "gfx950", "how banks serve the atomic ds_add_rtn_u32"),
        ("ds_read_b64_tr_b8", "lane*8", "gfx942", "no source says how banks of gfx942 serve"),
        ("ld.shared.u32", "lane", "sm_90a", "lane 1 gives the address 1, which is no multiple"),
        ("ld.shared.u32", "lane*4 - 8", "sm_90a", "lane 0 gives the address -8, which is no byte"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    instruction: str, address: str, target: str, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        asked(instruction, address, target)
