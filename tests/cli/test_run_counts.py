"""`lanemap run --count` and `--trace`: tables, JSON, the file, and what goes wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lanemap.cli import main
from tests.emulator.events.kernels import gfx, ptx

#: Each thread stores to its own row of 128 bytes: a conflict of all 32 lanes.
BODY = """
mov.u32 %t, %tid.x; mov.u32 %r1, tile; mad.lo.u32 %r1, %t, 128, %r1; ld.param.u64 %d1, [a];
st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r2, [%r1];
mad.wide.u32 %d2, %t, 4, %d1; st.global.u32 [%d2], %r2;
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.ptx"
    path.write_text(ptx(BODY, parameters=".param .u64 a"))
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = main.run(["run", *map(str, words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def test_json_has_the_counts(capsys: pytest.CaptureFixture[str], kernel: Path) -> None:
    words = [kernel, "--grid", 3, "--block", 64, "--arg", "empty:u32:64", "--count", "--json"]
    status, out, err = run(capsys, *words)
    answer: dict[str, Any] = json.loads(out)
    counts = answer["counts"]
    assert err == "" and counts["launches"] == 1
    # 10 instructions by 6 warps, with ret
    assert counts["executed"] == {"waves": 60, "lanes": 60 * 32}
    assert counts["by_kind"]["shared store"] == {"waves": 6, "lanes": 6 * 32}
    rows = {(row["space"], row["direction"]): row for row in counts["traffic"]}
    assert rows["shared", "load"] == {
        "space": "shared",
        "direction": "load",
        "accesses": 6,
        "bytes": 6 * 128,
        "judged": 6,
        "passes": 6 * 32,
        "conflicts": 6 * 31,
    }
    assert rows["global", "store"]["sectors"] == 6 * 4 and "passes" not in rows["global", "store"]
    assert counts["waits"] == [{"reason": "barrier", "waits": 3, "turns": 0}]
    assert {rule["evidence"] for rule in counts["bank_rules"]} == {"silicon"}
    (store,) = [one for one in counts["instructions"] if one["opcode"] == "st.shared.u32"]
    assert (store["kernel"], store["waves"], store["kind"]) == ("k", 6, "shared store")
    assert store["source"] == f"{kernel.name}:{store['line']}"
    assert (status, answer["hazards"]) == (0, [])


def test_the_tables_are_for_people(capsys: pytest.CaptureFixture[str], kernel: Path) -> None:
    status, out, _ = run(capsys, kernel, "--block", 64, "--arg", "empty:u32:64", "--count")
    assert status == 0

    tables = {}
    for part in out.split("\n\n"):
        title, *lines = part.splitlines()
        tables[title.strip()] = {
            cells[0]: cells[1:] for cells in (re.split(r" {2,}", line.strip()) for line in lines)
        }
    assert tables["Instructions"]["class"] == [
        "warp instructions",
        "share",
        "thread instructions",
        "lanes on",
    ]
    assert tables["Instructions"]["shared load"] == ["2", "10.0 %", "64", "32.0"]
    assert tables["Instructions"]["all"] == ["20", "100.0 %", "640", "32.0"]
    assert tables["Memory"]["shared load"] == ["2", "256", "128.0", "64", "62"]
    assert tables["Memory"]["global store"] == ["2", "256", "128.0", "4.0", "1.0"]
    text = kernel.read_text()
    line = 1 + text[: text.index("ld.shared")].count("\n")
    assert tables["Bank conflicts"]["ld.shared.u32 %r2, [%r1]"] == [
        f"kernel.ptx:{line}",
        "2",
        "32.0",
        "1.0",
        "62",
    ]
    assert tables["Most executed"]["bar.sync 0"] == [f"kernel.ptx:{line}", "barrier", "2", "32.0"]
    assert tables["Waits"]["barrier"] == ["1", "0"]
    assert "k ran on emulator: no hazards" in out


def test_waves_of_gfx950_are_called_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "kernel.s"
    path.write_text(gfx("v_mov_b32 v1, 0"))
    words = [path, "--block", 64, "--arg", "null", "--arg", "null", "--count"]
    status, out, _ = run(capsys, *words)
    assert status == 0 and "wave instructions" in out and "warp instructions" not in out


def test_a_trace_is_written(
    capsys: pytest.CaptureFixture[str], kernel: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.csv"
    words = [kernel, "--block", 64, "--arg", "empty:u32:64", "--trace", trace]
    status, out, _ = run(capsys, *words)
    assert status == 0 and f"trace written to {trace}" in out.replace("\n", "")
    assert len(trace.read_text().splitlines()) == 1 + 20
    trace.unlink()
    status, out, err = run(capsys, *words, "--trace-rows", 19)
    assert (status, out) == (2, "") and err.count("\n") == 1 and "19 rows" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernel.ptx"]


def test_only_the_emulator_counts(
    capsys: pytest.CaptureFixture[str], kernel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Other:
        name, target = "cuda", "sm_90a"

        def load(self, source: object) -> Any:
            return SimpleNamespace(entries=("k",))

    monkeypatch.setattr("lanemap.devices.open_device", lambda *_: Other())
    status, _, err = run(capsys, kernel, "--device", "cuda", "--count")
    assert status == 2 and err == (
        "lanemap: --count and --trace need the emulator, but the device is cuda; "
        "give --device emulator\n"
    )
