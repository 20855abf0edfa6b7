"""Tables of plain text, laid out as rich lays them out, in a tenth of the time.

rich asks every cell for its width and its lines, as objects: a second for a thousand rows. Here
rich says how wide columns are, from one row with the longest line of each, and wraps the cells that
do not fit.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable

Justify = Literal["left", "right"]
#: Characters of one cell that no text has: the one of a column stands for its contents.
_OF_COLUMN = 0xE000


@dataclass
class Column:
    """A column: its title, and on which side its cells begin."""

    header: str
    justify: Justify = "left"


class Table:
    """A table without lines; what does not fit into a column goes on below."""

    def __init__(
        self, columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = ""
    ) -> None:
        """Keep the cells, which are text and not markup."""
        self.title = title
        self.columns = [Column(header) for header in columns]
        self.rows = [tuple(_plain(cell) for cell in row) for row in rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Give rich the lines."""
        widths = self._widths(console, options)
        if not all(widths):
            yield self._as_rich(self.rows)  # a column has no room, or no text
            return
        if self.title:
            title = console.render_str(self.title, style="table.title", highlight=False)
            width = sum(widths) + 2 * (len(widths) - 1)
            yield from console.render(title, options.update(width=width, justify="left"))
        cut = functools.cache(functools.partial(_lines, console))
        headers = [cut(c.header, w, c.justify) for c, w in zip(self.columns, widths, strict=True)]
        height = max(map(len, headers))
        below = [[""] * (height - len(lines)) + lines for lines in headers]
        for line in _joined(below, widths):
            yield Segment(line, console.get_style("table.header"))
            yield Segment.line()
        for row in self.rows:
            cells = zip(row, self.columns, widths, strict=True)
            for line in _joined([cut(cell, w, c.justify) for cell, c, w in cells], widths):
                yield Segment(line)
                yield Segment.line()

    def _widths(self, console: Console, options: ConsoleOptions) -> list[int]:
        """The width of each column's text, as rich divides what there is."""
        longest = [_longest(column.header) for column in self.columns]
        for row in self.rows:
            longest = [max(pair) for pair in zip(longest, map(_longest, row), strict=True)]
        marks = [chr(_OF_COLUMN + number) for number in range(len(longest))]
        row = tuple(mark * size for mark, size in zip(marks, longest, strict=True))
        shown = self._as_rich([row], headers=False)
        first = console.render_lines(shown, options, pad=False)[0]
        text = "".join(segment.text for segment in first)
        return [text.count(mark) for mark in marks]

    def _as_rich(self, rows: Sequence[Sequence[str]], headers: bool = True) -> RichTable:
        from rich.table import Table as RichTable

        names = [column.header for column in self.columns]
        title = self.title if headers and self.title else None
        found = RichTable(
            *names, title=title, box=None, title_justify="left", pad_edge=False, show_header=headers
        )
        for column, own in zip(found.columns, self.columns, strict=True):
            column.overflow = "fold"  # a name that is cut cannot be copied
            column.justify = own.justify
        for row in rows:
            found.add_row(*(Text(cell) for cell in row))
        return found


def _plain(cell: str) -> str:
    """A cell without the control characters that rich leaves out."""
    return cell if cell.isprintable() else Text(cell).plain


@functools.lru_cache(maxsize=1 << 12)
def _longest(cell: str) -> int:
    """Columns that the longest line of a cell takes."""
    if cell.isascii() and cell.isprintable():
        return len(cell)
    return max(map(cell_len, cell.splitlines()), default=0)


def _lines(console: Console, cell: str, width: int, justify: Justify) -> list[str]:
    """The lines of a cell in a column, without blanks that fill a line up on the right."""
    if cell.isprintable() and _longest(cell) <= width:
        if justify == "left":
            return [cell]
        kept = cell.rstrip()
        return [" " * (width - _longest(kept)) + kept]
    wrapped = Text(cell).wrap(console, width, justify=justify, overflow="fold")
    return [line.plain for line in wrapped]


def _joined(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    """The lines of a row."""
    if max(map(len, cells)) == 1:
        return ["  ".join(_filled(lines[0], w) for lines, w in zip(cells, widths, strict=True))]
    height = max(map(len, cells))
    columns = [[*lines, *[""] * (height - len(lines))] for lines in cells]
    return [
        "  ".join(_filled(line, w) for line, w in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]


def _filled(line: str, width: int) -> str:
    return line.ljust(width) if line.isascii() else line + " " * (width - cell_len(line))
