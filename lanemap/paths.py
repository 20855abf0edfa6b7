"""Where the folders beside the package lie: probes, kernels, museum, analysis, results and docs.

In a wheel they lie under the package, in a checkout (an editable install) beside it.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from lanemap.errors import UserError

FOLDERS = ("probes", "kernels", "museum", "analysis", "results", "docs")


def find(folder: str) -> Path:
    """Return the absolute path of one of `FOLDERS`.

    Raises:
        UserError: the folder is not one of them, or this installation lacks it.
    """
    if folder not in FOLDERS:
        raise UserError(
            f"{folder!r} is not a folder of lanemap; the folders are {', '.join(FOLDERS)}"
        )
    package = Path(__file__).resolve().parent
    for place in (package / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise UserError(
        f"this installation of lanemap has no folder {folder}/ in {package} or beside it; "
        "install lanemap again from a complete checkout"
    )


def import_file(path: Path, prefix: str = "") -> ModuleType:
    """Import a file of one of the folders.

    Args:
        path: a Python file.
        prefix: what its name as a module begins with, before the file's own, so that it shadows no
            installed package; nothing if its process imports no other.

    Raises:
        UserError: the file cannot be imported.
    """
    name = f"{prefix}_{path.stem}" if prefix else path.stem
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError) as error:
        raise UserError(f"{path} cannot be imported: {error}") from error
    return module
