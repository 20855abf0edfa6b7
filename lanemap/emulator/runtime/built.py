"""Files built from the emulator's C, and whether they are up to date.

Nothing of it is tracked. In a checkout, STAMP says which sources it was built from; an installed
wheel holds what was built with it, so nothing is checked there. The first line of STAMP is the
hash of the sources. The second is that of their sizes and times: while it is the same, a start
reads no source. This module imports nothing that is built, and nothing that a build environment
lacks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
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
#: The runtime as shared libraries for Linux with glibc, by the processor that they need at least.
RUNTIMES = {
    name: HERE / f"runtime.{name}.so"
    for name in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64")
}
STAMP = HERE / "built_from.txt"
MEMORY_MODEL = EMULATOR / "memory_model"
MODEL = EMULATOR.parent / "model"
#: Sources of shared libraries, of which none is part of the emulator's IR: stand-ins for others'
#: runtime libraries, and the machine of the timing model.
DRIVERS = EMULATOR / "drivers"
TIMING = EMULATOR.parent / "timing" / "model"
LIBRARIES = (*sorted(DRIVERS.glob("*.c")), *sorted(TIMING.glob("*.c")))
#: Stand-ins made of several files, with a table.py that says how programs call the library, and
#: writes more C: by that name, the folder.
COMPOUND = {
    runpy.run_path(str(table))["NAME"]: table.parent for table in sorted(DRIVERS.glob("*/table.py"))
}
#: The processors of Linux that each is linked for, by `platform.machine()`.
MACHINES = ("x86_64", "aarch64")
#: The C of each front end.
FRONT_ENDS = tuple(sorted(EMULATOR.glob("*/c")))
#: The folders of C; all is one translation unit.
FOLDERS = (HERE, MEMORY_MODEL, *FRONT_ENDS)
#: What writes the headers of each folder.
FACTS = (
    MEMORY_MODEL / "facts.py",
    *(folder.parent / "lower" / "facts.py" for folder in FRONT_ENDS),
)
_BUILDER = ("built.py", "build.py", "bindings.py", "dwarf.py")
#: What writes the primitives of bytecode, and what it is made of.
PRIMITIVES = EMULATOR / "codegen" / "primitives.py"
_OPERATIONS = ("emitter", "ops", "element_types", "strip_width", "values")


def library(source: Path, machine: str) -> Path:
    """Return the library that is linked from one of LIBRARIES, for a machine of MACHINES."""
    return source.parent / machine / f"lib{source.stem}.so"


def libraries() -> dict[tuple[Path, str], Path]:
    """Return the library of each of LIBRARIES and each machine."""
    return {(each, machine): library(each, machine) for each in LIBRARIES for machine in MACHINES}


def compounds() -> dict[tuple[str, str], Path]:
    """Return the library of each of COMPOUND and each machine."""
    return {(name, machine): DRIVERS / machine / name for name in COMPOUND for machine in MACHINES}


def files() -> list[Path]:
    """Every file that the build writes, but the stamp."""
    front_ends = [folder.parent / "lower" for folder in FRONT_ENDS]
    mirrors = [folder / "functions.py" for folder in (HERE, MEMORY_MODEL, *front_ends)]
    mirrors += [HERE / "abi.py", HERE / "events_abi.py", MEMORY_MODEL / "abi.py"]
    mirrors += [
        folder.parent / "lower" / "abi.py" for folder in FRONT_ENDS if any(folder.glob("*.h"))
    ]
    return [IR, *RUNTIMES.values(), *libraries().values(), *compounds().values(), *mirrors]


@cache
def headers() -> dict[str, str]:
    """Headers that say what lanemap/model and tables of rules say (each folder's facts.py)."""
    return {
        name: text
        for place in FACTS
        for name, text in runpy.run_path(str(place))["headers"]().items()
    }


def _sources() -> list[Path]:
    """The C, and what builds it."""
    folders = (*FOLDERS, DRIVERS, TIMING, *COMPOUND.values())
    sources = [path for folder in folders for path in folder.glob("*.[ch]")]
    sources += [
        path
        for folder in COMPOUND.values()
        for path in (folder / "table.py", *folder.glob("*.tsv"))
    ]
    writers = [PRIMITIVES, *(PRIMITIVES.with_stem(name) for name in _OPERATIONS)]
    return sorted([*sources, *(HERE / name for name in _BUILDER), *writers])


def facts() -> list[Path]:
    """Every file that `headers` may read."""
    return sorted([HERE / "rules.py", *FACTS, *EMULATOR.glob("*/*.tsv"), *MODEL.glob("*.py")])


def source_hash() -> str:
    """The hash of the C, written headers included, and of what builds it."""
    whole = hashlib.sha256()
    for path in _sources():
        whole.update(f"{path.relative_to(EMULATOR.parent).as_posix()}\0".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    for name, text in sorted(headers().items()):
        whole.update(f"{name}\0{text}".encode())
    return whole.hexdigest()


def times_hash() -> str:
    """The hash of names, sizes and times of all that `source_hash` depends on."""
    whole = hashlib.sha256()
    for path in (*_sources(), *facts()):
        now = path.stat()
        whole.update(f"{path} {now.st_size} {now.st_mtime_ns} {now.st_ctime_ns}\n".encode())
    return whole.hexdigest()


def write_stamp(sources: str, times: str) -> None:
    """Write STAMP whole, since other processes may read it."""
    own = STAMP.with_name(f"{STAMP.name}.{os.getpid()}")
    own.write_text(f"{sources}\n{times}\n")
    own.replace(STAMP)


def fault() -> str:
    """Return the fault of the built files, as the end of a sentence; "" if they are up to date."""
    if not STAMP.is_file() or not all(path.is_file() for path in files()):
        return "is not built"
    built_from, _, seen = STAMP.read_text().partition("\n")
    times = times_hash()
    if seen.strip() == times:
        return ""
    if built_from != source_hash():
        return "is older than its sources"
    with contextlib.suppress(OSError):  # a folder that cannot be written is read again next time
        write_stamp(built_from, times)
    return ""


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
