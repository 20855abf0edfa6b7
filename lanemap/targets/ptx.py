"""Which GPUs execute PTX of a target (PTX ISA, PTX Module Directives: .target), and what it has."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lanemap.targets.definition import SINCE, Target
from lanemap.targets.every import TARGETS

_NAME = re.compile(r"sm_(\d+)([af]?)")


def _parts(target: str) -> tuple[int, str]:
    match = _NAME.fullmatch(target)
    return (int(match[1]), match[2]) if match else (0, "")


def _same_family(one: int, other: int) -> bool:
    return one // 10 == other // 10


def runs_on(target: str, gpu: str) -> bool:
    """Say whether PTX of a target, such as sm_90, runs on a GPU, such as sm_100a.

    That for sm_N runs on N and later ones, for sm_Nf on those of its family, for sm_Na on N alone.
    """
    (number, suffix), (own, _) = _parts(target), _parts(gpu)
    if not number:
        return False
    if suffix == "a":
        return number == own
    return number <= own and (not suffix or _same_family(number, own))


def reach(target: str) -> str:
    """Say in words where PTX of a target runs."""
    number, suffix = _parts(target)
    if suffix == "a":
        return f"sm_{number} alone"
    return f"sm_{number} and later GPUs" + (" of its family" if suffix else "")


def defined_for(target: str) -> Target:
    """Return the definition that holds for PTX of a target: the newest that is not newer.

    That of sm_90a for sm_90, and of the oldest one for what is older than all.
    """
    number, _ = _parts(target)
    nvidia = [each for each in TARGETS.values() if each.is_nvidia]
    not_newer = [each for each in nvidia if _parts(each.name)[0] <= number]
    return max(not_newer, key=_number) if not_newer else min(nvidia, key=_number)


def features_of(target: str) -> frozenset[str]:
    """Return the features that PTX of a target has: of sm_100 fewer than of sm_100f or sm_100a."""
    (number, suffix), definition = _parts(target), defined_for(target)
    own = _number(definition)
    if number < own:
        return frozenset()
    found = definition.features | {each for each, since in SINCE.items() if number >= since}
    if suffix and _same_family(number, own):
        found |= definition.family_features
    if suffix == "a" and number == own:
        found |= definition.own_features
    return found


def having(feature: str) -> str:
    """Return the oldest target whose PTX has a feature, as `.target` names it."""
    if feature in SINCE:
        return f"sm_{SINCE[feature]}"
    holders = [each for each in TARGETS.values() if _has(each, (feature,))]
    oldest = min(holders, key=_number)
    return oldest.name.rstrip("af") if feature in oldest.features else oldest.name


def modeled(*features: str) -> tuple[str, ...]:
    """Return the NVIDIA targets with these features that `lanemap.model` covers, oldest first."""
    return _names(each for each in TARGETS.values() if each.modeled and _has(each, features))


def probed(*features: str) -> tuple[str, ...]:
    """Return the NVIDIA targets with these features that probes run on, oldest first."""
    return _names(each for each in TARGETS.values() if each.probed and _has(each, features))


def _has(target: Target, features: tuple[str, ...]) -> bool:
    return target.is_nvidia and features_of(target.name).issuperset(features)


def _names(targets: Iterable[Target]) -> tuple[str, ...]:
    return tuple(each.name for each in sorted(targets, key=_number))


def _number(target: Target) -> int:
    return _parts(target.name)[0]
