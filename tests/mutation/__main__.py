"""Mutation run over the instruction functions of both front ends.

    python -m tests.mutation --front amdgcn --sample 200 --seed 1 --out tests/mutation/score.json

A sample takes mutants of every file in proportion, chosen by a hash of their names; --full takes
all. Every mutant runs in a fork of one process, on the tests that execute its statement.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import session
from tests.mutation.sites import FRONT_ENDS, files, mutants, sample

KIND = "mutation of instruction semantics"
PROGRAMS = "tests/conformance/programs/test_silicon_row.py::"
PROGRAMS += "test_the_emulator_answers_every_program_as_the_h200_did"
# Three rounds of programs have every form; one is enough to reach every statement.
ROUND = 108
# Tests with an oracle of their own that are quick enough: hand-worked values, NumPy, silicon.
TESTS = {
    "ptx": [
        "tests/conformance/programs/test_silicon_row.py", "tests/emulator/ptx",
        "tests/hazards/test_sm_100a.py",
    ],
    "amdgcn": ["tests/emulator/amdgcn", "tests/hazards/test_gfx950.py"],
}  # fmt: skip
# What compiles sources first, or loads texts without executing them.
NOT = ("triton", "cute_dsl", "cccl", "_cuda", "test_parser", "test_text", "test_seen_at", "random")


def wanted(item: pytest.Item) -> bool:
    """Whether a test is of use here."""
    if "test_silicon_row" in item.nodeid:
        number = item.nodeid.removeprefix(f"{PROGRAMS}[").removesuffix("]")
        return number.isdecimal() and int(number) < ROUND
    return not any(word in item.nodeid for word in NOT)


def main() -> None:
    """Run, and write the score."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--front", choices=FRONT_ENDS, required=True)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true", help="every mutant instead of a sample")
    parser.add_argument("--only", default="", help="only mutants whose name contains this")
    parser.add_argument("--tests", action="append", help="only the tests of this file; repeat it")
    parser.add_argument("--most", type=int, default=400, help="tests tried on one mutant")
    parser.add_argument("--reach", type=Path, help="keep what tests reach in this file")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    plugin = session.Collector(lambda items: run(items, options))
    files = options.tests or TESTS[options.front]
    arguments = ["-p", "no:xdist", "-p", "no:cacheprovider", "-q", *files]
    sys.exit(pytest.main(arguments, plugins=[plugin]))


def say(text: str) -> None:
    """Report progress."""
    print(text, file=sys.stderr, flush=True)


def run(items: list[pytest.Item], options: argparse.Namespace) -> None:
    """Measure the tests, judge the mutants, and write the score."""
    used = {item.nodeid: item for item in items if wanted(item)}
    session.prepare(list(used.values()))
    reach = measured(used, options.reach)
    if options.full:
        found = [each for path in files(options.front) for each in mutants(path)]
    else:
        found = sample(options.front, options.sample, options.seed)
    found = [each for each in found if options.only in each.name]
    begun, verdicts = time.monotonic(), []
    for number, mutant in enumerate(found, 1):
        verdicts.append(session.judge(mutant, used, reach, options.most))
        if verdicts[-1].status != "killed":
            say(f"{verdicts[-1].status}: {mutant.name}")
        if number % 20 == 0:
            counts = Counter(each.status for each in verdicts)
            say(f"{number} of {len(found)} in {time.monotonic() - begun:.0f} s: {dict(counts)}")
            write(options, verdicts)  # a run that is stopped leaves what it has found
    write(options, verdicts)


def measured(used: dict[str, pytest.Item], store: Path | None) -> dict[str, session.Reach]:
    """What the tests reach, from `store` if it is there."""
    if store is not None and store.exists():
        rows = json.loads(store.read_text())
        return {name: session.Reach(**row) for name, row in rows.items() if name in used}
    reach = session.measure(list(used.values()), say)
    if store is not None:
        store.write_text(json.dumps({name: asdict(each) for name, each in reach.items()}))
    return reach


def write(options: argparse.Namespace, verdicts: list[session.Verdict]) -> None:
    """Put the score of a front end into the file, beside that of the other."""
    path: Path = options.out
    score: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"kind": KIND}
    counts = Counter(each.status for each in verdicts)
    judged = counts["killed"] + counts["survived"]
    old = score.get(options.front, {}).get("argued", {})
    survivors = sorted(each.name for each in verdicts if each.status == "survived")
    score[options.front] = {
        "mutants": sum(1 for path in files(options.front) for _ in mutants(path)),
        "chosen": len(verdicts),
        "seed": None if options.full else options.seed,
        "tests tried on one": options.most,
        **{name: counts[name] for name in ("killed", "survived", "unchanged", "refused")},
        "unreached": sorted(each.name for each in verdicts if each.status == "unreached"),
        "survivors": survivors,
        "argued": {name: why for name, why in old.items() if name in survivors},
    }
    path.write_text(json.dumps(score, indent=2, sort_keys=True) + "\n")
    say(f"{counts['killed']} of {judged} killed; {dict(counts)}; wrote {path}")


if __name__ == "__main__":
    main()
