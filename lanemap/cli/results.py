"""Where verbs that read observations look for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from lanemap.records.files import Roots

OWN = Path("results")
RESULTS_OPTION = typer.Option(
    None, "--results", help="Where observations lie; else ./results, then what lanemap came with."
)


def roots(given: Path | None) -> Roots:
    """Return where to read: what was given alone, else ./results before what lanemap came with."""
    from lanemap import paths

    if given is not None:
        return given
    shipped = paths.find("results")
    if not OWN.is_dir() or OWN.resolve() == shipped.resolve():
        return shipped
    return OWN, shipped
