"""Every tracked row of the emulator is what its probe writes today."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanemap.probing.probe import find_probes
from lanemap.probing.run import run_probe
from lanemap.records.files import row_text
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"
PROBES = find_probes()
ROWS = [
    (target.name, row.stem)
    for target in sorted(RESULTS.iterdir())
    for row in sorted((target / "emulator").glob("*.json"))
    if row.stem in PROBES
]
#: One of each family that takes a second.
QUICK = {("gfx950", "tr8"), ("gfx950", "tr8_broadcast"), ("sm_90a", "stmatrix"),
         ("sm_100a", "tcgen05_alloc"), ("sm_100a", "tcgen05_pack")}  # fmt: skip


def test_most_probes_have_a_row() -> None:
    assert len(ROWS) >= 37 and set(ROWS) >= QUICK


@pytest.mark.parametrize(("target", "name"), sampled(ROWS, QUICK))
def test_a_rerun_changes_no_byte(target: str, name: str) -> None:
    """If this fails because a probe, a model or a claim has changed: make probe-all, and review."""
    stored = RESULTS / target / "emulator" / f"{name}.json"
    assert row_text(run_probe(name, target, "emulator").record) == stored.read_text()
