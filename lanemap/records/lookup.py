"""Finding what was observed of a variant."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from lanemap.records.files import read_records
from lanemap.records.schema import EVIDENCE, Observation, Record


def observations_of(variant: str, results: Path) -> list[tuple[Record, Observation]]:
    """Return the observations of a variant under `results`, the strongest evidence first.

    Raises:
        UserError: a file under `results` is not a record.
    """
    found = [
        (record, observation)
        for record in read_records(results)
        for observation in record.observations
        if observation.variant == variant
    ]
    return sorted(found, key=lambda pair: EVIDENCE.index(pair[0].evidence))


def strongest(variants: Container[str], results: Path) -> dict[str, tuple[Record, Observation]]:
    """Return the observation of the strongest evidence of each of several variants.

    Raises:
        UserError: a file under `results` is not a record.
    """
    found: dict[str, tuple[Record, Observation]] = {}
    records = sorted(read_records(results), key=lambda each: EVIDENCE.index(each.evidence))
    for record in records:
        for observation in record.observations:
            if observation.variant in variants:
                found.setdefault(observation.variant, (record, observation))
    return found
