"""Printed results of probes: a compact map, its fit, and its certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from lanemap.drawing import grid_of
from lanemap.drawing.drawing import TEXT_WIDTH
from lanemap.drawing.terminal import lines
from lanemap.layout import LayoutMap
from lanemap.probing.proof.certificates import countable

if TYPE_CHECKING:
    from pathlib import Path

    from lanemap.probing.part import Part
    from lanemap.probing.probe import Probe
    from lanemap.probing.proof.certificates import Certificate
    from lanemap.records.schema import Record

GROUP_LANES = 16


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
    found = part.finding.map
    if found is not None and found.source.name == "chunk" and (found.table >= 0).any():
        shown += [*cell_map(found, part.variant), Text()]
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


def cell_map(layout: LayoutMap, variant: str) -> Iterator[Text]:
    """The map as `lanemap draw` shows it, a row for each lane, or for those of a group."""
    grid = grid_of(layout, variant, by="destination")
    if repeats(layout):
        repeated = f"Lanes {GROUP_LANES}g + i receive the same from lanes {GROUP_LANES}g + .."
        cut = grid.cut(range(GROUP_LANES), range(len(grid.columns)))
        grid = replace(cut, notes=(*grid.notes, repeated))
    yield from lines(grid, TEXT_WIDTH)


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
