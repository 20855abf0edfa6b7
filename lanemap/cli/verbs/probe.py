"""`lanemap probe`: run probes and write what they find to results/."""

from __future__ import annotations

from pathlib import Path

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.errors import Disagreement, UserError


def command(
    names: list[str] = typer.Argument(None, metavar="NAME..", help="As `lanemap list` says."),
    every: bool = typer.Option(False, "--all", help="Run every probe (of --target, if given)."),
    target: str = typer.Option("", help="The instruction set, as gfx950."),
    device: str = typer.Option("auto", help="auto (hardware if present), emulator, cuda or hip."),
    out: Path = typer.Option(Path("results"), help="Where the record and the figures go."),
    axis: list[str] = typer.Option(
        [], "--axis", help="Other values for an axis, as pattern=permuted,strided."
    ),
    figures: bool = typer.Option(True, help="Draw the map as PNG and SVG too."),
    as_json: bool = JSON_OPTION,
) -> int:
    """Map what an instruction does, compare it, and write the result.

    The exit status is 1 where a probe cannot explain what it saw, or disagrees with the model.
    """
    from lanemap.probing.run import run_probe

    axes = dict(_axis(text) for text in axis)
    reports = []
    for name in _chosen(names or [], every, target):
        report = run_probe(name, target or None, device, out, axes, figures)
        reports.append(report)
        if not as_json:
            report.show(console())
    if as_json:
        show_json([report.to_json() for report in reports])
    return 0 if all(report.agrees for report in reports) else Disagreement.exit_code


def _chosen(names: list[str], every: bool, target: str) -> list[str]:
    """Return the probes asked for.

    Raises:
        UserError: both names and --all are given, or neither.
    """
    if every == bool(names):
        raise UserError("name the probes to run, or give --all; `lanemap list` shows them")
    if not every:
        return names
    from lanemap.probing.probe import find_probes

    found = [probe.name for probe in find_probes().values() if target in ("", probe.target)]
    if not found:
        raise UserError(f"there are no probes of target {target}")
    return found


def _axis(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise UserError(f"--axis {text} is not understood; write it as pattern=permuted,strided")
    return name, values.split(",")
