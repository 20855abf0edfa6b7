"""Exhibits: a publicly reported fault and its fix, as kernels of our own.

`NAME.py` of museum/ defines EXHIBIT: the threads, the cause, what is expected, and a launch. The
kernel is one of these; a comment `hazard` ends the lines that a report may name:

* `NAME.cu` or `NAME.hip`, right as it stands, with a fault where the macro FAULTY is defined.
* `NAME.ptx` or `NAME.s`, and beside it `NAME.faulty.ptx` or `NAME.faulty.s`.
* `scripts/NAME.py`, in Triton, Gluon or CuTe DSL. What its compiler made of it lies in compiled/:
  `NAME.fixed.ptx`, `NAME.faulty.ptx` (.s for gfx950), and `NAME.json`, which says by which version
  and how the kernel is launched. `python -m tools.museum` writes them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap import paths
from lanemap.devices import Device, Module
from lanemap.errors import UserError

__all__ = [
    "WRONG_RESULT", "Compiled", "Device", "Exhibit", "Launch", "Module", "Pair", "Pairs",
    "compiled", "exhibits", "neighbor",
]  # fmt: skip

#: What a launch left, and what it should have left.
Pair = tuple[npt.NDArray[Any], npt.NDArray[Any]]
Pairs = Sequence[Pair]
#: Launches the kernels of a module on a device.
Launch = Callable[[Device, Module], Pairs]
#: Languages by the kernel's suffix; a script says its own.
LANGUAGES = {".cu": "CUDA C++", ".hip": "HIP", ".ptx": "PTX", ".s": "AMDGCN assembly"}
#: What is expected of an exhibit whose fault no rule forbids: a wrong result is all there is.
WRONG_RESULT = "wrong result"
_MARK = re.compile(r"(//|#|;).*\bhazard\b")


@dataclass(frozen=True)
class Compiled:
    """The compiled form of a script.

    Attributes:
        folder: Where the texts lie.
        name: The exhibit's.
        about: The JSON beside the texts.
    """

    folder: Path
    name: str
    about: Mapping[str, Any]

    def text(self, version: str) -> Path:
        """The text of a version, `fixed` or `faulty`."""
        (path,) = self.folder.glob(f"{self.name}.{version}.[ps]*")
        return path

    def intact(self, version: str) -> bool:
        """Whether the text is the one that the compiler made."""
        content = self.text(version).read_bytes()
        return hashlib.sha256(content).hexdigest() == str(self.about[f"{version}_sha256"])

    def __call__(self, module: Module, grid: int, args: Sequence[Any]) -> None:
        """Launch the kernel as its compiler's host code does, with so many CTAs or clusters.

        Triton's kernels take two pointers more, to scratch memory that none here needs.
        """
        extra = [np.uint64(0)] * 2 if "triton" in self.about else []
        ctas, threads = self.about["cluster"], self.about["threads"]
        (entry,) = module
        kernel = module[entry]
        kernel(grid * ctas, threads, [*args, *extra], self.about["shared_bytes"], (ctas, 1, 1))


@dataclass(frozen=True)
class Exhibit:
    """One fault.

    Attributes:
        threads: Reports of the fault: addresses of issues and pull requests.
        cause: In two sentences.
        kind: The kind of the hazard that the emulator reports, or `WRONG_RESULT`.
        says: Words of its sentence; nothing for a wrong result.
        launch: Launches the kernel, faulty or not.
        target: The target it runs on.
        strict: Whether only strict mode reports it.
        hangs: Whether the faulty kernel may never end.
        source: The kernel's file.
        title: The fault in one sentence: the docstring of its Python file.
    """

    threads: tuple[str, ...]
    cause: str
    kind: str
    launch: Launch
    says: str = ""
    target: str = "sm_90a"
    strict: bool = False
    hangs: bool = False
    source: Path = Path()
    title: str = ""

    @property
    def name(self) -> str:
        """The name of its files."""
        return self.source.stem

    @property
    def language(self) -> str:
        """The language of the kernel."""
        if self.source.suffix in LANGUAGES:
            return LANGUAGES[self.source.suffix]
        text = self.source.read_text()
        if "import cutlass" in text:
            return "CuTe DSL"
        return "Gluon" if "import gluon" in text else "Triton"

    def module(self, device: Device, faulty: bool) -> Module:
        """Load the kernel on a device, after compiling it if it is CUDA C++ or HIP.

        Raises:
            MissingEnvironment: there is no compiler.
        """
        if self.source.suffix not in (".cu", ".hip"):
            return device.load(self.texts()[faulty])
        options = [f"-I{self.source.parent}", *(["-DFAULTY"] if faulty else [])]
        return device.compile(self.source, options=options)

    @property
    def is_script(self) -> bool:
        """Whether it is a script, whose compiled text is stored."""
        return self.source.suffix == ".py"

    @property
    def has_versions(self) -> bool:
        """Whether it is a script in Triton or Gluon that runs faulty or mended, as it is told.

        One whose fault older versions of the compiler made has a single version.
        """
        return self.language in ("Triton", "Gluon") and '"fixed"' in self.source.read_text()

    def texts(self) -> tuple[Path, Path]:
        """The files that are loaded or compiled, mended and faulty; with a macro they are one."""
        if self.is_script:
            made = compiled(self.source)
            return made.text("fixed"), made.text("faulty")
        return self.source, self.marked_file

    def marked(self) -> frozenset[int]:
        """The lines of the faulty kernel's file at which the hazard may be."""
        lines = self.marked_file.read_text().splitlines()
        return frozenset(number for number, line in enumerate(lines, 1) if _MARK.search(line))

    @property
    def marked_file(self) -> Path:
        """The file whose marked lines a report names: of a text the faulty one."""
        if self.source.suffix in (".ptx", ".s"):
            return self.source.with_suffix(f".faulty{self.source.suffix}")
        return self.source


def compiled(file: str | Path) -> Compiled:
    """Return the compiled form of an exhibit's script, by either of its Python files."""
    name = Path(file).stem
    folder = paths.find("museum") / "compiled"
    return Compiled(folder, name, json.loads((folder / f"{name}.json").read_text()))


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
        sources = [path.with_suffix(suffix) for suffix in LANGUAGES]
        sources.append(path.parent / "scripts" / path.name)
        source = next((each for each in sources if each.is_file()), None)
        if not isinstance(one, Exhibit) or source is None:
            raise UserError(
                f"{path} must define EXHIBIT, with its kernel (.cu, .hip, .ptx, .s) beside it or "
                "its script in scripts/"
            )
        found[path.stem] = replace(one, source=source, title=(module.__doc__ or "").strip())
    return found
