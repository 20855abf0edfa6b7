"""benchmarks/memory.py in its smallest mode: every row comes out, from right kernels."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: What Step E of the emulator's design asks: figures by a word of their rows.
ASKED = {
    "4 bytes a lane": 100, "16 bytes a lane": 160, "scattered": 300, "two threads": 1.8,
    "copy of 64 MB": 1, "transpose": 0.15, "4 warps": 10, "200 KB": 30, "1 GB": 1, "512 MB": 20,
    "16x16x32": 2, "32x32x64": 8,
}  # fmt: skip


def measured(*options: str) -> list[dict[str, object]]:
    command = [sys.executable, "benchmarks/memory.py", "--quick", "--samples", "1", "--json"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert isinstance(rows, list)
    return rows


@pytest.mark.slow
def test_every_row_has_its_figure_and_what_is_asked_of_it() -> None:
    rows = measured()
    names = [str(row["case"]) for row in rows]
    assert len(set(names)) == len(names)
    for target in ("sm_90a", "gfx950"):
        for space in ("global", "shared"):
            for kind in ("load", "store"):
                for width in (4, 16):
                    assert f"{target} {space} {kind}, {width} bytes a lane" in names
    for row in rows:
        # "two threads" is told first: those rows name a copy and a transpose as well.
        words = sorted(ASKED, key=lambda word: word != "two threads")
        word = next(word for word in words if word in str(row["case"]))
        assert row["asked"] == ASKED[word]
        after = row["after"]
        assert isinstance(after, dict)
        assert "unsupported" in after or math.isfinite(after["median"])
        assert "unsupported" not in after or word == "two threads"
    assert all(any(word in name for name in names) for word in ASKED)


def test_two_checkouts_are_measured_side_by_side(tmp_path: Path) -> None:
    """The other checkout is a copy of this one: its own process imports lanemap from there."""
    shutil.copytree(ROOT / "lanemap", tmp_path / "lanemap")
    (row,) = measured("--before", str(tmp_path), "--only", "sm_90a global load, 4 bytes")
    before, after = row["before"], row["after"]
    assert isinstance(before, dict) and isinstance(after, dict)
    assert before["samples"] == after["samples"] == 1
    assert row["times_better"] == pytest.approx(before["median"] / after["median"])


def test_a_wrong_result_ends_the_measurement(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(
        f"""
import sys
sys.path[:0] = [{str(ROOT / "benchmarks")!r}]
import memory, pairs
memory.PTX_COPY = memory.PTX_COPY.replace("st.global.v4.u32 [%rd3], {{%r6, %r7",
                                          "st.global.v4.u32 [%rd3], {{%r7, %r6")
sys.exit(pairs.main("", [c for c in memory.CASES if c.name == "sm_90a copy of 64 MB"]))
"""
    )
    done = subprocess.run(
        [sys.executable, str(script), "--quick", "--samples", "1"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "RuntimeError: copy: the kernel's result is wrong" in done.stderr
