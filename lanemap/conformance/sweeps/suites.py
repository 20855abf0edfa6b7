"""People's test files under pytest, a process each, as `pytest --lanemap` runs them."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lanemap.errors import UserError
from lanemap.sweeping.sweep import Found, Sweep, each

#: What pytest's last line counts.
_COUNTED = re.compile(r"(\d+) (passed|failed|skipped|errors?|xfailed|xpassed|deselected)")
#: Statuses of pytest that are right: passed, and nothing collected.
_RIGHT = (0, 5)


def _chosen(words: Sequence[str]) -> list[str]:
    """A file of tests each, with the options among the words; a folder stands for its files.

    Raises:
        UserError: there is no such file or folder.
    """
    if len(words) == 1 and " " in words[0]:
        return [*words]  # an item: a file with its options
    options = shlex.join(["--lanemap", *(each for each in words if each.startswith("-"))])
    files: list[Path] = []
    for word in words:
        path = Path(word)
        if path.is_dir():
            files += sorted({*path.rglob("test_*.py"), *path.rglob("*_test.py")})
        elif path.is_file():
            files.append(path)
        elif not word.startswith("-"):
            raise UserError(f"{word}: there is no such file or folder of tests")
    return [f"{shlex.quote(str(path))} {options}" for path in files]


def _nothing() -> list[str]:
    raise UserError("name files or folders of tests, as in lanemap sweep suites tests/ops")


def _one(item: str) -> Found:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *shlex.split(item)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines()
    last = next((line for line in reversed(lines) if _COUNTED.search(line)), "")
    counts = {kind.rstrip("s"): int(count) for count, kind in _COUNTED.findall(last)}
    wrong = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    if done.returncode in _RIGHT:
        return Found(item, counts=counts)
    return Found(item, "; ".join(wrong) or (lines or ["pytest says nothing"])[-1], counts)


SWEEP = Sweep(
    "files of tests under pytest --lanemap; options after --, a word each: -- tests/ops -mslow",
    each(_one),
    _nothing,
    chosen=_chosen,
    files=lambda items: [Path(shlex.split(item)[0]) for item in items],
    ships=True,
)
