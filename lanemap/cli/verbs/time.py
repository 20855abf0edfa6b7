"""`lanemap time`: how many cycles a kernel takes on an H200, and why, predicted without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.cli.verbs.run import ARG_HELP, ENTRY_HELP, FILE_HELP
from lanemap.errors import UserError, plural

if TYPE_CHECKING:
    from lanemap.cli.compiling import CompilerOptions
    from lanemap.devices.emulator import EmulatorModule
    from lanemap.timing.model.answer import Prediction, Wait
    from lanemap.timing.model.launched import Joined

TIMELINE_HELP = "Write a timeline for ui.perfetto.dev to this file; needs the extra `time`."
LEVEL_HELP = "What answers reads that L1 does not: L1, L2, MEMORY; by default by the arrays' size."
LEDGER_HELP = "Show every number of the prediction with the row that it is read from."
TARGET_HELP = "The instruction set: sm_90a; others are refused, with what nobody has published."
#: Of targets whose GPUs others timed, what that leaves out.
_PUBLISHED = {
    "sm_100a": ", and what others published of a B200 (tcgen05.mma, tensor copies, cp.async and "
    "distances in L2, github.com/SemiAnalysisAI/microbench-blackwell) leaves out arithmetic, "
    "shared memory, mbarriers, loads of tensor memory, rates of L2 and memory, and launches",
}
COLD_HELP = "Other kernels ran before it, not the same: its code must come from L2."
EVERY_HELP = "Execute all CTAs, even where the PTX says which are alike."
#: Lines of each table.
_ROWS = 12
#: Characters of an instruction that a table shows.
_PTX = 48


def command(
    file: Path = typer.Argument(..., help=FILE_HELP),
    entry: str = typer.Option("", help=ENTRY_HELP),
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
    from lanemap.cli.launching import sizes_of
    from lanemap.timing.model.answer import predicted
    from lanemap.timing.model.as_json import to_json
    from lanemap.timing.model.scripts import by_source
    from lanemap.timing.model.shares import TARGET
    from lanemap.timing.model.simulate import Level

    if target != TARGET:
        raise UserError(
            f"{target} cannot be predicted: no GPU of it was timed for lanemap"
            f"{_PUBLISHED.get(target, '')}; use --target {TARGET}"
        )
    if level and level not in Level.__members__:
        raise UserError(f"--level {level} is none of {', '.join(Level.__members__)}")
    options = CompilerOptions(define, include, "", False, "")
    sizes = [sizes_of(*each) for each in (("grid", grid), ("block", block), ("cluster", cluster))]
    behind = Level[level] if level else None
    traced = _joined(file, entry, options, sizes, arg, shared_bytes, every)
    found, text = predicted(traced[0], behind, changes, not cold), traced[1]
    if timeline:
        from lanemap.records.files import write_files
        from lanemap.timing.model.timeline import timeline as made

        write_files({timeline: made(found)})
    lines = sorted(by_source(found, traced[2]).items(), key=lambda each: -each[1])
    if as_json:
        sources = [{"file": file, "line": line, "cycles": n} for (file, line), n in lines]
        show_json(to_json(found) | {"sources": sources})
        return 0
    _show(found, text.splitlines())
    if any(traced[2].places(line) for line in found.by_line()):
        shown = [[f"{file}:{line}", f"{n:,}"] for (file, line), n in lines[:_ROWS]]
        console().print(_numbers(table(("line of the source", "cycles of all warps"), shown)))
    if parameters:
        _ledger(found)
    if timeline:
        console().print(f"timeline written to {timeline}", markup=False)
    return 0


def _joined(
    file: Path,
    entry: str,
    options: CompilerOptions,
    sizes: Sequence[tuple[int, ...]],
    arg: Sequence[str],
    shared_bytes: int,
    every: bool,
) -> tuple[Joined, str, EmulatorModule]:
    """Launch the kernel on the emulator; return its trace, the PTX, and the loaded module.

    Raises:
        UserError: the launch has hazards, or is outside of what the model knows.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    from lanemap.cli.kernel_arguments import parse
    from lanemap.cli.launching import argument_on, kernel_of, open_for
    from lanemap.devices.emulator import EmulatorDevice, EmulatorModule
    from lanemap.timing.model.kinds import Sampler
    from lanemap.timing.model.launched import joined
    from lanemap.timing.model.recording import TraceRecorder
    from lanemap.timing.model.shares import TARGET
    from lanemap.toolchain import ptxas

    device = open_for(file, TARGET, "emulator", "report", False, None)
    assert isinstance(device, EmulatorDevice)
    module, name = kernel_of(device, file, options, entry)
    values = [argument_on(device, parse(each)) for each in arg]
    recorder = TraceRecorder()
    text = ptxas.lowered(module.text or file.read_text())
    sampler = Sampler(text, recorder.count, every)
    with device.only(sampler), device.observe(recorder):
        module[name](sizes[0], sizes[1], values, shared_bytes, sizes[2])
    if device.hazards:
        raise UserError(
            f"{name} has {plural(len(device.findings), 'hazard')}, so what it does is not certain; "
            "see `lanemap run` with the same options"
        )
    cubin = ptxas.assemble(text, TARGET, ("-lineinfo",), file.name)
    recorded = recorder.launches[-1]
    assert isinstance(module, EmulatorModule)
    return joined(recorded, text, cubin, sampler.samples[recorded.kernel]), text, module


