"""The C that functions.tsv and errors.tsv stand for; the build runs this file by itself."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
#: What programs load.
NAME = "libcuda.so.1"
#: The files of C, each behind those that it needs.
ORDER = (
    "objects", "transport", "device", "order", "reserve", "memory", "copies", "images", "modules",
    "linking", "launches", "entries",
)  # fmt: skip


def source() -> str:
    """Return the end of the library's source: stubs, and the tables that the rest looks into."""
    from lanemap.emulator.drivers import tables  # which only a build needs

    functions = tables.rows(HERE / "functions.tsv")
    known = [
        f'  {{"{each["name"]}", "{each["symbol"]}", {each["version"]}, (void *){each["symbol"]}}},'
        for each in functions
    ]
    return "\n".join(
        [
            *tables.stubs(functions),
            "static const struct Row ROWS[] = {",
            *known,
            "  {0}};",
            *tables.errors(HERE / "errors.tsv", "driver"),
            "",
        ]
    )
