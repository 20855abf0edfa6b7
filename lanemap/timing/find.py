"""Timing probes, found by path: every `Chains` of the files of probes/timing/."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from lanemap import paths
from lanemap.errors import UserError
from lanemap.timing.chains import Chains


def find_probes(folder: Path | None = None) -> dict[str, Chains]:
    """Every timing probe by name, sorted.

    Raises:
        UserError: a file cannot be imported, or two probes have one name.
    """
    found: dict[str, Chains] = {}
    for path in sorted((folder or paths.find("probes") / "timing").glob("[!_]*.py")):
        for each in _load(path):
            if each.name in found:
                raise UserError(f"{path} defines the timing probe {each.name} a second time")
            found[each.name] = each
    return dict(sorted(found.items()))


def _load(path: Path) -> list[Chains]:
    spec = importlib.util.spec_from_file_location(f"lanemap_timing_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError) as error:
        raise UserError(f"{path} cannot be imported: {error}") from error
    return [value for value in vars(module).values() if isinstance(value, Chains)]
