"""Nothing that a kernel does crashes or hangs the process: hostile launches in a child process."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
#: Launches of each target in the slow run; together more than 20,000.
MANY = {"sm_90a": 7000, "sm_100a": 8000, "gfx950": 7000}
_SECONDS_OF_A_LAUNCH = 0.5


def fuzz(target: str, launches: int, seed: int) -> dict[str, int]:
    """Launch in a child; how often each end was met."""
    command = [
        sys.executable,
        "-m",
        "tests.emulator.fuzz.launches",
        target,
        str(launches),
        str(seed),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120 + launches * _SECONDS_OF_A_LAUNCH,
    )
    last = "\n".join(done.stderr.splitlines()[-12:])
    assert done.returncode == 0, f"status {done.returncode} at {last[-4000:]}"
    match = re.fullmatch(r"(\d+) launches: \{(.*)\}\n", done.stdout)
    assert match is not None and int(match[1]) >= launches
    return {kind: int(count) for kind, count in re.findall(r"'([\w-]+)': (\d+)", match[2])}


@pytest.mark.parametrize("target", MANY)
def test_some_hostile_launches(target: str) -> None:
    ends = fuzz(target, 60, 1)
    assert ends["result"] and ends["out-of-bounds"], "some values are right, some wrong"


@pytest.mark.slow
@pytest.mark.parametrize("target", MANY)
def test_many_hostile_launches(target: str) -> None:
    ends = fuzz(target, MANY[target], 2)
    assert sum(ends.values()) >= MANY[target]
    assert min(ends[kind] for kind in ("result", "reported", "out-of-bounds", "rule")) > 50


def test_there_are_enough_of_them() -> None:
    assert sum(MANY.values()) >= 20_000
