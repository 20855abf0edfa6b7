"""`lanemap probe`: run probes and write what they find to results/."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import probes, targets
from lanemap.cli.output import JSON_OPTION, console, progress, show_json
from lanemap.errors import Disagreement, LanemapError, UserError, plural
from lanemap.sweeping.executors import side_by_side

if TYPE_CHECKING:
    from lanemap.probing.mutation.scoring import MutationScore
    from lanemap.probing.probe import Probe


def command(
    names: list[str] = typer.Argument(
        None, metavar="NAME", help="Names that `lanemap list` shows.", autocompletion=probes
    ),
    every: bool = typer.Option(False, "--all", help="Run every probe (of --target, if given)."),
    target: str = typer.Option(
        "",
        help="The target, such as gfx950; without it, every target that a probe runs on.",
        autocompletion=targets,
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

    With --all and --device cuda or hip, probes of targets that the device does not execute are left
    out, and so are those whose rows are there already; a probe that fails does not end the others.
    The exit status is 1 if a probe cannot explain what it saw or disagrees with the model; with
    --mutants, if a mutant goes unnoticed. `lanemap list scores` shows the stored scores.
    """
    if mutants is not None:
        return _score(_chosen(names or [], every, target), mutants, out, as_json)
    axes = dict(_axis(text) for text in axis)
    how: dict[str, Any] = {
        "device": device,
        "out": out,
        "axes": axes,
        "figures": figures,
        "as_json": as_json,
    }
    probes = _chosen(names or [], every, target)
    if every and device in ("cuda", "hip"):
        return _present(probes, how)
    runs = [functools.partial(_run, each.name, each.target, **how) for each in probes]
    found = []
    with side_by_side(runs) if every else nullcontext(each() for each in runs) as done:
        for _ in progress(probes, "probe", as_json):
            found.append(next(done))
            _show(found[-1])
    if as_json:
        show_json([each.data for each in found])
    return 0 if all(each.agrees for each in found) else Disagreement.exit_code


@dataclass(frozen=True)
class _Ran:
    """What one run of a probe says: whether it agrees, all as JSON, and the text for people."""

    agrees: bool
    data: dict[str, Any]
    text: str


def _run(
    name: str,
    target: str,
    device: str,
    out: Path,
    axes: Mapping[str, list[str]],
    figures: bool,
    as_json: bool,
) -> _Ran:
    """Run one probe and write its row; other processes call this too."""
    from lanemap.cli.folders import module
    from lanemap.probing.run import run_probe, write

    report = run_probe(name, target, device, axes)
    images = module("analysis", "figures").draw(report.record) if figures else {}
    report = write(report, out, images)
    told = console()
    with told.capture() as text:
        if not as_json:
            report.show(told)
    return _Ran(report.agrees, report.to_json(), text.get())


def _show(ran: _Ran) -> None:
    sys.stdout.write(ran.text)
    sys.stdout.flush()


def _present(probes: list[Probe], how: dict[str, Any]) -> int:
    """Run the probes that the present device executes, each whatever became of those before."""
    from lanemap.devices.processes import OtherProcess
    from lanemap.probing.every import present

    as_json = how["as_json"]
    division = present(probes, how["device"], how["out"], how["axes"])
    found, status = [], 0
    other = OtherProcess()
    try:
        for each in progress(division.run, "probe", as_json):
            try:
                ran = other.call(functools.partial(_run, each.name, each.target, **how))
            except LanemapError as error:
                print(f"lanemap: probe {each}: {error}", file=sys.stderr, flush=True)
                found.append({"probe": each.name, "target": each.target, "error": str(error)})
                status = status or error.exit_code
            else:
                _show(ran)
                found.append(ran.data)
                status = status or (0 if ran.agrees else Disagreement.exit_code)
    finally:
        other.close()
    if as_json:
        show_json(found)
    rows = sum("error" not in each for each in found)
    said = f"wrote {plural(rows, 'row')} below {how['out']}"
    if rows < len(found):
        said += f"; {plural(len(found) - rows, 'probe')} failed"
    if left := division.left_out():
        said += f"; left out {left}"
    print(said, file=sys.stderr if as_json else sys.stdout)
    return status


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
