"""Results of tasks on disk, each in a file that the task's hash names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from lanemap.errors import UserError
from lanemap.records.files import write_files
from lanemap.sweeping.task import Result, Task


class Store:
    """A folder of results. Folders of several machines can be copied into one."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made when the first result is kept."""
        self.folder = folder

    def place(self, key: str) -> Path:
        """The file of a result."""
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Result | None:
        """Return a result; None if there is none.

        Raises:
            UserError: the file is damaged.
        """
        path = self.place(key)
        try:
            text = path.read_text()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UserError(f"cannot read {path}: {error.strerror}") from error
        try:
            told = json.loads(text)
            digest = told.pop("digest")
            del told["task"]
            result = Result(**told)
        except (ValueError, TypeError, KeyError, AttributeError):
            result, digest = None, ""
        if result is None or result.key != key or result.digest != digest:
            raise UserError(f"{path} is damaged; remove it, and the task runs again")
        return result

    def put(self, task: Task, result: Result) -> None:
        """Keep a result, whole or not at all.

        Raises:
            MissingEnvironment: the disk is full.
            UserError: the file cannot be written.
        """
        told = {"task": task.command, **asdict(result), "digest": result.digest}
        write_files({self.place(task.key): json.dumps(told, indent=1, sort_keys=True) + "\n"})

    def every(self) -> Iterator[str]:
        """The keys of all results."""
        return (path.stem for path in sorted(self.folder.glob("??/*.json")))

    def differing(self, other: Store) -> list[str]:
        """The keys of which both have results that are not the same."""
        found = []
        for key in other.every():
            mine, theirs = self.get(key), other.get(key)
            if mine and theirs and mine.digest != theirs.digest:
                found.append(key)
        return found

    def take(self, other: Store) -> int:
        """Take the results of another folder that are not here; return how many.

        Raises:
            UserError: a result there is damaged, or differs from the one here.
        """
        if not other.folder.is_dir():
            raise UserError(f"{other.folder} is no folder of results")
        if different := self.differing(other):
            raise UserError(
                f"{other.place(different[0])} differs from {self.place(different[0])}, the result "
                "of the same task and code: a machine is wrong, or the task is not repeatable"
            )
        new = [key for key in other.every() if not self.place(key).exists()]
        write_files({self.place(key): other.place(key).read_text() for key in new})
        return len(new)
