"""The blocks of docs/timing.md, from the rows of timings."""

from __future__ import annotations

import textwrap
from collections import Counter

from lanemap.records.files import read_records
from lanemap.records.schema import Record
from lanemap.timing.row import figures_of
from tests.docs.kernel_figures import RESULTS

_KINDS = (
    ("fixed latency", "fixed latencies"),
    ("variable latency", "variable latencies"),
    ("interval", "intervals"),
)


def timing(target: str) -> str:
    """How many figures silicon has, by class; how long latencies are."""
    said = []
    for record in read_records(RESULTS):
        if record.kind == "timing" and record.target == target:
            said.append(_row(record))
    return "\n".join(said)


def _row(record: Record) -> str:
    figures = figures_of(record)
    explained = Counter(each.kind for each in figures if each.explained)
    parts = [f"{explained[kind]} {words}" for kind, words in _KINDS]
    environment = record.environment or {}
    gpu = environment["before"]["gpu"]
    open_figures = len(figures) - sum(explained.values())
    said = (
        f"`{record.probe}` on an {gpu}, with {record.findings['assembler']}: {parts[0]}, "
        f"{parts[1]} and {parts[2]} are explained, and {open_figures} further figures are not. "
        "The table counts the explained ones by their cycles."
    )
    lines = [
        *textwrap.wrap(said, 110), "",
        "| class | cycles | pairs of events |", "|---|---|---|",
    ]  # fmt: skip
    for kind, _ in _KINDS:
        own = Counter(
            float(each.cycles or 0) for each in figures if each.explained and each.kind == kind
        )
        lines += [f"| {kind} | {cycles:.4g} | {count} |" for cycles, count in sorted(own.items())]
    return "\n".join(lines) + "\n"
