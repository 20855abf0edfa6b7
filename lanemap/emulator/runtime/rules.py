"""Tables of what front ends and the memory model report by number: rules.tsv and notes.tsv.

Each rule is a row, with its number, its name, its source and its sentence, separated by tabs. A
number never changes and is never given again, so a row may stand anywhere. The C has the numbers
as an enum of a header that the build writes (`RULE_TRAP`), Python as attributes (`Rule.TRAP`);
reports have the sentences. This module imports nothing that a build environment lacks.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

_COLUMNS = ("number", "name", "source", "sentence")


class Row(NamedTuple):
    """One rule; `sentence` is a format of the numbers that its report gives."""

    number: int
    name: str
    source: str
    sentence: str


class Rules:
    """The rows of one table; its attributes are their numbers, by their names."""

    def __init__(self, path: Path) -> None:
        """Read the table.

        Raises:
            ValueError: a row lacks a column, or has the number or the name of another one.
        """
        lines = path.read_text().splitlines()
        self.rows = [_row(path, number, line) for number, line in enumerate(lines[1:], 2)]
        #: The number of each rule, and its sentence.
        self.numbers = {row.name: row.number for row in self.rows}
        self.sentences = {row.number: row.sentence for row in self.rows}
        if min(len(self.numbers), len(self.sentences)) < len(self.rows):
            raise ValueError(f"{path}: two rows have the same name or the same number")

    def __getattr__(self, name: str) -> int:
        try:
            return self.__dict__["numbers"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(f"no row has the name {name}") from None

    def header(self, name: str) -> str:
        """An enum as C, whose members begin with the name."""
        members = ", ".join(f"{name.upper()}_{row.name} = {row.number}" for row in self.rows)
        return f"enum {{ {members} }};\n"


def _row(path: Path, number: int, line: str) -> Row:
    cells = line.split("\t")
    if len(cells) != len(_COLUMNS) or not all(cells) or not cells[0].isdecimal():
        raise ValueError(f"{path}:{number}: a row has {', '.join(_COLUMNS)}, separated by tabs")
    return Row(int(cells[0]), *cells[1:])
