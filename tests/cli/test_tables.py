"""Tables are laid out as rich lays out its own."""

from __future__ import annotations

import io
import random

import pytest
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from lanemap.cli.tables import Table

#: Words of cells: of one and of two columns, long ones, blanks, ends of lines, brackets, controls.
WORDS = (
    "a", "two words", "tcgen05.st.32x32b.x4.unpack::16b", "漢字", "é", "", "  led", "trailed  ",
    "one\nother line", "tab\tbed", "[bold]", ":B:", "x" * 50, "a, b, c, d, e, f, g, h, i, j",
    "bell\a", "1,234", "\u200bwide漢 字漢字 字",
)  # fmt: skip


def printed(table: object, width: int, color: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, emoji=False, force_terminal=color)
    console.print(table)
    return out.getvalue()


def as_rich(
    columns: list[str], rows: list[list[str]], title: str, numbers: frozenset[int]
) -> RichTable:
    found = RichTable(*columns, title=title or None, box=None, title_justify="left", pad_edge=False)
    for number, column in enumerate(found.columns):
        column.overflow = "fold"
        column.justify = "right" if number in numbers else "left"
    for row in rows:
        found.add_row(*map(Text, row))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_table_is_that_of_rich(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 7)
    columns = [" ".join(rng.choices(WORDS[:8], k=rng.randint(1, 3))) for _ in range(count)]
    rows = [
        [" ".join(rng.choices(WORDS, k=rng.choice((1, 1, 2, 5)))) for _ in columns]
        for _ in range(rng.randint(0, 6))
    ]
    numbers = frozenset(number for number in range(count) if rng.random() < 0.3)
    title = rng.choice(("", "A title", "a title of several words " * 4))
    own = Table(columns, rows, title)
    for number in numbers:
        own.columns[number].justify = "right"
    for width in (20, 33, 60, 100, 200):
        expected = printed(as_rich(columns, rows, title, numbers), width)
        assert printed(own, width) == expected


def test_titles_of_columns_are_bold_on_a_terminal() -> None:
    assert "\x1b[1m" in printed(Table(["a"], [["b"]]), 40, color=True)
