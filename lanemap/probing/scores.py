"""The mutation scores of all probes, as a row of results/.

    python -m lanemap.probing.scores              every mutant executed; minutes
    python -m lanemap.probing.scores --execute 8  eight executed for each probe, the rest composed

A probe that settles no map on purpose (a uniform address) has no score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lanemap.errors import LanemapError
from lanemap.probing.mutation import MutationScore, score_probe
from lanemap.probing.probe import find_probes
from lanemap.records.files import write_records
from lanemap.records.schema import Record


def scored(target: str) -> list[str]:
    """The probes of a target whose inputs settle a map: those that vary their addresses."""
    patterns = {each.name: dict(each.axes).get("pattern", ()) for each in _of(target)}
    return [name for name, values in patterns.items() if len(values) > 1]


def record(target: str, scores: dict[str, MutationScore]) -> Record:
    """The row for results/<target>/emulator/mutation_scores.json."""
    findings = {probe: _plain(score) for probe, score in scores.items()}
    return Record("mutation_scores", target, "emulator", "emulator", findings=findings)


def _of(target: str) -> list[Any]:
    return [each for each in find_probes().values() if each.target == target]


def _plain(score: MutationScore) -> dict[str, Any]:
    """A score with counts where a score lists names; survivors keep theirs."""
    return {
        "variant": score.variant,
        "executed": score.executed.tried,
        "executed_noticed": score.executed.noticed,
        "executed_identified": score.identified,
        "composed": score.composed.tried,
        "composed_noticed": score.composed.noticed,
        "equivalent": len(score.equivalent),
        "outside": len(score.outside),
        "refused": len(score.refused),
        "survivors": [*score.executed.survivors, *score.composed.survivors],
        "equivalent_names": list(score.equivalent),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a program; the exit status of the command line, 1 where a mutant survives."""
    parser = argparse.ArgumentParser(prog="lanemap.probing.scores", description=__doc__)
    parser.add_argument("probes", nargs="*", help="all that have a score, unless named")
    parser.add_argument("--target", default="gfx950")
    parser.add_argument("--execute", type=int, help="mutants to execute for each probe")
    parser.add_argument("--out", type=Path, default=Path("results"))
    given = parser.parse_args(arguments)
    scores: dict[str, MutationScore] = {}
    try:
        for name in given.probes or scored(given.target):
            scores[name] = score_probe(name, given.execute)
            done = scores[name]
            print(f"{name}: noticed {done.executed} executed, {done.composed} composed", flush=True)
        for path in write_records([record(given.target, scores)], given.out):
            print(f"wrote {path}")
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 0 if all(score.complete for score in scores.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
