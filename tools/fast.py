"""`make test-fast BASE=origin/main` runs the tests that a change can reach, the nearest first.

    python -m tools.fast [--base REVISION] [--seconds 40] [--list]

Tests that have not begun so many seconds after they were collected are skipped and counted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

import pytest

from tools.reach import ROOT, changes, reached

SECONDS = "LANEMAP_TESTS_SECONDS"
#: Files that one process collects and runs before a second one is ready.
FEW = 4


class Limit:
    """The plugin of pytest that skips what begins too late."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._until = seconds, float("inf")

    def pytest_collection_finish(self) -> None:
        """Count from here: a busy machine takes as long as it takes to collect."""
        self._until = time.monotonic() + self._seconds

    def pytest_runtest_setup(self) -> None:
        """Skip a test."""
        if time.monotonic() > self._until:
            pytest.skip("the time is over; `make test` runs it")


def pytest_configure(config: pytest.Config) -> None:
    """Limit this process of pytest, and each worker, which has the environment alone."""
    config.pluginmanager.register(Limit(float(os.environ[SECONDS])))


def main(words: list[str] | None = None) -> int:
    """Run pytest; return its exit status, 0 where the change reaches no test."""
    parser = argparse.ArgumentParser(prog="python -m tools.fast")
    parser.add_argument("--base", default="origin/main", help="what the change is counted from")
    parser.add_argument("--seconds", type=float, default=40, help="0: as long as it takes")
    parser.add_argument("--list", action="store_true", help="print the files, and run nothing")
    given = parser.parse_args(words)
    try:
        files = reached(changes(given.base))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if given.list or not files:
        print("\n".join(files) or f"no test is reached by what differs from {given.base}")
        return 0
    os.environ[SECONDS] = str(given.seconds or "inf")
    os.chdir(ROOT)
    options = ["-m", "not slow", "-p", "tools.fast"] + ["-n", "auto"] * (len(files) > FEW)
    status = pytest.main([*options, *files])
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main())
