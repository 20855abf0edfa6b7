"""Triton's own sanitizers and its interpreter beside `lanemap check`, as docs/triton.md has it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.processes import LANEMAP

pytest.importorskip("triton", minversion="3.9", reason="older ones have not all sanitizers")
pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(__file__).parent / "scripts"
GLUON = ROOT / "museum/scripts/copy_group_late.py"
COPIED = "Accessing buffer with pending access. Pending access type: async_copy_global_to_shared"


def check(mode: str, script: Path, *words: str) -> dict[str, Any]:
    """The report of a check with a sanitizer on."""
    done = subprocess.run(
        [*LANEMAP, "check", "--json", str(script), *words], capture_output=True, text=True,
        timeout=300, check=False, env={**os.environ, "TRITON_INSTRUMENTATION_MODE": mode},
    )  # fmt: skip
    report: dict[str, Any] = json.loads(done.stdout)
    return {**report, "said": done.stderr}


def marked(script: Path) -> set[int]:
    """The lines of a script whose comment says that a hazard is there."""
    lines = enumerate(script.read_text().splitlines(), 1)
    return {number for number, line in lines if line.endswith("# hazard")}


@pytest.mark.slow
def test_consan_names_the_line_that_lanemap_names() -> None:
    plain, consan = (check(mode, GLUON, "faulty") for mode in ("", "consan"))
    (found,) = plain["hazards"]
    assert found["kind"] == "pending" and found["line"] in marked(GLUON)
    (asserted,) = consan["hazards"]
    assert COPIED in asserted["message"] and asserted["line"] == found["line"]
    assert not plain["ended"] and consan["ended"], "ConSan ends the script at its first fault"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["", "consan"])
def test_consan_is_silent_where_nothing_is_wrong(mode: str) -> None:
    report = check(mode, GLUON, "fixed")
    assert report["passed"], report["said"]


@pytest.mark.slow
def test_fpsan_says_that_two_orders_of_a_sum_are_one() -> None:
    """(a + b) + c and a + (b + c) differ by rounding; FpSan computes with numbers that do not."""
    plain, fpsan = (check(mode, SCRIPTS / "sanitized.py", "sums") for mode in ("", "fpsan"))
    assert plain["passed"] and "\n0 sums differ" not in plain["said"]
    assert fpsan["passed"] and "0 sums differ\n" in fpsan["said"]


@pytest.mark.slow
def test_iisan_refuses_a_stride_that_a_tensor_map_cannot_have() -> None:
    right, wrong = (check("iisan", SCRIPTS / "sanitized.py", each) for each in ("64", "33"))
    assert right["passed"], right["said"]
    (found,) = wrong["hazards"]
    assert "Tensor descriptor strides must be 16-byte aligned" in found["message"]
    without = check("", SCRIPTS / "sanitized.py", "33")
    assert not without["hazards"] and "AssertionError" in without["ended"]


@pytest.mark.slow
def test_the_interpreter_is_right_and_the_gpu_is_not() -> None:
    script = SCRIPTS / "interpreted.py"
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "TRITON_INTERPRET": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    report = check("", script)
    assert marked(script) <= {each["line"] for each in report["hazards"]}, report["said"]
