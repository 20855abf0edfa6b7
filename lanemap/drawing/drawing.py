"""A drawing: layout maps as pictures and as tables, in every form."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.drawing.grid import Grid
from lanemap.drawing.tables import Table, table_of, to_csv, to_json, to_markdown
from lanemap.errors import UserError, cannot_write
from lanemap.layout.cells import LayoutMap

#: The forms by the suffixes of their files.
FORMS = {
    ".svg": "svg", ".png": "png", ".csv": "csv", ".md": "markdown", ".json": "json",
    ".txt": "terminal",
}  # fmt: skip
TEXT_WIDTH = 160


@dataclass(frozen=True, eq=False)
class Part:
    """One grid of a drawing, with the maps that its table lists and what these are called."""

    grid: Grid
    layouts: tuple[LayoutMap, ...]
    names: tuple[str, ...] = ()

    def table(self) -> Table:
        """Every cell."""
        return table_of(self.grid.title, self.layouts, self.names)


@dataclass(frozen=True, eq=False)
class Drawing:
    """Pictures of layout maps, which a notebook shows by itself.

    `str(drawing)` is the picture in letters.
    """

    parts: tuple[Part, ...]

    @property
    def grids(self) -> tuple[Grid, ...]:
        """The grids, in order."""
        return tuple(part.grid for part in self.parts)

    def svg(self) -> str:
        """The picture as an SVG document."""
        return self._files("svg").decode()

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return self._files("png")

    def csv(self) -> str:
        """Every cell of every map, a row each, as CSV."""
        return to_csv(self._tables())

    def markdown(self) -> str:
        """The same as a table in Markdown."""
        return to_markdown(self._tables())

    def json(self) -> str:
        """The same as JSON: title, columns and rows; a list where there are several maps."""
        return to_json(self._tables())

    def text(self, width: int = TEXT_WIDTH) -> str:
        """The picture in letters without colors, for lines of some width."""
        from rich.console import Console

        stream = io.StringIO()
        self.show(Console(file=stream, width=width, color_system=None, emoji=False))
        return stream.getvalue()

    def show(self, console: object) -> None:
        """Print the picture on a console of rich, in colors where it has some."""
        from rich.console import Console

        from lanemap.drawing.terminal import lines

        if not isinstance(console, Console):
            raise UserError(f"a drawing is shown on a rich.console.Console, not on {console!r}")
        for number, grid in enumerate(self.grids):
            if number:
                console.print()
            for line in lines(grid, console.width):
                console.print(line, soft_wrap=True)

    def save(self, path: str | Path) -> Path:
        """Write the form that a file's suffix names: .svg, .png, .csv, .md, .json or .txt.

        Raises:
            UserError: The suffix is another one, or the file cannot be written.
        """
        place = Path(path)
        content = self.form(form_of(place))
        beside = place.with_name(f".{place.name}.new")  # whole or absent
        try:
            beside.write_bytes(content.encode() if isinstance(content, str) else content)
            beside.replace(place)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise cannot_write(place, error) from error
        return place

    def form(self, name: str) -> str | bytes:
        """The drawing in a form of `FORMS`."""
        if name == "png":
            return self.png()
        makers = {
            "svg": self.svg, "csv": self.csv, "markdown": self.markdown, "json": self.json,
            "terminal": self.text,
        }  # fmt: skip
        if name not in makers:
            raise UserError(f"a drawing is one of {', '.join([*makers, 'png'])}, not {name!r}")
        return makers[name]()

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg()

    def _files(self, form: str) -> bytes:
        import matplotlib

        from lanemap.drawing.canvas import STYLE
        from lanemap.drawing.sheet import sheet

        with matplotlib.rc_context(STYLE):
            return sheet(self.grids).files((form,))[form]

    def _tables(self) -> Sequence[Table]:
        return [part.table() for part in self.parts]


def form_of(path: Path) -> str:
    """The form that a file's suffix names.

    Raises:
        UserError: It names none.
    """
    if path.suffix.lower() not in FORMS:
        raise UserError(f"{path}: a drawing is written to a file that ends in {', '.join(FORMS)}")
    return FORMS[path.suffix.lower()]
