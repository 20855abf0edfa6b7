"""What the emulator's allocations are found to do; what must hold of any device."""

from __future__ import annotations

import pytest

from lanemap.devices import open_device
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe


@pytest.fixture(scope="module")
def report() -> ProbeReport:
    return observe(find_probe("tcgen05_alloc"), open_device("sm_100a", "emulator"))


def test_what_is_held_at_once_shares_no_column(report: ProbeReport) -> None:
    facts = report.finding.facts
    assert report.agrees and facts["never_overlap"]
    for name, found in facts["sequences"].items():
        sizes = [step for step in found["steps"] if step > 0]
        assert len(sizes) == len(found["first_columns"]), name
        held: dict[int, set[int]] = {}
        made = 0
        for step in found["steps"]:
            if step < 0:
                del held[-step]
                continue
            first = found["first_columns"][made]
            made += 1
            held[made] = set(range(first, first + step))
            assert sum(map(len, held.values())) == len(set().union(*held.values())), name
            assert max(held[made]) < 512


def test_the_whole_of_it_can_be_had_again(report: ProbeReport) -> None:
    sequences = report.finding.facts["sequences"]
    assert sequences["whole"]["first_columns"] == [0]
    assert sequences["again"]["first_columns"][1] == 0
    # What was given back, 256 columns side by side, is what fits.
    assert sequences["merged"]["first_columns"][4] == 256


def test_an_allocation_waits_until_there_is_room(report: ProbeReport) -> None:
    """PTX ISA, tcgen05.alloc: it blocks while columns lack."""
    found = {tuple(c["columns"]): c["second_waited"] for c in report.finding.facts["contention"]}
    assert found == {(256, 256): False, (512, 512): True, (256, 512): True}
