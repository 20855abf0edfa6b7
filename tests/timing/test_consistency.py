"""Self-consistency of the timing model: the table of probes' windows that take what rows say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lanemap.timing.find import find_probes
from lanemap.timing.model.consistency import compared, why
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.series import SeriesProbe, assembled
from tools import timing_model

TABLE: dict[str, Any] = json.loads(timing_model.TABLE.read_text())
#: How many series of each group agree, at least. These numbers may only grow.
AGREE = {
    "issue": 88,
    "alu_rates": 220,
    "alu_paths": 111,
    "mma": 180,
    "smem": 220,
    "sync": 55,
    "wgmma": 317,
    "copies": 71,
    "memory": 42,
    "contention": 141,
    "stores": 15,
    "apart": 15,
    "busy": 11,
    "ragged": 2,
    "wgmma_beside": 52,
}
#: Series that agree, of groups that differ in the units that they ask.
SAMPLE = (
    ("sync", "mbarrier hand-off and back consumers=2"),
    ("mma", "HMMA.16816.F32 D to C"),
    ("smem", "STS.128 rate warps=4 passes=8"),
    ("alu_paths", "REDUX.SUM and IMAD.U32 and LOP3.LUT rate warps=16"),
    (
        "wgmma_beside",
        "HGMMA.64xNx16.F32 with STS.128 N=128 A=shared memory swizzle=128b major of A=K "
        "major of B=K warpgroups=1 accumulators=1 values=0 and 1, integers random others=2",
    ),
)


def test_no_group_agrees_less_than_it_did() -> None:
    counts = {group: len(own["agree"]) for group, own in TABLE.items()}
    assert {group: counts[group] >= least for group, least in AGREE.items()} == dict.fromkeys(
        AGREE, True
    )


def test_every_series_stands_in_the_table_once() -> None:
    for own in TABLE.values():
        names = [name for kind in ("agree", "disagree", "refused") for name in own[kind]]
        assert len(names) == len(set(names))


def test_the_table_prints_its_disagreements() -> None:
    text = "\n".join(timing_model.lines(TABLE))
    assert "FFMA instructions=2048 to 2432: 7.926 cycles, the machine 8.188;" in text
    assert "which lines of a set go where the cache ends" in text


def test_each_disagreement_has_a_cause() -> None:
    """What the page says that the machine leaves out."""
    others = [(group, name) for group, own in TABLE.items() for name in own["disagree"]]
    assert [each for each in others if why(*each) == "not known"] == []


@pytest.mark.parametrize(("group", "label"), SAMPLE)
def test_the_machine_says_what_the_table_says(group: str, label: str) -> None:
    probe = find_probes()[group]
    assert isinstance(probe, SeriesProbe)
    series = next(each for each in probe.series if each.label == label)
    (found,) = compared(group, [assembled(series, "sm_90a")], Parameters())
    assert timing_model.cycles(found) == TABLE[group]["agree"][label]


@pytest.mark.slow
@pytest.mark.parametrize("group", list(TABLE))
def test_the_table_is_what_the_machine_says(group: str) -> None:
    assert timing_model.run(group) == TABLE[group]
