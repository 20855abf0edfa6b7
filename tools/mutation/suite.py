"""The tests that judge mutants, collected once in each process."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.config import _prepareconfig

from tools.mutation.sites import FRONT_ENDS

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = "tests/conformance/programs/test_silicon_row.py::"
PROGRAMS += "test_the_emulator_answers_every_program_as_the_h200_did"
# Three rounds of programs have every form; one is enough to reach every statement.
ROUND = 108
# Tests with an oracle of their own that are quick enough: hand-worked values, NumPy, silicon.
TESTS = {
    "ptx": (
        "tests/conformance/programs/test_silicon_row.py", "tests/emulator/ptx",
        "tests/conformance/test_approximations.py", "tests/emulator/access/test_matrix.py",
        "tests/hazards/test_sm_100a.py", "tests/hazards/test_tensor_mma.py",
        "tests/hazards/test_tma.py", "tests/hazards/test_wgmma.py",
    ),
    "amdgcn": (
        "tests/emulator/amdgcn", "tests/emulator/access/test_matrix.py",
        "tests/hazards/test_gfx950.py",
    ),
}  # fmt: skip
# What compiles sources first, or loads texts without executing them.
NOT = ("triton", "cute_dsl", "cccl", "_cuda", "test_parser", "test_text", "test_seen_at", "random")


def wanted(item: pytest.Item) -> bool:
    """Whether a test is of use here."""
    if "test_silicon_row" in item.nodeid:
        number = item.nodeid.removeprefix(f"{PROGRAMS}[").removesuffix("]")
        return number.isdecimal() and int(number) < ROUND
    if item.get_closest_marker("slow") is not None and "access/test_matrix" not in item.nodeid:
        return False
    return not any(word in item.nodeid for word in NOT)


def collected(paths: Iterable[str]) -> dict[str, pytest.Item]:
    """Tests of files and folders below the root, by their names, ready to be run here.

    The session is never ended, so that its fixtures are there as long as the process.
    """
    os.environ["OMP_NUM_THREADS"] = "1"  # OpenMP's threads do not survive a fork
    # The default's reports of failures, which nobody reads here, take longer than most tests.
    words = ["-p", "no:xdist", "-p", "no:cacheprovider", "-q", "--tb", "native"]
    words += ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")]
    config = _prepareconfig([*words, *(str(ROOT / each) for each in paths)])
    config._do_configure()
    config.pluginmanager.unregister(name="terminalreporter")
    session: Any = pytest.Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    session.perform_collect()
    return {item.nodeid: item for item in session.items}


@cache
def tests(front_end: str) -> dict[str, pytest.Item]:
    """The tests of a front end, by their names; programs of all forms, which take long, first."""
    found = {name: item for name, item in collected(TESTS[front_end]).items() if wanted(item)}
    return dict(sorted(found.items(), key=lambda each: PROGRAMS not in each[0]))


@cache
def files() -> list[Path]:
    """What decides on a verdict beside lanemap's code: the tests, and what runs them."""
    found = set((ROOT / "tools" / "mutation").glob("*.py"))
    for front_end in FRONT_ENDS:
        for each in map(ROOT.joinpath, TESTS[front_end]):
            found |= {each} if each.is_file() else {*each.rglob("*.py")}
    return sorted(path.relative_to(ROOT) for path in found)
