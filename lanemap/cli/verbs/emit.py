"""`lanemap emit`: a variant's map as text for other people's code."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, show_json
from lanemap.errors import Disagreement, UserError

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
    name: str = typer.Argument("", metavar="[VARIANT]", help="As `lanemap list variants` says."),
    form: Form = typer.Option(Form.c, "--as", help="What to write."),
    prefix: str = typer.Option("source", help="How names of emitted functions begin."),
    cells: str = typer.Option("bit", help="bit, or nibble, byte, half, word that move whole."),
    inverse: bool = typer.Option(False, help="From source cells to destination cells instead."),
    origin: Origin = typer.Option(
        Origin.best, "--from", help="An observation in results/, the model, or the best there is."
    ),
    results: Path = typer.Option(Path("results"), help="Where observations lie."),
    wrappers: bool = typer.Option(
        False, help="Instead: a CUDA C++ header of typed wrappers for every tcgen05.ld and st."
    ),
    out: Path | None = typer.Option(None, help="Write the text to this file, not to the screen."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write a variant's map as a formula, C, Python, a Triton linear layout or CuTe text.

    The map is an observation where there is one (silicon before the emulator), else the model's;
    the text says which, and it was checked on every cell.
    """
    if wrappers == bool(name):
        raise UserError("name a variant, or give --wrappers; `lanemap list variants` shows them")
    if wrappers:
        answer = _wrappers(results)
    else:
        answer = _variant(name, form, prefix, cells, inverse, origin, results)
    if out is not None:
        from lanemap.records.files import write_files

        write_files({out: answer["text"]})
    if as_json:
        show_json(answer)
    elif out is None:
        print(answer["text"], end="")


def _variant(
    name: str, form: Form, prefix: str, cells: str, inverse: bool, origin: Origin, results: Path
) -> dict[str, Any]:
    """Return a variant's map as text, with where it is from."""
    from lanemap.layout.emit import emit

    layout, says = _map(name, origin, results)
    layout = _coarse(layout, cells)
    if inverse:
        layout = layout.inverse()
    heading = "\n".join((f"{name}: {says[0]}", *says[1:]))
    text = emit(layout, form.value, prefix, heading)
    if form in COMMENTS:
        lines = [f"{COMMENTS[form]} {line}\n" for line in heading.splitlines()]
        text = "".join(lines) + text
    return {"variant": name, "as": form.value, "map": list(says), "text": text}


def _wrappers(results: Path) -> dict[str, Any]:
    """Return the header of wrappers, with what was observed of each form.

    Raises:
        Disagreement: an observation contradicts the model that the names and comments are from.
    """
    from lanemap.records.lookup import strongest
    from lanemap.wrappers import header, wrappers

    known = {each.variant.name: each.variant for each in wrappers()}
    observed = {}
    for name, (record, observation) in strongest(known, results).items():
        difference = known[name].map.first_difference(observation.map)
        if difference is not None:
            raise Disagreement(
                f"probe {record.probe} on {record.device} observed another map of {name} than the "
                f"model's: {difference}; see `lanemap compare {name}`"
            )
        observed[name] = f"{record.evidence} (probe {record.probe})"
    return {"wrappers": list(known), "observed": observed, "text": header(observed)}


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
