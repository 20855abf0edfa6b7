"""Pasted names, as SASS and PTX print them, and the SASS opcodes that they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.records.lookup import of_kind
from lanemap.timing.find import find_probes
from lanemap.timing.names import Names, columns, opcode

RESULTS = Path(__file__).resolve().parents[2] / "results"


@pytest.fixture(scope="module")
def names() -> Names:
    rows = of_kind("timing", RESULTS)
    return Names(rows, find_probes().values())


@pytest.mark.parametrize(
    ("pasted", "opcodes"),
    [
        # As nvdisasm and cuobjdump print them.
        ("        /*0120*/                   FFMA R1, R2.reuse, R3, R4 ;", {"FFMA"}),
        ("@!P0 HMMA.16816.F32 R4, R8, R12, R4 ;", {"HMMA.16816.F32"}),
        ("hfma2.mma", {"HFMA2.MMA", "HFMA2.MMA.BF16_V2"}),
        ("HGMMA.64x256x16.F32 R24, gdesc[UR4], R24", {"HGMMA.64xNx16.F32"}),
        # As PTX has them; the SASS is what cuobjdump shows for each.
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4},",
         {"HMMA.16816.F32"}),
        ("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", {"HGMMA.64xNx16.F32.BF16"}),
        ("ld.shared::cta.f32 %f1, [%rd1];", {"LDS"}),
        ("ex2.approx.ftz.f32 %f2, %f1;", {"MUFU.EX2"}),
        ("$L1: @%p1 bar.sync 0;", {"BAR.SYNC.DEFER_BLOCKING"}),
        ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0],",
         {"UTMALDG.2D"}),
        ("mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;",
         {"SYNCS.PHASECHK.TRANS64.TRYWAIT"}),
        ("tcgen05.mma.cta_group::1.kind::f16", set()),
        (" ;", set()),
    ],
)  # fmt: skip
def test_a_pasted_instruction_is_found(names: Names, pasted: str, opcodes: set[str]) -> None:
    assert names.find(pasted) == opcodes


def test_signs_and_default_rounding_do_not_matter(names: Names) -> None:
    assert names.find("add.s32") == names.find("add.u32") >= {"IADD3"}
    assert names.find("fma.f32") == names.find("fma.rn.f32") >= {"FFMA"}
    assert not names.find("add.f32") & names.find("add.u32")


def test_the_beginning_of_a_name_means_all_of_them(names: Names) -> None:
    found = names.find("mma.sync.aligned.m16n8k16")
    assert {"HMMA.16816.F32", "IMMA.16816.S8.S8", "DMMA.16x8x16"} <= found
    assert not [each for each in found if "GMMA" in each]


def test_what_ends_a_copy_is_not_taken_for_the_copy(names: Names) -> None:
    """A window of TMA holds an arrival, the copy and a wait; the copy alone becomes UTMALDG."""
    copy = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    assert names.ptx("UTMALDG.2D") == [copy]
    assert names.ptx("HMMA.16816.F32") == ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"]
    assert "lop3.b32" not in names.ptx("POPC")


def test_parts_of_a_pasted_text() -> None:
    assert opcode("{ @p mov.b32 %r1, 0; }") == "mov.b32" and opcode("") == ""
    assert columns("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16") == 128
    assert columns("QGMMA.SP.64x64x64.F32.E4M3.E4M3") == 64 and columns("HMMA.16816.F32") is None
