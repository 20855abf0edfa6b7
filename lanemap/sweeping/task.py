"""One task of a sweep: a value that says what to run, and the value that it returns."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from lanemap import paths
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.sweeping.sweep import Found, Sweep, find

#: Files of code. What is built from the C differs in bytes between machines.
_SOURCES = (".py", ".c", ".h", ".cu", ".hip", ".ptx", ".s", ".json")
#: What the names of files of results/ begin with, wherever that lies.
_RESULTS = "results:"


@dataclass(frozen=True)
class Task:
    """Some items of a sweep.

    Attributes:
        sweep: The sweep's name or file.
        items: The items.
        code: Hash of the code that runs them.
        inputs: The files that they depend on beside the code, and their hashes.
    """

    sweep: str
    items: tuple[str, ...]
    code: str
    inputs: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The hash of all of it, under which its result is kept."""
        text = json.dumps([self.sweep, self.items, self.code, self.inputs])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def command(self) -> str:
        """The shell command that runs this task alone."""
        return command(self.sweep, self.items)

    @property
    def words(self) -> str:
        """Its items, in short."""
        return " ".join(_short(self.items))


@dataclass(frozen=True)
class Result:
    """What a task found, and where and how fast.

    Attributes:
        key: The task's.
        items: How many items it had.
        wrong: What is wrong, by item.
        counts: What is added up.
        values: What is kept, by item.
        seconds: How long it took.
        host: The machine that ran it.
    """

    key: str
    items: int
    wrong: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    host: str = ""

    @property
    def digest(self) -> str:
        """Hash of what it found; host and time do not count."""
        text = json.dumps([self.key, self.wrong, self.counts, self.values], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def command(sweep: str, items: Sequence[str]) -> str:
    """The shell command that runs items of a sweep in one process."""
    return shlex.join(["lanemap", "sweep", sweep, *_short(items), "--on", "here", "--again"])


def _short(items: Sequence[str]) -> list[str]:
    numbers = [int(item) for item in items if item.isdecimal()]
    if len(numbers) == len(items) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return [f"{numbers[0]}:{numbers[-1] + 1}"]
    return list(items)


@cache
def own_code() -> str:
    """The hash of lanemap's code, probes, kernels and exhibits, the same in checkout and wheel."""
    package, whole = Path(paths.__file__).parent, hashlib.sha256()
    for folder in (package, *(paths.find(name) for name in ("probes", "kernels", "museum"))):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            inside = folder == package and name.parts[0] in paths.FOLDERS  # as they lie in a wheel
            if path.suffix in _SOURCES and not inside:
                whole.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return whole.hexdigest()


def _code(sweep: str) -> str:
    """The hash of the code of a sweep: of its own file too, where it is no part of lanemap."""
    if not sweep.endswith(".py"):
        return own_code()
    return hashlib.sha256(f"{own_code()} {_hash(Path(sweep))}".encode()).hexdigest()


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def _named(path: Path) -> str:
    """A file's name that is the same on every machine: of results/, what lies below it."""
    results = paths.find("results")
    return f"{_RESULTS}{path.relative_to(results)}" if path.is_relative_to(results) else str(path)


def _placed(name: str) -> Path:
    below = name.removeprefix(_RESULTS)
    return Path(name) if below == name else paths.find("results") / below


def tasks(name: str, sweep: Sweep, items: Sequence[str]) -> Iterator[Task]:
    """The tasks of items, a batch each, in order.

    Raises:
        UserError: a file that items depend on cannot be read.
    """
    code, hashes = _code(name), dict[Path, str]()
    for first in range(0, len(items), sweep.batch):
        own = tuple(items[first : first + sweep.batch])
        inputs = []
        for path in sweep.files(own) if sweep.files else ():
            if path not in hashes:
                hashes[path] = _hash(path)
            inputs.append((_named(path), hashes[path]))
        yield Task(name, own, code, tuple(inputs))


def perform(task: Task) -> Result:
    """Run a task, in whatever process this is.

    Raises:
        UserError: the code or a file is not the one that the task is of.
        MissingEnvironment: the machine lacks what an item needs.
    """
    if _code(task.sweep) != task.code:
        raise UserError(
            f"{platform.node()} has another lanemap than the one that began this sweep; give its "
            "workers the same wheel"
        )
    for name, wanted in task.inputs:
        if _hash(_placed(name)) != wanted:
            raise UserError(f"{name} on {platform.node()} is not the file that the sweep is of")
    sweep = find(task.sweep)
    began, wrong = time.monotonic(), dict[str, str]()
    counts, values = dict[str, int](), dict[str, Any]()
    for found in _each(sweep, task.items):
        if found.wrong:
            wrong[found.item] = found.wrong
        if found.value is not None:
            values[found.item] = found.value
        for name, count in found.counts.items():
            counts[name] = counts.get(name, 0) + count
    seconds = round(time.monotonic() - began, 3)
    return Result(task.key, len(task.items), wrong, counts, values, seconds, platform.node())


def _each(sweep: Sweep, items: Sequence[str]) -> Iterator[Found]:
    """What items showed; one whose turn raises an error is wrong, and the next one follows."""
    left = list(items)
    while left:
        try:
            for found in sweep.run(left):
                left = left[left.index(found.item) + 1 :]
                yield found
            return
        except MissingEnvironment:
            raise  # nothing is known of the item
        except LanemapError as error:
            yield Found(left[0], f"{error}")
        except Exception as error:
            yield Found(left[0], f"{type(error).__name__}: {error}")
        left = left[1:]
