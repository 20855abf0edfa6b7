"""The C that functions.tsv and the driver's errors.tsv stand for; the build runs this by itself."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
#: What programs load, and the version of its symbols that they ask for.
NAME = VERSION = "libcudart.so.13"
#: The library that it is linked with.
NEEDS = "libcuda.so.1"
#: The files of C, each behind those that it needs.
ORDER = ("device", "registered", "launches", "memory", "order")


def source() -> str:
    """Return the end of the library's source: stubs, and the table of errors."""
    from lanemap.emulator.drivers import tables  # which only a build needs

    errors = HERE.parent / "cuda" / "errors.tsv"
    return "\n".join(
        [
            *tables.stubs(tables.rows(HERE / "functions.tsv")),
            *tables.errors(errors, "runtime"),
            "",
        ]
    )
