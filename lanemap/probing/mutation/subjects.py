"""The mutants of each variant that a probe tests, and what the probe should find under them.

Most variants have a model, and a mutant of its map replaces it in the emulator. A `tcgen05.cp` for
a pair of CTAs uses the model of the same form for one CTA, in each of the two. Behavior that is not
a layout map, such as which columns an allocation gets, is mutated in the probe's text: see
`rewritten`. Rules of banks are replaced in the emulator too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lanemap import model
from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.banks import BankRule
from lanemap.probing.banks.forms import ACCESSES
from lanemap.probing.banks.lds_forms import LDS_ACCESSES
from lanemap.probing.mutation.bank_mutants import SUFFIX, BankMutant, bank_mutants, rule_of
from lanemap.probing.mutation.elements import element_mutants
from lanemap.probing.mutation.mutants import Mutant, mutants
from lanemap.probing.mutation.rewritten import rewritten
from lanemap.probing.probe import Probe

PAIR, COPY, CTAS = ".cta_group::2", "tcgen05.cp", 2
#: Where operands of products lie: elements of matrices, and scales, stay whole there.
WHOLE = ("register", "shared", "tmem")
# The variants of the probes that ask about banks.
BANKS = ("shared memory banks", "LDS banks")


def _no_models() -> Mapping[str, LayoutMap]:
    return {}


def _no_banks() -> Mapping[str, BankRule]:
    return {}


@dataclass(frozen=True)
class Change:
    """One mutant of an instruction, ready to run.

    Attributes:
        name: What was changed, in words.
        models: The maps that replace models in the emulator.
        source: The text that replaces the probe's; None for its own.
        shows: The map that the probe should find; None if there is none.
        banks: The bank rules that replace those of the same form.
    """

    name: str
    models: Callable[[], Mapping[str, LayoutMap]] = _no_models
    source: str | None = None
    shows: Callable[[], LayoutMap] | None = None
    banks: Callable[[], Mapping[str, BankRule]] = _no_banks


@dataclass(frozen=True)
class Subject:
    """A variant and its mutants.

    Attributes:
        variant: As the probe's readings name it.
        map: The map that the probe should find without a mutant; None if there is none.
        changes: The mutants.
        equivalent: Names of changes that leave every cell unchanged.
        outside: Names of changes that do not give a map.
    """

    variant: str
    map: LayoutMap | None
    changes: tuple[Change, ...]
    equivalent: tuple[str, ...] = field(default=())
    outside: tuple[str, ...] = field(default=())


def subjects_of(probe: Probe, variants: Sequence[str], pairs: int, seed: int) -> list[Subject]:
    """The mutants of every variant that a probe tests.

    Args:
        probe: The probe.
        variants: As its readings name them.
        pairs: As for `mutants`.
        seed: As for `mutants`.

    Raises:
        UserError: The model does not cover a variant.
    """
    changed = rewritten(probe, pairs, seed)
    if changed is not None:
        changes = tuple(
            Change(each.name, source=each.source, shows=each.shows) for each in changed.texts
        )
        return [Subject(variants[0], changed.map, changes)]
    if _asks_of_banks(probe):
        return [_banked(name, probe.target, seed) for name in variants]
    return [_modelled(name, pairs, seed) for name in variants]


def has_mutants(probe: Probe) -> bool:
    """Whether the instruction that a probe tests can be mutated."""
    names = [each.name for each in model.variants(probe.target)]
    alone = _alone(probe.variant)
    stated = any(name == alone or name.startswith((f"{alone}.", f"{alone}_")) for name in names)
    return stated or _asks_of_banks(probe) or rewritten(probe, 0, 0) is not None


def asks_of_a_family(probe: Probe) -> bool:
    """Whether a probe's variant is a family whose members the model lists."""
    alone = _alone(probe.variant)
    named = (f"{alone}.", f"{alone}_")
    listed = any(each.name.startswith(named) for each in model.variants(probe.target))
    return listed or _asks_of_banks(probe)


def _asks_of_banks(probe: Probe) -> bool:
    """Whether a probe asks how banks serve accesses, instead of where bits go."""
    return probe.variant in BANKS


def _banked(variant: str, target: str, seed: int) -> Subject:
    form = variant.removesuffix(SUFFIX)
    rule = rule_of(variant, target)
    made = bank_mutants(rule, {**ACCESSES, **LDS_ACCESSES}[form].lanes, seed)

    def change(mutant: BankMutant) -> Change:
        return Change(mutant.name, banks=lambda: {rule.form: mutant.rule})

    return Subject(variant, None, tuple(map(change, made)))


def _modelled(variant: str, pairs: int, seed: int) -> Subject:
    name = _alone(variant)
    placed = _as_it_is if name == variant else _in_each_cta
    layout = model.variant(name).map
    # Products are defined only for maps that place every element once.
    fragment = layout.source.name in ("matrix", "scales") and layout.destination.name in WHOLE
    made = (element_mutants if fragment else mutants)(layout, pairs, seed)

    def change(mutant: Mutant) -> Change:
        return Change(
            mutant.name, models=lambda: {name: mutant.map}, shows=lambda: placed(mutant.map)
        )

    return Subject(
        variant, placed(layout), tuple(map(change, made.changed)), made.equivalent, made.outside
    )


def _alone(variant: str) -> str:
    """The variant whose model each CTA of a pair follows; a product of a pair has its own."""
    return variant.replace(COPY + PAIR, COPY)


def _as_it_is(layout: LayoutMap) -> LayoutMap:
    return layout


def _in_each_cta(layout: LayoutMap) -> LayoutMap:
    """The map of two CTAs, each of which applies the same map to its own memory."""
    spaces = [
        Space(space.name, (("cta", CTAS), *space.axes))
        for space in (layout.destination, layout.source)
    ]
    tables = [
        np.where(layout.defined, layout.table + cta * layout.source.size, UNDEFINED)
        for cta in range(CTAS)
    ]
    return LayoutMap(spaces[0], spaces[1], np.concatenate(tables))
