"""What verbs print: a table for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

# A pipe has no width; tables would be cut at rich's default of 80 columns.
PIPE_WIDTH = 160

JSON_OPTION = typer.Option(False, "--json", help="Print JSON instead.")


def console() -> Console:
    """Return a console on stdout."""
    found = Console(highlight=False)
    if not found.is_terminal:
        found = Console(highlight=False, width=PIPE_WIDTH)
    return found


def show_json(value: Any) -> None:
    """Print JSON with sorted keys."""
    print(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Return a plain table; cells are text, not markup."""
    from rich.text import Text

    found = Table(*columns, title=title or None, box=None, title_justify="left", pad_edge=False)
    for row in rows:
        found.add_row(*(Text(cell) for cell in row))
    return found


def numbers(
    columns: Sequence[str], rows: Iterable[Sequence[str]], title: str, texts: int = 1
) -> Table:
    """Return a plain table whose columns after the first `texts` hold numbers."""
    found = table(columns, rows, title)
    for column in found.columns[texts:]:
        column.justify = "right"
    return found
