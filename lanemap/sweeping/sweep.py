"""What a sweep is, and where sweeps are found: files of conformance/sweeps, or a file of one's own.

Such a file has one variable `SWEEP`. A task of it is some of its items, such as the programs 200 to
299; what a task finds depends on its items, the code and the files that the sweep names, on nothing
else, so that any machine may run it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from lanemap.errors import UserError
from lanemap.paths import import_file

#: The package whose modules are the sweeps; named here, imported when one is asked for.
PACKAGE = "lanemap.conformance.sweeps"


@dataclass(frozen=True)
class Found:
    """What one item showed.

    Attributes:
        item: The item.
        wrong: What is wrong, in a sentence; empty if nothing is.
        counts: What is added up over the items, by name.
        value: What is kept of the item, as JSON; None for nothing.
    """

    item: str
    wrong: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    value: Any = None


@dataclass(frozen=True)
class Sweep:
    """Many items that do not depend on each other.

    Attributes:
        about: What is tried and what it is held against, in a sentence.
        run: Tries items and yields what each showed. An item whose turn raises an error is wrong.
        items: All items; None if they are numbers without end.
        batch: Items of a task, so that a task takes seconds to a minute.
        per_gpu: How many tasks may share a GPU; 0 if none is needed.
        chosen: The items that words of the command line stand for, if they are no items themselves.
        files: The files that these items depend on beside lanemap's own code.
        ships: Whether items need the current folder where they run, so that it goes to a cluster.
    """

    about: str
    run: Callable[[Sequence[str]], Iterable[Found]]
    items: Callable[[], Sequence[str]] | None = None
    batch: int = 1
    per_gpu: int = 0
    chosen: Callable[[Sequence[str]], Sequence[str]] | None = None
    files: Callable[[Sequence[str]], Iterable[Path]] | None = None
    ships: bool = False


def each(run: Callable[[str], Found]) -> Callable[[Sequence[str]], Iterator[Found]]:
    """A sweep's `run` from what tries one item."""

    def every(items: Sequence[str]) -> Iterator[Found]:
        return map(run, items)

    return every


def names() -> list[str]:
    """The names of lanemap's own sweeps, as the command line writes them."""
    package = importlib.import_module(PACKAGE)
    modules = [each.name for each in pkgutil.iter_modules(package.__path__)]
    return sorted(each.replace("_", "-") for each in modules)


@cache
def find(name: str) -> Sweep:
    """Return a sweep by its name, or by the path of its file.

    Raises:
        UserError: there is none, or the file has no SWEEP.
    """
    if name.endswith(".py"):
        if not Path(name).is_file():
            raise UserError(f"{name}: there is no such file")
        found = getattr(import_file(Path(name), "lanemap_sweep"), "SWEEP", None)
        if not isinstance(found, Sweep):
            raise UserError(f"{name} has no variable SWEEP of lanemap.sweeping.sweep.Sweep")
        return found
    if name not in names():
        raise UserError(
            f"there is no sweep {name!r}; the sweeps are {', '.join(names())}, and files of your "
            "own that end in .py"
        )
    module = importlib.import_module(f"{PACKAGE}.{name.replace('-', '_')}")
    return module.SWEEP  # type: ignore[no-any-return]


def expanded(sweep: Sweep, words: Sequence[str], count: int, name: str) -> list[str]:
    """The items that words of the command line stand for; all, or the first `count`, without any.

    Raises:
        UserError: a word is no item and no range.
    """
    if sweep.items is None:
        if not words:
            return [str(number) for number in range(count)]
        return [str(number) for word in words for number in _numbers(word, name)]
    if sweep.chosen is not None and words:
        return list(sweep.chosen(words))
    every = list(sweep.items())
    known = set(every)
    for word in words:
        if word not in known:
            raise UserError(
                f"{word!r} is no item of the sweep {name}; `lanemap sweep {name} --list` shows them"
            )
    return list(dict.fromkeys(words)) or every


def _numbers(word: str, name: str) -> range:
    first, colon, end = word.partition(":")
    if not first.isdecimal() or (colon and not end.isdecimal()):
        raise UserError(f"{word!r} is no item of the sweep {name}; write a number, or FIRST:END")
    found = range(int(first), int(end) if colon else int(first) + 1)
    if not found:
        raise UserError(
            f"{word!r} names no item of the sweep {name}: END is the item behind the last"
        )
    return found
