"""What the tables beside the C of the stand-ins become: stubs of functions, errors with names."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

NONE = "-"


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table, by the names of its columns."""
    lines = path.read_text().splitlines()
    return list(csv.DictReader((each for each in lines if each[:1] != "#"), delimiter="\t"))


def stubs(functions: list[dict[str, str]]) -> Iterator[str]:
    """Yield what refuses, and the second names of what is served or refused."""
    for each in functions:
        symbol, other = each["symbol"], each["per_thread"]
        if each["state"] == "refused":
            yield f'API int {symbol}(void) {{ return refused("{symbol}"); }}'
        if other != NONE:
            yield f'__asm__(".globl {other}\\n.set {other}, {symbol}\\n");'


def errors(path: Path, column: str) -> Iterator[str]:
    """Yield the table of errors, whose names are in a column of the file."""
    yield "static const struct Error ERRORS[] = {"
    for each in rows(path):
        if each[column] != NONE:
            yield f'  {{{each["number"]}, "{each[column]}", "{each["text"]}"}},'
    yield "  {0}};"
