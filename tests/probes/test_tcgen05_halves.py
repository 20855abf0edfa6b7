"""Packing loads and unpacking stores on the emulator: the halves that do not move."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap import model
from lanemap.devices import open_device
from lanemap.layout import LayoutMap
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.probing.tmem.halves import Halves, HalvesReading, asked, images, registers

SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")


def run(name: str, models: dict[str, LayoutMap] | None = None) -> ProbeReport:
    device = open_device("sm_100a", "emulator", hazards="report", models=models or {})
    return observe(find_probe(name), device)


def test_high_halves_play_no_part_in_a_packing_load() -> None:
    report = run("tcgen05_pack")
    assert report.agrees
    assert [part.variant for part in report.parts] == [
        f"tcgen05.ld.{shape}.x2.pack::16b" for shape in SHAPES
    ]
    for part in report.parts:
        assert set(part.finding.facts.values()) == {0}
        assert part.finding.settles_all and part.finding.certificates[0].complete
    # Thread 6, register 1 of 16x64b lies at lane 1, column 3; its high half at 2*3 + 1.
    found = report.parts[1].finding.map.source_of(lane=6, register=1, bit=20)
    assert found == {"lane": 1, "column": 7, "bit": 4}


def test_an_unpacking_store_leaves_the_high_halves_undefined() -> None:
    report = run("tcgen05_unpack")
    assert report.agrees
    for part in report.parts:
        facts = part.finding.facts
        assert len(facts["high_halves_after"]) == 3
        for found in facts["high_halves_after"].values():
            assert found == {"undefined": facts["high_halves"]}
    found = report.parts[1].finding.map.source_of(lane=1, column=7, bit=4)
    assert found == {"lane": 6, "register": 1, "bit": 20}


def test_a_load_that_takes_high_halves_is_noticed() -> None:
    """The low half of a register from the high half of its column."""
    name = "tcgen05.ld.16x128b.x2.pack::16b"
    true = model.variant(name).map
    rival = LayoutMap(true.destination, true.source, true.table + 16)
    report = run("tcgen05_pack", {name: rival})
    (part,) = [each for each in report.parts if each.variant == name]
    assert not part.agrees and not part.finding.settles_all
    assert part.finding.facts["registers_differ_by_high_halves"] > 0


@pytest.mark.parametrize("high", ["zero", "unchanged"])
def test_what_a_device_makes_of_high_halves_is_counted(high: str) -> None:
    """By hand: 32x32b.x2 stores halves 0 to 3 of thread t to columns 0 to 3 of lane t."""
    form = asked("st", "32x32b")
    words = np.stack([*images(), images()[0]])
    stored = registers(form)
    for column in range(4):
        half = stored[column // 2] >> np.uint32(16 * (column % 2)) & 0xFFFF
        rest = 0 if high == "zero" else words[:, column] & 0xFFFF0000
        words[:, column] = half | rest
    finding = Halves(loads=False).explain([HalvesReading(form, words, None)])
    assert finding.explained
    found = finding.facts["high_halves_after"]
    # Of 4 columns and 128 lanes; a word's number is zero where it is that of lane 0, column 0.
    count = found["its complement"][high]
    assert count == 4 * 128
    assert found["like the low half"][high] == 4 * 128
