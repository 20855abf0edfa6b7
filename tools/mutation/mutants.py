"""A sweep: mutants of the instruction functions of both front ends; does a test notice each?

    lanemap sweep tools/mutation/reach.py
    lanemap sweep tools/mutation/mutants.py [ptx|amdgcn|WORD..]

A word stands for the mutants whose names contain it. What `reach.py` found must be there. A verdict
is kept with the hash of the mutant's file, so that it counts as long as that file stays as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from lanemap.errors import UserError
from lanemap.records.files import write_files
from lanemap.sweeping.sweep import Found, Sweep
from tools.mutation import reach, session, suite
from tools.mutation.score import ARGUED, SEED, arguments, file_hash
from tools.mutation.sites import EMULATOR, FRONT_ENDS, Mutant, sample

NAME = "tools/mutation/mutants.py"
#: What `reach.py` found, for the tasks.
REACH = Path("sweeps/reach/reach.json")


#: Mutants of a task; those of one front end.
BATCH = 3


@cache
def _mutants() -> dict[str, Mutant]:
    """All, by name; files and front ends take turns, so that a sweep that stops has a sample."""
    parts = [sample(front, 1, SEED) for front in FRONT_ENDS]
    tasks = [[part[at : at + BATCH] for at in range(0, len(part), BATCH)] for part in parts]
    turns = zip_longest(*tasks, fillvalue=[])
    return {each.name: each for turn in turns for task in turn for each in task}


def items() -> list[str]:
    """The name of every mutant."""
    return list(_mutants())


def _chosen(words: Sequence[str]) -> list[str]:
    """The mutants of these names, or those whose names contain a word.

    Raises:
        UserError: there is none.
    """
    if not {*words} - {*items()}:
        return list(words)
    found = [name for name in items() if any(each in name for each in words)]
    if not found:
        raise UserError(f"no mutant's name contains {' or '.join(words)}")
    return found


@cache
def _gather() -> Path:
    write_files({REACH: json.dumps(reach.stored(), sort_keys=True)})
    return REACH


def _files(chosen: Sequence[str]) -> list[Path]:
    """The tests and what they reach; the arguments where one is about these mutants."""
    argued = [ARGUED.relative_to(suite.ROOT)] if arguments().keys() & set(chosen) else []
    return [*suite.files(), *argued, _gather()]


@cache
def _reach(front_end: str) -> dict[str, session.Reach]:
    return reach.unpacked(json.loads(REACH.read_text())[front_end])


@cache
def _of(file: str) -> str:
    return file_hash(EMULATOR / file)


def _run(chosen: Sequence[str]) -> Iterator[Found]:
    for name in chosen:
        front_end = name.partition("/")[0]
        session.prepare()
        verdict = session.judge(_mutants()[name], suite.tests(front_end), _reach(front_end))
        wrong = ""
        if verdict.status in ("survived", "unreached") and name not in arguments():
            wrong = f"{verdict.status}: {verdict.tests} tests do not notice it"
        value = [verdict.status, verdict.by, verdict.tests, _of(_mutants()[name].file)]
        yield Found(name, wrong, {f"{front_end}: {verdict.status}": 1}, value)


SWEEP = Sweep(
    "mutants of the instruction functions of both front ends: does a test notice each?",
    _run,
    items,
    batch=BATCH,
    chosen=_chosen,
    files=_files,
    ships=True,
)
