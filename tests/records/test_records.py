"""Rows of results/: packed maps against hand-worked ones, canonical text, whole files."""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout.cells import LayoutMap, Space
from lanemap.records.environment import host_environment, revision
from lanemap.records.files import dumps, read_record, read_records, write_files, write_records
from lanemap.records.hashes import model_hash, source_hash
from lanemap.records.lookup import observations_of
from lanemap.records.maps import decode_map, encode_map
from lanemap.records.schema import Observation, Pattern, Record
from tests.records.rows import ENVIRONMENT, file_text, findings

REGISTER = Space("register", (("lane", 4), ("byte", 2)))
CHUNK = Space("chunk", (("lane", 4), ("byte", 2)))


def transpose() -> LayoutMap:
    """Lane l byte j receives byte l%2 of lane 2*(l//2)+j: a 2x2 transpose in each pair of lanes."""
    return LayoutMap(REGISTER, CHUNK, np.array([0, 2, 1, 3, 4, 6, 5, 7]))


def record(evidence: str = "emulator", **changes: object) -> Record:
    pattern = Pattern("lane*8", "consecutive chunks", agrees=True, cells=8)
    observation = Observation(
        "ds_read_toy", transpose(), source_hash("s_endpgm"), model_hash(transpose()), 2, (pattern,)
    )
    base = Record(
        "toy",
        "gfx950",
        "emulator",
        "emulator",
        (observation,),
        findings("ds_read_toy", undefined=[1, 2]),
    )
    return replace(base, evidence=evidence, **changes)  # type: ignore[arg-type]


def test_an_f2_map_is_packed_as_its_hand_worked_matrix() -> None:
    packed = encode_map(transpose())
    # Index bits: byte bit 0 of the destination is lane bit 0 of the source (index 2), lane bit 0
    # is byte bit 0 (index 1), lane bit 1 stays where it is (index 4).
    assert packed["form"] == "f2"
    assert packed["offset"] == 0
    assert packed["columns"] == {"lane": [1, 4], "byte": [2]}


def test_a_map_that_is_no_matrix_is_packed_in_runs() -> None:
    table = np.array([-1, -1, 0, 2, 4, 6, 7, 7])
    packed = encode_map(LayoutMap(REGISTER, CHUNK, table))
    assert packed["form"] == "runs"
    assert packed["rows"] == ["-1+0*2", "0+2*2", "4+2*2", "7+0*2"]
    assert np.array_equal(decode_map(packed).table, table)


@given(st.data())
def test_any_map_survives_packing(data: st.DataObject) -> None:
    lanes = data.draw(st.integers(1, 5))
    cells = data.draw(st.integers(1, 5))
    destination = Space("register", (("lane", lanes), ("bit", cells)))
    source = Space("chunk", (("byte", 9),))
    indices = st.lists(st.integers(-1, 8), min_size=destination.size, max_size=destination.size)
    table = np.array(data.draw(indices))
    packed = json.loads(dumps(encode_map(LayoutMap(destination, source, table))))
    unpacked = decode_map(packed)
    assert np.array_equal(unpacked.table, table)
    assert (unpacked.destination, unpacked.source) == (destination, source)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"form": "csv"}, "lanemap reads 'f2' and 'runs'"),
        ({"form": "runs", "rows": ["0+1*8", "9", "", ""]}, "goes beyond its 8 cells"),
        ({"form": "runs", "rows": ["0+1*7", "8"]}, "outside 0 .. 7"),
        ({"form": "runs", "rows": ["0..7"]}, "is not a run"),
        ({"columns": {"lane": [1], "byte": [2]}}, "axis lane of a packed map has 4 cells"),
    ],
)
def test_a_malformed_map_is_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        decode_map(encode_map(transpose()) | change)


def test_a_record_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    (path,) = write_records([record()], tmp_path)
    assert path == tmp_path / "gfx950" / "emulator" / "toy.json"
    again = read_record(path)
    assert dumps(again.to_json()) == dumps(record().to_json())
    assert np.array_equal(again.observations[0].map.table, transpose().table)
    assert len(read_records(tmp_path)) == 1


def test_a_rerun_changes_no_byte(tmp_path: Path) -> None:
    (path,) = write_records([record()], tmp_path)
    before = path.read_bytes()
    write_records([record()], tmp_path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["toy.json"]


def test_canonical_text_sorts_keys_and_keeps_short_lists_on_a_line() -> None:
    assert dumps({"b": [1, 2], "a": [{"x": 1}], "c": {}}) == (
        '{\n  "a": [\n    {\n      "x": 1\n    }\n  ],\n  "b": [1, 2],\n  "c": {}\n}\n'
    )
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"a": float("nan")})


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"cannot write {tmp_path}: it is a folder; name a file$"):
        write_files({tmp_path: "text"})


