"""The matrix of evidence with the cycles that an H200 measured: probes of maps and of time meet."""

from __future__ import annotations

from lanemap.probing.compare.evidence import Evidence, evidence
from lanemap.records.files import Roots
from lanemap.records.lookup import of_kind
from lanemap.timing.find import find_probes
from lanemap.timing.names import Names


def matrix(results: Roots) -> list[Evidence]:
    """What is known of every listed variant.

    Raises:
        UserError: A file under `results` is not a record.
    """
    return evidence(results, Names(of_kind("timing", results), find_probes().values()).sass)
