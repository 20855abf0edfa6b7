"""A sweep: which statements of the instruction functions each test executes.

    lanemap sweep tools/mutation/reach.py [ptx|amdgcn]

The sweep of mutants takes its tests from what this one found of the front end.
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
    """Every test, behind the front end that it is of use for."""
    return [f"{front} {name}" for front in FRONT_ENDS for name in suite.tests(front)]


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


def of_front_end(front_end: str) -> list[str]:
    """The items of a front end."""
    return [each for each in items() if each.startswith(f"{front_end} ")]


def _chosen(words: Sequence[str]) -> list[str]:
    """The tests of these front ends, or of these names, as tasks: each is of one front end."""
    parts = (of_front_end(word) if word in FRONT_ENDS else [word] for word in words)
    found = [item for part in parts for item in part]
    if unknown := {*found} - {*items()}:
        raise UserError(f"{min(unknown)!r} is neither a front end nor one of its tests")
    return found


SWEEP = Sweep(
    "tests of the instruction functions: which statements each of them executes",
    _run,
    items,
    batch=8,
    chosen=_chosen,
    files=lambda chosen: suite.files(),
    ships=True,
)


def stored(front_end: str, folder: Path = Path("sweeps/reach")) -> dict[str, Any]:
    """What the sweep found of a front end, by test, packed.

    Raises:
        UserError: the sweep has not been run with this code, or is not complete.
    """
    store = Store(folder)
    for chosen in (of_front_end(front_end), items()):  # as the sweep was asked for
        results = [store.get(task.key) for task in tasks(NAME, SWEEP, chosen)]
        if None not in results:
            break
    else:
        raise UserError(
            f"{folder} lacks what tests of {front_end} reach; "
            f"run lanemap sweep {NAME} {front_end} first"
        )
    found: dict[str, Any] = {}
    for item, value in (pair for result in results for pair in result.values.items()):
        own, _, name = item.partition(" ")
        if own == front_end:
            found[name] = value
    return found


def unpacked(told: dict[str, Any]) -> dict[str, session.Reach]:
    """`stored`, by test."""
    return {name: _unpacked(each) for name, each in told.items()}
