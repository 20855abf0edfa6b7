"""`lanemap emit`: a variant's map as text for other people's code."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import variants
from lanemap.cli.output import JSON_OPTION, VARIANT_HELP, show_json
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanemap.model import Variant
    from lanemap.records.files import Roots
    from lanemap.records.lookup import Seen
    from lanemap.records.schema import Record


class Form(str, Enum):
    """A language that a map can be written in."""

    formula = "formula"
    c = "c"
    python = "python"
    triton = "triton"
    gluon = "gluon"
    cute = "cute"


class Origin(str, Enum):
    """Where the map is taken from."""

    best = "best"
    results = "results"
    model = "model"


# C and Python text has a heading of its own.
COMMENTS = {Form.formula: "#", Form.triton: "#", Form.gluon: "#", Form.cute: "//"}


def command(
    name: str = typer.Argument("", metavar="VARIANT", help=VARIANT_HELP, autocompletion=variants),
    form: Form = typer.Option(Form.c, "--as", help="The language to write."),
    prefix: str = typer.Option("source", help="Prefix of the names of emitted functions."),
    cells: str = typer.Option(
        "bit", help="Unit of the map: bit; or nibble, byte, half, word, if these move as a whole."
    ),
    inverse: bool = typer.Option(
        False, help="Emit the map from source cells to destination cells."
    ),
    origin: Origin = typer.Option(
        Origin.best,
        "--from",
        help="results (an observation), model, or best (the strongest there is).",
    ),
    results: Path | None = RESULTS_OPTION,
    wrappers: bool = typer.Option(
        False, help="Write a CUDA C++ header of typed wrappers for every tcgen05.ld and st instead."
    ),
    out: Path | None = typer.Option(None, help="Write the text to this file instead of stdout."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write a variant's map as a formula, C, Python, a layout of Triton or Gluon, or CuTe text.

    The map comes from an observation of all cells if there is one (silicon before the emulator),
    else from the model. The text says which, and it was checked on every cell. It names partial
    observations too.
    """
    if wrappers == bool(name):
        raise UserError(
            "name a variant or give --wrappers, one of the two; see `lanemap list variants`"
        )
    if wrappers:
        answer = _wrappers(roots(results))
    else:
        answer = _variant(name, form, prefix, cells, inverse, origin, roots(results))
    if out is not None:
        from lanemap.records.files import write_files

        write_files({out: answer["text"]})
    if as_json:
        show_json(answer)
    elif out is None:
        print(answer["text"], end="")


def _variant(
    name: str, form: Form, prefix: str, cells: str, inverse: bool, origin: Origin, results: Roots
) -> dict[str, Any]:
    """Return a variant's map as text, with where it is from."""
    from lanemap.model import variant
    from lanemap.probing.compare.best import emitted, observed

    name = variant(name).name
    seen = () if origin is Origin.model else observed((name,), results)[name]
    found, says, text = emitted(name, form.value, prefix, cells, inverse, origin.value, seen)
    if form in COMMENTS:
        heading = "\n".join((f"{found}: {says[0]}", *says[1:]))
        lines = [f"{COMMENTS[form]} {line}\n" for line in heading.splitlines()]
        text = "".join(lines) + text
    return {"variant": found, "as": form.value, "map": list(says), "text": text}


def _wrappers(results: Roots) -> dict[str, Any]:
    """Return the header of wrappers, with what was observed of each form.

    Raises:
        Disagreement: an observation contradicts the model that the names and comments are from.
    """
    from lanemap.emission.wrappers import header, wrappers
    from lanemap.records.lookup import all_observations

    known = {each.variant.name: each.variant for each in wrappers()}
    observed = {}
    for name, seen in all_observations(known, results).items():
        whole, partial = _held_against(known[name], seen)
        origins = [f"{record.evidence} (probe {record.probe})" for record, _ in whole[:1]]
        origins += [f"in part, {r.evidence} (probe {r.probe}, {reach})" for r, reach in partial]
        observed[name] = ", ".join(origins)
    return {"wrappers": list(known), "observed": observed, "text": header(observed)}


def _held_against(
    variant: Variant, seen: Sequence[Seen]
) -> tuple[list[Seen], list[tuple[Record, str]]]:
    """Split observations that agree with the model into whole and partial ones.

    Raises:
        Disagreement: an observation contradicts the model.
    """
    from lanemap.probing.compare.best import contradicts
    from lanemap.probing.compare.relations import relate_observed

    whole, partial = [], []
    for record, observation in seen:
        relation = relate_observed(variant.map, record, observation)
        if relation.first is not None:
            raise Disagreement(contradicts(variant.name, record, relation.first, "the model"))
        if relation.partial:
            partial.append((record, relation.reach))
        else:
            whole.append((record, observation))
    return whole, partial
