"""Mutation scores: would a probe notice if the instruction moved something else?

A mutant replaces the instruction in the emulator, and the unchanged probe runs, including its
decoding. The mutant counts as noticed if the probe finds something other than it finds without the
mutant. A mutant that gave no readings is not noticed.

The variants of a family do not interact, so one run of its probe executes one mutant of each: round
k puts the k-th chosen mutant of every variant into the emulator.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from lanemap.errors import Disagreement, UserError
from lanemap.layout import LayoutMap
from lanemap.model.banks import BankRule, rules_of
from lanemap.probing.mutation.mutants import PAIRS, SEED, spread
from lanemap.probing.mutation.subjects import Change, Subject, subjects_of
from lanemap.probing.probe import MapAnalysis, Probe
from lanemap.probing.run import by_variant

# Opens the device for a probe, with these maps in place of models.
# Takes the probe and the maps that replace models; where there are any, the changed bank rules too.
Opener = Callable[..., Any]


@dataclass(frozen=True)
class MutationScore:
    """The outcome of the mutants of one variant under one probe.

    Attributes:
        variant: The variant.
        mutants: How many there are.
        executed: How many replaced the instruction while the probe ran.
        noticed: Executed mutants under which the probe found something else.
        identified: Executed mutants whose exact map the probe found.
        survivors: Executed mutants under which the probe found nothing else.
        stopped: Executed mutants under which the device stopped the probe, with its message. They
            gave no readings, so they are neither noticed nor survivors.
        equivalent: Changes that leave every cell unchanged and so are not mutants.
        outside: Changes that do not give a map and so are not mutants.
    """

    variant: str
    mutants: int
    executed: int = 0
    noticed: int = 0
    identified: int = 0
    survivors: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    equivalent: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The score as plain JSON values."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class Found:
    """A probe's findings about one variant.

    Attributes:
        map: The observation; None if the probe does not ask where bits go.
        facts: Its other findings, if it determines no cell; None otherwise.
    """

    map: LayoutMap | None
    facts: Mapping[str, Any] | None


def open_emulator(
    probe: Probe, models: Mapping[str, LayoutMap], banks: Mapping[str, BankRule] | None = None
) -> Any:
    """An emulator in which these maps replace models, and these bank rules those of their form."""
    from lanemap.devices import open_device

    mode: Literal["raise", "report"] = "report" if probe.hazards == "report" else "raise"
    rules = [banks.get(rule.form, rule) for rule in rules_of(probe.target)] if banks else ()
    return open_device(probe.target, "emulator", hazards=mode, models=dict(models), banks=rules)


def score(
    probe: Probe,
    execute: int | None = None,
    pairs: int = PAIRS,
    seed: int = SEED,
    opener: Opener = open_emulator,
) -> list[MutationScore]:
    """The score of every variant that a probe tests.

    Args:
        probe: The probe.
        execute: How many mutants of each variant to execute, evenly spaced; None for all.
        pairs: How many two-bit mutants (or exchanges and redirects) each variant has.
        seed: The seed of those.
        opener: Opens the device.

    Raises:
        UserError: The probe contradicts the model of a variant, or has no mutants.
        Disagreement: The device stops the probe without any mutant.
    """
    found = find(probe, opener(probe, {}))
    subjects = subjects_of(probe, list(found), pairs, seed)
    for each in subjects:
        _require_no_contradiction(each, found[each.variant].map)
    chosen = {
        each.variant: [each.changes[i] for i in spread(len(each.changes), execute)]
        for each in subjects
    }
    scores = {
        each.variant: MutationScore(
            each.variant, len(each.changes), equivalent=each.equivalent, outside=each.outside
        )
        for each in subjects
    }
    # A device refers to itself, and its memory would fill the host before Python collects it. The
    # collections look at what a round made, not at everything that this process already had.
    gc.freeze()
    try:
        for turn in range(max(map(len, chosen.values()), default=0)):
            mutated = {name: own[turn] for name, own in chosen.items() if turn < len(own)}
            for batch in _batches(mutated):
                for name, under in _execute(probe, batch, opener).items():
                    scores[name] = _judged(scores[name], mutated[name], found[name], under)
            gc.collect()
    finally:
        gc.unfreeze()
    return list(scores.values())


def find(probe: Probe, device: Any) -> dict[str, Found]:
    """Return a probe's findings about each variant on a device."""
    return {
        name: _found(probe, readings)
        for name, readings in by_variant(probe, probe.readings(device)).items()
    }


def _found(probe: Probe, readings: Sequence[Any]) -> Found:
    layout = None
    if isinstance(probe.analysis, MapAnalysis):
        layout = probe.analysis.observe(readings)
        if layout.defined.any():
            return Found(layout, None)
    return Found(layout, probe.analysis.explain(readings).facts)


def _require_no_contradiction(subject: Subject, observed: LayoutMap | None) -> None:
    """Refuse a probe that contradicts the model without any mutant; cells may stay open."""
    if subject.map is None or observed is None:
        return
    difference = observed.first_difference(subject.map.restrict(mask=observed.defined))
    if difference is not None:
        raise UserError(f"the probe contradicts the model of {subject.variant}: {difference}")


def _batches(mutated: Mapping[str, Change]) -> list[dict[str, Change]]:
    """The mutants divided so that no two of a batch replace one bank rule by different ones."""
    batches: list[tuple[dict[str, Change], dict[str, BankRule]]] = []
    for name, each in mutated.items():
        rules = dict(each.banks())
        for batch, taken in batches:
            if all(taken.get(form, rule) == rule for form, rule in rules.items()):
                batch[name] = each
                taken.update(rules)
                break
        else:
            batches.append(({name: each}, rules))
    return [batch for batch, _ in batches]


def _execute(probe: Probe, mutated: Mapping[str, Change], opener: Opener) -> dict[str, Found | str]:
    """Return the probe's findings about each variant while all these mutants are in place.

    If the device stops the probe, the mutants are bisected to find the one that stops it.
    """
    sources = [each.source for each in mutated.values() if each.source is not None]
    if len(sources) > 1:
        raise UserError(f"probe {probe.name} cannot run {len(sources)} texts at once")
    running = replace(probe, source=sources[0]) if sources else probe
    models = {name: layout for each in mutated.values() for name, layout in each.models().items()}
    banks = {form: rule for each in mutated.values() for form, rule in each.banks().items()}
    try:
        found = find(running, opener(running, models, banks) if banks else opener(running, models))
    except Disagreement as error:
        if len(mutated) == 1:
            return {name: str(error) for name in mutated}
        names = list(mutated)
        halves = names[: len(names) // 2], names[len(names) // 2 :]
        parts = [_execute(probe, {name: mutated[name] for name in half}, opener) for half in halves]
        return parts[0] | parts[1]
    return {name: found[name] for name in mutated}


def _judged(
    score: MutationScore, mutant: Change, before: Found, under: Found | str
) -> MutationScore:
    """The score with one more executed mutant."""
    score = replace(score, executed=score.executed + 1)
    if isinstance(under, str):
        return replace(score, stopped=(*score.stopped, f"{mutant.name}: {under}"))
    if under == before:
        return replace(score, survivors=(*score.survivors, mutant.name))
    identified = False
    if mutant.shows is not None and before.map is not None:
        # Cells that the probe leaves open without the mutant may stay open under it.
        shown = mutant.shows()
        identified = under.map in (shown, shown.restrict(mask=before.map.defined))
    return replace(score, noticed=score.noticed + 1, identified=score.identified + identified)
