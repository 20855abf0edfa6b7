"""The matrix of evidence: rows whose cells are known from the records, the claims and the GPU."""

from __future__ import annotations

import pytest

from lanemap import paths
from lanemap.probing.compare.evidence import COLUMNS, NONE, Evidence, evidence

NAMES = (
    "ds_read_b64_tr_b8",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "mma.sync.m16n8k16.f32:D",
    "movmatrix.sync.aligned.m8n8.trans.b16",
    "wgmma.m64n128.f32:D",
    "tcgen05.shift.down",
)
# As nvdisasm spells them: what an H200 times, and what is no matrix instruction.
TIMED = ("HMMA.16816.F32", "LDSM.16.M88.4", "HGMMA.64xNx16.F32", "IADD3")


@pytest.fixture(scope="module")
def rows() -> dict[str, Evidence]:
    return {each.variant: each for each in evidence(paths.find("results"), TIMED, NAMES)}


def test_every_variant_has_a_row_and_every_cell_a_value_or_a_reason(rows) -> None:
    assert set(rows) == set(NAMES)
    for row in rows.values():
        for column in COLUMNS:
            cell = getattr(row, column)
            assert cell and cell != NONE and not cell.endswith(": "), (row.variant, column)


def test_what_speaks_for_a_read_of_lds_and_against_it(rows) -> None:
    """docs/tr8.md counts the same sources."""
    row = rows["ds_read_b64_tr_b8"]
    assert row.claims_for == "6 (1 in part)" and "Modular" in row.claims_against
    assert row.kernels == "Triton 3.9's compiled FP8 P @ V"
    assert row.silicon == NONE + "no GPU that has it was at hand"
    assert row.timing == NONE + "no H200 has it"
    assert row.emulator == "gfx950"


def test_what_an_h200_showed(rows) -> None:
    shown = {name for name, row in rows.items() if row.silicon == "NVIDIA H200 (sm_90a)"}
    assert shown == set(NAMES) - {"ds_read_b64_tr_b8", "tcgen05.shift.down"}
    assert rows["mma.sync.m16n8k16.f32:D"].timing == "HMMA.16816.F32"
    assert rows["wgmma.m64n128.f32:D"].timing == "HGMMA.64xNx16.F32"
    assert rows["ldmatrix.sync.aligned.m8n8.x4.shared.b16"].timing == "LDSM.16.M88.4"
    assert rows["movmatrix.sync.aligned.m8n8.trans.b16"].timing == NONE + "no series times it"
