"""Tables from results/: one row a record, or one row a cell (the full tables, as Parquet)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lanemap.errors import UserError
from lanemap.records.files import read_records
from lanemap.records.schema import Observation, Record

if TYPE_CHECKING:
    import pandas as pd


def records(results: Path) -> list[Record]:
    """The records under results/.

    Raises:
        UserError: there are none, or one is malformed.
    """
    found = read_records(results)
    if not found:
        raise UserError(f"there are no records under {results}; run lanemap probe --all first")
    return found


def summary(found: Sequence[Record]) -> pd.DataFrame:
    """One row for each record: what was asked, on what, and how far the answer reaches."""
    import pandas as pd

    rows = []
    for record in found:
        maps = [observation for observation in record.observations if observation.fit]
        classes = certificates(record)
        rows.append(
            {
                "probe": record.probe,
                "variant": record.findings["variant"],
                "target": record.target,
                "device": record.device,
                "evidence": record.evidence,
                "cells": sum(int(o.map.defined.sum()) for o in record.observations),
                "fit": "; ".join(line for o in maps for line in o.fit["formula"]),
                "rank": max((o.fit["rank"] for o in maps), default=None),
                "certificate": "complete" if all(c["complete"] for c in classes) else "incomplete",
            }
        )
    return pd.DataFrame(rows)


def certificates(record: Record) -> list[dict[str, object]]:
    """The certificates of a record, those of its maps or, without one, of its findings."""
    held = [o.certificate for o in record.observations] or [record.findings["certificate"]]
    return [each for certificate in held for each in certificate["classes"]]


def cells(observation: Observation) -> pd.DataFrame:
    """One row for each destination cell with its coordinates and its source's; -1 is undefined."""
    import pandas as pd

    layout = observation.map
    sources = layout.source.coords(np.maximum(layout.table, 0))
    columns = {f"{layout.destination.name}_{k}": v for k, v in layout.destination.grid().items()}
    for axis, values in sources.items():
        columns[f"{layout.source.name}_{axis}"] = np.where(layout.defined, values, -1)
    return pd.DataFrame(columns).astype("int32")
