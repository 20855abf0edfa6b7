"""A sweep: mutants of the instruction functions of both front ends; does a test notice each?

    lanemap sweep tools/mutation/reach.py [ptx|amdgcn]
    lanemap sweep tools/mutation/mutants.py [ptx|amdgcn|WORD..] [open]

A word stands for the mutants whose names contain it. `open` leaves out all but those that rows of
results/ call not noticed. What `reach.py` found of the front end must be there. A verdict is kept
with the hash of the mutant's file, so that it counts as long as that file stays as it is.
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
from tools.mutation.score import ARGUED, SEED, arguments, file_hash, stored
from tools.mutation.sites import EMULATOR, FRONT_ENDS, Mutant, sample

NAME = "tools/mutation/mutants.py"
#: The word for mutants that no test noticed and no argument excuses.
OPEN = "open"
#: What `reach.py` found of a front end, for the tasks.
REACH = "sweeps/reach/{}.json"


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
    """The mutants of these names, or those whose names contain a word and, maybe, that are open.

    Raises:
        UserError: there is none.
    """
    if not {*words} - {*items()}:
        return list(words)
    parts = [each for each in words if each != OPEN] or [""]
    found = [name for name in items() if any(each in name for each in parts)]
    if OPEN in words:
        unnoticed = {name for front in FRONT_ENDS for name in stored(front).unnoticed}
        found = [name for name in found if name in unnoticed]
    if not found:
        raise UserError(f"no such mutant's name contains {' or '.join(parts)}")
    return found


@cache
def _gather(front_end: str) -> Path:
    path = Path(REACH.format(front_end))
    write_files({path: json.dumps(reach.stored(front_end), sort_keys=True)})
    return path


def _front_end(name: str) -> str:
    return name.partition("/")[0]


def _files(chosen: Sequence[str]) -> list[Path]:
    """The tests and what they reach; the arguments where one is about these mutants."""
    argued = [ARGUED.relative_to(suite.ROOT)] if arguments().keys() & set(chosen) else []
    return [*suite.files(), *argued, *map(_gather, sorted({*map(_front_end, chosen)}))]


@cache
def _reach(front_end: str) -> dict[str, session.Reach]:
    return reach.unpacked(json.loads(Path(REACH.format(front_end)).read_text()))


@cache
def _of(file: str) -> str:
    return file_hash(EMULATOR / file)


def _run(chosen: Sequence[str]) -> Iterator[Found]:
    for name in chosen:
        front_end = _front_end(name)
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
