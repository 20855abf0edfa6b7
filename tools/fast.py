"""`make test-fast BASE=origin/main` runs the tests that a change can reach, the nearest first.

    python -m tools.fast [--base REVISION] [--seconds 40] [--list]

Tests that have not begun so many seconds after this command are skipped and counted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

import pytest

from tools.reach import ROOT, changes, reached

UNTIL = "LANEMAP_TESTS_UNTIL"


def pytest_runtest_setup() -> None:
    """Skip what begins too late; pytest calls this where the module is its plugin."""
    if time.monotonic() > float(os.environ[UNTIL]):
        pytest.skip("the time is over; `make test` runs it")


def main(words: list[str] | None = None) -> int:
    """Run pytest; return its exit status, 0 where the change reaches no test."""
    parser = argparse.ArgumentParser(prog="python -m tools.fast")
    parser.add_argument("--base", default="origin/main", help="what the change is counted from")
    parser.add_argument("--seconds", type=float, default=40, help="0: as long as it takes")
    parser.add_argument("--list", action="store_true", help="print the files, and run nothing")
    given = parser.parse_args(words)
    started = time.monotonic()
    try:
        files = reached(changes(given.base))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if given.list or not files:
        print("\n".join(files) or f"no test is reached by what differs from {given.base}")
        return 0
    os.environ[UNTIL] = str(started + given.seconds if given.seconds else "inf")
    os.chdir(ROOT)
    options = ["-n", "auto", "-m", "not slow", "-p", "tools.fast"]
    status = pytest.main([*options, *files])
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else int(status)


if __name__ == "__main__":
    sys.exit(main())
