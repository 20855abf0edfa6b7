"""The named rules that an observation is held against: the model's map and the claims'.

Only what happens after an observation may know them; a probe never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap import claims, model
from lanemap.layout import LayoutMap
from lanemap.probing.probe import Analysis, Shown
from lanemap.probing.proof.certificates import NEVER_WRITTEN, NamedRules

MODEL = "model"


@dataclass(frozen=True)
class Rule:
    """One map that is stated of a variant, by one or more names.

    Attributes:
        names: who states it, the model first.
        map: the map of bits; undefined where nothing is stated.
    """

    names: tuple[str, ...]
    map: LayoutMap

    @property
    def name(self) -> str:
        """The first name, which stands for all."""
        return self.names[0]


@dataclass(frozen=True)
class RuleVerdict:
    """A rule held against what a probe received.

    Attributes:
        names: who states the rule.
        stands: it gives all that was seen, as far as it states anything.
        partial: it states nothing of some cells.
        witness: the first cell where it does not; None where it stands.
    """

    names: tuple[str, ...]
    stands: bool
    partial: bool
    witness: str | None

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain JSON values."""
        return {
            "names": list(self.names),
            "stands": self.stands,
            "partial": self.partial,
            "first_difference": self.witness,
        }


def named_rules(variant: str) -> list[Rule]:
    """The maps that are stated of a variant, each once, the model's first; [] where nobody has."""
    known = any(each.name == variant for each in model.variants())
    stated = [(MODEL, model.variant(variant).map)] if known else []
    stated += [(claim.source, claim.map) for claim in claims.claims_of(variant)]
    if not stated:
        return []
    spaces = stated[0][1].destination, stated[0][1].source
    names: dict[LayoutMap, list[str]] = {}
    for name, layout in stated:
        # A source that speaks of other sizes is compared by `lanemap compare`, not here.
        if (layout.destination, layout.source) == spaces:
            names.setdefault(layout, []).append(name)
    return [Rule(tuple(who), layout) for layout, who in names.items()]


def judge(
    analysis: Analysis, readings: Sequence[Any], rules: Sequence[Rule]
) -> tuple[tuple[RuleVerdict, ...], tuple[tuple[str, ...], ...]]:
    """Hold rules against readings, and say which whole ones the inputs alone leave together.

    Returns:
        The verdicts in the order of the rules, and groups of the names of total rules.
    """
    if not rules:
        return (), ()
    seen, traced = analysis.seen(readings)
    shown = analysis.shown_by([rule.map for rule in rules], readings)
    verdicts = tuple(
        _verdict(rule, each, seen, traced) for rule, each in zip(rules, shown, strict=True)
    )
    total = [at for at, rule in enumerate(rules) if rule.map.is_total]
    if not total:
        return verdicts, ()
    names = tuple(rules[at].name for at in total)
    return verdicts, tuple(NamedRules(names, np.stack([shown[at] for at in total])).groups())


def _verdict(rule: Rule, shown: Shown, seen: Shown, traced: bool) -> RuleVerdict:
    """One rule against what was seen, on the cells of which it states something."""
    differs = (shown != seen) & rule.map.defined[:, None]
    if not traced:
        # The device cannot say that a bit was never written: such a bit may have any value.
        differs &= shown != NEVER_WRITTEN
    cells = np.flatnonzero(differs.any(axis=1))
    witness = rule.map.destination.format(int(cells[0])) if cells.size else None
    return RuleVerdict(rule.names, not cells.size, not rule.map.is_total, witness)
