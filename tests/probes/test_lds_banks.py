"""The probe of LDS's banks finds the tables that it is given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.model.banks import gfx950
from lanemap.probing.banks.analysis import NO_WHOLE, in_passes
from lanemap.probing.banks.forms import ACCESSES
from lanemap.probing.banks.inputs import families
from lanemap.probing.banks.lds_forms import LDS_ACCESSES, source
from lanemap.probing.banks.rules import Rule
from lanemap.probing.probe import find_probe
from lanemap.probing.run import observe
from lanemap.records.files import read_record
from lanemap.toolchain.amdgpu import assemble
from tests.sampled import sampled

RESULTS = Path(__file__).resolve().parents[2] / "results"
HALVES = ["0 to 31", "32 to 63"]
#: What HipKittens and rocRoller publish (lanemap/model/banks.py), by form.
SAID = {
    "ds_read_b128": {"banks": 64, "phases": [
        "0 to 3, 12 to 15, 20 to 27", "4 to 11, 16 to 19, 28 to 31",
        "32 to 35, 44 to 47, 52 to 59", "36 to 43, 48 to 51, 60 to 63"]},
    "ds_write_b64": {"banks": 32, "phases": ["0 to 15", "16 to 31", "32 to 47", "48 to 63"]},
    "ds_read_b64": {"banks": 64, "phases": HALVES},
    "ds_read_b64_tr_b16": {"banks": 64, "phases": HALVES},
}  # fmt: skip


def found(names: list[str], **changes: object) -> dict[str, dict]:
    """What the probe finds of some forms, where a field of every bank rule has another value."""
    rules = [replace(rule, **changes) for rule in gfx950()] if changes else ()
    probe = find_probe("lds_banks").with_axes({"access": names})
    report = observe(probe, open_device("gfx950", "emulator", banks=rules))
    return {part.variant.removesuffix(":banks"): part for part in report.parts}


@pytest.mark.parametrize("name", sampled(["ds_read_b128", "ds_write_b64"], 2))
def test_the_emulators_rule_is_found(name: str) -> None:
    finding = found([name])[name].finding
    assert finding.explained
    rule = finding.facts["rule"]
    assert {key: rule[key] for key in SAID[name]} == SAID[name]
    assert (rule["masks"], rule["idle"]) == ([], "none")
    assert all(certificate.complete for certificate in finding.certificates)


def test_the_row_has_the_published_rules() -> None:
    row = read_record(RESULTS / "gfx950" / "emulator" / "lds_banks.json").findings
    assert row["explained"] and len(row["variants"]) == len(LDS_ACCESSES) == 13
    for name, said in SAID.items():
        rule = row["variants"][f"{name}:banks"]["rule"]
        assert {key: rule[key] for key in said} == said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"banks": 32}, {"banks": 32}),
        ({"phases": tuple(tuple(range(first, 64, 4)) for first in range(4))},
         {"phases": [", ".join(map(str, range(first, 64, 4))) for first in range(4)]}),
        ({"idle": True}, {"idle": "least"}),
        ({"joining": (1, 16)}, {"masks": [1, 16]}),
    ],
)  # fmt: skip
def test_another_rule_in_the_emulator_is_found_as_it_is(changes: dict, shown: dict) -> None:
    finding = found(["ds_read_b64"], **changes)["ds_read_b64"].finding
    assert finding.explained
    assert {key: finding.facts["rule"][key] for key in shown} == shown


@pytest.mark.parametrize("mask", sampled([32, 33, 63], {33}))
def test_a_mask_that_joins_both_halves_of_a_wave_is_found(mask: int) -> None:
    """Where a half is idle, the other agrees with it: what an idle phase costs stays open."""
    finding = found(["ds_read_b64"], joining=(mask,))["ds_read_b64"].finding
    assert finding.facts["rule"]["masks"] == [mask]
    assert finding.facts["candidates"]["idle phases"] == ["least", "none", "each"]
    assert not finding.explained


def test_a_pass_may_take_several_cycles() -> None:
    """2.5 cycles a pass, of which a GPU shows times only; 64 banks of 4 bytes, two phases."""
    access = LDS_ACCESSES["ds_read_b64"]
    rule = Rule((tuple(range(32)), tuple(range(32, 64))), 64, 4)
    inputs = families(access)
    rows = np.concatenate([inputs["base"], inputs["single"], inputs["random"]])
    right = np.array([rule.passes(access, row) for row in rows])
    passes, farthest, unit = in_passes(access, 2.5 * right + 0.1)
    assert (unit, farthest < 0.05) == (2.5, True)
    np.testing.assert_array_equal(passes, right)
    assert (in_passes(access, np.ones(len(rows)))[0] == NO_WHOLE).all()  # nothing costs anything
    # An NVIDIA GPU takes a cycle, so half a cycle is no whole number.
    assert in_passes(ACCESSES["ld.shared.b32"], np.array([1.5]))[0].tolist() == [NO_WHOLE]


def test_clang_assembles_the_kernels() -> None:
    assert assemble(source(), "gfx950")[:4] == b"\x7fELF"
