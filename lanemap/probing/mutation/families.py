"""Mutation scores of probes that ask of a whole family of variants.

Variants do not meet in such a probe, so that one run of it judges one mutant of every variant:
round k of a score puts the k-th chosen mutant of each into the emulator at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from lanemap.errors import Disagreement, UserError
from lanemap.layout import LayoutMap
from lanemap.probing.mutation.mutants import (
    PAIRS,
    SEED,
    Count,
    Mutant,
    MutationScore,
    missed,
    mutants,
    spread,
)
from lanemap.probing.probe import Probe
from lanemap.probing.run import by_variant

Observed = dict[str, LayoutMap | str]


def score_family(
    probe: Probe, execute: int | None, pairs: int = PAIRS, seed: int = SEED
) -> list[MutationScore]:
    """The score of every variant of a probe.

    Args:
        probe: The probe.
        execute: How many mutants of each variant to execute; the rest are judged by composition.
            None for all.
        pairs: As for `mutation.score`.
        seed: As for `mutation.score`.

    Raises:
        UserError: The probe does not find the model of a variant.
    """
    from lanemap import model

    readings = _readings(probe, {})
    layouts = {name: model.variant(name).map for name in readings}
    for name, own in readings.items():
        found = probe.analysis.observe(own).first_difference(layouts[name])
        if found is not None:
            raise UserError(f"the probe does not find the model of {name} itself: {found}")
    made = {name: mutants(layout, pairs, seed) for name, layout in layouts.items()}
    chosen = {
        name: [found.changed[i] for i in sorted(spread(len(found.changed), execute))]
        for name, found in made.items()
    }
    scores = {name: _composed(probe, name, readings[name], layouts[name], made[name].changed,
                              chosen[name]) for name in layouts}  # fmt: skip
    for turn in range(max(map(len, chosen.values()), default=0)):
        mutated = {name: own[turn] for name, own in chosen.items() if turn < len(own)}
        for name, observed in _executed(probe, mutated).items():
            scores[name] = _judged(scores[name], mutated[name], layouts[name], observed)
    return [
        replace(each, equivalent=made[name].equivalent, outside=made[name].outside)
        for name, each in scores.items()
    ]


def _readings(probe: Probe, models: Mapping[str, LayoutMap]) -> dict[str, list[Any]]:
    """What the probe reads of an emulator that holds these maps in place of its models."""
    from lanemap.devices import open_device

    mode: Literal["raise", "report"] = "report" if probe.hazards == "report" else "raise"
    device = open_device(probe.target, "emulator", hazards=mode, models=dict(models))
    return by_variant(probe, probe.readings(device))


def _composed(
    probe: Probe,
    name: str,
    readings: Sequence[Any],
    layout: LayoutMap,
    changed: Sequence[Mutant],
    chosen: Sequence[Mutant],
) -> MutationScore:
    """The score so far: all that are not executed, judged by what the inputs would have shown."""
    (reference,) = probe.analysis.shown_by([layout], readings)
    executed = {id(each) for each in chosen}
    rest = [each for each in changed if id(each) not in executed]

    def shows(maps: Sequence[LayoutMap]) -> list[bool]:
        shown = probe.analysis.shown_by(maps, readings)
        return [not np.array_equal(each, reference) for each in shown]

    survivors = missed(rest, shows)
    count = Count(len(rest), len(rest) - len(survivors), tuple(survivors))
    return MutationScore(name, Count(), count, 0)


def _executed(probe: Probe, mutated: Mapping[str, Mutant]) -> Observed:
    """What the probe finds of each variant with all these mutants in the models' places.

    Where the device disagrees with itself the mutants are run apart, to know under which it does.
    """
    try:
        readings = _readings(probe, {name: each.map for name, each in mutated.items()})
    except Disagreement as error:
        if len(mutated) == 1:
            return {name: str(error) for name in mutated}
        names = list(mutated)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        parts = [_executed(probe, {name: mutated[name] for name in half}) for half in halves]
        return parts[0] | parts[1]
    return {name: probe.analysis.observe(readings[name]) for name in mutated}


def _judged(
    score: MutationScore, mutant: Mutant, layout: LayoutMap, observed: LayoutMap | str
) -> MutationScore:
    """The score with one executed mutant more."""
    done = score.executed
    if isinstance(observed, str):
        refused = (*score.refused, f"{mutant.name}: {observed}")
        count = Count(done.tried + 1, done.noticed + 1, done.survivors)
        return replace(score, executed=count, refused=refused)
    survives = observed.first_difference(layout) is None
    found = observed.first_difference(mutant.map) is None
    survivors = (*done.survivors, mutant.name) if survives else done.survivors
    count = Count(done.tried + 1, done.noticed + (not survives), survivors)
    return replace(score, executed=count, identified=score.identified + found)
