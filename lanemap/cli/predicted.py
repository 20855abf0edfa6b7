"""A prediction of `lanemap time` for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lanemap.cli.output import console, table
from lanemap.errors import plural
from lanemap.timing.model.answer import Prediction, Wait, shares
from lanemap.timing.model.envelope import outside
from lanemap.timing.model.scripts import PTX

#: Lines of each table.
_ROWS = 12
#: Characters of an instruction that a table shows.
_TEXT = 40


def show(found: Prediction, ptx: Sequence[str], sources: Mapping[tuple[str, int], int]) -> None:
    """Print a prediction.

    Args:
        found: It.
        ptx: Lines of the PTX.
        sources: Cycles of all warps by line of the source; those of the PTX have no other file.
    """
    out = console()
    for line in _headline(found):
        out.print(line, markup=False, soft_wrap=True)
    needs = [[each, f"{n:,}", f"{n / found.cycles:.0%}"] for each, n in found.bounds().items()]
    out.print(_numbers(table(("bound", "cycles at least", "share"), needs[:_ROWS])))
    waits = found.waits()
    total = sum(each.cycles for each in waits)
    rows = [[each.value, f"{n:,}", f"{n / total:.1%}"] for each, n in shares(waits).items()]
    every = f"all: {len(found.result.warps)} warps, {found.result.cycles:,} cycles each"
    rows.append([every, f"{total:,}", ""])
    out.print(_numbers(table(("what warps waited for", "cycles of all warps", "share"), rows)))
    for title, own in (("cycles of all warps", waits), ("on the chain", found.chain())):
        out.print(_numbers(_table_of(found, own, title, ptx)))
    dearest = sorted(sources.items(), key=lambda each: -each[1])[:_ROWS]
    rows = [
        [f"{file}{' ' if file == PTX else ':'}{line}", f"{n:,}", f"{n / total:.1%}"]
        for (file, line), n in dearest
    ]
    out.print(_numbers(table(("line", "cycles of all warps", "share"), rows)))
    changed = [
        [each.what, f"{each.cycles:,}", f"{each.cycles / found.active - 1:+.1%}"]
        for each in found.changes
    ]
    if changed:
        out.print(_numbers(table(("if the SM had", "cycles", "change"), changed)))
    for name, value in found.needs().items():
        out.print(f"{name}: {float(value):,.0f}", markup=False, soft_wrap=True)
    if found.joined.approximate:
        lines = ", ".join(map(str, sorted(found.joined.approximate)))
        out.print(
            f"loads of PTX line {lines} are those of the nearest turn", markup=False, soft_wrap=True
        )


def _headline(found: Prediction) -> Iterator[str]:
    """How long the launch takes, what that is made of, and what is assumed."""
    grid, lies, clock = found.grid, found.interval, found.clock()
    between = (
        "without an interval: no launch of the development set was measured"
        if lies is None
        else f"{lies.least:,} to {lies.most:,} by errors of {plural(lies.launches, 'launch', 'es')}"
        + f" limited by {lies.limited}" * bool(lies.limited)
        + " of the development set, and the spread of parameters"
    )
    yield f"predicted: {found.active:,} cycles of an H200's SM that has work; {between}"
    for why in outside(found):
        yield f"outside the envelope of the tables, so it may be off by more: {why}"
    fast, middle, slow = clock.microseconds(found.active)
    yield (
        f"{middle:,.2f} us ({fast:,.2f} to {slow:,.2f}: {clock.least:,.0f} to {clock.most:,.0f} "
        f"MHz where {clock.activity}), and {float(found.launch_ns()):,.0f} ns between launches of "
        "a stream"
    )
    yield (
        f"{plural(len(found.trace.grid), 'CTA')} on {plural(grid.sms, 'SM')}, {grid.resident} on "
        f"one at a time ({grid.limit}); the SM that ends last has {len(grid.kinds)}"
        + f", of which {grid.simulated} were simulated"
        * (grid.simulated < len(grid.kinds))
    )
    yield found.executed()
    yield f"reads behind L1 are answered by {found.behind.name}: {found.why_behind}"
    yield from _certified(found)
    yield f"{found.parameters.said()}; --parameters lists them"


def _certified(found: Prediction) -> Iterator[str]:
    own, merged = found.joined.certificate, found.joined.unmatched
    if own is None:
        return
    yield (
        f"certificate: {plural(own.lines, 'line')} with effects (stores, copies, barriers, matrix "
        f"instructions, ..) execute {own.executions:,} times on the paths through the SASS, as in "
        "the PTX" + f"; ptxas merged or removed {plural(len(merged), 'other')}" * bool(merged)
    )


def _table_of(found: Prediction, waits: Sequence[Wait], title: str, ptx: Sequence[str]) -> Any:
    rows, every = [], found.trace.code
    for each in waits[:_ROWS]:
        code = every[each.place]
        line = " ".join(ptx[code.line - 1].split())[:_TEXT] if 0 < code.line <= len(ptx) else ""
        cause = every[each.cause] if each.cause >= 0 else None
        of = f"{cause.address:04x} {cause.opcode}" if cause else ""
        text = f"{code.address:04x} {code.text}"[:_TEXT]
        rows.append([text, f"{each.cycles:,}", each.reason.value, of, line])
    return table(("SASS", title, "waits for", "of", "PTX"), rows)


def _numbers(shown: Any) -> Any:
    """A table whose second column has numbers."""
    shown.columns[1].justify = "right"
    return shown


def show_parameters(found: Prediction) -> None:
    """Print every number of a prediction, and where it is read from."""
    rows = [
        [each.name, f"{float(each.value):g}", each.reading.group, each.reading.series, each.why]
        for each in found.parameters.lines()
    ]
    columns = ("parameter", "cycles", "row", "series", "why it counts here")
    console().print(_numbers(table(columns, rows)))
