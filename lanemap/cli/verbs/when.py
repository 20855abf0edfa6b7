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
    fault: str = typer.Argument("", metavar="[FAULT]", help="A fault of docs/found.md."),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Say in which releases of its compiler a known fault is, by what each release made.

    Each release compiled the same programs at each level. A GPU or the emulator ran them; the
    evidence is named. Without FAULT, all faults are listed.
    """
    from lanemap.conformance.faults.history import histories, named
    from lanemap.records.lookup import of_kind

    known = histories(of_kind("compiler_faults", roots(results)))
    if not fault:
        if as_json:
            show_json({name: _as_json(each) for name, each in known.items()})
            return
        rows = [
            (each.name, _compiler(each), option, _ranges(each, option))
            for each in known.values()
            for option in each.options
        ]
        console().print(table(("fault", "compiler", "option", "what its releases do"), rows))
        return
    found = named(fault, known)
    if as_json:
        show_json(_as_json(found))
        return
    out = console()
    out.print(f"{found.name}: {found.promise}", markup=False, soft_wrap=True)
    out.print(f"on {found.target}, evidence {found.evidence}; see docs/found.md#{found.name}\n")
    cells = [
        (name, *(states.get(option, "") for option in found.options))
        for name, states in found.states.items()
    ]
    out.print(table(("compiler", *found.options), cells))
    for option in found.options:
        out.print(f"{option}: {_ranges(found, option)}", markup=False, soft_wrap=True)


def _compiler(found: History) -> str:
    return next(iter(found.states)).partition(" ")[0]


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
        "fault": found.name,
        "promise": found.promise,
        "evidence": found.evidence,
        "target": found.target,
        "states": found.states,
    }
