"""No state of the object cache changes what a launch leaves in memory or reports of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
#: Tests that launch what compilers wrote, and kernels with faults.
CORPORA = (
    "tests/emulator/ptx/test_triton.py",
    "tests/emulator/ptx/test_cute_dsl.py",
    "tests/emulator/ptx/test_cute_faults.py",
    "tests/emulator/amdgcn",
    "tests/corpus",
    "tests/hazards",
)
#: By state: the bound of the cache, and the folder that processes share.
STATES = {"none": ("0", "unused"), "cold": ("", "shared"), "warm": ("", "shared")}


def launches(tmp_path: Path, state: str, paths: list[str]) -> dict[str, list[dict[str, Any]]]:
    """What each test's launches left and reported, in processes with the cache in a state."""
    records = tmp_path / state
    records.mkdir()
    size, folder = STATES[state]
    environment = os.environ | {
        "LANEMAP_CACHE_BYTES": size,
        "LANEMAP_CACHE": str(tmp_path / folder),
        "LANEMAP_LAUNCH_RECORDS": str(records),
        "LANEMAP_THREADS": "1",
    }
    command = ["-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "-m", "not slow"]
    command += ["-p", "tests.emulator.launch_records", "--basetemp", str(tmp_path / "files")]
    done = subprocess.run(
        [sys.executable, *command, *paths],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    lines = [line for path in records.glob("*.jsonl") for line in path.read_text().splitlines()]
    return dict(json.loads(line) for line in lines)


def differences(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> list[str]:
    """What differs between the launches of a test in two states."""
    if len(one) != len(other):
        return [f"{len(one)} launches, {len(other)} launches"]
    found = []
    for number, (a, b) in enumerate(zip(one, other, strict=True)):
        # an array that nobody holds lives until the garbage is collected
        both = a["arrays"].keys() & b["arrays"].keys()
        found += [f"launch {number}, {at}" for at in both if a["arrays"][at] != b["arrays"][at]]
        found += [f"launch {number}, {key}" for key in ("findings", "error") if a[key] != b[key]]
    return found


def compare(tmp_path: Path, paths: list[str]) -> int:
    """Compare all states; return how many launches were compared."""
    seen = {state: launches(tmp_path, state, paths) for state in STATES}
    assert seen["none"].keys() == seen["cold"].keys() == seen["warm"].keys()
    different = {
        (name, state): found
        for name, expected in seen["none"].items()
        for state in ("cold", "warm")
        if (found := differences(expected, seen[state][name]))
    }
    assert different == {}
    return sum(map(len, seen["none"].values()))


@pytest.mark.slow
def test_corpora_are_the_same_without_a_cache_with_a_cold_and_with_a_warm_one(
    tmp_path: Path,
) -> None:
    assert compare(tmp_path, list(CORPORA)) > 1000
