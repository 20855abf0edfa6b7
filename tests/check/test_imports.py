"""Modules that a script imports are changed, and given back; CuTe DSL of another version is not."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanemap.check.cute import session
from lanemap.check.imports import Change, changing_modules
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.targets import TARGETS

NONE: Any = None


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, whose modules are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("imported_before", [False, True])
def test_a_module_is_changed_and_given_back(packages: Path, imported_before: bool) -> None:
    write(packages, "tool_of_test/__init__", "")
    write(packages, "tool_of_test/inner", "class A:\n    def f(self): return 1\ng = A().f\n")
    if imported_before:
        importlib.import_module("tool_of_test.inner")
    change = Change("tool_of_test.inner", lambda module: {"A.f": lambda self: 2, "g": module.A})
    with changing_modules([change]):
        inner: Any = importlib.import_module("tool_of_test.inner")
        assert inner.A().f() == 2 and inner.g is inner.A
        assert inner.__spec__.loader.get_source(inner.__name__).startswith("class A")
    assert inner.A().f() == 1 and inner.g() == 1


def test_what_is_not_imported_is_not_looked_for(packages: Path) -> None:
    missing = Change("tool_that_is_missing", lambda _: {})
    with changing_modules([missing]), pytest.raises(ModuleNotFoundError):
        importlib.import_module("tool_that_is_missing")


@pytest.mark.parametrize(
    ("target", "version", "error", "why"),
    [
        ("sm_100a", "4.7.2", MissingEnvironment, "with CuTe DSL 4.8; this is 4.7.2"),
        ("sm_100a", "4.9.0", MissingEnvironment, "with CuTe DSL 4.8; this is 4.9.0"),
        ("sm_100a", "4.80.0", MissingEnvironment, "with CuTe DSL 4.8; this is 4.80.0"),
        ("gfx950", "4.8.1", UserError, "compiles for GPUs of NVIDIA, not for gfx950"),
    ],
)
def test_cute_dsl_that_cannot_be_used_is_refused_when_it_is_imported(
    packages: Path, monkeypatch: pytest.MonkeyPatch, target: str, version: str,
    error: type[LanemapError], why: str,
) -> None:  # fmt: skip
    write(packages, "nvidia_cutlass_dsl/__init__", "")
    write(packages, "cutlass/__init__", "")
    write(packages, "cutlass/cute/__init__", "")
    known = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata,
        "version",
        lambda name: version if name == session.PACKAGE else known(name),
    )
    monkeypatch.delitem(sys.modules, "cutlass", raising=False)
    on_emulator = session.cute_dsl_on_emulator(NONE, TARGETS[target], NONE)
    with on_emulator, pytest.raises(error, match=why):
        importlib.import_module("cutlass.cute")
