"""The mutation scores of all probes, as a row of results/.

    python -m lanemap.probing.mutation.scores              every mutant executed; minutes
    python -m lanemap.probing.mutation.scores --execute 8  eight of each variant, the rest composed

Of a probe that asks of a family a few mutants of each variant are executed, unless --execute says
how many. A probe that settles no map on purpose (a uniform address) has no score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lanemap.errors import LanemapError
from lanemap.probing.mutation.families import score_family
from lanemap.probing.mutation.mutants import MutationScore, score_probe
from lanemap.probing.probe import Probe, find_probe, find_probes
from lanemap.records.files import read_record, record_path, write_records
from lanemap.records.schema import Record

FAMILY_EXECUTED = 6


def scored(target: str) -> list[str]:
    """The probes of a target whose inputs settle a map of the model: those that vary them."""
    from lanemap import model

    names = [each.name for each in model.variants(target)]
    return [
        p.name
        for p in find_probes().values()
        if p.target == target
        and any(len(values) > 1 for _, values in p.axes)
        and any(name == p.variant or name.startswith(f"{p.variant}.") for name in names)
    ]


def score(name: str, execute: int | None) -> list[MutationScore]:
    """The scores of the variants that a probe asks of; one for most probes.

    Args:
        name: The probe.
        execute: How many mutants of each variant to execute; None for all, or for FAMILY_EXECUTED
            of each variant of a family.

    Raises:
        UserError: There is no such probe, or it does not find the model.
    """
    probe = find_probe(name)
    if not asks_of_a_family(probe):
        return [score_probe(name, execute)]
    return score_family(probe, FAMILY_EXECUTED if execute is None else execute)


def asks_of_a_family(probe: Probe) -> bool:
    """Whether a probe's variant is a family that the model lists under other names."""
    from lanemap import model

    return all(each.name != probe.variant for each in model.variants(probe.target))


def record(target: str, scores: Mapping[str, Sequence[MutationScore]], out: Path) -> Record:
    """The row for results/<target>/emulator/mutation_scores.json, with what it holds of others."""
    kind = "mutation_scores"
    found = Record(kind, target, "emulator", "emulator", kind=kind)
    place = record_path(found, out)
    held = dict(read_record(place).findings) if place.exists() else {}
    mine = {name: _plain(find_probe(name), each) for name, each in scores.items()}
    return replace(found, findings=held | mine)


def _plain(probe: Probe, scores: Sequence[MutationScore]) -> dict[str, Any]:
    """Scores with counts where they list names; survivors keep theirs."""
    several = len(scores) > 1
    survivors = [
        f"{each.variant}: {name}" if several else name
        for each in scores
        for name in (*each.executed.survivors, *each.composed.survivors)
    ]
    plain: dict[str, Any] = {
        "variant": probe.variant,
        "executed": sum(each.executed.tried for each in scores),
        "executed_noticed": sum(each.executed.noticed for each in scores),
        "executed_identified": sum(each.identified for each in scores),
        "composed": sum(each.composed.tried for each in scores),
        "composed_noticed": sum(each.composed.noticed for each in scores),
        "equivalent": sum(len(each.equivalent) for each in scores),
        "outside": sum(len(each.outside) for each in scores),
        "refused": sum(len(each.refused) for each in scores),
        "survivors": survivors,
    }
    if several:
        return plain | {
            "variants": len(scores),
            "by_variant": {
                each.variant: f"{each.executed} executed, {each.composed} composed"
                for each in scores
            },
        }
    return plain | {"equivalent_names": list(scores[0].equivalent)}


def sentence(name: str, scores: Sequence[MutationScore]) -> str:
    """A probe's scores in words."""
    counts = []
    for kind in ("executed", "composed"):
        own = [getattr(each, kind) for each in scores]
        counts.append(f"{sum(c.noticed for c in own)} of {sum(c.tried for c in own)} {kind}")
    of = f" of {len(scores)} variants" if len(scores) > 1 else ""
    return f"{name}: noticed {', '.join(counts)} mutants{of}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a program; the exit status of the command line, 1 where a mutant survives."""
    parser = argparse.ArgumentParser(prog="lanemap.probing.mutation.scores", description=__doc__)
    parser.add_argument("probes", nargs="*", help="all that have a score, unless named")
    parser.add_argument("--target", default="gfx950")
    parser.add_argument("--execute", type=int, help="mutants of a variant to execute")
    parser.add_argument("--out", type=Path, default=Path("results"))
    given = parser.parse_args(arguments)
    scores: dict[str, list[MutationScore]] = {}
    try:
        for name in given.probes or scored(given.target):
            scores[name] = score(name, given.execute)
            print(sentence(name, scores[name]), flush=True)
        for path in write_records([record(given.target, scores, given.out)], given.out):
            print(f"wrote {path}")
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 0 if all(each.complete for own in scores.values() for each in own) else 1


if __name__ == "__main__":
    sys.exit(main())
