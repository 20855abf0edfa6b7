"""Exhibits: a fault that somebody met in public, and its fix, as kernels of our own.

An exhibit is two files of museum/. `NAME.cu`, or `NAME.hip`, is a kernel that is right, and has a
fault where the macro FAULTY is defined. A comment `// hazard` ends the lines that a report may
name. `NAME.py` defines EXHIBIT: the threads, the cause, what is expected, and a launch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy.typing as npt

from lanemap import paths
from lanemap.devices import Device, Module
from lanemap.errors import UserError

__all__ = ["Device", "Exhibit", "Launch", "Module", "Pair", "Pairs", "exhibits", "neighbor"]

#: What a launch left, and what it should have left.
Pair = tuple[npt.NDArray[Any], npt.NDArray[Any]]
Pairs = Sequence[Pair]
#: Launches the kernels of a module on a device.
Launch = Callable[[Device, Module], Pairs]
SUFFIXES = (".cu", ".hip")
_MARK = re.compile(r"//.*\bhazard\b")


@dataclass(frozen=True)
class Exhibit:
    """One fault.

    Attributes:
        threads: Where it was met: addresses of issues and pull requests.
        cause: In two sentences.
        kind: The kind of the hazard that the emulator reports.
        says: Words of its sentence.
        launch: Launches the kernel, faulty or not.
        target: Where it runs.
        strict: Whether only strict mode reports it.
        hangs: Whether the faulty kernel may never end.
        source: The kernel's file.
        title: The fault in one sentence: the docstring of its Python file.
    """

    threads: tuple[str, ...]
    cause: str
    kind: str
    says: str
    launch: Launch
    target: str = "sm_90a"
    strict: bool = False
    hangs: bool = False
    source: Path = Path()
    title: str = ""

    @property
    def name(self) -> str:
        """The name of its files."""
        return self.source.stem

    def module(self, device: Device, faulty: bool) -> Module:
        """Compile the kernel for a device and load it.

        Raises:
            MissingEnvironment: there is no compiler.
        """
        options = [f"-I{self.source.parent}", *(["-DFAULTY"] if faulty else [])]
        return device.compile(self.source, options=options)

    def marked(self) -> frozenset[int]:
        """The lines of the kernel's file at which the hazard may be."""
        lines = self.source.read_text().splitlines()
        return frozenset(number for number, line in enumerate(lines, 1) if _MARK.search(line))


def neighbor(file: str, name: str) -> ModuleType:
    """The Python file of a name beside an exhibit's, for what several exhibits share."""
    return paths.import_file(Path(file).with_name(f"{name}.py"), "museum")


@cache
def exhibits() -> Mapping[str, Exhibit]:
    """All exhibits by name.

    Raises:
        UserError: a file of museum/ defines no exhibit, or its kernel is missing.
    """
    found = {}
    for path in sorted(paths.find("museum").glob("[!_]*.py")):
        module = paths.import_file(path, "museum")
        one = getattr(module, "EXHIBIT", None)
        sources = [path.with_suffix(suffix) for suffix in SUFFIXES]
        source = next((each for each in sources if each.is_file()), None)
        if not isinstance(one, Exhibit) or source is None:
            raise UserError(f"{path} must define EXHIBIT, with its kernel (.cu, .hip) beside it")
        found[path.stem] = replace(one, source=source, title=(module.__doc__ or "").strip())
    return found
