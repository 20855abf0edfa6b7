"""Every exhibit: the fault is found at its line, and the mended kernel is clean and right."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.conformance.museum.exhibit import (
    WRONG_RESULT,
    Exhibit,
    Pair,
    compiled,
    exhibits,
)
from lanemap.conformance.museum.reports import example_report, examples, report, run_example
from lanemap.emulator.api import Hazard
from lanemap.errors import MissingEnvironment
from lanemap.records.files import read_record
from tools import museum

ROOT = Path(__file__).resolve().parents[2]
EXHIBITS = [pytest.param(one, id=name) for name, one in exhibits().items()]


def run(one: Exhibit, faulty: bool) -> tuple[Sequence[Pair], Sequence[Hazard]]:
    """Launch it on the emulator: what it left, and what was reported."""
    device = lanemap.open_device(one.target, device="emulator", hazards="report", strict=one.strict)
    try:
        module = one.module(device, faulty)
    except MissingEnvironment as error:
        pytest.skip(str(error))
    try:
        pairs = one.launch(device, module)
    except Hazard as ended:
        return [], [*device.hazards, ended]
    return pairs, device.hazards


def lines(one: Exhibit, hazard: Hazard) -> set[int]:
    """The lines of the exhibit's file that a hazard names."""
    if one.marked_file.suffix in (".ptx", ".s"):
        other = hazard.facts.other
        return {hazard.line} | ({other.line} if other else set())
    return {line for file, line in hazard.facts.places if file.endswith(one.marked_file.name)}


@pytest.mark.parametrize("one", EXHIBITS)
def test_the_fault_is_found_at_its_line(one: Exhibit) -> None:
    pairs, hazards = run(one, faulty=True)
    if one.kind == WRONG_RESULT:
        assert not hazards
        assert not all(np.array_equal(got, right) for got, right in pairs)
        return
    found = [each for each in hazards if each.kind == one.kind and one.says in str(each)]
    assert found, [str(each) for each in hazards]
    assert any(lines(one, each) & one.marked() for each in found), str(found[0])
    row = read_record(ROOT / "results" / one.target / "emulator/museum_reports.json")
    assert row.findings["reports"][one.name] == report(one, hazards)


@pytest.mark.parametrize("one", EXHIBITS)
def test_the_mended_kernel_is_clean_and_right(one: Exhibit) -> None:
    pairs, hazards = run(one, faulty=False)
    assert not hazards, str(hazards[0])
    assert pairs
    for got, right in pairs:
        assert np.array_equal(got, right)


EXAMPLES = [pytest.param(kind, *paths, id=kind) for kind, paths in examples().items()]


@pytest.mark.parametrize(("kind", "fixed", "faulty"), EXAMPLES)
def test_an_example_of_a_hazard_is_reported_at_its_line(
    kind: str, fixed: Path, faulty: Path
) -> None:
    row = read_record(ROOT / "results/sm_90a/emulator/museum_reports.json")
    told = example_report(kind, faulty)
    assert row.findings["examples"][kind] == told
    (line,) = told["lines"]
    assert "// hazard" in faulty.read_text().splitlines()[line - 1]
    assert run_example(fixed) == []


def test_every_exhibit_says_where_it_was_met_and_why() -> None:
    for name, one in exhibits().items():
        assert one.threads and all(each.startswith("https://") for each in one.threads), name
        assert one.cause.endswith("."), name
        if one.kind != WRONG_RESULT:
            assert one.says and one.marked(), name
        fixed, faulty = (path.read_text() for path in one.texts())
        assert fixed != faulty or "FAULTY" in fixed, name


SCRIPTS = [pytest.param(one, id=name) for name, one in exhibits().items() if one.is_script]


@pytest.mark.parametrize("one", SCRIPTS)
def test_a_stored_text_is_what_its_compiler_made_of_the_script(one: Exhibit) -> None:
    made = compiled(one.source)
    assert made.intact("fixed") and made.intact("faulty")
    assert made.about["script_sha256"] == hashlib.sha256(one.source.read_bytes()).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("one", SCRIPTS)
def test_the_installed_compiler_makes_the_stored_text_again(one: Exhibit, tmp_path: Path) -> None:
    stored = compiled(one.source)
    package = museum.package(one.source)
    if museum.installed(package) != stored.about[package]:
        pytest.skip(f"needs {package} {stored.about[package]}")
    museum.compile_script(one.source, tmp_path)
    for version in ("fixed", "faulty"):
        path = stored.text(version)
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
