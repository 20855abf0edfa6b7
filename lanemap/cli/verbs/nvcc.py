"""`lanemap nvcc`: a program of CUDA C++ with its host code, for `lanemap exec`."""

from __future__ import annotations

import typer

from lanemap.cli.completion import targets
from lanemap.cli.output import show_json

#: Whatever is none of ours is nvcc's.
CONTEXT_SETTINGS = {"allow_interspersed_args": False, "ignore_unknown_options": True}


def command(
    arguments: list[str] = typer.Argument(..., help="What nvcc gets, such as `-o sum sum.cu`."),
    target: str = typer.Option(
        "sm_90a",
        help="sm_90a (an H200), sm_100a, .. or a GPU's name: for what the PTX is compiled, if "
        "nvcc's arguments do not say.",
        autocompletion=targets,
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON: the commands that were run."),
) -> int:
    """Compile a program by nvcc so that `lanemap exec` runs it: PTX, and the shared runtime."""
    from lanemap.check.run import target_to_check
    from lanemap.devices.emulator import driver_library
    from lanemap.errors import UserError
    from lanemap.toolchain.nvcc_programs import build

    chosen = target_to_check(target)
    if not chosen.is_nvidia:
        raise UserError(f"nvcc compiles for GPUs of NVIDIA, not for {chosen.name}")
    libraries = [driver_library(name) for name in ("libcudart.so.13", "libcuda.so.1")]
    commands = build(arguments, chosen.name, libraries)
    if as_json:
        show_json({"target": chosen.name, "commands": commands})
    return 0
