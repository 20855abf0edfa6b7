"""`lanemap draw`: a picture or a table of a layout."""

from __future__ import annotations

import re
import sys
from enum import Enum
from pathlib import Path

import typer

from lanemap.cli.completion import variants
from lanemap.cli.output import JSON_OPTION, console
from lanemap.cli.results import RESULTS_OPTION, roots
from lanemap.errors import UserError


class Form(str, Enum):
    """A form of a drawing."""

    terminal = "terminal"
    svg = "svg"
    png = "png"
    csv = "csv"
    markdown = "markdown"
    json = "json"


def command(
    what: str = typer.Argument(
        ...,
        metavar="LAYOUT",
        help="A name that `lanemap list variants` shows, an instruction, or a layout: "
        "'((4,8),(2,2)):((32,1),(16,8))', with Swizzle<B,M,S>; '#ttg.linear<{..}>'; "
        "'DistributedLinearLayout(..)'; rows of a matrix over F2, '10;01'.",
        autocompletion=variants,
    ),
    other: str = typer.Argument(
        "",
        metavar="[LAYOUT]",
        help="A second one: what goes through both is drawn, or, with --differences, where they "
        "differ.",
        autocompletion=variants,
    ),
    differences: bool = typer.Option(False, help="Draw where the two layouts differ."),
    by: str = typer.Option(
        "",
        help="The side that is the grid: register, matrix, tmem, chunk, .., source or destination.",
    ),
    matrix: str = typer.Option(
        "",
        help="A pasted layout's value counts the elements of a matrix of this shape, 16x16; its "
        "first mode is then the thread.",
    ),
    row_major: bool = typer.Option(
        False, help="With --matrix: the value counts along rows, not along columns as CuTe does."
    ),
    rows: str = typer.Option("", help="Only these rows of the grid, as in 32:64."),
    columns: str = typer.Option("", help="Only these columns, as in 0:16."),
    form: Form | None = typer.Option(
        None, "--as", help="What to write; by default what --out ends in, else the terminal."
    ),
    out: Path | None = typer.Option(
        None, help="Write to this file: .svg, .png, .csv, .md, .json or .txt."
    ),
    results: Path | None = RESULTS_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Draw a layout: who holds each element, in which register, bank, lane or column.

    A layout is a variant's, or one that you paste.

    Pictures go to the terminal, an SVG or a PNG; csv, markdown and json are tables of every cell.
    A large tile is shown in part, with a small picture of the whole.
    """
    from lanemap.probing.pictures import draw

    drawing = draw(
        what,
        other,
        differences=differences,
        by=by,
        rows=_range("rows", rows),
        columns=_range("columns", columns),
        matrix=shape_of("matrix", matrix),
        row_major=row_major,
        results=roots(results),
    )
    if as_json and form not in (None, Form.json):
        raise UserError("--json and --as are two forms; give one of them")
    wanted = "json" if as_json else form.value if form is not None else ""
    if out is not None:
        from lanemap.drawing.drawing import form_of
        from lanemap.records.files import write_files

        write_files({out: drawing.form(wanted or form_of(out))})
    elif wanted == "png":
        raise UserError("a PNG is no text: name its file with --out picture.png")
    elif wanted in ("", "terminal"):
        drawing.show(console())
    else:
        sys.stdout.write(str(drawing.form(wanted)))


def shape_of(option: str, text: str) -> tuple[int, int] | None:
    """Rows and columns out of `16x16`."""
    if not text:
        return None
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text)
    if found is None:
        raise UserError(f"--{option} {text!r} is no shape; write it like 16x16")
    return int(found[1]), int(found[2])


def _range(name: str, text: str) -> tuple[int, int] | None:
    """The first number of a range and the one after its last, out of `first:end`."""
    if not text:
        return None
    found = re.fullmatch(r"(\d{1,6}):(\d{1,6})", text)
    if found is None:
        raise UserError(f"--{name} {text!r} is no range; write it like 0:32, without the last")
    return int(found[1]), int(found[2])
