"""The C that functions.tsv and errors.tsv stand for; the build runs this file by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: What programs load.
NAME = "libcuda.so.1"
NONE = "-"
#: The files of C, each behind those that it needs.
ORDER = (
    "objects", "transport", "device", "order", "memory", "copies", "images", "modules", "linking",
    "launches", "entries",
)  # fmt: skip


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of this folder, by the names of its columns."""
    import csv  # which only a build needs

    lines = (HERE / name).read_text().splitlines()
    return list(csv.DictReader((each for each in lines if each[:1] != "#"), delimiter="\t"))


def _stubs(functions: list[dict[str, str]]) -> Iterator[str]:
    """Yield what refuses, and the second names of what is served or refused."""
    for each in functions:
        symbol, other = each["symbol"], each["per_thread"]
        if each["state"] == "refused":
            yield f'API int {symbol}(void) {{ return refused("{symbol}"); }}'
        if other != NONE:
            yield f'__asm__(".globl {other}\\n.set {other}, {symbol}\\n");'


def source() -> str:
    """Return the end of the library's source: stubs, and the tables that the rest looks into."""
    functions, errors = rows("functions.tsv"), rows("errors.tsv")
    table = [
        f'  {{"{each["name"]}", "{each["symbol"]}", {each["version"]}, (void *){each["symbol"]}}},'
        for each in functions
    ]
    texts = [f'  {{{each["number"]}, "{each["name"]}", "{each["text"]}"}},' for each in errors]
    return "\n".join(
        [
            *_stubs(functions),
            "static const struct Row ROWS[] = {",
            *table,
            "  {0}};",
            "static const struct Error ERRORS[] = {",
            *texts,
            "  {0}};",
            "",
        ]
    )
