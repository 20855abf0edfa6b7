"""`lanemap capsule`: one file that a stranger runs on a GPU that we do not have."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from lanemap.cli.completion import targets
from lanemap.cli.output import JSON_OPTION, console, show_json


def command(
    target: str = typer.Option(
        ...,
        help="The target or GPU that it is for, such as sm_100a or MI355X.",
        autocompletion=targets,
    ),
    out: Path | None = typer.Option(
        None, help="The file to write; by default lanemap-TARGET.pyz in this folder."
    ),
    only: list[str] = typer.Option(
        [], "--only", metavar="ENTRY", help="Hold this entry alone; may repeat."
    ),
    show: bool = typer.Option(False, "--list", help="Say which entries there are; write nothing."),
    as_json: bool = JSON_OPTION,
) -> int:
    """Write one file that runs probes, checks and timings on a GPU of a target.

    It needs Python 3.8 and the GPU's driver, and no network: `python3 lanemap-sm_100a.pyz` writes a
    JSON file, which `lanemap adopt` judges and turns into rows.
    """
    from lanemap.conformance.capsules.build import build
    from lanemap.conformance.capsules.entries import entries
    from lanemap.devices import target_named
    from lanemap.records.files import require_writable, write_files

    chosen = target_named(target)
    held = entries(chosen, only)
    asked = {each.name: each.asks for each in held}
    if show:
        if as_json:
            show_json(asked)
        else:
            for name, question in asked.items():
                console().print(f"{name}: {question}", markup=False, soft_wrap=True)
        return 0
    path = out or Path(f"lanemap-{chosen}.pyz")
    require_writable(path)  # building takes minutes
    data = build(held, chosen, lambda line: print(line, file=sys.stderr, flush=True))
    write_files({path: data})
    if as_json:
        show_json({"file": str(path), "bytes": len(data), "target": chosen, "entries": asked})
    else:
        said = f"wrote {path}: {len(held)} entries, {len(data)} bytes; run it with python3"
        console().print(said, markup=False, soft_wrap=True)
    return 0
