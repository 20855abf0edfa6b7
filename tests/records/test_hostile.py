"""Rows that claim what they cannot show, and names that would be paths."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap, Space
from lanemap.records.files import (
    read_record,
    read_records,
    record_path,
    row_text,
    write_records,
)
from lanemap.records.kinds import FILES
from lanemap.records.names import file_name
from lanemap.records.schema import Observation, Record
from tests.records.rows import ENVIRONMENT, HASH, file_text, findings
from tests.sampled import sampled

ROOT = Path(__file__).resolve().parents[2]
REGISTER = Space("register", (("lane", 4), ("bit", 2)))
CHUNK = Space("chunk", (("lane", 4), ("bit", 2)))
WHOLE = LayoutMap(REGISTER, CHUNK, np.arange(8))


def row(**changes: Any) -> Record:
    """A row of silicon that is as it should be, but for the changes."""
    observation = Observation("a_read", WHOLE, HASH, None, 1)
    given: dict[str, Any] = {
        "probe": "mine", "target": "gfx950", "device": "hip", "evidence": "silicon",
        "observations": (observation,), "findings": findings("a_read"),
        "environment": ENVIRONMENT, **changes,
    }  # fmt: skip
    return Record(**given)


def stored(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    (path,) = write_records([row()], tmp_path)
    return path, json.loads(path.read_text())


def without(data: dict[str, Any], *keys: Any) -> dict[str, Any]:
    """A copy that lacks the value at the end of a path of keys."""
    copied = copy.deepcopy(data)
    inner: Any = copied
    for key in keys[:-1]:
        inner = inner[key]
    del inner[keys[-1]]
    return copied


REFUSED = {
    "no environment": (lambda d: without(d, "environment"), "silicon and no environment"),
    "an empty one": (lambda d: d | {"environment": {}}, "environment"),
    "one without a GPU": (lambda d: without(d, "environment", "gpu"), "environment"),
    "one without its host": (lambda d: without(d, "environment", "host"), "environment"),
    "the emulator as silicon": (lambda d: d | {"device": "emulator"}, "comes from cuda or hip"),
    "silicon as emulator": (
        lambda d: without(d | {"evidence": "emulator"}, "environment"), "comes from emulator"
    ),
    "an unknown device": (lambda d: d | {"device": "rumor"}, "comes from cuda or hip"),
    "documents of a device": (lambda d: d | {"evidence": "documented"}, "evidence"),
    "an unknown kind": (lambda d: d | {"kind": "hearsay"}, "its kind 'hearsay' is not one of"),
    "no kind": (lambda d: without(d, "kind"), "its kind None is not one of"),
    "an unknown key": (lambda d: d | {"verified": True}, "verified: Extra inputs"),
    "a map of no variant": (lambda d: d | {"observations": []}, "observations: List should have"),
    "no findings": (lambda d: without(d, "findings"), "findings: Field required"),
    "a number as text": (
        lambda d: d | {"findings": d["findings"] | {"explained": "yes"}}, "findings.explained"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_row_that_claims_too_much_is_refused_in_a_sentence_that_names_its_file(
    tmp_path: Path, case: str
) -> None:
    path, data = stored(tmp_path)
    change, words = REFUSED[case]
    path.write_text(file_text(change(data)))
    with pytest.raises(UserError) as refusal:
        read_records(tmp_path)
    assert str(path) in str(refusal.value) and words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_cells_are_counted_again_when_a_row_is_read(tmp_path: Path) -> None:
    path, data = stored(tmp_path)
    (observation,) = data["observations"]
    assert observation["cells"] == {"all": 8, "defined": 8, "without_source": 0}
    for packed, words in (
        ({"form": "runs", "rows": ["0", "-1+0*7"]}, "has {'all': 8, 'defined': 1"),
        ({"form": "runs", "rows": ["-1+0*8"]}, "has {'all': 8, 'defined': 0"),
        ({"form": "runs", "rows": ["0+1*999999999999"]}, "goes beyond its 8 cells"),
        ({"form": "runs", "rows": ["0+1*8"], "without_source": [[7, 2]]}, "no cells 7 to 8"),
        ({"form": "runs", "rows": ["0+1*8"], "without_source": [[7, 1]]}, "marked as having none"),
        ({"form": "f2", "offset": 0, "columns": {"lane": [2, 4]}}, "does not name the axes"),
        (
            {"form": "f2", "offset": 1 << 70, "columns": {"lane": [1, 2], "bit": [4, 8]}},
            f"names source cell {1 << 70}",
        ),
    ):
        ends = {key: observation["map"][key] for key in ("destination", "source")}
        changed = copy.deepcopy(data)
        changed["observations"][0]["map"] = ends | packed
        path.write_text(file_text(changed))
        with pytest.raises(UserError) as refusal:
            read_record(path)
        assert str(path) in str(refusal.value) and words in str(refusal.value)
    changed = copy.deepcopy(data)
    changed["observations"][0]["map"]["destination"]["axes"][0][1] = 1 << 60
    path.write_text(file_text(changed))
    with pytest.raises(UserError, match="more than 33554432 cells"):
        read_record(path)


def test_a_row_without_a_defined_cell_cannot_be_made() -> None:
    nothing = LayoutMap(REGISTER, CHUNK, np.full(8, -1))
    with pytest.raises(UserError, match="mine for gfx950 on hip observes a_read and defines none"):
        row(observations=(Observation("a_read", nothing, HASH, None, 1),))
    # Not even where every cell is marked as one that receives nothing.
    marked = Observation("a_read", nothing, HASH, None, 1, without_source=np.ones(8, np.bool_))
    with pytest.raises(UserError, match="defines none"):
        row(observations=(marked,))


def test_what_is_refused_on_reading_is_not_written(tmp_path: Path) -> None:
    for changes, words in (
        ({"environment": {"gpu": "x"}}, "environment"),
        ({"findings": {}}, "findings.variant"),
        ({"kind": "readings"}, "observations"),
        ({"kind": "programs"}, "as a file of kind programs, observations"),
        ({"kind": "hearsay"}, "its kind 'hearsay'"),
        ({"probe": ""}, "an empty name"),
    ):
        with pytest.raises((UserError, ValueError), match=words):
            write_records([row(**changes)], tmp_path)
    assert not list(tmp_path.iterdir())


def test_readings_have_a_certificate_whose_counts_may_be_too_large_for_a_number(
    tmp_path: Path,
) -> None:
    counts = {"cells": 1, "complete": True, "remaining": None, "cheapest_split": None}
    for count, taken in ((5, True), ("2^90", True), ("about 10^215", True), ("many", False)):
        classes = [counts | {"hypotheses": "h", "rules_per_cell": count, "parts_per_cell": count}]
        told = findings("a_read", certificate={"classes": classes})
        unsettled = row(observations=(), kind="readings", findings=told)
        if taken:
            write_records([unsettled], tmp_path / str(count))
        else:
            with pytest.raises(UserError, match="findings.certificate.classes"):
                write_records([unsettled], tmp_path)
    with pytest.raises(UserError, match="neither a map nor a certificate"):
        write_records([row(observations=(), kind="readings")], tmp_path)


def test_marks_of_cells_without_a_source_come_back(tmp_path: Path) -> None:
    table = np.array([0, -1, 1, -1, -1, -1, 2, 3])
    layout = LayoutMap(REGISTER, CHUNK, table)
    for marks, partial, packed in (
        (None, True, None),
        (np.array([0, 1, 0, 1, 1, 1, 0, 0], np.bool_), False, "rest"),
        (np.array([0, 1, 0, 0, 1, 1, 0, 0], np.bool_), True, [[1, 1], [4, 2]]),
    ):
        observation = Observation("a_read", layout, HASH, None, 1, without_source=marks)
        assert observation.partial is partial
        out = tmp_path / str(packed).replace(" ", "")
        (path,) = write_records([row(observations=(observation,))], out)
        held = json.loads(path.read_text())["observations"][0]
        assert held["map"].get("without_source") == packed
        assert held["cells"]["defined"] == 4
        (again,) = read_record(path).observations
        assert again.partial is partial and again.cells() == observation.cells()
        if marks is not None:
            assert np.array_equal(again.without_source, marks)


HOSTILE = ["../../x", "..", ".", "/etc/passwd", "a/b", "a\\b", "~", "C:x", ".hidden", "-rf", "a\0b",
           "a\nb", "%2e%2e", "name with spaces", "é/ü", "<script>", "x" * 5000, "?q",
           "#f"]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_a_path(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    for field in ("probe", "target"):
        path = record_path(row(**{field: name}), out)
        assert path.resolve().is_relative_to(out.resolve())
        assert len(path.relative_to(out).parts) == 3
        (written,) = write_records([row(**{field: name})], out)
        assert written == path and path.is_file()
    assert {p.name for p in tmp_path.iterdir()} == {"out"}
    assert len(read_records(out)) == 2


@given(st.text(min_size=1))
def test_a_file_name_is_one_plain_component(name: str) -> None:
    made = file_name(name)
    assert os.path.basename(made) == made and made not in (".", "..")
    assert made[0] not in ".-" and len(made.encode()) <= 200 and made.isascii()
    assert not set(made) & set("/\\:%?#&+ \"'<>|*\0")


@given(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
def test_different_names_have_different_files(names: list[str]) -> None:
    assert file_name(names[0]) != file_name(names[1])


def test_plain_names_stay_as_they_are() -> None:
    for name in ("tr8.json", "sm_100a", "tr8.pattern=permuted,strided.json", "16x64b.packed.png"):
        assert file_name(name) == name
    # Two bytes of UTF-8 in hexadecimal; the tilde itself is 0x7e.
    assert file_name("é~") == "~c3~a9~7e"


def test_a_record_in_another_records_place_is_refused(tmp_path: Path) -> None:
    path, data = stored(tmp_path)
    for key, value in (("probe", "../../x"), ("target", "sm_100a"), ("probe", "other")):
        path.write_text(file_text(data | {key: value}))
        with pytest.raises(UserError, match="holds a record that belongs at"):
            read_records(tmp_path)


SCALARS = st.sampled_from([None, True, -1, 0, 1 << 70, 1.5, "", "x", [], {}, [[]], ["x"], {"x": 1}])


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_row_is_read_or_refused_and_never_a_traceback(
    tmp_path: Path, data: st.DataObject
) -> None:
    path, whole = (
        stored(tmp_path / "whole")
        if not (tmp_path / "whole").exists()
        else (
            tmp_path / "whole/gfx950/hip/mine.json",
            json.loads((tmp_path / "whole/gfx950/hip/mine.json").read_text()),
        )
    )
    inner: Any = whole
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = data.draw(st.sampled_from(keys))
        deeper = isinstance(inner[key], (dict, list)) and inner[key]
        if not deeper or data.draw(st.booleans()):
            break
        inner = inner[key]
    if data.draw(st.booleans()) and isinstance(inner, dict):
        del inner[key]
    else:
        inner[key] = data.draw(SCALARS)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(json.dumps(whole))
    try:
        read_record(damaged)
    except UserError as error:
        assert str(damaged) in str(error)


def test_each_kind_has_a_file_of_results() -> None:
    kinds = {json.loads(path.read_text())["kind"] for path in (ROOT / "results").glob("*/*/*.json")}
    assert kinds == set(FILES)


@pytest.mark.parametrize("path", sampled(sorted((ROOT / "results").glob("*/*/*.json")), 6))
def test_a_file_of_results_is_written_as_it_is_read(path: Path) -> None:
    """To the byte."""
    record = read_record(path)
    assert row_text(record) == path.read_text()
    # It names 4 lanes of 128 in taddr, one for each quadrant.
    partial = record.probe == "tmem_lanes"
    assert all(each.partial is partial for each in record.observations)
