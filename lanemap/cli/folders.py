"""Imports the folders beside the package, under names that begin with `lanemap_`.

They are found by path (`lanemap.paths`). So site-packages holds no generic name such as `analysis`,
and nobody else's module of that name is imported by mistake.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

from lanemap import paths
from lanemap.errors import UserError


def package(folder: str) -> ModuleType:
    """Import a folder that has an __init__.py; its modules come with it when they are imported.

    Raises:
        UserError: the folder is missing or is no package.
    """
    name = f"lanemap_{folder}"
    if name in sys.modules:
        return sys.modules[name]
    place = paths.find(folder)
    start = place / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        name, start, submodule_search_locations=[str(place)]
    )
    if not start.is_file() or spec is None or spec.loader is None:
        raise UserError(f"{place} holds no __init__.py; install lanemap again")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def module(folder: str, name: str) -> ModuleType:
    """Import one module of such a folder.

    Raises:
        UserError: the folder is missing or is no package.
    """
    package(folder)
    return importlib.import_module(f"lanemap_{folder}.{name}")
