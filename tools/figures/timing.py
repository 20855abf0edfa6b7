"""The blocks of docs/timing.md, from the rows of timings."""

from __future__ import annotations

import json
import math
import textwrap
from collections import Counter, defaultdict

from analysis import timing_pictures
from lanemap.records.files import read_record
from lanemap.records.lookup import of_kind
from lanemap.records.schema import Record
from lanemap.timing.figures import Figure
from lanemap.timing.model.consistency import why
from lanemap.timing.pipes import pipes_of
from lanemap.timing.row import figures_of
from tools import timing_model
from tools.figures.kernels import RESULTS

#: What windows have in common that the machine does not run.
_REFUSED = "refused: MATCH, and waits of mbarriers whose phase a window does not name"
_KINDS = (
    ("fixed latency", "fixed latencies"),
    ("variable latency", "variable latencies"),
    ("interval", "intervals"),
)


def timing(target: str) -> str:
    """How many figures silicon has, by group; how long latencies of arithmetic are; the pipes."""
    rows = of_kind("timing", RESULTS, target)
    arithmetic = next(each for each in rows if each.probe == "timing_alu")
    contention = next(each for each in rows if each.probe == "timing_contention")
    launches = [each for each in rows if each.probe == "timing_launch"]
    return "\n".join(
        [_groups(rows), _row(arithmetic), _pipes(contention), *map(_launches, launches)]
    )


def consistency(_: str) -> str:
    """How many windows take on the machine what their rows say; the others by cause."""
    table = json.loads(timing_model.TABLE.read_text())
    agree = sum(len(own["agree"]) for own in table.values())
    causes: dict[str, list[float]] = defaultdict(list)
    groups: dict[str, set[str]] = defaultdict(set)
    for group, own in table.items():
        for series, (row, model) in own["disagree"].items():
            causes[why(group, series)].append(model / row - 1)
            groups[why(group, series)].add(group)
        for _ in own["refused"]:
            causes[_REFUSED].append(math.nan)
            groups[_REFUSED].add(group)
    count = agree + sum(map(len, causes.values()))
    lines = [
        f"Of {count:,} windows {agree:,} ({agree / count:.0%}) take on the machine what their rows "
        "say. The others, by what the machine leaves out:",
        "",
        "| left out | windows | of rows | machine against row |",
        "|---|---|---|---|",
    ]
    for cause, off in sorted(causes.items(), key=lambda each: -len(each[1])):
        own = ", ".join(sorted(groups[cause]))
        between = "" if cause == _REFUSED else f"{min(off):+.0%} to {max(off):+.0%}"
        lines.append(f"| {cause} | {len(off)} | {own} | {between} |")
    return "\n".join(lines) + "\n"


def _launches(row: Record) -> str:
    """Every pair of events of grids: the least and the most of its axes."""
    found: dict[tuple[str, str], list[Figure]] = {}
    for each in figures_of(row):
        if each.explained:
            found.setdefault(each.events, []).append(each)
    lines = ["| grids: from | to | at | takes |", "|---|---|---|---|"]
    for (first, second), own in sorted(found.items()):
        took = sorted(f"{float(each.cycles or 0):.4g}" for each in own)
        low, high = min(took, key=float), max(took, key=float)
        names = ", ".join(sorted({name for each in own for name in each.axes}))
        said = low if low == high else f"{low} to {high}"
        lines.append(f"| {first} | {second} | {names} | {said} {own[0].unit} |")
    return "\n".join(lines) + "\n"


def pictures(target: str) -> dict[str, str]:
    """The pictures of contention, by file name."""
    drawn = pipes_of(read_record(RESULTS / target / "cuda" / "timing_contention.json")).to_json()
    return {
        "timing_pipes.svg": timing_pictures.pipes(drawn),
        "timing_contention.svg": timing_pictures.contention(drawn),
    }


def _groups(rows: list[Record]) -> str:
    """A line for each group: pairs of events and figures that are explained, and the others."""
    assemblers = {each.findings["assembler"] for each in rows}
    said = (
        f"All groups were measured on an {_gpus(rows)}, with {', '.join(sorted(assemblers))}. "
        + _again(rows)
    )
    lines = [
        *textwrap.wrap(said, 110, break_on_hyphens=False), "",
        "| group | pairs of events | figures explained | not explained |", "|---|---|---|---|",
    ]  # fmt: skip
    for row in sorted(rows, key=lambda each: each.probe):
        figures = figures_of(row)
        explained = [each for each in figures if each.explained]
        pairs = {each.events for each in explained}
        lines.append(
            f"| {row.probe.removeprefix('timing_')} | {len(pairs)} | {len(explained)} "
            f"| {len(figures) - len(explained)} |"
        )
    return "\n".join(lines) + "\n"


def _gpus(rows: list[Record]) -> str:
    """The GPUs, with the UUIDs of those that rows name."""
    before = [(each.environment or {})["before"] for each in rows]
    names = ", ".join(sorted({each["gpu"] for each in before}))
    uuids = sorted({each["uuid"] for each in before if "uuid" in each})
    return f"{names} ({', '.join(uuids)})" if uuids else names


def _again(rows: list[Record]) -> str:
    """Return a paragraph on other runs."""
    runs = [run for row in rows for run in row.findings.get("again", [])]
    if not runs:
        return ""
    others = sorted({run["uuid"] for run in runs if run["same_gpu"] is False})
    kinds = {run["same_gpu"] for run in runs}
    others += ["a GPU that is not named"] * (None in kinds) + ["the same GPU"] * (True in kinds)
    measured = sum(run["figures"] for run in runs)
    unlike = sum(len(run["differing"]) for run in runs)
    return (
        f"Other runs, on {', '.join(others)}, measured {measured} of the explained figures again; "
        f"{unlike} of them are not the same within a cycle, or 3 % of a rate."
    )


def _pipes(row: Record) -> str:
    """The pipes that contention tells apart."""
    found = pipes_of(row)
    lines = [f"| {' | '.join(each)} |" for each in (found.columns, *found.cells())]
    lines.insert(1, "|---|---|---|")
    counts = Counter(found.relations.values())
    said = (
        f"Of {len(found.relations)} pairs, {counts['shared']} share a pipe, {counts['apart']} do "
        f"not, {counts['between']} fit neither, {counts['silent']} cannot tell, and "
        f"{counts['open']} have no figure."
    )
    against = [
        f"{first} and {second} are apart, against this partition."
        for first, second in found.against
    ]
    return (
        "\n".join(
            [*lines, "", *textwrap.wrap(" ".join([said, *against]), 110, break_on_hyphens=False)]
        )
        + "\n"
    )


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
        *textwrap.wrap(said, 110, break_on_hyphens=False), "",
        "| class | cycles | pairs of events |", "|---|---|---|",
    ]  # fmt: skip
    for kind, _ in _KINDS:
        own = Counter(
            float(each.cycles or 0) for each in figures if each.explained and each.kind == kind
        )
        lines += [f"| {kind} | {cycles:.4g} | {count} |" for cycles, count in sorted(own.items())]
    return "\n".join(lines) + "\n"
