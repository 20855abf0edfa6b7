"""`lanemap emit`: a variant's map as text for other people's code."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lanemap.cli.output import JSON_OPTION, show_json
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.layout import LayoutMap

CELL_BITS = {"nibble": 4, "byte": 8, "half": 16, "word": 32}


class Form(str, Enum):
    """What a map can be written as."""

    formula = "formula"
    c = "c"
    python = "python"
    triton = "triton"
    cute = "cute"


class Origin(str, Enum):
    """Where the map is taken from."""

    best = "best"
    results = "results"
    model = "model"


# C and Python text has a heading of its own.
COMMENTS = {Form.formula: "#", Form.triton: "#", Form.cute: "//"}


def command(
    name: str = typer.Argument(..., metavar="VARIANT", help="As `lanemap list variants` says."),
    form: Form = typer.Option(Form.c, "--as", help="What to write."),
    prefix: str = typer.Option("source", help="How names of emitted functions begin."),
    cells: str = typer.Option("bit", help="bit, or nibble, byte, half, word that move whole."),
    inverse: bool = typer.Option(False, help="From source cells to destination cells instead."),
    origin: Origin = typer.Option(
        Origin.best, "--from", help="An observation in results/, the model, or the best there is."
    ),
    results: Path = typer.Option(Path("results"), help="Where observations lie."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write a variant's map as a formula, C, Python, a Triton linear layout or CuTe text.

    The map is an observation where there is one (silicon before the emulator), else the model's;
    the text says which, and it was checked on every cell.
    """
    from lanemap.layout.emit import emit

    layout, says = _map(name, origin, results)
    layout = _coarse(layout, cells)
    if inverse:
        layout = layout.inverse()
    heading = "\n".join((f"{name}: {says[0]}", *says[1:]))
    text = emit(layout, form.value, prefix, heading)
    if as_json:
        show_json({"variant": name, "as": form.value, "map": list(says), "text": text})
        return
    if form in COMMENTS:
        print("\n".join(f"{COMMENTS[form]} {line}" for line in heading.splitlines()))
    print(text, end="")


def _map(name: str, origin: Origin, results: Path) -> tuple[LayoutMap, tuple[str, ...]]:
    """Return a variant's map and, in lines, where it is from."""
    from lanemap.model import variant
    from lanemap.records.lookup import observations_of

    found = variant(name)
    observed = [] if origin is Origin.model else observations_of(name, results)
    if observed:
        record, observation = observed[0]
        return observation.map, (f"observed by probe {record.probe}, evidence {record.evidence}",)
    if origin is Origin.results:
        raise UserError(f"{results} holds no observation of {name}; run its probe, or --from model")
    return found.map, ("our model, evidence documented", *found.citations)


def _coarse(layout: LayoutMap, cells: str) -> LayoutMap:
    """Join bits into wider cells on both sides."""
    if cells == "bit":
        return layout
    if cells not in CELL_BITS:
        raise UserError(f"--cells {cells} is none of bit, {', '.join(CELL_BITS)}")
    return layout.coarsen(CELL_BITS[cells], cells)
