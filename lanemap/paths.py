"""Where the folders beside the package lie: probes, kernels, analysis and results.

In a wheel they lie under the package, in a checkout (an editable install) beside it.
"""

from __future__ import annotations

from pathlib import Path

from lanemap.errors import UserError

FOLDERS = ("probes", "kernels", "analysis", "results")


def find(folder: str) -> Path:
    """Return the absolute path of one of `FOLDERS`.

    Raises:
        UserError: the folder is not one of them, or this installation lacks it.
    """
    if folder not in FOLDERS:
        raise UserError(f"{folder!r} is no folder of lanemap; there are {', '.join(FOLDERS)}")
    package = Path(__file__).resolve().parent
    for place in (package / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise UserError(
        f"this installation of lanemap has no folder {folder}/ in {package} or beside it; "
        "install lanemap again from a complete checkout"
    )
