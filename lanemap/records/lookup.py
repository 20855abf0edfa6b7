"""Finding what was observed of a variant."""

from __future__ import annotations

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
