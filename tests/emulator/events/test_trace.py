"""Traces: what they say, that they are bounded, and that they are whole or not there."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host import observers
from lanemap.emulator.host import trace as host_trace
from lanemap.errors import UserError
from tests.emulator.events.kernels import device, gfx, ptx
from tests.emulator.events.test_instructions import LOOP, UNDEFINED


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_row_for_each_instruction_that_a_warp_executes(tmp_path: Path) -> None:
    opened = device()
    out = opened.zeros(2 * 64, np.uint32)
    kernel = opened.load(ptx(LOOP, parameters=".param .u64 a"))["k"]
    path = tmp_path / "new" / "trace.csv"
    with opened.count() as counts, opened.trace(path):
        kernel(2, 64, [out])
        assert not path.exists()
    rows = rows_of(path)
    assert len(rows) == counts.executed.waves
    assert sum(int(row["lanes"], 16).bit_count() for row in rows) == counts.executed.lanes
    by_opcode = Counter(row["opcode"] for row in rows)
    assert by_opcode == {name: one.waves for name, one in counts.by_opcode().items()}
    assert {(row["cta"], row["wave"]) for row in rows} == {
        ("0", "0"),
        ("0", "1"),
        ("1", "0"),
        ("1", "1"),
    }
    one = [row for row in rows if (row["cta"], row["wave"]) == ("1", "0")]
    # the order of the text, with the lanes that are left in each round
    trips = [row["lanes"] for row in one if row["opcode"] == "add.u32"]
    assert trips[0] == "ffffffff" and trips[1] == "fefefefe" and trips[-1] == "80808080"
    assert [row["opcode"] for row in one[:4]] == ["mov.u32", "and.b32", "mov.u32", "add.u32"]
    (store,) = [row for row in one if row["opcode"] == "st.global.u32"]
    first = int(store["first"], 16)
    assert (first, int(store["last"], 16)) == (out.address, out.address + 127)
    assert (store["space"], store["direction"], store["bytes"]) == ("global", "store", "128")
    lines = ptx(LOOP, parameters=".param .u64 a").splitlines()
    assert lines[int(store["line"]) - 1].startswith("st.global.u32")


def test_a_small_buffer_is_emptied_as_the_run_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def traced(path: Path) -> str:
        opened = device()
        kernel = opened.load(ptx(LOOP, parameters=".param .u64 a"))["k"]
        with opened.trace(path):
            kernel(3, 96, [opened.zeros(96, np.uint32)])
        return path.read_text()

    whole = traced(tmp_path / "whole.csv")
    drained: list[int] = []
    write = host_trace.Trace.record

    def noted(self: Any, *words: Any) -> None:
        drained.append(len(words[-1]))
        write(self, *words)

    monkeypatch.setattr(observers, "_RECORDS", 10)
    monkeypatch.setattr(host_trace.Trace, "record", noted)
    assert traced(tmp_path / "parts.csv") == whole
    assert len(drained) > 20 and max(drained) < 40


def test_a_launch_that_begins_again_is_traced_once(tmp_path: Path) -> None:
    texts = []
    for filled in (True, False):
        opened = device()
        kernel = opened.load(ptx(UNDEFINED))["k"]
        first = opened.zeros(32, np.uint32) if filled else opened.empty(32, np.uint32)
        last = opened.zeros(32, np.uint32)
        with opened.trace(tmp_path / "trace.csv"):
            kernel(1, 32, [last, last])
            kernel(4, 32, [first, last])
        texts.append((tmp_path / "trace.csv").read_text())
    assert texts[0] == texts[1]
    assert Counter(line.split(",")[0] for line in texts[0].splitlines()[1:]) == {
        "0": 12,
        "1": 4 * 12,
    }


def test_a_trace_with_too_many_rows_leaves_no_file(tmp_path: Path) -> None:
    opened = device()
    out = opened.zeros(64, np.uint32)
    kernel = opened.load(ptx(LOOP, parameters=".param .u64 a"))["k"]
    with opened.count() as counts:
        kernel(1, 64, [out])
    rows = counts.executed.waves
    with opened.trace(tmp_path / "fits.csv", most_rows=rows):
        kernel(1, 64, [out])
    with (
        pytest.raises(UserError, match=f"more than {rows - 1} rows"),
        opened.trace(tmp_path / "trace.csv", most_rows=rows - 1),
    ):
        kernel(1, 64, [out])
    assert [path.name for path in tmp_path.iterdir()] == ["fits.csv"]
    kernel(1, 64, [out])  # and nobody traces any more


def test_two_traces_of_one_launch_are_the_same(tmp_path: Path) -> None:
    opened = device()
    kernel = opened.load(ptx(LOOP, parameters=".param .u64 a"))["k"]
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    with opened.trace(one), opened.trace(two):
        kernel(1, 64, [opened.zeros(64, np.uint32)])
    assert one.read_text() == two.read_text() and rows_of(one)


def test_a_trace_is_only_begun_where_it_can_be_written(tmp_path: Path) -> None:
    opened = device()
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"), opened.trace(tmp_path / "file" / "x.csv"):
        raise AssertionError
    with pytest.raises(UserError, match="at most 0 rows"), opened.trace(tmp_path / "x.csv", 0):
        raise AssertionError


def test_two_accesses_of_one_instruction_have_a_row_each(tmp_path: Path) -> None:
    body = """
        v_lshlrev_b32 v1, 3, v0
        v_mov_b32 v2, v0
        v_mov_b32 v3, v0
        ds_write2_b32 v1, v2, v3 offset0:0 offset1:1
        s_waitcnt lgkmcnt(0)
    """
    opened = device("gfx950")
    kernel = opened.load(gfx(body))["k"]
    with opened.trace(tmp_path / "trace.csv"):
        kernel(1, 64, [np.uint64(0), np.uint64(0)])
    rows = [row for row in rows_of(tmp_path / "trace.csv") if row["opcode"] == "ds_write2_b32"]
    assert [(row["first"], row["last"], row["bytes"]) for row in rows] == [
        ("0x0", hex(63 * 8 + 3), "256"),
        ("0x4", hex(63 * 8 + 7), "256"),
    ]
    assert {row["lanes"] for row in rows} == {"f" * 16}
