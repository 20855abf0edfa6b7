"""Every target: each file of this folder that defines one."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Mapping

from lanemap.targets.definition import Target


def _order(name: str) -> tuple[str, int]:
    """Order names by vendor, then by number: gfx950, sm_90a, sm_100a."""
    prefix, number = re.findall(r"[a-z]+|\d+", name)[:2]
    return prefix, int(number)


class _Targets(Mapping[str, Target]):
    """The targets of this folder by name; the file of each is read when it is first asked for."""

    def __init__(self) -> None:
        files = (name.removesuffix(".py") for name in os.listdir(os.path.dirname(__file__)))
        names = [name for name in files if re.fullmatch(r"(sm_|gfx)\w+", name)]
        self._read: dict[str, Target | None] = dict.fromkeys(sorted(names, key=_order))

    def __getitem__(self, name: str) -> Target:
        found = self._read[name]
        if found is None:
            found = importlib.import_module(f"lanemap.targets.{name}").TARGET
            assert isinstance(found, Target)
            self._read[name] = found
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._read

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


#: By name; AMD's before NVIDIA's, older ones first.
TARGETS: Mapping[str, Target] = _Targets()
