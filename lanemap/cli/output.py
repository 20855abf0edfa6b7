"""Output of verbs: a table for people, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import typer
from rich.console import Console

from lanemap.cli.tables import Table

Item = TypeVar("Item")
# A pipe has no width; tables would be cut at rich's default of 80 columns. COLUMNS gives it one.
PIPE_WIDTH = 160
LEAST_WIDTH = 20

JSON_OPTION = typer.Option(False, "--json", help="Print JSON instead.")
VARIANT_HELP = (
    "A name that `lanemap list variants` shows, or what others call it: PTX or AMDGCN with its "
    "operands, SASS, an intrinsic, an atom of CuTe, an operation of Triton; :A names an operand."
)


class _Console(Console):
    """A console that leaves a pipe without a reader to the entry point."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Return a console on stdout."""
    # Without emoji=False, rich prints the operand `:B:` as a picture.
    found = _Console(highlight=False, emoji=False)
    if not found.is_terminal:
        found = _Console(highlight=False, emoji=False, width=_pipe_width())
    return found


def _pipe_width() -> int:
    given = os.environ.get("COLUMNS", "")
    width = int(given) if given.isdecimal() and len(given) < 6 else PIPE_WIDTH
    return max(width, LEAST_WIDTH)


def progress(items: Sequence[Item], what: str, quiet: bool = False) -> Iterator[Item]:
    """Yield items; before each one, a line on stderr says which it is, unless `quiet`.

    Nothing is said of a single item, or where stderr is not a terminal.
    """
    told = not quiet and len(items) > 1 and sys.stderr.isatty()
    for number, item in enumerate(items, 1):
        if told:
            print(f"{what} {number} of {len(items)}: {item}", file=sys.stderr, flush=True)
        yield item


def show_json(value: Any) -> None:
    """Print JSON with sorted keys."""
    print(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Return a plain table; cells are text, not markup."""
    return Table(columns, rows, title)


def numbers(
    columns: Sequence[str], rows: Iterable[Sequence[str]], title: str, texts: int = 1
) -> Table:
    """Return a plain table whose columns after the first `texts` hold numbers."""
    found = table(columns, rows, title)
    for column in found.columns[texts:]:
        column.justify = "right"
    return found
