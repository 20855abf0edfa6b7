"""The build hook: compiles the emulator's C for a wheel or an editable install.

An environment that builds has ziglang and no dependency of lanemap, so the packages around the
builder are entered without what their `__init__` imports.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatch calls before it collects files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the C, unless what was built is up to date."""
        package = "lanemap.emulator.runtime"
        folder = Path(self.root)
        parents = package.split(".")
        for depth, name in enumerate(parents, 1):
            folder = folder / name
            module = ModuleType(".".join(parents[:depth]))
            module.__path__ = [str(folder)]
            sys.modules[module.__name__] = module
        import_module(f"{package}.build").main()
