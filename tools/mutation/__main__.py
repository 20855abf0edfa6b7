"""Scores of the sweep of mutants.

    lanemap sweep tools/mutation/reach.py
    lanemap sweep tools/mutation/mutants.py
    python -m tools.mutation store
    python -m tools.mutation argue
    python -m tools.mutation check 25

`store` adds up what sweeps found in the rows of both front ends, whatever else has changed since in
lanemap, as long as the mutant's file has not; mutants that were not judged are counted as such.
`argue` renews the arguments in the rows. `check` sees whether tests that noticed some mutants of a
row still do.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from lanemap.errors import UserError
from lanemap.records.files import write_records
from lanemap.sweeping.store import Store
from tools.mutation import score as scores
from tools.mutation import session, suite
from tools.mutation.sites import FRONT_ENDS, files, sample


def main() -> None:
    """Add up, or check."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    add_up = verbs.add_parser("store")
    add_up.add_argument(
        "--sweep", type=Path, action="append", help="sweeps/mutants unless given; may repeat"
    )
    verbs.add_parser("argue")
    again = verbs.add_parser("check")
    again.add_argument("count", type=int, help="how many mutants of each front end")
    again.add_argument("--front", choices=FRONT_ENDS, help="of one front end alone")
    given = parser.parse_args()
    if given.verb == "store":
        store(given.sweep or [Path("sweeps/mutants")])
    elif given.verb == "argue":
        write_records([scores.stored(each).record for each in FRONT_ENDS], scores.RESULTS)
    else:
        sys.exit(check([given.front] if given.front else [*FRONT_ENDS], given.count))


def judged(folders: Iterable[Path]) -> dict[str, session.Verdict]:
    """What sweeps found of the mutants of files that are still the same, by name.

    A test that noticed a mutant once is worth more than tests that do not. Else the last verdict
    of the folders counts.
    """
    hashes = {scores.relative(p): scores.file_hash(p) for each in FRONT_ENDS for p in files(each)}
    found: dict[str, session.Verdict] = {}
    for folder in folders:
        kept = Store(folder)
        for result in filter(None, map(kept.get, kept.every())):
            for name, (status, by, tests, of) in result.values.items():
                known = found.get(name)
                if of == hashes.get(scores.file_of(name)) and not (
                    known and known.status == "killed"
                ):
                    found[name] = session.Verdict(name, status, by, tests)
    return found


def store(folders: Sequence[Path]) -> None:
    """Write the rows of the front ends of which mutants were judged.

    Raises:
        UserError: none was, of files that are still the same.
    """
    verdicts = judged(folders).values()
    found = []
    for front_end in FRONT_ENDS:
        of_it = [each for each in verdicts if each.name.startswith(front_end)]
        if of_it:
            score = scores.scored(front_end, of_it)
            found.append(score.record)
            told = f"{score.counts.total()} of {score.mutants} judged, {100 * score.share:.1f} %"
        say(f"{front_end}: {told if of_it else 'none was judged, and its score stays'}")
    if not found:
        where = ", ".join(map(str, folders))
        raise UserError(f"{where}: no mutant of the present files was judged")
    write_records(found, scores.RESULTS)


def check(front_ends: list[str], count: int) -> int:
    """See whether the tests that killed some mutants of the scores notice them today."""
    session.prepare()
    lost, tried = [], 0
    for front_end in front_ends:
        known = {each.name: each for each in sample(front_end, 1, scores.SEED)}
        noticed = scores.stored(front_end).noticed
        for name in [each for each in noticed if each in known][:count]:
            test = noticed[name].partition(" (")[0]
            item = suite.collected([test.partition("::")[0]]).get(test)
            tried += 1
            if item is None or not session.notices(known[name], item):
                lost.append(f"{test} does not notice {name}")
    say("\n".join([*lost, f"{tried - len(lost)} of {tried} noticed again"]))
    return int(bool(lost) or not tried)


def say(text: str) -> None:
    """Report."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"{error}")
