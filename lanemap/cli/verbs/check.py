"""`lanemap check`: a script of Triton, CuTe DSL or CuPy with the emulator as its device."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import targets
from lanemap.cli.counts import show_counts
from lanemap.cli.output import console, numbers, show_json
from lanemap.errors import Disagreement, UserError, plural

if TYPE_CHECKING:
    from lanemap.check.findings import Tuning
    from lanemap.check.run import Outcome
    from lanemap.cli.tables import Table

#: What follows the script's name is the script's, as with `python script.py`.
CONTEXT_SETTINGS = {"allow_interspersed_args": False, "ignore_unknown_options": False}

VERBOSE_HELP = "Show whole instructions of PTX, and what autotuning compared."
TIME_HELP = "Predict how long each launch takes on an H200, as `lanemap time` does."
_OWN_OPTIONS = (
    "--target", "--strict", "--hazards", "--json", "--count", "--verbose", "--allow-no-launch",
    "--sarif", "--time",
)  # fmt: skip


def command(
    script: Path = typer.Argument(..., help="A Python script that launches kernels."),
    arguments: list[str] = typer.Argument(None, help="The script's own arguments and options."),
    target: str = typer.Option(
        "sm_100a",
        help="sm_100a (a B200), sm_90a, gfx950, .. or a GPU's name.",
        autocompletion=targets,
    ),
    hazards: str = typer.Option("report", help="report all hazards, or raise at the first one."),
    strict: bool = typer.Option(
        False, help="Also report what some sources forbid and others allow."
    ),
    count: bool = typer.Option(
        False, "--count", help="Count what the kernels do (docs/counting.md)."
    ),
    allow_no_launch: bool = typer.Option(
        False, "--allow-no-launch", help="Do not fail if the script launches no kernel."
    ),
    verbose: bool = typer.Option(False, "--verbose", help=VERBOSE_HELP),
    sarif: Path = typer.Option(None, metavar="FILE", help="Write hazards as SARIF 2.1.0."),
    time: bool = typer.Option(False, "--time", help=TIME_HELP),
    as_json: bool = typer.Option(
        False, "--json", help="Print JSON; what the script prints goes to stderr."
    ),
) -> int:
    """Run a script of Triton, CuTe DSL or CuPy, unedited, with the emulator as its GPU.

    The exit status is 1 if a kernel met a hazard or the script failed, 2 if it launched nothing.
    """
    from lanemap.check.apart import check_apart
    from lanemap.check.run import Options, target_to_check

    given = list(arguments or [])
    _warn(script, given)
    mode: Any = hazards
    target = target_to_check(target).name
    timer = _timer(target) if time else None
    options = Options(target, strict, mode, count, quiet=as_json, verbose=verbose, timer=timer)
    with contextlib.redirect_stdout(sys.stderr if as_json else sys.stdout):
        outcome = check_apart(script, given, options)
        sys.stdout.flush()
    status = 0 if outcome.faultless else Disagreement.exit_code
    idle = not status and not outcome.launched and not allow_no_launch
    if idle:
        status = UserError.exit_code
    if sarif:
        _write_sarif(sarif, outcome)
    if as_json:
        show_json(_report(script, target, outcome, status))
    else:
        _show(script, target, outcome, verbose)
    if idle:
        outcome.findings.say("nothing was checked; if that is right, say --allow-no-launch")
    return status


def _timer(target: str) -> Any:
    """What predicts launches.

    Raises:
        UserError: the model is of another GPU.
    """
    from lanemap.timing.model.scripts import TARGET, timed

    if target != TARGET:
        raise UserError(f"--time predicts launches on an H200; say --target {TARGET} as well")
    return timed


def _write_sarif(path: Path, outcome: Outcome) -> None:
    """Write hazards and notes; files below the current folder are named relative to it."""
    from lanemap.check.sarif import result, write

    root, findings = Path.cwd(), outcome.findings
    results = [result(each.to_json(), root) for each in findings.hazards]
    results += [result(each.to_json(), root, "note") for each in findings.notes.values()]
    write(path, results, root, successful=not outcome.ended)


def _warn(script: Path, given: Sequence[str]) -> None:
    """Say which options after the script's name are also lanemap's: they go to the script."""
    for name in _OWN_OPTIONS:
        if any(word == name or word.startswith(f"{name}=") for word in given):
            print(
                f"lanemap: note: {name} after {script.name} goes to the script; put options of "
                "`lanemap check` before the script",
                file=sys.stderr,
            )


def _report(script: Path, target: str, outcome: Outcome, status: int) -> dict[str, Any]:
    """Return all that was found, as plain values."""
    findings = outcome.findings
    return {
        "script": str(script),
        "target": target,
        "gpu": outcome.gpu,
        "triton": outcome.versions.get("Triton"),
        "cute_dsl": outcome.versions.get("CuTe DSL"),
        "passed": not status,
        "ended": outcome.ended,
        "launches": dict(sorted(findings.launches.items())),
        "hazards": [{**each.to_json(), "met": met} for each, met in findings.hazards.items()],
        "notes": [each.to_json() for each in findings.notes.values()],
        "autotuning": [
            {
                "kernel": tuning.kernel,
                "key": tuning.key,
                "configs": [
                    {"config": each.config, "rank": each.rank, "work": dict(each.work)}
                    for each in tuning.configs
                ],
            }
            for tuning in findings.tunings
        ],
        **({"counts": outcome.counts.to_json()} if outcome.counts else {}),
    }


def _show(script: Path, target: str, outcome: Outcome, verbose: bool) -> None:
    from lanemap.check.findings import totals

    findings = outcome.findings
    if outcome.counts:
        show_counts(outcome.counts, "warp")
    if verbose:
        for tuning in findings.tunings:
            console().print(_configs(tuning))
    found, met = len(findings.hazards), sum(findings.hazards.values())
    parts = totals(findings.launches, found, f" (met {met} times)" if met > found else "")
    if findings.notes:
        parts.append(plural(len(findings.notes), "note"))
    if outcome.ended:
        parts.append(outcome.ended)
    where = f"the emulator of {target} ({outcome.gpu})"
    findings.say(f"{script.name} on {where}: {', '.join(parts)}")


def _configs(tuning: Tuning) -> Table:
    """Show the configurations of a kernel, the least work first."""
    names = list(dict.fromkeys(name for each in tuning.configs for name in each.work))
    last = len(tuning.configs) + 1
    rows = [
        [
            each.config,
            str(each.rank) if each.rank else "cannot run",
            *(f"{each.work[name]:,}" if name in each.work else "" for name in names),
        ]
        for each in sorted(tuning.configs, key=lambda one: one.rank or last)
    ]
    key = f" for {tuning.key}" if tuning.key else ""
    title = f"Autotuning of {tuning.kernel}{key}, by work (no times)"
    return numbers(("configuration", "rank", *names), rows, title)
