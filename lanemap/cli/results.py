"""The folders in which verbs look for observations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

OWN = Path("results")
RESULTS_OPTION = typer.Option(
    None,
    "--results",
    help="The folder of observations; by default ./results, then those that come with lanemap.",
)


def roots(given: Path | None) -> Roots:
    """Return where to read: what was given alone, else ./results before what lanemap came with.

    Raises:
        UserError: what was given is no folder.
    """
    from lanemap import paths

    if given is not None:
        if not given.is_dir():
            raise UserError(f"--results {given}: there is no such folder")
        return given
    shipped = paths.find("results")
    if not OWN.is_dir() or OWN.resolve() == shipped.resolve():
        return shipped
    return OWN, shipped
