"""`lanemap when`: the releases of a compiler in which a known fault begins and ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.cli.results import RESULTS_OPTION, roots

if TYPE_CHECKING:
    from lanemap.conformance.faults.history import History


def command(
    fault: str = typer.Argument("", metavar="[FAULT]", help="Of docs/found.md or of the museum."),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Say in which releases of its compiler a known fault is, by what each release made.

    Each release compiled the same programs at each level. A GPU or the emulator ran them; the
    evidence is named. Without FAULT, all faults are listed.
    """
    from lanemap.conformance.faults.history import histories, of_fault
    from lanemap.records.lookup import of_kind

    known = histories(of_kind("compiler_faults", roots(results)))
    found = of_fault(fault, known) if fault else known
    if as_json:
        show_json([_as_json(each) for each in found])
        return
    out = console()
    if not fault:
        rows = [
            (each.fault, each.program, option, _ranges(each, option))
            for each in found
            for option in each.options
        ]
        out.print(table(("fault", "program", "option", "what the releases do"), rows))
        return
    first = found[0]
    out.print(f"{first.fault}: {first.promise}", markup=False, soft_wrap=True)
    out.print(f"on {first.target}, evidence {first.evidence}; see {first.page}")
    for each in found:
        cells = [
            (name, *(states.get(option, "") for option in each.options))
            for name, states in each.states.items()
        ]
        out.print()
        out.print(table(("compiler", *each.options), cells, each.program))
        for option in each.options:
            out.print(f"{option}: {_ranges(each, option)}", markup=False, soft_wrap=True)


def _ranges(found: History, option: str) -> str:
    said = []
    for state, first, last in found.ranges(option):
        begin, end = _version(first), _version(last)
        said.append(f"{state} in {begin}" if begin == end else f"{state} in {begin} to {end}")
    return ", ".join(said)


def _version(compiler: str) -> str:
    return compiler.split()[1]


def _as_json(found: History) -> dict[str, object]:
    return {
        "fault": found.fault,
        "page": found.page,
        "program": found.program,
        "promise": found.promise,
        "evidence": found.evidence,
        "target": found.target,
        "states": found.states,
    }