def test_nothing_is_written_where_one_file_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot write .*b.json: "):
        write_files({tmp_path / "a.json": "{}", tmp_path / "file" / "b.json": "{}"})
    assert os.listdir(tmp_path) == ["file"]


def test_a_truncated_record_is_named_with_its_line(tmp_path: Path) -> None:
    (path,) = write_records([record()], tmp_path)
    path.write_text(path.read_text()[:200])
    with pytest.raises(UserError, match=rf"{path}:\d+: not valid JSON"):
        read_record(path)
    # What is left does not name the variant, and it may not pass for a record without it.
    with pytest.raises(UserError, match=rf"{path}:\d+: not valid JSON"):
        observations_of("a variant that stood behind the cut", tmp_path)
    path.write_text("[" * 100_000)
    with pytest.raises(UserError, match=f"{path}: its JSON is nested too deeply"):
        read_record(path)
    path.write_bytes(b'{"schema": "\xff"}')
    with pytest.raises(UserError, match=f"{path}: byte 12 is not UTF-8"):
        read_record(path)
    path.write_text(file_text({"schema": 2}))
    with pytest.raises(UserError, match=f"{path}: its kind None is not one of layout_map"):
        read_record(path)
    path.write_text('{"schema": 1, "kind": "layout_map"}')
    with pytest.raises(UserError, match=f"{path}: schema 1 is not 2"):
        read_record(path)
    path.write_text('["schema"]')
    with pytest.raises(UserError, match=f"{path}: this is not a record"):
        read_record(path)


def test_silicon_carries_its_environment_and_is_never_overwritten(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no environment"):
        record("silicon", device="hip")
    with pytest.raises(UserError, match="an environment"):
        record("emulator", environment=ENVIRONMENT)
    silicon = record("silicon", device="hip", environment=ENVIRONMENT)
    write_records([silicon], tmp_path)
    write_records([silicon], tmp_path)
    with pytest.raises(UserError, match="never overwritten"):
        write_records([replace(silicon, environment={**ENVIRONMENT, "gpu": "y"})], tmp_path)


def test_hashes_tell_maps_apart() -> None:
    # The SHA-256 of the three bytes "abc" is the example of FIPS 180-4.
    assert source_hash("abc") == source_hash(b"abc")
    assert source_hash("abc").startswith("sha256:ba7816bf8f01cfea414140de5dae2223")
    other = LayoutMap(REGISTER, CHUNK, np.arange(8))
    assert model_hash(transpose()) == model_hash(transpose()) != model_hash(other)


def test_the_revision_says_whether_files_differ(tmp_path: Path) -> None:
    assert revision(tmp_path) is None

    def git(*words: str) -> str:
        author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        command = ["git", "-C", str(tmp_path), *author, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "-q")
    (tmp_path / "file").write_text("1")
    git("add", "file")
    git("commit", "-q", "-m", "Begin")
    assert revision(tmp_path) == git("rev-parse", "HEAD")
    (tmp_path / "file").write_text("2")
    assert revision(tmp_path) == git("rev-parse", "HEAD") + "+"
    (tmp_path / "untracked").mkdir()
    assert revision(tmp_path / "untracked") is None
    assert host_environment()["python"].startswith("3.")


def test_a_matrix_that_leaves_bits_out_is_packed_as_one() -> None:
    """The low bytes of two: byte bit 0 clear; the table of an unpacking store in small."""
    destination = Space("tmem", (("lane", 2), ("byte", 4)))
    source = Space("register", (("lane", 2), ("byte", 2)))
    table = np.array([0, -1, 1, -1, 2, -1, 3, -1])
    packed = encode_map(LayoutMap(destination, source, table))
    assert (packed["form"], packed["offset"], packed["only"]) == ("f2", 0, {"byte": 1})
    assert packed["columns"] == {"lane": [2], "byte": [0, 1]}
    assert np.array_equal(decode_map(packed).table, table)
    # One cell more is undefined: no coordinate says which, so that the table is written out.
    table[6] = -1
    packed = encode_map(LayoutMap(destination, source, table))
    assert packed["form"] == "runs" and np.array_equal(decode_map(packed).table, table)


def test_an_earlier_root_hides_a_later_ones_file_at_the_same_place_and_no_other(
    tmp_path: Path,
) -> None:
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    write_records([record(probe="both"), record(probe="one")], shipped)
    write_records([record(probe="both", findings=findings("mine"))], own)
    found = {each.probe: each.findings["variant"] for each in read_records((own, shipped))}
    assert found == {"both": "mine", "one": "ds_read_toy"}
    assert [each.probe for each in read_records((tmp_path / "none", shipped))] == ["both", "one"]
