"""Every target: each file of this folder that defines one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

from lanemap.targets.definition import Target


def _order(name: str) -> tuple[str, int]:
    """Order names by vendor, then by number: gfx950, sm_90a, sm_100a."""
    prefix, number = re.findall(r"[a-z]+|\d+", name)[:2]
    return prefix, int(number)


def _defined() -> dict[str, Target]:
    files = [each.name for each in pkgutil.iter_modules([str(Path(__file__).parent)])]
    names = [each for each in files if each.startswith(("sm_", "gfx"))]
    return {
        name: importlib.import_module(f"lanemap.targets.{name}").TARGET
        for name in sorted(names, key=_order)
    }


#: By name; AMD's before NVIDIA's, older ones first.
TARGETS: dict[str, Target] = _defined()
