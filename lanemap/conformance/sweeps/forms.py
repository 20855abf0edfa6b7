"""All forms of PTX for each target: ptxas accepts those that are stored as accepted."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.forms.judge import judge
from lanemap.conformance.forms.judged import FAMILIES, accepted, all_forms, judged_targets
from lanemap.conformance.forms.rows import Form
from lanemap.sweeping.sweep import Found, Sweep, each


@cache
def _forms() -> dict[str, list[Form]]:
    """The forms of each family."""
    found: dict[str, list[Form]] = {family: [] for family in FAMILIES}
    for family, form in all_forms().values():
        found[family].append(form)
    return found


def items() -> list[str]:
    """Every family of every target, such as `sm_90a/wgmma`."""
    return [f"{target}/{family}" for target in judged_targets() for family in FAMILIES]


def _one(item: str) -> Found:
    target, _, family = item.partition("/")
    forms, stored = _forms()[family], set(accepted(target))
    reasons = judge(forms, target)
    now = {form.name for form in forms} - reasons.keys()
    before = {form.name for form in forms} & stored
    wrong = []
    if lost := sorted(before - now):
        wrong.append(f"{len(lost)} are refused now, as {lost[0]}: {reasons[lost[0]]}")
    if gained := sorted(now - before):
        wrong.append(f"{len(gained)} are accepted now, as {gained[0]}")
    return Found(item, "; ".join(wrong), {"forms": len(forms), "accepted": len(now)})


SWEEP = Sweep(
    "every form of PTX, family by family and target by target, asked of ptxas anew",
    each(_one),
    items,
)
