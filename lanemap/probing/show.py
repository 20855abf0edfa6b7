"""Printed results of probes: a compact map, its fit, and its certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from lanemap.layout import LayoutMap
from lanemap.probing.proof.certificates import countable

if TYPE_CHECKING:
    from pathlib import Path

    from lanemap.probing.part import Part
    from lanemap.probing.probe import Probe
    from lanemap.probing.proof.certificates import Certificate
    from lanemap.records.schema import Record

GROUP_LANES = 16
# Colors that are readable on dark and light backgrounds, one per source lane of a group.
COLOURS = (
    *(f"color({n})" for n in (25, 31, 37, 36, 35, 34, 70, 106)),
    *(f"color({n})" for n in (142, 136, 172, 166, 160, 161, 127, 91)),
)


def report(probe: Probe, record: Record, parts: Sequence[Part], written: Sequence[Path]) -> Group:
    """The complete report of one run of a probe, for a rich console.

    Args:
        probe: the probe, with the axes that were run.
        record: the row for results/.
        parts: what was found about each variant.
        written: files that were written.
    """
    head = Text()
    head.append(probe.name, style="bold")
    head.append(f"  {probe.variant}  {record.target} on {record.device}")
    head.append(f"  evidence: {record.evidence}", style="italic")
    shown: list[Text | Table] = [head, Text(probe.question), Text()]
    wrote = [f"wrote        {path}" for path in written]
    if len(parts) > 1:
        shown += [_family(parts), Text()]
        shown += [Text(line) for line in (*_together(record, parts), *wrote)]
        return Group(*shown)
    (part,) = parts
    cells = part.finding.cell_map
    if cells is not None and cells.source.name == "chunk":
        shown += [*cell_map(cells), Text()]
    shown += [Text(line) for line in (*_sentences(record, part), *wrote)]
    return Group(*shown)


def repeats(layout: LayoutMap, group: int = GROUP_LANES) -> bool:
    """Whether lane group + i receives what lane i receives, shifted by `group` source lanes."""
    lanes = layout.destination.axes[0][1]
    rows = layout.table.reshape(lanes, -1)
    per_lane = layout.source.size // layout.source.axes[0][1]
    shifts = (np.arange(lanes) // group * group * per_lane)[:, None]
    wanted = np.tile(rows[:group], (lanes // group, 1)) + shifts
    return bool(lanes % group == 0 and np.array_equal(rows, wanted))


def cell_map(layout: LayoutMap) -> Iterator[Text | Table]:
    """The map as a table with a row per lane: source lane and cell, colored by source lane."""
    (_, lanes), (cell, cells) = layout.destination.axes
    compact = repeats(layout)
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column(Text(f"{cell}"), justify="right", style="dim")
    for number in range(cells):
        table.add_column(str(number), justify="right", header_style="dim")
    sources = layout.source.coords(np.maximum(layout.table, 0))
    lane_of = sources["lane"].reshape(lanes, cells)
    cell_of = sources[layout.source.names[1]].reshape(lanes, cells)
    for lane in range(GROUP_LANES if compact else lanes):
        entries = [
            Text(f"{lane_of[lane, j]}.{cell_of[lane, j]}", COLOURS[lane_of[lane, j] % GROUP_LANES])
            for j in range(cells)
        ]
        table.add_row(f"lane {lane}", *entries)
    yield table
    legend = f"an entry is source lane.{layout.source.names[1]} of the chunk at that lane's address"
    if compact:
        legend += f"; lanes {GROUP_LANES}g + i the same from lanes {GROUP_LANES}g + .."
    yield Text(legend, style="dim")


def _sentences(record: Record, part: Part) -> Iterator[str]:
    """Fit, certificates, patterns and rules, one sentence per line."""
    finding = part.finding
    yield from (f"fit          {line}" for line in part.fit_lines)
    yield from (f"certificate  {line}" for line in _certificates(finding.certificates))
    agreeing = [pattern.name for pattern in finding.patterns if pattern.agrees]
    if agreeing:
        yield f"patterns     agree: {', '.join(agreeing)}"
    for pattern in finding.patterns:
        if not pattern.agrees:
            yield f"patterns     DISAGREES: {pattern.name} ({pattern.description})"
    yield from (f"found        {line}" for line in finding.lines)
    yield from (f"rules        {line}" for line in part.rule_lines(record.evidence))
    if not finding.explained:
        yield "NOT EXPLAINED: no rule of the class gives all that was seen"


def _certificates(certificates: Sequence[Certificate]) -> Iterator[str]:
    """Each certificate, with the rules that it cannot separate."""
    for each in certificates:
        if each.complete:
            rules = f"{countable(each.rules)} rules, each told from all others"
            yield f"complete: {each.hypotheses} ({rules})"
            continue
        counts = f"{countable(each.parts)} parts of {countable(each.rules)} rules"
        yield f"INCOMPLETE, {counts}: {each.hypotheses}"
        yield f"  left together: {each.remaining}"
        if each.splits:
            yield f"  split by: {each.splits}"


def _family(parts: Sequence[Part]) -> Table:
    """A row for each variant of a family: determined cells, fit, and the rules that agree."""
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    for heading in ("variant", "bits", "fit", "stands", "refuted"):
        # A name that is cut cannot be copied.
        style = "dim" if heading == "bits" else ""
        table.add_column(heading, style=style, overflow="fold")
    for part in parts:
        told = part.fit.formula().splitlines() if part.fit else part.finding.lines
        # "where lane < 31:" begins a part of the formula and ends no statement.
        fit = " ".join("; ".join(told).replace(":;", ":").split()) or "no map settled"
        verdicts: dict[bool, list[str]] = {True: [], False: []}
        for verdict in part.verdicts:
            verdicts[verdict.stands] += verdict.names
        marks = "" if part.agrees else "DISAGREES "
        row = (
            part.variant,
            str(part.finding.cells),
            marks + fit,
            *map("; ".join, verdicts.values()),
        )
        table.add_row(*(Text(cell) for cell in row))
    return table


def _together(record: Record, parts: Sequence[Part]) -> Iterator[str]:
    """Certificates and patterns of a family; identical ones appear once."""
    said: dict[tuple[str, str], int] = {}
    for part in parts:
        for each in part.finding.certificates:
            left = f"left together: {each.remaining}" if each.remaining else ""
            left += f"; split by: {each.splits}" if each.splits else ""
            key = f"{'complete' if each.complete else 'INCOMPLETE'}: {each.hypotheses}", left
            said[key] = said.get(key, 0) + 1
    for (line, left), count in said.items():
        yield f"certificate  {line}  [{count} variants]"
        if left:
            yield f"               {left}"
    for part in parts:
        for pattern in part.finding.patterns:
            if not pattern.agrees:
                yield f"patterns     DISAGREES: {part.variant}, {pattern.description}"
        if not part.finding.explained:
            yield f"NOT EXPLAINED: {part.variant}: no rule of the class gives all that was seen"
    if record.evidence == "emulator" and any(part.verdicts for part in parts):
        yield "rules        the emulator executes the model: this judges the probe, not the rules"
