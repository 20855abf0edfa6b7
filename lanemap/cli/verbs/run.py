"""`lanemap run`: a user's own kernel on a device, with the emulator's hazards."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import typer

from lanemap.cli.completion import targets
from lanemap.cli.counts import show_counts
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import Disagreement, UserError, plural

if TYPE_CHECKING:
    import numpy.typing as npt

    from lanemap.cli.kernel_arguments import Argument
    from lanemap.devices import Device, Module
    from lanemap.devices.emulator import Counts, Hazard
    from lanemap.devices.findings import Finding

SHOWN = 8
#: Options with one to three numbers.
_SIZES = ("grid", "block", "cluster")

FILE_HELP = (
    "Assembly text, a code object that contains its text, or a source to compile (.cu, .hip, .cpp "
    "for HIP, .c)."
)
ENTRY_HELP = (
    "The kernel, by its symbol or its name in C++, such as 'scale<float>'; needed only if there "
    "are several."
)
TARGET_HELP = "The target; by default what the text names, gfx950 for HIP, sm_90a for CUDA C++."
SYMBOL_HELP = (
    "A variable of the source (__device__, __constant__): NAME=VALUE writes it before the launch, "
    "VALUE as for --arg; NAME or NAME:f32 shows it after it. Repeat it."
)
ARG_HELP = (
    "An argument, in order; repeat it. i32:7, f32:1.5 (scalars), zeros:f32:1024, "
    "empty:f32:32x64, full:f32:64:1.5, arange:u32:256, random:f32:64:SEED (arrays), in.npy, "
    "bf16:in.npy (NumPy's files do not name bf16, e4m3, e5m2), "
    "bytes:00ff (struct), null. An array followed by @out.npy is written to that file."
)
COUNT_HELP = "Count instructions, bytes, bank conflicts and waits (docs/counting.md)."
LIMIT_HELP = (
    "Instructions that one warp or wave may execute before the launch is stopped; by default "
    "LANEMAP_INSTRUCTION_LIMIT, else 20 million."
)
VERBOSE_HELP = "Show whole instructions in what is reported."
SASS_HELP = (
    "Show the SASS that ptxas makes of the kernel, how often warps execute each instruction, and "
    "its control word (docs/sass.md)."
)
TRACE_HELP = "Write a row for each instruction of each warp to this CSV file."


def command(
    file: Path = typer.Argument(..., help=FILE_HELP),
    entry: str = typer.Option("", help=ENTRY_HELP),
    grid: str = typer.Option("1", help="Blocks of the grid, such as 4 or 4,2,1."),
    block: str = typer.Option("64", help="Threads of a block, such as 64 or 16,16."),
    arg: list[str] = typer.Option([], "--arg", help=ARG_HELP),
    symbol: list[str] = typer.Option([], help=SYMBOL_HELP),
    shared_bytes: int = typer.Option(0, help="Dynamic shared memory (LDS) of a block, in bytes."),
    cluster: str = typer.Option("1", help="Blocks of a cluster."),
    target: str = typer.Option("", help=TARGET_HELP, autocompletion=targets),
    define: list[str] = typer.Option([], "-D", help="NAME or NAME=VALUE for the compiler; repeat."),
    include: list[str] = typer.Option([], "-I", help="An include folder; repeat it."),
    standard: str = typer.Option("", "-std", "--std", help="The language's standard: c++20."),
    fast_math: bool = typer.Option(False, "--use_fast_math", help="Faster, less exact math."),
    optimize: str = typer.Option("", "-O", help="clang's optimization for HIP and C: 0, 1, 2, 3."),
    device: str = typer.Option("emulator", help="auto, emulator, cuda or hip."),
    hazards: str = typer.Option("report", help="report all hazards, or raise at the first one."),
    strict: bool = typer.Option(
        False, help="Also report what some sources forbid and others allow."
    ),
    limit: Optional[int] = typer.Option(None, help=LIMIT_HELP),  # noqa: UP045
    count: bool = typer.Option(False, "--count", help=COUNT_HELP),
    sass: bool = typer.Option(False, "--sass", help=SASS_HELP),
    trace: Optional[Path] = typer.Option(None, help=TRACE_HELP),  # noqa: UP045
    trace_rows: int = typer.Option(1_000_000, help="The most rows that the trace may have."),
    verbose: bool = typer.Option(False, "--verbose", help=VERBOSE_HELP),
    as_json: bool = JSON_OPTION,
) -> int:
    """Run your own kernel and report its hazards; the exit status is 1 if there are any."""
    from lanemap.cli.compiling import CompilerOptions
    from lanemap.cli.kernel_arguments import parse
    from lanemap.cli.launching import argument_on, kernel_of, open_for, sizes_of
    from lanemap.cli.sass import listing_of, recorded
    from lanemap.cli.symbols import parse_symbol
    from lanemap.devices.findings import Finding, findings_of
    from lanemap.devices.kernel_names import source_name

    arguments = [parse(text) for text in arg]
    symbols = [parse_symbol(text) for text in symbol]
    opened = open_for(file, target, device, hazards, strict, limit)
    options = CompilerOptions(define, include, standard, fast_math, optimize)
    module, name = kernel_of(opened, file, options, entry)
    said = _warnings(module, name)
    values = [argument_on(opened, argument) for argument in arguments]
    variables = [each.place(module) for each in symbols]
    blocks, threads, clusters = map(sizes_of, _SIZES, (grid, block, cluster))
    with recorded(opened, sass) as recorder, _watching(opened, count, trace, trace_rows) as counts:
        stop = _stop(
            opened,
            lambda: module[name](blocks, threads, values, shared_bytes, clusters),
            hazards == "raise",
            verbose,
            said,
        )
    # Fetching comes before the hazards: handing undefined bytes to the host is one.
    shown = [*arguments, *(each.argument for each in symbols)]
    arrays = [] if stop else _fetch(shown, [*values, *variables])
    found = findings_of([*opened.hazards, *stop])
    notes = [Finding((note,)) for note in opened.notes]
    listing = recorder and listing_of(recorder, module, file, opened.target)
    if as_json:
        counted = {"counts": counts.to_json()} if counts else {}
        if listing:
            counted["sass"] = listing.to_json()
        show_json(
            {
                "entry": name,
                "device": opened.name,
                "hazards": [each.to_json() for each in found],
                "notes": [each.to_json() for each in notes],
                "warnings": said,
                "arrays": arrays,
                **counted,
            }
        )
    else:
        if listing:
            listing.show()
        if counts:
            show_counts(counts, "wave" if opened.target.startswith("gfx") else "warp")
        _show(
            f"{source_name(name)} {'stopped' if stop else 'ran'} on {opened.name}",
            found,
            notes,
            arrays,
            trace,
            verbose,
        )
    return Disagreement.exit_code if found else 0


def _stop(
    device: Device, launch: Callable[[], None], alone: bool, verbose: bool, said: list[str]
) -> list[Hazard]:
    """Launch; return the hazard that stopped it, as a deadlock does even if all are reported.

    What the launch warns of is printed, and added to what was `said` before.

    Raises:
        Disagreement: `alone`: this hazard is all that is reported.
        KeyboardInterrupt: it says where the launch was; what was found so far is shown.
    """
    from lanemap.devices.emulator import EmulatorDevice, Hazard
    from lanemap.devices.findings import Finding
    from lanemap.devices.status import status_line

    emulator = device if isinstance(device, EmulatorDevice) else None
    try:
        with (
            status_line(sys.stderr, lambda: str(emulator and emulator.progress or "compiling")),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always", RuntimeWarning)
            launch()
        said += [_warned(str(each.message)) for each in caught]
    except Hazard as hazard:
        if alone:
            raise Disagreement(Finding((hazard,)).message(verbose)) from None
        return [hazard]
    except KeyboardInterrupt:
        where = emulator.stopped.where() if emulator and emulator.stopped else "the launch"
        found = emulator.findings if emulator else ()
        for finding in found:
            print(_fitting(finding, verbose, sys.stderr.isatty()), file=sys.stderr)
        count = plural(len(found), "hazard") if found else "no hazards"
        raise KeyboardInterrupt(f"interrupted in {where}; {count} so far") from None
    return []


@contextlib.contextmanager
def _watching(
    device: Device, count: bool, trace: Path | None, rows: int
) -> Iterator[Counts | None]:
    """Count and trace launches as asked for, while the context lasts."""
    from lanemap.devices.emulator import EmulatorDevice

    if not count and trace is None:
        yield None
        return
    if not isinstance(device, EmulatorDevice):
        raise UserError(
            f"--count and --trace need the emulator, but the device is {device.name}; give "
            "--device emulator"
        )
    with contextlib.ExitStack() as watching:
        if trace is not None:
            watching.enter_context(device.trace(trace, rows))
        yield watching.enter_context(device.count()) if count else None


def _warnings(module: Module, entry: str) -> list[str]:
    """Print and return what is legal in a kernel and goes wrong on hardware."""
    from lanemap.devices.emulator import EmulatorModule

    found = module.warnings(entry) if isinstance(module, EmulatorModule) else ()
    return [_warned(each) for each in found]


def _warned(warning: str) -> str:
    """Print a warning."""
    print(f"lanemap: warning: {warning}", file=sys.stderr)
    return warning


def _fetch(arguments: list[Argument], values: list[Any]) -> list[dict[str, Any]]:
    """Copy every array to the host, write those that have a file, and show how each begins."""
    from lanemap.devices.arrays import DeviceArray
    from lanemap.records.files import write_files

    found: list[dict[str, Any]] = []
    files: dict[Path, str | bytes] = {}
    for argument, value in zip(arguments, values, strict=True):
        if not isinstance(value, DeviceArray):
            continue
        host = value.get()
        if argument.output is not None:
            files[argument.output] = _npy(host)
        found.append(
            {
                "argument": argument.text,
                "dtype": str(host.dtype),
                "shape": list(host.shape),
                "first": [_plain(item) for item in host.reshape(-1)[:SHOWN]],
                "file": str(argument.output) if argument.output else None,
            }
        )
    write_files(files)
    return found


def _plain(item: Any) -> Any:
    """Return an element as JSON has it: complex as text, an unknown type in hexadecimal."""
    value = item.item()
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, complex) else value


def _npy(host: npt.NDArray[Any]) -> bytes:
    import numpy as np

    stream = io.BytesIO()
    np.save(stream, host, allow_pickle=False)
    return stream.getvalue()


def _show(
    done: str,
    findings: Sequence[Finding],
    notes: Sequence[Finding],
    arrays: list[dict[str, Any]],
    trace: Path | None,
    verbose: bool,
) -> None:
    out = console()
    rows = [
        [row["argument"], row["dtype"], str(tuple(row["shape"])), _first(row), row["file"] or ""]
        for row in arrays
    ]
    if rows:
        out.print(table(("argument", "dtype", "shape", "after the launch", "written to"), rows))
    for finding in findings:
        out.print(_fitting(finding, verbose, out.is_terminal), markup=False, soft_wrap=True)
    for note in notes:
        out.print(f"note: {note.message(verbose)}", markup=False, soft_wrap=True)
    count = plural(len(findings), "hazard") if findings else "no hazards"
    noted = f", {plural(len(notes), 'note')}" if notes else ""
    out.print(f"{done}: {count}{noted}", markup=False)
    if trace:
        out.print(f"trace written to {trace}", markup=False)


def _fitting(finding: Finding, verbose: bool, terminal: bool) -> str:
    """Return a finding in lines that fit a terminal, or else in one line."""
    from lanemap.devices.findings import wrapped

    text = f"hazard: {finding.message(verbose)}"
    return wrapped(text, shutil.get_terminal_size().columns) if terminal else text


def _first(row: dict[str, Any]) -> str:
    values = " ".join(v if isinstance(v, str) else f"{v:g}" for v in row["first"])
    count = 1
    for size in row["shape"]:
        count *= size
    return values + (" .." if count > SHOWN else "")
