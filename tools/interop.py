"""Compile again what is stored of Triton and CuTe DSL, compare it, and run it on the emulator.

    make interop
    python -m tools.interop [--stored] [-k WORDS]

Every kernel is compiled from our sources by the compiler that is installed. Compiled by the version
that made the stored text, it must equal that; another version is named, and its text runs. The
tests that compare results with NumPy then run on it, with hazards reported instead of raised. A
hazard beside a right result is a false alarm, unless it is a known fault of a compiler's library.
`--stored` compiles nothing, and runs what is stored.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

from lanemap.emulator.host.launcher import Launcher
from lanemap.emulator.ptx import entry
from tests.emulator.ptx.cute_dsl_cases import FAULTY

PTX = Path(__file__).resolve().parents[1] / "tests" / "emulator" / "ptx"
MODULES = "tests.emulator.ptx."


@dataclass(frozen=True)
class Compiler:
    """A compiler with what is stored of it.

    Attributes:
        name: What people call it.
        package: Name of its package; the stored JSON has its version under the same name.
        folder: Where its sources, its build.py and its PTX lie.
        tests: The files that run its kernels.
        readers: The modules whose HERE says where the PTX is read.
    """

    name: str
    package: str
    folder: Path
    tests: tuple[str, ...]
    readers: tuple[str, ...]

    @property
    def installed(self) -> str:
        """The version that is installed; "" for none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""

    def stored_version(self, text: Path) -> str:
        """The version that made a stored text: as its own JSON says, or the folder's."""
        own = text.with_suffix(".json")
        about = own if own.exists() else text.parent / "made.json"
        found: str = json.loads(about.read_text())[self.package]
        return found

    def compile(self, out: Path, names: list[str]) -> str:
        """Write the PTX of the named kernels; return what a failure said at its end."""
        command = [sys.executable, str(self.folder / "build.py"), *names, "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stderr.strip().rpartition("\n")[2] if done.returncode else ""


COMPILERS = (
    Compiler(
        "Triton",
        "triton",
        PTX / "triton",
        ("test_triton.py", "test_triton_matrix.py"),
        ("test_triton", "test_triton_matrix", "triton_cases"),
    ),
    Compiler(
        "CuTe DSL",
        "nvidia-cutlass-dsl",
        PTX / "cute_dsl",
        ("test_cute_dsl.py", "test_cute_dsl_product.py"),
        ("test_cute_dsl", "cute_dsl_cases"),
    ),
)


@dataclass
class Row:
    """The results of one kernel.

    Attributes:
        kernel: Its name with its target.
        compiler: The compiler of the text, with its version.
        compiled: Whether and how it was compiled.
        good: Whether `compiled` is as it should be.
        tests: How many tests loaded it.
        stopped: Tests in which a launch was refused or did not end.
        wrong: Tests that failed otherwise.
        hazards: Reported by default, in all tests.
        alarms: Those beside a right result that no known fault of the compiler explains.
    """

    kernel: str
    compiler: str
    compiled: str = "not again"
    good: bool = True
    tests: int = 0
    stopped: int = 0
    wrong: int = 0
    hazards: int = 0
    alarms: int = 0
    said: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether it compiles, runs, is right, and has no hazard but a known fault's."""
        hazards = self.alarms if self.kernel in FAULTY else self.hazards
        return self.good and self.tests > 0 and not (self.stopped or self.wrong or hazards)


def compile_all(compiler: Compiler, out: Path) -> dict[str, Row]:
    """Compile every stored kernel into a folder; where one fails, its stored text stands in."""
    stored = sorted(compiler.folder.glob("*.ptx"))
    why: dict[str, str] = {}
    if not compiler.installed:
        why = {path.stem: f"{compiler.package} is not installed" for path in stored}
    elif compiler.compile(out, []):
        missing = {p.name.partition(".")[0] for p in stored if not (out / p.name).exists()}
        why = {name: compiler.compile(out, [name]) for name in sorted(missing)}
    rows = {}
    for path in stored:
        made = out / path.name
        row = Row(path.stem, f"{compiler.name} {compiler.installed}")
        row.compiled, row.good = compared(compiler, path, made, why)
        if not made.exists():
            row.compiler = f"{compiler.name} {compiler.stored_version(path)}"
            for each in (path, path.with_suffix(".json")):
                if each.exists():
                    (out / each.name).write_text(each.read_text())
        rows[path.stem] = row
    return rows


def compared(compiler: Compiler, stored: Path, made: Path, why: dict[str, str]) -> tuple[str, bool]:
    """Say how a compiled text stands to the stored one, and whether that is as it should be."""
    if not made.exists():
        reason = why.get(stored.stem) or why.get(stored.name.partition(".")[0], "")
        return f"no: {reason or 'build.py wrote no text'}", False
    equal = made.read_text() == stored.read_text()
    before = compiler.stored_version(stored)
    if compiler.installed != before:
        return f"{'equal' if equal else 'other text'}; stored by {before}", True
    return ("equal", True) if equal else ("differs from what the same version stored", False)


class Watch:
    """A pytest plugin that notes which stored kernels a test launches, and what is reported."""

    def __init__(self, rows: dict[str, dict[str, Row]], folders: dict[str, Path]) -> None:
        """Take the rows and the folder of each compiler, by its package."""
        self.folders = folders
        self._rows = {
            (folders[package] / f"{name}.ptx").read_text(): row
            for package, own in rows.items()
            for name, row in own.items()
        }
        self._of_kernel: dict[int, tuple[Any, Row]] = {}
        self._loaded: list[Row] = []
        self._met: list[tuple[Launcher, int, Row]] = []
        self._install()

    def _install(self) -> None:
        load, launch = entry.LoadedText, Launcher.launch

        def noted(source: str, *rest: Any) -> Any:
            text = load(source, *rest)
            if row := self._rows.get(source):
                self._loaded.append(row)
                self._of_kernel |= {id(k): (k, row) for k in text.kernels.values()}
            return text

        def watched(machine: Launcher, kernel: Any, *rest: Any, **more: Any) -> None:
            _, row = self._of_kernel.get(id(kernel), (None, None))
            if row is not None:
                machine.settings = replace(machine.settings, hazards="report")
                self._met.append((machine, len(machine.reported), row))
            launch(machine, kernel, *rest, **more)

        entry.LoadedText = noted  # type: ignore[assignment,misc]
        Launcher.launch = watched  # type: ignore[method-assign]

    def pytest_collection_finish(self) -> None:
        """Let the modules that read PTX read what was compiled."""
        for compiler in COMPILERS:
            for name in compiler.readers:
                if module := sys.modules.get(MODULES + name):
                    module.HERE = self.folders[compiler.package]  # type: ignore[attr-defined]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Count what one test launched."""
        self._met.clear()
        self._loaded.clear()
        failure: BaseException | None = None
        try:
            return (yield)
        except BaseException as error:
            failure = error
            raise
        finally:
            self._count(failure)

    def _count(self, failure: BaseException | None) -> None:
        skipped = isinstance(failure, pytest.skip.Exception)
        for machine, before, row in self._met:
            if machine.settings.strict:
                continue
            reported = machine.reported[before:]
            row.hazards += len(reported)
            row.said += [str(hazard) for hazard in reported]
            known = FAULTY.get(row.kernel)
            unknown = [h for h in reported if known is None or known not in str(h)]
            row.alarms += 0 if failure else len(unknown)
        for row in {id(row): row for row in self._loaded}.values():
            row.tests += 1
            if failure and not skipped:
                row.said.append(str(failure).partition("\n")[0])
                row.wrong += isinstance(failure, AssertionError)
                row.stopped += not isinstance(failure, AssertionError)


def table(rows: list[Row]) -> Table:
    """The table of all kernels."""
    made = Table(box=None)
    for title in ("kernel", "compiler", "compiled", "runs", "right", "hazards", "false alarms"):
        made.add_column(title, overflow="fold", no_wrap=title == "kernel")
    for row in rows:
        ran = "not tested" if not row.tests else "no" if row.stopped else "yes"
        right = "" if not row.tests or row.stopped else "no" if row.wrong else "yes"
        counts = str(row.hazards), str(row.alarms)
        made.add_row(row.kernel, row.compiler, row.compiled, ran, right, *counts)
    return made


def main() -> int:
    """Compile, compare, run, print; 1 if any kernel is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stored", action="store_true", help="compile nothing")
    parser.add_argument("-k", default="", metavar="WORDS", help="as pytest takes it")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders, rows = {}, {}
        for compiler in COMPILERS:
            package, out = compiler.package, Path(scratch) / compiler.package
            if chosen.stored:
                folders[package] = compiler.folder
                stored = sorted(compiler.folder.glob("*.ptx"))
                rows[package] = {
                    path.stem: Row(path.stem, f"{compiler.name} {compiler.stored_version(path)}")
                    for path in stored
                }
            else:
                out.mkdir()
                folders[package], rows[package] = out, compile_all(compiler, out)
        files = [str(PTX / name) for compiler in COMPILERS for name in compiler.tests]
        options = ["-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        options += ["-k", chosen.k] if chosen.k else []
        pytest.main([*files, *options], plugins=[Watch(rows, folders)])
    every = [row for own in rows.values() for row in own.values() if row.tests or not chosen.k]
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(every))
    for row in every:
        for sentence in row.said[:3]:
            console.print(f"{row.kernel}: {sentence}", markup=False, highlight=False)
    passed = sum(row.passed for row in every)
    alarms = sum(row.alarms for row in every)
    console.print(f"{passed} of {len(every)} kernels pass; {alarms} false alarms")
    return 0 if passed == len(every) and every else 1


if __name__ == "__main__":
    sys.exit(main())
