"""`lanemap probe`: run probes and write what they find to results/."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, progress, show_json
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from lanemap.probing.mutation.scoring import MutationScore
    from lanemap.probing.probe import Probe


def command(
    names: list[str] = typer.Argument(
        None, metavar="NAME", help="Names that `lanemap list` shows."
    ),
    every: bool = typer.Option(False, "--all", help="Run every probe (of --target, if given)."),
    target: str = typer.Option(
        "", help="The target, such as gfx950; without it, every target that a probe runs on."
    ),
    device: str = typer.Option(
        "auto", help="auto (hardware if there is any), emulator, cuda or hip."
    ),
    out: Path = typer.Option(
        Path("results"), help="The folder that the record and the figures are written to."
    ),
    axis: list[str] = typer.Option(
        [], "--axis", help="Other values for an axis, such as pattern=permuted,strided."
    ),
    figures: bool = typer.Option(True, help="Also draw the map as PNG and SVG."),
    mutants: int | None = typer.Option(
        None,
        min=1,
        help="Instead, run this many mutants of each variant on the emulator and score the probe.",
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Map what an instruction does, compare the map with the model, and write the result.

    The exit status is 1 if a probe cannot explain what it saw or disagrees with the model; with
    --mutants, if a mutant goes unnoticed. `lanemap list scores` shows the stored scores.
    """
    from lanemap.probing.run import run_probe

    if mutants is not None:
        return _score(_chosen(names or [], every, target), mutants, out, as_json)
    axes = dict(_axis(text) for text in axis)
    reports = []
    for probe in progress(_chosen(names or [], every, target), "probe", quiet=as_json):
        report = run_probe(probe.name, probe.target, device, out, axes, figures)
        reports.append(report)
        if not as_json:
            report.show(console())
    if as_json:
        show_json([report.to_json() for report in reports])
    return 0 if all(report.agrees for report in reports) else Disagreement.exit_code


def _score(probes: list[Probe], execute: int, out: Path, as_json: bool) -> int:
    """Score probes, and add the scores to the row of their targets."""
    from lanemap.probing.mutation import scores
    from lanemap.records.files import write_records

    found: dict[str, dict[str, list[MutationScore]]] = {}
    for probe in progress(probes, "mutants of probe", quiet=as_json):
        found.setdefault(probe.target, {})[probe.name] = scores.scores_of(probe, execute)
    written = []
    for target, chosen in found.items():
        written += write_records([scores.record(target, chosen, out)], out)
    every = [(name, own) for chosen in found.values() for name, own in chosen.items()]
    if as_json:
        shown: dict[str, list[Any]] = {}
        for name, own in every:
            shown.setdefault(name, []).extend(each.to_json() for each in own)
        show_json(shown)
    else:
        for name, own in every:
            console().print(scores.sentence(name, own), markup=False)
        for path in written:
            console().print(f"wrote {path}", markup=False)
    survives = any(each.survivors for _, own in every for each in own)
    return Disagreement.exit_code if survives else 0


def _chosen(names: list[str], every: bool, target: str) -> list[Probe]:
    """Return the probes asked for, each on the targets asked for.

    Raises:
        UserError: both names and --all are given, or neither.
    """
    if every == bool(names):
        raise UserError("name the probes to run or give --all, not both; `lanemap list` shows them")
    from lanemap.devices import target_of_gpu
    from lanemap.probing.probe import chosen

    return chosen(names, target_of_gpu(target) or target)


def _axis(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise UserError(f"--axis {text} is not understood; write it like pattern=permuted,strided")
    return name, values.split(",")
