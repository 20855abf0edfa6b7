"""The probe of banks finds the rules that it is given, and says where they cannot be told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.model.banks import nvidia
from lanemap.probing.banks.analysis import BankReading
from lanemap.probing.banks.forms import ACCESSES
from lanemap.probing.banks.inputs import INACTIVE, families
from lanemap.probing.banks.rules import Rule, fit
from lanemap.probing.mutation.bank_mutants import rule_of
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from lanemap.records.files import read_record
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"
WIDE, NARROW, STORE = "ld.shared.v4.b32", "ld.shared.u8", "st.shared.v2.b32"
ROWS = "ldmatrix.sync.aligned.m8n8.x2.shared.b16"
QUARTERS = ["0 to 7", "8 to 15", "16 to 23", "24 to 31"]
#: What the sources say (lanemap/model/banks.py), by form.
SAID = {
    NARROW: {"phases": ["0 to 31"], "masks": [], "idle": None},
    WIDE: {"phases": QUARTERS, "masks": [1, 2], "idle": "least"},
    STORE: {"phases": ["0 to 15", "16 to 31"], "masks": [], "idle": "least"},
    ROWS: {"phases": QUARTERS[:2], "masks": [], "idle": None},
}


def found(names: list[str], **changes: object) -> dict[str, dict]:
    """What the probe finds of some forms, where a field of every bank rule has another value."""
    rules = [replace(rule, **changes) for rule in nvidia("sm_90a")] if changes else ()
    probe = find_probe("smem_banks").with_axes({"access": names})
    report = observe(probe, open_device("sm_90a", "emulator", banks=rules))
    return {part.variant.removesuffix(":banks"): part for part in report.parts}


@pytest.fixture(scope="module")
def plain() -> dict[str, dict]:
    return found(list(SAID))


@pytest.mark.parametrize("name", SAID)
def test_the_emulators_rule_is_found(plain, name):
    finding = plain[name].finding
    assert finding.explained
    assert finding.facts["rule"] == {"banks": 32, "word_bytes": 4, **SAID[name]}
    assert all(certificate.complete for certificate in finding.certificates)
    tracked = read_record(RESULTS / "sm_90a" / "emulator" / "smem_banks.json")
    stored = tracked.findings["variants"][f"{name}:banks"]
    assert {key: stored[key] for key in finding.facts} == finding.facts


def test_rows_of_further_lanes_do_not_count(plain):
    assert plain[ROWS].finding.facts["ignored_lanes"] == "16 to 31"
    assert plain[WIDE].finding.facts["ignored_lanes"] == "none"


EVEN_ODD = (tuple(range(0, 32, 2)), tuple(range(1, 32, 2)))


@pytest.mark.parametrize(
    ("changes", "name", "shown"),
    sampled([
        ({"banks": 16}, NARROW, {"banks": 16}),
        ({"banks": 64}, WIDE, {"banks": 64}),
        ({"joining": ()}, WIDE, {"masks": []}),
        ({"joining": (2, 5, 16)}, WIDE, {"masks": [2, 5, 16]}),
        ({"idle": False}, WIDE, {"idle": "none"}),
        ({"phases": EVEN_ODD}, STORE, {"phases": [
            ", ".join(map(str, phase)) for phase in EVEN_ODD]}),
    ], 2),
)  # fmt: skip
def test_another_rule_in_the_emulator_is_found_as_it_is(changes, name, shown):
    part = found([name], **changes)[name]
    assert part.finding.explained
    assert part.finding.facts["rule"] == {"banks": 32, "word_bytes": 4, **SAID[name]} | shown


# -- the rules, by hand ----------------------------------------------------------------------------

LANE = np.arange(32)
QUARTER_RULE = Rule(tuple(tuple(range(n, n + 8)) for n in range(0, 32, 8)), 32, 4, (1, 2), "least")


@pytest.mark.parametrize(
    ("offsets", "passes"),
    [
        (16 * LANE, 4),  # 128 bytes for each phase
        (32 * LANE, 8),  # every other 16 bytes: two words in half of the banks
        (128 * LANE, 32),
        (0 * LANE, 2),  # neighbors agree: two pairs of phases
        (16 * (LANE // 2), 2),
        (16 * (LANE & ~4), 4),  # they agree with the lane four apart only: 4 words in half a phase
        (np.where(LANE == 5, 16, INACTIVE), 2),  # its neighbors are inactive
        (np.where(LANE < 4, 16 * LANE, INACTIVE), 4),
        (np.where(LANE < 4, 128 * LANE, INACTIVE), 4),
        (np.where(LANE < 8, 128 * LANE, INACTIVE), 8),
    ],
)
def test_passes_by_hand(offsets, passes):
    assert QUARTER_RULE.passes(ACCESSES[WIDE], offsets) == passes


def predicted(rule: Rule, name: str) -> tuple[dict, dict]:
    access = ACCESSES[name]
    inputs = families(access)
    passes = {
        family: np.array([rule.passes(access, row) for row in rows])
        for family, rows in inputs.items()
    }
    return inputs, passes


def test_a_time_that_is_no_whole_number_of_passes_leaves_the_form_unexplained():
    inputs, passes = predicted(QUARTER_RULE, WIDE)
    assert fit(ACCESSES[WIDE], inputs, passes).explained
    passes["random"][7] = -1
    shown = fit(ACCESSES[WIDE], inputs, passes)
    assert shown.rule == QUARTER_RULE and not shown.explained and shown.wrong["random"] == 1


def test_lanes_that_share_phases_in_a_chain_only_have_no_phases():
    """Lanes 0 and 1 together, 1 and 2 together, 0 and 2 apart: that is no partition."""
    inputs, passes = predicted(QUARTER_RULE, WIDE)
    passes["pairs"][1] += 1  # lanes 0 and 2
    shown = fit(ACCESSES[WIDE], inputs, passes)
    assert shown.rule is None and not shown.explained


def test_an_unexpected_conflict_matches_no_banks():
    inputs, passes = predicted(QUARTER_RULE, WIDE)
    passes["distances"][3] += 1
    shown = fit(ACCESSES[WIDE], inputs, passes)
    assert not shown.explained and shown.chosen["banks"] == ()


def test_readings_name_what_they_are_about():
    reading = BankReading(ACCESSES[WIDE], "base", np.zeros((1, 32)), np.zeros(1))
    assert reading.variant == f"{WIDE}:banks"


# -- what silicon showed ---------------------------------------------------------------------------


def test_the_h200_showed_the_models_rules():
    record = read_record(RESULTS / "sm_90a" / "cuda" / "smem_banks.json")
    assert record.evidence == "silicon" and "H200" in record.environment["gpu"]
    assert record.findings["explained"] and len(record.findings["variants"]) == len(ACCESSES)
    for variant, shown in record.findings["variants"].items():
        access, model = ACCESSES[variant.removesuffix(":banks")], rule_of(variant, "sm_90a")
        phases = [phase for phase in model.phases if phase[0] < access.lanes]
        rule = shown["rule"]
        assert rule["phases"] == [f"{phase[0]} to {phase[-1]}" for phase in phases]
        assert (rule["banks"], rule["word_bytes"]) == (model.banks, 4)
        assert rule["masks"] == list(model.joining)
        if rule["idle"] is not None:
            assert rule["idle"] == ("least" if model.idle else "none")
        assert not shown["inputs_not_explained"] and sum(shown["inputs"].values()) > 800
        assert all(each["complete"] for each in shown["certificate"]["classes"])
