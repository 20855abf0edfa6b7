"""`lanemap exec`: any program that uses CUDA's driver API, with the emulator as its GPU."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import targets
from lanemap.cli.output import show_json
from lanemap.errors import plural

if TYPE_CHECKING:
    from lanemap.check.libcuda.program import Outcome

#: What follows the program's name is the program's.
CONTEXT_SETTINGS = {"allow_interspersed_args": False, "ignore_unknown_options": False}


def command(
    program: list[str] = typer.Argument(..., help="A program with its arguments, behind `--`."),
    target: str = typer.Option(
        "sm_90a", help="sm_90a (an H200), sm_100a, .. or a GPU's name.", autocompletion=targets
    ),
    hazards: str = typer.Option("report", help="report all hazards, or raise at the first one."),
    strict: bool = typer.Option(
        False, help="Also report what some sources forbid and others allow."
    ),
    verbose: bool = typer.Option(False, "--verbose", help="Show whole instructions of PTX."),
    as_json: bool = typer.Option(
        False, "--json", help="Print JSON; what the program prints goes to stderr."
    ),
) -> int:
    """Run a program that uses the CUDA driver API, with the emulator in place of the GPU.

    The exit status is the program's own; 1 if a kernel met a hazard, 128 and the signal that ended
    it, 2 if it asked for what lanemap does not do.
    """
    from lanemap.check.libcuda.program import run_program
    from lanemap.check.libcuda.server import Options
    from lanemap.check.run import target_to_check
    from lanemap.errors import UserError

    chosen = target_to_check(target)
    if not chosen.is_nvidia:
        raise UserError(f"libcuda.so.1 is for GPUs of NVIDIA, not for {chosen.name}")
    if hazards not in ("report", "raise"):
        raise UserError(f"hazards {hazards!r} is neither 'raise' nor 'report'")
    options = Options(chosen.name, strict, hazards, quiet=as_json, verbose=verbose)
    outcome = run_program(program, options)
    sys.stdout.flush()
    if as_json:
        show_json(_report(program, chosen.name, chosen.gpu.name, outcome))
    else:
        _show(program[0], chosen.name, chosen.gpu.name, outcome)
    return outcome.exit_status


def _report(program: list[str], target: str, gpu: str, outcome: Outcome) -> dict[str, Any]:
    """Return all that was found, as plain values."""
    findings = outcome.findings
    return {
        "program": program,
        "target": target,
        "gpu": gpu,
        "passed": not outcome.exit_status,
        "ended": outcome.ended,
        "processes": outcome.processes,
        "launches": dict(sorted(findings.launches.items())),
        "hazards": [{**each.to_json(), "met": met} for each, met in findings.hazards.items()],
        "notes": [each.to_json() for each in findings.notes.values()],
        "refused": [str(each) for each in findings.refused],
        "lacking": findings.lacking,
        "lost": outcome.lost,
    }


def _show(name: str, target: str, gpu: str, outcome: Outcome) -> None:
    from lanemap.check.findings import totals

    findings = outcome.findings
    found, met = len(findings.hazards), sum(findings.hazards.values())
    parts = totals(findings.launches, found, f" (met {met} times)" if met > found else "")
    if findings.notes:
        parts.append(plural(len(findings.notes), "note"))
    if findings.refused:
        parts.append(f"{plural(len(findings.refused), 'thing')} that lanemap does not do")
    if outcome.ended:
        parts.append(outcome.ended)
    for sentence in outcome.lost:
        findings.say(sentence)
    findings.say(f"{name} on the emulator of {target} ({gpu}): {', '.join(parts)}")
