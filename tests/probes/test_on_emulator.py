"""The probes of the transpose reads on the emulator, against maps worked out by other means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.layout import LayoutMap
from lanemap.probing.compare.rules import Rule, judge
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from tests.probes.test_tr8_broadcast import ALL, RULES, as_map

RESULTS = Path(__file__).resolve().parents[2] / "results"
# Element width and chunk bits of each probe's instruction.
WIDTHS = {"tr16": (16, 64), "tr8": (8, 64), "tr4": (4, 64), "tr6": (6, 96)}
PROBES = [*WIDTHS, "tr8_broadcast"]


def transposed(width: int, chunk: int) -> np.ndarray:
    """The chunk bit (64 lanes * chunk bits) of every register bit, by transposing real matrices.

    The chunks of 16 lanes are a matrix of 16 columns; lane i receives column i (AMD CDNA4 ISA,
    LDS transpose loads). Elements are numbered and moved by NumPy.
    """
    cells = chunk // width
    element = np.arange(64 * cells).reshape(4, cells, 16)
    received = element.transpose(0, 2, 1).reshape(64, cells)
    return (received[..., None] * width + np.arange(width)).reshape(-1)


@pytest.fixture(scope="module")
def reports():
    return {name: observe(find_probe(name), open_device("gfx950", "emulator")) for name in WIDTHS}


@pytest.mark.parametrize("name", WIDTHS)
def test_a_read_is_found_to_transpose_every_bit(name, reports):
    report = reports[name]
    assert np.array_equal(report.finding.map.table, transposed(*WIDTHS[name]))
    assert report.agrees and report.finding.map.is_one_to_one
    assert all(certificate.complete for certificate in report.finding.certificates)
    assert all(family["refuted"] for family in report.finding.facts["families"])
    assert all(pattern.agrees for pattern in report.finding.patterns)


def on(model: LayoutMap, name: str, hazards: str = "raise"):
    """A probe's readings of an emulator that executes another map in the model's place."""
    probe = find_probe(name)
    device = open_device("gfx950", "emulator", hazards=hazards, models={"ds_read_b64_tr_b8": model})
    return probe, probe.readings(device)


@pytest.mark.parametrize("obeyed", RULES)
def test_a_rival_in_the_models_place_is_found_as_it_is(obeyed):
    rival = as_map(*RULES[obeyed])
    probe, readings = on(rival, "tr8")
    finding = probe.analysis.explain(readings)
    assert finding.map.first_difference(rival) is None
    verdicts, together = judge(probe.analysis, readings, ALL)
    assert [v.names[0] for v in verdicts if v.stands] == [obeyed]
    assert {len(group) for group in together} == {1}


@pytest.mark.parametrize("obeyed", RULES)
def test_the_broadcast_experiment_tells_modulars_rule_alone(obeyed):
    probe, readings = on(as_map(*RULES[obeyed]), "tr8_broadcast", "report")
    verdicts, _ = judge(probe.analysis, readings, ALL)
    alike = {"transpose of 16 lanes", "rocjitsu, old", "octets"}
    standing = {v.names[0] for v in verdicts if v.stands}
    assert standing == ({"Modular"} if obeyed == "Modular" else alike)


def test_the_hazard_of_the_broadcast_names_lane_byte_and_line():
    report = observe(
        find_probe("tr8_broadcast"), open_device("gfx950", "emulator", hazards="report")
    )
    (hazard,) = [line for line in report.finding.lines if line.startswith("hazard: ")]
    # 56 of 64 lanes get eight bytes that nothing wrote; lane 1 byte 1 is the first of them.
    assert "448 of 768 bytes" in hazard and "shared memory, byte 0x1" in hazard
    assert "lane 1 of wave 0" in hazard
    line = report.probe.source.splitlines().index(
        next(text for text in report.probe.source.splitlines() if "tr_b8" in text)
    )
    assert f"line {line + 1} " in hazard


def test_bits_exchanged_inside_a_byte_are_noticed():
    """A model that turns every byte around: no byte tag alone can name it, the bit tags do."""
    plain = as_map(*RULES["transpose of 16 lanes"])
    turned = plain.table.reshape(-1, 8)[:, ::-1].ravel()
    rival = LayoutMap(plain.destination, plain.source, turned)
    probe, readings = on(rival, "tr8")
    finding = probe.analysis.explain(readings)
    assert finding.map.first_difference(rival) is None and finding.cell_map is None
    verdicts, _ = judge(probe.analysis, readings, [Rule(("plain",), plain)])
    assert verdicts[0].witness == "lane 0 register 0 bit 0"


def test_every_probe_has_a_tracked_row():
    rows = {path.stem for path in (RESULTS / "gfx950" / "emulator").glob("*.json")}
    assert rows >= set(PROBES)
