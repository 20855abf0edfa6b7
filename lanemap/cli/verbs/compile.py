"""`lanemap compile`: a source to the text that runs, and the names of what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import typer

from lanemap.cli.completion import targets
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import UserError

FILE_HELP = "A source: CUDA C++ (.cu), HIP (.hip, .cpp) or C (.c); or a text that is compiled."
TARGET_HELP = "The target; by default gfx950 for HIP, sm_90a for CUDA C++, or what the text names."
INSTANCE_HELP = "A template of CUDA C++ to instantiate, such as 'scale<float>'; repeat it."
DEFINE_HELP = "NAME or NAME=VALUE for the compiler; repeat it."


def command(
    file: Path = typer.Argument(..., help=FILE_HELP),
    output: Optional[Path] = typer.Option(None, "-o", help="Write PTX or assembly here."),  # noqa: UP045
    target: str = typer.Option("", help=TARGET_HELP, autocompletion=targets),
    instance: list[str] = typer.Option([], help=INSTANCE_HELP),
    define: list[str] = typer.Option([], "-D", help=DEFINE_HELP),
    include: list[str] = typer.Option([], "-I", help="An include folder; repeat it."),
    standard: str = typer.Option("", "-std", "--std", help="The language's standard: c++20."),
    fast_math: bool = typer.Option(False, "--use_fast_math", help="Faster, less exact math."),
    optimize: str = typer.Option("", "-O", help="clang's optimization for HIP and C: 0, 1, 2, 3."),
    as_json: bool = JSON_OPTION,
) -> int:
    """Compile your own file and list its kernels and variables, by the names that `run` takes."""
    from lanemap.cli.compiling import CompilerOptions, compiled
    from lanemap.cli.kernel_targets import chosen_target
    from lanemap.devices import kernel_names, open_device
    from lanemap.records.files import write_files

    device = open_device(chosen_target(file, target), "emulator")
    options = CompilerOptions(define, include, standard, fast_math, optimize)
    module = compiled(device, file, options, instance)
    if output is not None:
        if not module.text:
            raise UserError(f"{file} is compiled already, so -o has nothing to write")
        write_files({output: module.text})
    kernels = {each: kernel_names.source_name(each) for each in module.entries}
    variables = {each: module.symbol(each) for each in module.symbols}
    if as_json:
        show_json({
            "target": device.target,
            "note": module.note,
            "kernels": [{"symbol": each, "name": name} for each, name in kernels.items()],
            "variables": [
                {"symbol": each, "name": kernel_names.source_name(each), "bytes": array.nbytes}
                for each, array in variables.items()
            ],
        })  # fmt: skip
        return 0
    rows = [["kernel", name, each] for each, name in kernels.items()]
    rows += [
        [f"variable, {array.nbytes} bytes", kernel_names.source_name(each), each]
        for each, array in variables.items()
    ]
    console().print(table(("what", "name", "symbol"), rows))
    return 0
