"""Mutation run over the instruction functions of both front ends.

    python -m tools.mutation --front amdgcn --one-in 8 --seed 1 --reach /tmp/reach.json

A sample takes one mutant of several of each file, chosen by a hash of their names; --one-in 1 takes
all. Every mutant runs in a fork of one process, on the tests that execute its statement. A run that
is stopped, or that --seconds ends, is continued by the next one with the same --out and --reach.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tools.mutation import score as scores
from tools.mutation import session
from tools.mutation.sites import FRONT_ENDS, Mutant, files, sample

PROGRAMS = "tests/conformance/programs/test_silicon_row.py::"
PROGRAMS += "test_the_emulator_answers_every_program_as_the_h200_did"
# Three rounds of programs have every form; one is enough to reach every statement.
ROUND = 108
# Tests with an oracle of their own that are quick enough: hand-worked values, NumPy, silicon.
TESTS = {
    "ptx": [
        "tests/conformance/programs/test_silicon_row.py", "tests/emulator/ptx",
        "tests/conformance/test_approximations.py", "tests/emulator/access/test_matrix.py",
        "tests/hazards/test_sm_100a.py", "tests/hazards/test_tensor_mma.py",
        "tests/hazards/test_tma.py", "tests/hazards/test_wgmma.py",
    ],
    "amdgcn": [
        "tests/emulator/amdgcn", "tests/emulator/access/test_matrix.py",
        "tests/hazards/test_gfx950.py",
    ],
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


def main() -> None:
    """Run, and write the score."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--front", choices=FRONT_ENDS, required=True)
    parser.add_argument("--one-in", type=int, default=8, help="1 for every mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    parser.add_argument("--tests", action="append", help="only the tests of this file; repeat it")
    parser.add_argument("--most", type=int, default=400, help="tests tried on one mutant")
    parser.add_argument(
        "--again",
        action="append",
        default=[],
        choices=scores.STATUSES,
        help="judge mutants of this status once more; repeat it",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes that run tests side by side")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    parser.add_argument("--reach", type=Path, help="keep what tests reach in this file")
    parser.add_argument("--out", type=Path, help="the score; default: the stored one")
    parser.add_argument(
        "--check",
        type=int,
        default=0,
        metavar="N",
        help="judge nothing: see whether N killed mutants of the score still are",
    )
    options = parser.parse_args()
    # OpenMP's threads, which PyTorch starts, do not survive a fork: with any, tests would hang.
    os.environ["OMP_NUM_THREADS"] = "1"
    options.until = time.monotonic() + options.seconds
    if options.check:
        sys.exit(check(options))
    plugin = session.Collector(lambda items: run(items, options))
    tests = options.tests or TESTS[options.front]
    arguments = ["-p", "no:xdist", "-p", "no:cacheprovider", "-q", *tests]
    sys.exit(pytest.main(arguments, plugins=[plugin]))


def check(options: argparse.Namespace) -> int:
    """See whether the tests that killed some mutants of the score notice them today."""
    score = scores.read(options.out or scores.stored(options.front))
    score.forget()
    killed = sorted(score.names("killed"), key=lambda name: scores.order(name, options.seed))
    killed = killed[: options.check]
    tests = {name: score.verdicts[name].by.partition(" (")[0] for name in killed}
    known = {each.name: each for each in sample(options.front, 1, score.seed)}
    lost: list[str] = []

    def work(items: list[pytest.Item]) -> None:
        session.prepare([])  # a test that ran here could keep what it loaded, unmutated, for forks
        found = {item.nodeid: item for item in items}
        for name, test in tests.items():
            if test not in found or not session.notices(known[name], found[test]):
                lost.append(f"{test} does not notice {name}")

    collector = session.Collector(work)
    arguments = ["-p", "no:xdist", "-p", "no:cacheprovider", "-q", *sorted({*tests.values()})]
    status = pytest.main(arguments, plugins=[collector])
    say("\n".join([*lost, f"{len(tests) - len(lost)} of {len(tests)} noticed again"]))
    return int(bool(lost or status))


def say(text: str) -> None:
    """Report progress."""
    print(text, file=sys.stderr, flush=True)


def run(items: list[pytest.Item], options: argparse.Namespace) -> None:
    """Measure the tests, judge the mutants, and write the score."""
    used = {item.nodeid: item for item in items if wanted(item)}
    session.prepare(list(used.values()))
    reach = measured(used, options)
    if reach is None:
        return
    path: Path = options.out or scores.stored(options.front)
    score = scores.Score(options.front, options.seed)
    if path.exists():
        score = scores.read(path)
        if (score.front_end, score.seed) != (options.front, options.seed):
            raise SystemExit(f"{path} holds another sample; remove it, or name another --out")
    found = sample(options.front, options.one_in, options.seed)
    score.forget(options.again, options.only)
    found = [each for each in found if options.only in each.name]
    judge(found, used, reach, score, options, lambda: score.write(path))
    score.write(path)
    say(f"{100 * score.share:.1f} % noticed, {len(score.unnoticed)} not; wrote {path}")


def judge(
    found: Sequence[Mutant],
    used: dict[str, pytest.Item],
    reach: dict[str, session.Reach],
    score: scores.Score,
    options: argparse.Namespace,
    keep: Callable[[], None],
) -> None:
    """Judge the mutants that have no verdict yet, as long as there is time."""
    left = [each for each in found if each.name not in score.verdicts]
    begun = time.monotonic()
    verdicts = session.spread(
        lambda number: session.judge(left[number], used, reach, options.most),
        len(left),
        options.jobs,
    )
    for number, verdict in enumerate(verdicts, 1):
        score.add(verdict)
        if verdict.status != "killed":
            say(f"{verdict.status}: {verdict.name}")
        if number % 20 == 0:
            counts = Counter(each.status for each in score.verdicts.values())
            keep()  # a run that is killed leaves what it has found
            say(f"{number} of {len(left)} in {time.monotonic() - begun:.0f} s: {dict(counts)}")
        if time.monotonic() > options.until:
            say(f"stopped with {len(left) - number} mutants left")
            return


def measured(
    used: dict[str, pytest.Item], options: argparse.Namespace
) -> dict[str, session.Reach] | None:
    """Return the code that tests reach, from the store where neither test nor code changed.

    None if the time did not do for all of them.
    """
    store: Path | None = options.reach
    isa = [scores.file_hash(path) for path in files(options.front)]
    old: dict[str, Any] = {"isa": isa, "tests": {}}
    if store is not None and store.exists():
        old = json.loads(store.read_text())
    known = old["tests"] if old["isa"] == isa else {}
    hashes = {item.path: scores.file_hash(item.path) for item in used.values()}
    rows = {
        name: row
        for name, row in known.items()
        if name in used and row["hash"] == hashes[used[name].path]
    }
    missing = [item for name, item in used.items() if name not in rows]
    measured_now = session.measure(options.front, missing, options.jobs)
    for number, (name, reach) in enumerate(measured_now, 1):
        rows[name] = {"hash": hashes[used[name].path], **asdict(reach)}
        if time.monotonic() > options.until:
            break
        if number % 100 == 0:
            say(f"{number} of {len(missing)} tests measured")
    if store is not None:
        store.write_text(json.dumps({"isa": isa, "tests": known | rows}))
    if len(rows) < len(used):
        say(f"stopped with {len(used) - len(rows)} tests to measure")
        return None
    found = {name: {k: v for k, v in row.items() if k != "hash"} for name, row in rows.items()}
    return {name: session.Reach(**row) for name, row in found.items() if row["lines"]}


if __name__ == "__main__":
    main()
