"""`lanemap time`: how many cycles a kernel takes on an H200, and why, predicted without one."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import typer

from lanemap.cli.completion import kernels
from lanemap.cli.output import JSON_OPTION, console, show_json
from lanemap.cli.verbs.run import ARG_HELP, ENTRY_HELP, FILE_HELP
from lanemap.errors import UserError

WHAT_HELP = FILE_HELP + " Or a kernel that `lanemap list kernels` shows."
PROBLEM_HELP = (
    "Of a kernel that is named: axes of the problem, such as m=4096,n=4096,k=4096; other axes have "
    "the default values of `lanemap bench`."
)
TIMELINE_HELP = "Write a timeline for ui.perfetto.dev to this file; needs the extra `time`."
LEVEL_HELP = "What answers reads that L1 does not: L1, L2, MEMORY; by default by the arrays' size."
LEDGER_HELP = "Show every number of the prediction with the row that it is read from."
TARGET_HELP = (
    "The instruction set: sm_90a; of sm_100a only bounds, by published rates; others are refused."
)
COLD_HELP = "Other kernels ran before it, not the same: its code must come from L2."
EVERY_HELP = "Execute all CTAs, even where the PTX says which are alike."


def command(
    file: Path = typer.Argument(
        ..., metavar="{file|kernel}", help=WHAT_HELP, autocompletion=kernels
    ),
    entry: str = typer.Option("", help=ENTRY_HELP),
    problem: str = typer.Option("", help=PROBLEM_HELP),
    grid: str = typer.Option("1", help="Blocks of the grid, such as 4 or 4,2,1."),
    block: str = typer.Option("64", help="Threads of a block, such as 64 or 16,16."),
    arg: list[str] = typer.Option([], "--arg", help=ARG_HELP),
    shared_bytes: int = typer.Option(0, help="Dynamic shared memory of a block, in bytes."),
    cluster: str = typer.Option("1", help="Blocks of a cluster."),
    define: list[str] = typer.Option([], "-D", help="NAME or NAME=VALUE for the compiler; repeat."),
    include: list[str] = typer.Option([], "-I", help="An include folder; repeat it."),
    target: str = typer.Option("sm_90a", help=TARGET_HELP),
    level: str = typer.Option("", help=LEVEL_HELP),
    cold: bool = typer.Option(False, "--cold", help=COLD_HELP),
    every: bool = typer.Option(False, "--every-cta", help=EVERY_HELP),
    changes: bool = typer.Option(True, help="Rerun the model with parts of the SM faster."),
    timeline: Optional[Path] = typer.Option(None, help=TIMELINE_HELP),  # noqa: UP045
    parameters: bool = typer.Option(False, "--parameters", help=LEDGER_HELP),
    as_json: bool = JSON_OPTION,
) -> int:
    """Predict how many cycles a kernel takes on an H200, and what its warps wait for.

    The emulator runs the kernel, ptxas assembles it, and a model of an SM, whose numbers are rows
    measured on an H200, issues its SASS. Nothing of it is measured: see docs/time.md.
    """
    from lanemap.cli.compiling import CompilerOptions
    from lanemap.cli.launching import FileLaunch, sizes_of
    from lanemap.cli.predicted import show, show_parameters
    from lanemap.cli.published import LEFT_OUT
    from lanemap.cli.published import of_file as bounds_of_file
    from lanemap.cli.published import of_kernel as bounds_of_kernel
    from lanemap.cli.published import show as show_bounds
    from lanemap.cli.traced import of_file, of_kernel
    from lanemap.timing.model.answer import predicted, with_interval
    from lanemap.timing.model.as_json import to_json
    from lanemap.timing.model.scripts import by_source
    from lanemap.timing.model.shares import TARGET
    from lanemap.timing.model.simulate import Level

    if target not in (TARGET, *LEFT_OUT):
        raise UserError(
            f"{target} cannot be predicted: no GPU of it was timed for lanemap; use --target "
            f"{TARGET}"
        )
    if level and level not in Level.__members__:
        raise UserError(f"--level {level} is none of {', '.join(Level.__members__)}")
    named = not file.exists() and not file.suffix
    if problem and not named:
        raise UserError(f"--problem is for kernels that are named, not for {file}")
    options = CompilerOptions(define, include, "", False, "")
    axes = (("grid", grid), ("block", block), ("cluster", cluster))
    sizes = [sizes_of(*each) for each in axes]
    launch = FileLaunch(file, entry, options, sizes, arg, shared_bytes)
    if target != TARGET:
        show_bounds(
            bounds_of_kernel(str(file), problem, target)
            if named
            else bounds_of_file(launch, target),
            as_json,
        )
        return 0
    behind = Level[level] if level else None
    traced = of_kernel(str(file), problem, entry, every) if named else of_file(launch, every)
    found = predicted(traced.joined, behind, changes, not cold)
    if found.interval is None:
        found = with_interval(found)
    if timeline:
        from lanemap.records.files import write_files
        from lanemap.timing.model.timeline import timeline as made

        write_files({timeline: made(found)})
    sources = by_source(found, traced.module)
    if as_json:
        dearest = sorted(sources.items(), key=lambda each: -each[1])
        lines = [{"file": own, "line": line, "cycles": n} for (own, line), n in dearest]
        show_json(to_json(found) | {"sources": lines})
        return 0
    show(found, traced.text.splitlines(), sources)
    if parameters:
        show_parameters(found)
    if timeline:
        console().print(f"timeline written to {timeline}", markup=False)
    return 0
