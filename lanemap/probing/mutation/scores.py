"""The mutation scores of all probes, as a row of results/.

    python -m lanemap.probing.mutation.scores --target sm_100a

A probe of one variant has every mutant executed, a probe of a family FAMILY_EXECUTED of each
variant, spread evenly over all; --execute says another number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lanemap.errors import LanemapError
from lanemap.probing.mutation.scoring import MutationScore, score
from lanemap.probing.mutation.subjects import asks_of_a_family, has_mutants
from lanemap.probing.probe import Probe, chosen, find_probe
from lanemap.records.files import read_record, record_path, write_records
from lanemap.records.schema import Record

FAMILY_EXECUTED = 8


def scores_of(probe: Probe, execute: int | None) -> list[MutationScore]:
    """The scores of the variants that a probe tests, one for most probes.

    Args:
        probe: The probe, on one of its targets.
        execute: How many mutants of each variant to execute; None for all of a single variant, and
            FAMILY_EXECUTED of each variant of a family.

    Raises:
        UserError: It contradicts the model, or nothing can be mutated.
    """
    if execute is None and asks_of_a_family(probe):
        execute = FAMILY_EXECUTED
    return score(probe, execute)


def scored(target: str = "") -> list[Probe]:
    """The probes (of a target) whose instruction can be mutated."""
    return [each for each in chosen((), target) if has_mutants(each)]


def record(target: str, scores: Mapping[str, Sequence[MutationScore]], out: Path) -> Record:
    """The row results/<target>/emulator/mutation_scores.json; scores of other probes stay."""
    kind = "mutation_scores"
    found = Record(kind, target, "emulator", "emulator", kind=kind)
    place = record_path(found, out)
    held = dict(read_record(place).findings) if place.exists() else {}
    mine = {name: _plain(find_probe(name), each) for name, each in scores.items()}
    return replace(found, findings=held | mine)


def _plain(probe: Probe, scores: Sequence[MutationScore]) -> dict[str, Any]:
    """Scores as counts; survivors, and mutants that stopped the probe, by name."""
    several = len(scores) > 1

    def names(kind: str) -> list[str]:
        return [
            f"{each.variant}: {name}" if several else name
            for each in scores
            for name in getattr(each, kind)
        ]

    plain: dict[str, Any] = {
        "variant": probe.variant,
        "mutants": sum(each.mutants for each in scores),
        "executed": sum(each.executed for each in scores),
        "executed_noticed": sum(each.noticed for each in scores),
        "executed_identified": sum(each.identified for each in scores),
        "equivalent": sum(len(each.equivalent) for each in scores),
        "outside": sum(len(each.outside) for each in scores),
        "stopped": names("stopped"),
        "survivors": names("survivors"),
    }
    if several:
        return plain | {
            "variants": len(scores),
            "by_variant": {
                each.variant: f"{each.noticed} of {each.executed} executed, {each.mutants} mutants"
                for each in scores
            },
        }
    return plain | {"equivalent_names": list(scores[0].equivalent)}


def sentence(name: str, scores: Sequence[MutationScore]) -> str:
    """A probe's scores in words."""
    counts = {
        kind: sum(getattr(each, kind) for each in scores)
        for kind in ("mutants", "executed", "noticed")
    }
    of = f" of {len(scores)} variants" if len(scores) > 1 else ""
    stopped = sum(len(each.stopped) for each in scores)
    also = f"; {stopped} stopped the probe" if stopped else ""
    return (
        f"{name}: noticed {counts['noticed']} of {counts['executed']} executed mutants"
        f"{of} (there are {counts['mutants']}){also}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a program; the exit status of the command line, 1 where a mutant survives."""
    parser = argparse.ArgumentParser(prog="lanemap.probing.mutation.scores", description=__doc__)
    parser.add_argument("probes", nargs="*", help="all that can be scored, unless named")
    parser.add_argument("--target", default="", help="all targets, unless named")
    parser.add_argument("--execute", type=int, help="most mutants of a variant to execute")
    parser.add_argument("--out", type=Path, default=Path("results"))
    given = parser.parse_args(arguments)
    complete = True
    try:
        asked = chosen(given.probes, given.target) if given.probes else scored(given.target)
        for probe in asked:
            own = scores_of(probe, given.execute)
            complete &= not any(each.survivors for each in own)
            print(sentence(probe.name, own), flush=True)
            # Written at once: the next probe may take many minutes.
            row = record(probe.target, {probe.name: own}, given.out)
            print(f"wrote {write_records([row], given.out)[0]}", flush=True)
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
