"""Named rules, the maps of the model and of claims, and whether readings refute them.

Probes never import this module: rules are compared after the observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap import claims, model
from lanemap.layout import LayoutMap
from lanemap.probing.probe import MapAnalysis, Shown
from lanemap.probing.proof.certificates import NEVER_WRITTEN, NamedRules

MODEL = "model"


@dataclass(frozen=True)
class Rule:
    """One map of a variant, and all sources that state it.

    Attributes:
        names: Its sources, the model first.
        map: the map of bits; undefined where the sources state nothing.
    """

    names: tuple[str, ...]
    map: LayoutMap

    @property
    def name(self) -> str:
        """The first name, used for the whole rule."""
        return self.names[0]


@dataclass(frozen=True)
class RuleVerdict:
    """Whether readings refute a rule.

    Attributes:
        names: Sources of the rule.
        stands: the readings match every cell that it states.
        partial: it does not state every cell.
        witness: the first cell that does not match; None if the rule stands.
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
    """The distinct maps of a variant, the model's first; empty if no source states one."""
    known = any(each.name == variant for each in model.variants())
    stated = [(MODEL, model.variant(variant).map)] if known else []
    stated += [(claim.source, claim.map) for claim in claims.claims_of(variant)]
    if not stated:
        return []
    spaces = stated[0][1].destination, stated[0][1].source
    names: dict[LayoutMap, list[str]] = {}
    for name, layout in stated:
        # `lanemap compare` handles sources that state other sizes.
        if (layout.destination, layout.source) == spaces:
            names.setdefault(layout, []).append(name)
    return [Rule(tuple(who), layout) for layout, who in names.items()]


def judge(
    analysis: MapAnalysis, readings: Sequence[Any], rules: Sequence[Rule]
) -> tuple[tuple[RuleVerdict, ...], tuple[tuple[str, ...], ...]]:
    """Test rules against readings, and group the total rules that the inputs cannot separate.

    Returns:
        The verdicts in the order of the rules, and the groups by name.
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
    """Test one rule on the cells that it states."""
    differs = (shown != seen) & rule.map.defined[:, None]
    if not traced:
        # The device cannot mark a bit that nothing wrote, so the bit may have any value.
        differs &= shown != NEVER_WRITTEN
    cells = np.flatnonzero(differs.any(axis=1))
    witness = rule.map.destination.format(int(cells[0])) if cells.size else None
    return RuleVerdict(rule.names, not cells.size, not rule.map.is_total, witness)
