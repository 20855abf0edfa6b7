"""Changes of modules that a script may import: each is made when its module has been executed."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from lanemap.errors import MissingEnvironment


@dataclass(frozen=True)
class Change:
    """The attributes of a module that are replaced for a while.

    Attributes:
        module: The module's name.
        replacements: Returns what stands in, by its path in the module, as in "Compiler.compile".
    """

    module: str
    replacements: Callable[[Any], Mapping[str, Any]]


def wrong_version(package: str, known: str, found: str, wanted: str) -> str:
    """Say that a package's version is not known here, and what to do; see `refusing_version`."""
    return (
        f"lanemap checks scripts with {package} {known}; this is {found}: run "
        f"pip install '{wanted}'"
    )


def refusing_version(module: str, package: str, known: str, found: str, wanted: str) -> Change:
    """Return what ends the import of a package whose version is not known here.

    Args:
        module: The module that a script imports.
        package: The package's name.
        known: The version that the tests run with.
        found: The version that is installed.
        wanted: The requirement that pip is given.
    """

    def refuse(_: Any) -> dict[str, Any]:
        raise MissingEnvironment(wrong_version(package, known, found, wanted))

    return Change(module, refuse)


class _Changes:
    """The attributes that were replaced, with their former values."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._by_module: dict[str, list[Change]] = {}
        for each in changes:
            self._by_module.setdefault(each.module, []).append(each)
        self._before: list[tuple[Any, str, Any]] = []

    def __contains__(self, module: str) -> bool:
        return module in self._by_module

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_module)

    def make(self, module: ModuleType) -> None:
        """Change a module."""
        for each in self._by_module[module.__name__]:
            for path, value in each.replacements(module).items():
                *outer, name = path.split(".")
                holder: Any = module
                for part in outer:
                    holder = getattr(holder, part)
                self._before.append((holder, name, getattr(holder, name)))
                setattr(holder, name, value)

    def undo(self) -> None:
        """Give every module back what it had."""
        for holder, name, value in reversed(self._before):
            setattr(holder, name, value)
        self._before.clear()


class _Loader(importlib.abc.Loader):
    """A module's own loader, after which the module is changed."""

    def __init__(self, loader: Any, changes: _Changes) -> None:
        self._loader, self._changes = loader, changes

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if module.__spec__ is not None:
            module.__spec__.loader = module.__loader__ = self._loader
        self._changes.make(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules that are to be changed, as the finders behind it do."""

    def __init__(self, changes: _Changes) -> None:
        self._changes = changes
        self._asking: set[str] = set()

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self._changes or name in self._asking:
            return None
        self._asking.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asking.discard(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._changes)
        return spec


@contextlib.contextmanager
def changing_modules(changes: Sequence[Change]) -> Iterator[None]:
    """Change modules while the context lasts: those that are imported, and others when they are."""
    made = _Changes(changes)
    finder = _Finder(made)
    for name in made:
        if name in sys.modules:
            made.make(sys.modules[name])
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        made.undo()
