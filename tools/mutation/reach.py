"""A sweep: which statements of the instruction functions each test executes.

    lanemap sweep tools/mutation/reach.py

The sweep of mutants takes its tests from what this one found.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from lanemap.errors import UserError
from lanemap.sweeping.store import Store
from lanemap.sweeping.sweep import Found, Sweep
from lanemap.sweeping.task import tasks
from tools.mutation import session, suite
from tools.mutation.sites import FRONT_ENDS

NAME = "tools/mutation/reach.py"


@cache
def items() -> list[str]:
    """Every test, with the front end that it is of use for; those that take long are first."""
    found = [f"{front} {name}" for front in FRONT_ENDS for name in suite.tests(front)]
    return sorted(found, key=lambda each: suite.PROGRAMS not in each)


def _run(chosen: Sequence[str]) -> Iterator[Found]:
    for item in chosen:
        front_end, _, name = item.partition(" ")
        session.prepare()
        found = session.measure(front_end, suite.tests(front_end)[name])
        yield Found(item, "", {front_end: 1, "passed": int(found is not None)}, _packed(found))


def _packed(found: session.Reach | None) -> Any:
    """As JSON that is not long: lines by file, hashes as one string."""
    if found is None:
        return None
    lines: dict[str, str] = {}
    for each in found.lines:
        file, _, line = each.rpartition(":")
        lines[file] = f"{lines[file]} {line}" if file in lines else line
    return [lines, "".join(f"{each:08x}" for each in found.blocks), found.size]


def _unpacked(told: Any) -> session.Reach:
    lines, blocks, size = told
    return session.Reach(
        [f"{file}:{line}" for file, each in lines.items() for line in each.split()],
        [int(blocks[at : at + 8], 16) for at in range(0, len(blocks), 8)],
        size,
    )


SWEEP = Sweep(
    "tests of the instruction functions: which statements each of them executes",
    _run,
    items,
    batch=8,
    files=lambda chosen: suite.files(),
    ships=True,
)


def stored(folder: Path = Path("sweeps/reach")) -> dict[str, dict[str, Any]]:
    """What the sweep found, by front end and test, packed.

    Raises:
        UserError: the sweep has not been run with this code, or is not complete.
    """
    found: dict[str, dict[str, Any]] = {front: {} for front in FRONT_ENDS}
    store = Store(folder)
    for task in tasks(NAME, SWEEP, items()):
        result = store.get(task.key)
        if result is None:
            raise UserError(f"{folder} lacks what tests reach; run lanemap sweep {NAME} first")
        for item, value in result.values.items():
            front_end, _, name = item.partition(" ")
            found[front_end][name] = value
    return found


def unpacked(told: dict[str, Any]) -> dict[str, session.Reach]:
    """By test, of one front end of `stored`."""
    return {name: _unpacked(each) for name, each in told.items()}
