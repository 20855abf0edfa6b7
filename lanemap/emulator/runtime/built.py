"""Files built from the emulator's C, and whether they are up to date.

Nothing of it is tracked. In a checkout, STAMP says which sources it was built from; an installed
wheel holds what was built with it, so nothing is checked there. This module imports nothing that
is built, and nothing that a build environment lacks.
"""

from __future__ import annotations

import hashlib
import runpy
import sys
from functools import cache
from pathlib import Path

from lanemap.errors import MissingEnvironment

HERE = Path(__file__).resolve().parent
EMULATOR = HERE.parent
CHECKOUT = EMULATOR.parent.parent
COMMAND = "lanemap.emulator.runtime.build"
IR = HERE / "runtime.ll"
#: The runtime as object files for Linux, by the processor that they need at least.
OBJECTS = {
    name: HERE / f"runtime.{name}.o"
    for name in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64")
}
STAMP = HERE / "built_from.txt"
MEMORY_MODEL = EMULATOR / "memory_model"
#: Shared libraries that stand in for others' runtime libraries; none is part of the emulator's IR.
DRIVERS = EMULATOR / "drivers"
#: The processors of Linux that each is linked for, by `platform.machine()`.
MACHINES = ("x86_64", "aarch64")
#: The C of each front end.
FRONT_ENDS = tuple(sorted(EMULATOR.glob("*/c")))
#: The folders of C; all is one translation unit.
FOLDERS = (HERE, MEMORY_MODEL, *FRONT_ENDS)
_BUILDER = ("built.py", "build.py", "bindings.py", "dwarf.py")


def library(source: Path, machine: str) -> Path:
    """Return the library that is linked from a source in DRIVERS, for a machine of MACHINES."""
    return source.parent / machine / f"lib{source.stem}.so"


def libraries() -> dict[tuple[Path, str], Path]:
    """Return the library of each source in DRIVERS and each machine."""
    sources = sorted(DRIVERS.glob("*.c"))
    return {(each, machine): library(each, machine) for each in sources for machine in MACHINES}


def files() -> list[Path]:
    """Every file that the build writes, but the stamp."""
    front_ends = [folder.parent / "lower" for folder in FRONT_ENDS]
    mirrors = [folder / "functions.py" for folder in (HERE, MEMORY_MODEL, *front_ends)]
    mirrors += [HERE / "abi.py", HERE / "events_abi.py", MEMORY_MODEL / "abi.py"]
    mirrors += [
        folder.parent / "lower" / "abi.py" for folder in FRONT_ENDS if any(folder.glob("*.h"))
    ]
    return [IR, *OBJECTS.values(), *libraries().values(), *mirrors]


@cache
def headers() -> dict[str, str]:
    """Headers that say what lanemap/model and tables of rules say (each folder's facts.py)."""
    folders = [MEMORY_MODEL, *(folder.parent / "lower" for folder in FRONT_ENDS)]
    return {
        name: text
        for place in (folder / "facts.py" for folder in folders)
        for name, text in runpy.run_path(str(place))["headers"]().items()
    }


def source_hash() -> str:
    """The hash of the C, written headers included, and of what builds it."""
    whole = hashlib.sha256()
    sources = [path for folder in (*FOLDERS, DRIVERS) for path in folder.glob("*.[ch]")]
    for path in sorted([*sources, *(HERE / name for name in _BUILDER)]):
        whole.update(f"{path.relative_to(EMULATOR).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    for name, text in sorted(headers().items()):
        whole.update(f"{name}\0{text}".encode())
    return whole.hexdigest()


def fault() -> str:
    """Return the fault of the built files, as the end of a sentence; "" if they are up to date."""
    if not STAMP.is_file() or not all(path.is_file() for path in files()):
        return "is not built"
    return "" if STAMP.read_text() == source_hash() else "is older than its sources"


def check() -> None:
    """Refuse to run in a checkout what was not built from the sources that lie beside it.

    Raises:
        MissingEnvironment: it is not built, or the sources have changed since.
    """
    if not (CHECKOUT / "pyproject.toml").is_file() or COMMAND in sys.orig_argv:
        return
    if found := fault():
        raise MissingEnvironment(
            f"the emulator's compiled C in {HERE} {found}: run `make runtime`, or "
            f"`python -m {COMMAND}` in {CHECKOUT} with the package ziglang"
        )