def _show(found: Prediction, ptx: Sequence[str]) -> None:
    from lanemap.timing.model.answer import shares

    out = console()
    for line in _headline(found):
        out.print(line, markup=False)
    needs = [[each, f"{n:,}", f"{n / found.cycles:.0%}"] for each, n in found.bounds().items()]
    out.print(_numbers(table(("bound", "cycles at least", "share"), needs[:_ROWS])))
    waits = found.waits()
    total = sum(each.cycles for each in waits)
    rows = [[each.value, f"{n:,}", f"{n / total:.1%}"] for each, n in shares(waits).items()]
    out.print(_numbers(table(("what warps waited for", "cycles of all warps", "share"), rows)))
    for title, own in (("cycles of all warps", waits), ("on the chain", found.chain())):
        out.print(_numbers(_table_of(found, own, title, ptx)))
    changed = [
        [each.what, f"{each.cycles:,}", f"{each.cycles / found.cycles - 1:+.1%}"]
        for each in found.changes
    ]
    if changed:
        out.print(_numbers(table(("if the SM had", "cycles", "change"), changed)))
    for name, value in found.needs().items():
        out.print(f"{name}: {float(value):,.0f}", markup=False)
    if found.joined.approximate:
        lines = ", ".join(map(str, sorted(found.joined.approximate)))
        out.print(f"loads of PTX line {lines} are those of the nearest turn", markup=False)


def _headline(found: Prediction) -> Iterator[str]:
    """How long the launch takes, what that is made of, and what is assumed."""
    from lanemap.timing.model.envelope import outside

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


def _table_of(found: Prediction, waits: Sequence[Wait], title: str, ptx: Sequence[str]) -> Any:
    rows = []
    for each in waits[:_ROWS]:
        code = found.trace.code[each.place]
        line = " ".join(ptx[code.line - 1].split())[:_PTX] if 0 < code.line <= len(ptx) else ""
        place = f"{code.address:04x}"
        rows.append([code.text[:_PTX], f"{each.cycles:,}", each.reason.value, place, line])
    return table(("SASS", title, "waits for", "address", "PTX"), rows)


def _numbers(shown: Any) -> Any:
    """A table whose second column has numbers."""
    shown.columns[1].justify = "right"
    return shown


def _ledger(found: Prediction) -> None:
    rows = [
        [each.name, f"{float(each.value):g}", each.reading.group, each.reading.series, each.why]
        for each in found.parameters.lines()
    ]
    columns = ("parameter", "cycles", "row", "series", "why it counts here")
    console().print(_numbers(table(columns, rows)))
