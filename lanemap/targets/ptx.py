"""Which GPUs execute PTX of a target (PTX ISA, PTX Module Directives: .target)."""

from __future__ import annotations

from collections.abc import Iterable

from lanemap.targets.definition import Target
from lanemap.targets.every import TARGETS
from lanemap.targets.features import features_of, target_parts


def _same_family(one: int, other: int) -> bool:
    return one // 10 == other // 10


def runs_on(target: str, gpu: str) -> bool:
    """Say whether PTX of a target, such as sm_90, runs on a GPU, such as sm_100a.

    That for sm_N runs on N and later ones, for sm_Nf on those of its family, for sm_Na on N alone.
    """
    (number, suffix), (own, _) = target_parts(target), target_parts(gpu)
    if not number:
        return False
    if suffix == "a":
        return number == own
    return number <= own and (not suffix or _same_family(number, own))


def reach(target: str) -> str:
    """Say in words where PTX of a target runs."""
    number, suffix = target_parts(target)
    if suffix == "a":
        return f"sm_{number} alone"
    return f"sm_{number} and later GPUs" + (" of its family" if suffix else "")


def defined_for(target: str) -> Target:
    """Return the definition that holds for PTX of a target: the newest that is not newer.

    That of sm_90a for sm_90, and of the oldest one for what is older than all.
    """
    number, _ = target_parts(target)
    numbers = {target_parts(name)[0]: name for name in TARGETS if name.startswith("sm_")}
    not_newer = [each for each in numbers if each <= number]
    return TARGETS[numbers[max(not_newer) if not_newer else min(numbers)]]


def gpu_of(target: str) -> str | None:
    """Return the definition whose GPU has the number of a `.target`: sm_100a of sm_100f, or None.

    Families and single targets have suffixes from 10.0 on; 9.0 has sm_90a.
    """
    number, suffix = target_parts(target)
    if suffix and (number < 90 or (number, suffix) == (90, "f")):
        return None
    own = (name for name in TARGETS if number and target_parts(name)[0] == number)
    return next(own, None)


def modeled(*features: str) -> tuple[str, ...]:
    """Return the NVIDIA targets with these features that `lanemap.model` covers, oldest first."""
    return _names(each for each in TARGETS.values() if each.modeled and _has(each, features))


def probed(*features: str) -> tuple[str, ...]:
    """Return the NVIDIA targets with these features that probes run on, oldest first."""
    return _names(each for each in TARGETS.values() if each.probed and _has(each, features))


def timed() -> tuple[str, ...]:
    """Return the NVIDIA targets that timing probes are written for, oldest first."""
    return _names(each for each in TARGETS.values() if each.timed and each.is_nvidia)


def _has(target: Target, features: tuple[str, ...]) -> bool:
    return target.is_nvidia and features_of(target.name).issuperset(features)


def _names(targets: Iterable[Target]) -> tuple[str, ...]:
    return tuple(each.name for each in sorted(targets, key=_number))


def _number(target: Target) -> int:
    return target_parts(target.name)[0]
