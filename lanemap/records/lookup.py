"""Finds the observations of a variant, and the records of a kind."""

from __future__ import annotations

from collections.abc import Collection

from lanemap.records.files import Roots, read_records
from lanemap.records.kinds.base import EVIDENCE
from lanemap.records.schema import Observation, Record

Seen = tuple[Record, Observation]


def of_kind(kind: str, results: Roots, target: str = "*") -> list[Record]:
    """Return the records of a kind, of one target if it is given, without observations.

    Raises:
        UserError: a file under `results` is not a record.
    """
    return [each for each in read_records(results, target, (kind,)) if each.kind == kind]


def observations_of(variant: str, results: Roots) -> list[Seen]:
    """Return the observations of a variant under `results`, the strongest evidence first.

    Partial observations (`Observation.partial`) come after all complete ones, and what one
    stranger's card showed (`Record.unconfirmed`) after what others did.

    Raises:
        UserError: a file under `results` is not a record.
    """
    return all_observations((variant,), results).get(variant, [])


def all_observations(variants: Collection[str], results: Roots) -> dict[str, list[Seen]]:
    """Return the observations of several variants, of each as `observations_of`.

    Raises:
        UserError: a file under `results` is not a record.
    """
    found: dict[str, list[Seen]] = {}
    for record in read_records(results, variants=variants):
        for observation in record.observations:
            if observation.variant in variants:
                found.setdefault(observation.variant, []).append((record, observation))
    for seen in found.values():
        seen.sort(key=_weakness)
    return found


def _weakness(seen: Seen) -> tuple[bool, bool, int]:
    record, observation = seen
    return observation.partial, record.unconfirmed, EVIDENCE.index(record.evidence)
