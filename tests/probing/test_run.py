"""From readings to the record and its files, on stand-ins with rules of the test's own."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest
from rich.console import Console

from lanemap.cli.folders import module
from lanemap.errors import UserError
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe, run_probe, write
from lanemap.records.files import read_record
from tests.probing.lds.standin import StandIn, chunk_rule, grid

LANE, BYTE = grid(8)
# AMD's Triton back end, MemoryOpToLLVM.cpp lowerDsReadTr.
TRITON = chunk_rule((LANE & 48) + 2 * BYTE + (LANE >> 3 & 1), LANE & 7, 8)
OCTETS = chunk_rule((LANE & ~7) + BYTE, LANE & 7, 8)


@pytest.fixture(scope="module")
def report():
    return observe(find_probe("tr8"), StandIn(TRITON))


def test_a_report_agrees_where_the_model_stands(report):
    assert report.agrees
    assert report.record.evidence == "emulator"
    assert report.record.observations[0].passes == 5 * (3 + 18)


def test_the_fit_is_the_rule_in_matrix_and_formula(report):
    """Chunk lane bits: byte 0..2 move up by one, lane bit 3 becomes bit 0, bits 4 and 5 stay."""
    fit = report.record.observations[0].fit
    rows = dict(zip(fit["source_bits"], fit["matrix"], strict=True))
    columns = fit["destination_bits"]
    ones = {
        bit: {columns[i] for i, entry in enumerate(row) if entry == "1"}
        for bit, row in rows.items()
    }
    assert ones == {
        "byte.0": {"lane.0"},
        "byte.1": {"lane.1"},
        "byte.2": {"lane.2"},
        "lane.0": {"lane.3"},
        "lane.1": {"byte.0"},
        "lane.2": {"byte.1"},
        "lane.3": {"byte.2"},
        "lane.4": {"lane.4"},
        "lane.5": {"lane.5"},
    }
    assert (fit["rank"], set(fit["offset"])) == (9, {"0"})
    lane, byte = LANE, BYTE
    formula = dict(line.split(" = ") for line in fit["formula"])
    assert np.array_equal(eval(formula["chunk.lane"]), (lane & 48) + 2 * byte + (lane >> 3 & 1))
    assert np.array_equal(eval(formula["chunk.byte"]) + 0 * byte, lane & 7)


def test_a_rival_rule_disagrees_and_is_still_recorded():
    report = observe(find_probe("tr8"), StandIn(OCTETS))
    assert not report.agrees and report.finding.explained
    (model,) = [verdict for verdict in report.parts[0].verdicts if "model" in verdict.names]
    # Lane 0 byte 1: the octet rule takes lane 1's chunk, the model lane 2's; the first bit of the
    # byte that shows it is its lowest.
    assert model.witness == "lane 0 register 0 bit 8"


def test_claims_stay_out_of_a_record_that_any_claim_can_be_held_against_later(report):
    assert "rules" not in report.record.findings and report.parts[0].verdicts
    uniform = find_probe("tr8").with_axes({"pattern": ["uniform"]})
    hidden = observe(uniform, StandIn(TRITON)).record.findings
    assert hidden["rules"][0]["names"][0] == "model"
    assert "model" in hidden["rules_left_together"][0]


def test_a_record_is_read_back_as_it_was_and_a_rerun_changes_no_byte(report, tmp_path):
    draw = module("analysis", "figures").draw
    written = write(report, tmp_path, draw(report.record)).written
    assert [p.relative_to(tmp_path).as_posix() for p in written] == [
        "gfx950/emulator/tr8.json",
        "gfx950/emulator/tr8.png",
        "gfx950/emulator/tr8.svg",
    ]
    assert read_record(written[0]).observations[0].map == report.finding.map
    before = [path.read_bytes() for path in written]
    again = observe(find_probe("tr8"), StandIn(TRITON))
    write(again, tmp_path, draw(again.record))
    assert [path.read_bytes() for path in written] == before


def test_a_record_holds_no_path_and_no_date_but_its_command(report):
    text = json.dumps(report.record.to_json())
    assert not re.search(r'[" ](~|\.\.?)?/[a-z]', text) and not re.search(r"20\d\d-", text)
    assert report.record.findings["command"] == (
        "lanemap probe tr8 --target gfx950 --device emulator"
    )


def test_other_axes_make_another_record():
    probe = find_probe("tr8").with_axes({"pattern": ["uniform"]})
    report = observe(probe, StandIn(TRITON))
    assert report.record.probe == "tr8.pattern=uniform"
    assert "--axis pattern=uniform" in report.record.findings["command"]
    assert report.record.observations == ()
    assert report.record.findings["certificate"]["classes"][0]["parts_per_cell"] == 8


def printed(report) -> str:
    console = Console(width=160, record=True, file=io.StringIO())
    report.show(console)
    return console.export_text()


def test_the_printed_map_has_a_row_for_each_lane_of_a_group(report):
    text = printed(report)
    rows = {words[0]: words[1:] for words in map(str.split, text.splitlines()) if words}
    assert rows["9"] == ["1.1", "3.1", "5.1", "7.1", "9.1", "11.1", "13.1", "15.1"]
    assert "16" not in rows
    assert "evidence: emulator" in text and "512 rules, each told from all others" in text


def test_a_map_that_does_not_repeat_is_printed_whole():
    crossed = chunk_rule(63 - LANE, BYTE, 8)
    text = printed(observe(find_probe("tr8"), StandIn(crossed)))
    assert re.search(r"^63 +0\.0 +0\.1$", text, re.MULTILINE)


def test_the_wrong_target_is_refused():
    with pytest.raises(UserError, match="runs on gfx950, not on sm_100a"):
        run_probe("tr8", target="sm_100a")
