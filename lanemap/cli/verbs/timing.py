"""`lanemap timing`: measured cycles between named events, with what proves them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import targets, timed
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots
    from lanemap.records.schema import Record
    from lanemap.timing.figures import Figure
    from lanemap.timing.find import TimingProbe
    from lanemap.timing.names import Names

NAME_HELP = (
    "A group, such as alu, or an instruction of SASS or PTX, with or without its operands: "
    "HFMA2.MMA, or mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32."
)
_KIND = "timing"
#: The target whose rows are shown by default.
_STORED = "sm_90a"
_COLUMNS = (
    "instruction", "from_event", "to_event", "axes", "cycles", "unit", "kind", "evidence",
    "explained",
)  # fmt: skip
#: What titles call a figure's unit.
_UNITS = {"cycles": "cycles of the SM clock", "ns": "nanoseconds"}


def command(
    name: str = typer.Argument("", metavar="NAME", help=NAME_HELP, autocompletion=timed),
    assemble: bool = typer.Option(
        False, "--assemble", help="Print the group's windows in SASS; needs no GPU."
    ),
    device: str = typer.Option("", help="Measure the group on this device (cuda) and write a row."),
    target: str = typer.Option(
        "",
        help="The instruction set; by default the first that the group is for, or sm_90a.",
        autocompletion=targets,
    ),
    out: Path = typer.Option(
        Path("results"), help="With --device: the folder that the row is written to."
    ),
    every: bool = typer.Option(False, "--all", help="Also show figures that are not explained."),
    as_csv: bool = typer.Option(False, "--csv", help="Print CSV instead."),
    as_markdown: bool = typer.Option(False, "--markdown", help="Print a Markdown table instead."),
    as_export: bool = typer.Option(
        False, "--export", help="Print versioned JSON for a compiler's tables."
    ),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> int:
    """Show measured cycles between two named events, with the certificates that prove them.

    A fixed latency was proven from both sides: with that many cycles between the two instructions
    every result is right, with one less some result is wrong. With --device, measure a group on a
    GPU.
    """
    if sum((as_json, as_csv, as_markdown, as_export)) > 1:
        raise UserError("choose one of --json, --csv, --markdown and --export")
    if assemble:
        return _assemble(name, target)
    if device:
        return _measure(name, target, device, out)
    target = target or _STORED
    where = roots(results)
    rows = _rows(target, where)
    if not rows:
        raise UserError(f"no timing of {target} is stored; {_how_to_measure(target)}")
    found = _named(name, rows, where)
    shown = [each for each in found if every or each[1].explained]
    if as_export:
        show_json(_document(shown, rows))
    elif as_json:
        show_json(
            [_json(row, each) | {"certificates": dict(each.certificates)} for row, each in shown]
        )
    elif as_csv:
        _print_csv(shown)
    elif as_markdown:
        _print_markdown(shown)
    else:
        _print_meaning(name, found)
        _print(shown, len(found) - len(shown))
        _print_pipes(name, found[0][0])
    return 0


def _measure(name: str, target: str, device: str, out: Path) -> int:
    """Measure a group and write its row."""
    from lanemap.records.files import write_records
    from lanemap.timing.run import measure

    probe = _probe(name)
    row = measure(probe, _target(probe, target), device)
    for path in write_records([row], out):
        console().print(str(path))
    figures = row.findings["figures"]
    explained = sum(each["explained"] for each in figures)
    console().print(f"{len(figures)} figures, {explained} of them explained")
    return 0


def _probe(name: str) -> TimingProbe:
    """The group of that name.

    Raises:
        UserError: there is none.
    """
    from lanemap.timing.find import find_probes

    probes = find_probes()
    if name not in probes:
        raise UserError(f"name the group to measure: {', '.join(probes)}")
    return probes[name]


def _target(probe: TimingProbe, target: str) -> str:
    """The target of a group.

    Raises:
        UserError: the group is not for that one.
    """
    if target and target not in probe.targets:
        raise UserError(
            f"the group {probe.name} is for {' and '.join(probe.targets)}, not for {target}"
        )
    return target or probe.targets[0]


def _assemble(name: str, target: str) -> int:
    """Print what the assembler makes of each question of a group."""
    from lanemap.timing.run import windows

    unfit = 0
    probe = _probe(name)
    for title, reason, lines in windows(probe, _target(probe, target)):
        unfit += bool(reason)
        print(f"{title}: {reason or 'as declared'}")
        print("".join(f"    {line}\n" for line in lines))
    return 1 if unfit else 0


def _rows(target: str, where: Any) -> list[Record]:
    """The stored rows of a target."""
    from lanemap.records.lookup import of_kind

    return of_kind(_KIND, where, target)


def _how_to_measure(target: str) -> str:
    """The command that measures the first group of a target on its GPU."""
    from lanemap.targets import TARGETS
    from lanemap.timing.find import find_probes

    own = [name for name, each in find_probes().items() if target in each.targets]
    if not own:
        return "no group of timing is about it"
    device = TARGETS[target].devices[0]
    return f"`lanemap timing {own[0]} --device {device} --target {target}` measures one on a GPU"


def _named(name: str, rows: list[Record], where: Roots) -> list[tuple[Record, Figure]]:
    """The figures of a group or of an instruction; of all, if there is no name.

    Raises:
        UserError: there is none.
    """
    from lanemap.cli.remembered import remembered
    from lanemap.timing.names import columns, unknown
    from lanemap.timing.row import figures_of
    from lanemap.timing.row import name as row_name

    own = [row for row in rows if not name or row.probe == row_name(name)]
    if own:
        return [(row, each) for row in own for each in figures_of(row)]
    # what a name means takes every probe to say
    opcodes = remembered(
        ("timing", rows[0].target, name), where, lambda: sorted(_names(rows).find(name))
    )
    found = [(row, each) for row in rows for each in figures_of(row) if each.instruction in opcodes]
    if not found:
        groups = sorted(row.probe.removeprefix(row_name("")) for row in rows)
        raise unknown(name, groups, _names(rows))
    # An N that was not measured shows the others.
    return [each for each in found if each[1].axes.get("N") == columns(name)] or found


def _names(rows: list[Record]) -> Names:
    """The instructions of rows, by what people call them."""
    from lanemap.timing.find import find_probes
    from lanemap.timing.names import Names

    return Names(rows, find_probes().values())


def _document(shown: list[tuple[Record, Figure]], rows: list[Record]) -> dict[str, Any]:
    """Return the document for compilers."""
    from lanemap.timing.export import document
    from lanemap.timing.pipes import GROUPS, pipes_of
    from lanemap.timing.row import name as row_name

    pipes = {row.target: pipes_of(row) for row in rows if row.probe in map(row_name, GROUPS)}
    return document(shown, _names(rows), pipes)


def _json(row: Record, each: Figure) -> dict[str, Any]:
    cycles = None if each.cycles is None else float(each.cycles)
    return {
        "instruction": each.instruction,
        "from_event": each.events[0],
        "to_event": each.events[1],
        "axes": dict(each.axes),
        "cycles": cycles,
        "unit": each.unit,
        "kind": each.kind,
        "evidence": row.evidence,
        "target": row.target,
        "explained": each.explained,
        "chain": each.chain,
        "spread": None
        if each.spread is None
        else [float(each.spread.least), float(each.spread.middle), float(each.spread.most)],
        "domain": each.domain,
    }


def _cells(row: Record, each: Figure) -> list[str]:
    data = _json(row, each)
    cycles = "" if data["cycles"] is None else f"{data['cycles']:.4g}"
    failed = [f"{name}: {why}" for name, why in each.certificates.items() if why]
    state = "yes" if each.explained else "; ".join(failed) or "no"
    axes = " ".join(f"{name}={value}" for name, value in each.axes.items())
    return [
        each.instruction,
        each.events[0],
        each.events[1],
        axes,
        cycles,
        each.unit,
        each.kind,
        row.evidence,
        state,
    ]


def _print_meaning(name: str, found: list[tuple[Record, Figure]]) -> None:
    """Say by which opcodes of SASS a pasted instruction was measured, if it is none of them."""
    from lanemap.timing.names import opcode
    from lanemap.timing.row import name as row_name

    pasted = opcode(name)
    opcodes = sorted({each.instruction for _, each in found})
    group = any(row.probe == row_name(name) for row, _ in found)
    if pasted and not group and not opcodes[0].casefold().startswith(pasted.casefold()):
        console().print(f"{pasted} is measured as {', '.join(opcodes)}", markup=False)


def _print(shown: list[tuple[Record, Figure]], hidden: int) -> None:
    out = console()
    for kind, unit in dict.fromkeys((each.kind, each.unit) for _, each in shown):
        own = [(row, each) for row, each in shown if (each.kind, each.unit) == (kind, unit)]
        cells = [_cells(row, each) for row, each in own]
        out.print(
            table(
                ("from", "to", "at", unit, "explained"),
                ((*line[1:5], line[8]) for line in cells),
                title=f"{kind}, {_UNITS[unit]} ({own[0][0].evidence}, {own[0][0].target})",
            )
        )
        out.print()
    if hidden:
        out.print(f"{hidden} figures are not explained; --all shows them with the reason")


def _print_pipes(name: str, row: Record) -> None:
    """Print the pipes that a group of contention figures separates, and the pairs left open."""
    from lanemap.timing.pipes import GROUPS, pipes_of

    if name not in GROUPS:
        return
    found, out = pipes_of(row), console()
    title = "Pipes: classes that take the sum of both together"
    out.print(table(found.columns, found.cells(), title=title))
    for first, second in found.against:
        out.print(f"{first} and {second} do not slow each other, against this partition")
    for one, other in found.undecided:
        out.print(f"no pair tells {', '.join(one)} from {', '.join(other)}")


def _print_csv(shown: list[tuple[Record, Figure]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_cells(row, each) for row, each in shown)
    print(text.getvalue(), end="")


def _print_markdown(shown: list[tuple[Record, Figure]]) -> None:
    print("| " + " | ".join(_COLUMNS) + " |")
    print("|" + "---|" * len(_COLUMNS))
    for row, each in shown:
        print("| " + " | ".join(_cells(row, each)) + " |")
