"""A file that keeps what a script did, however the process that runs the script ends."""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Journal:
    """Records of any values that can be pickled, in the order in which they were written.

    The file is opened for each record, so a script may close what it likes. Processes that the
    script forks write to the same file.
    """

    path: Path

    @staticmethod
    def begin(folder: Path) -> Journal:
        """Make an empty one in a folder."""
        journal = Journal(folder / "journal")
        journal.path.touch(mode=0o600, exist_ok=False)
        return journal

    def write(self, *record: Any) -> None:
        """Add a record, whole."""
        data = memoryview(pickle.dumps(record))
        # A process that the script left behind may come when nobody reads any more.
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            try:
                while data:
                    data = data[os.write(descriptor, data) :]
            finally:
                os.close(descriptor)

    def records(self) -> Iterator[tuple[Any, ...]]:
        """Yield the records so far; the last one may have been cut off with its process."""
        with self.path.open("rb") as file, contextlib.suppress(EOFError, pickle.UnpicklingError):
            while True:
                yield pickle.load(file)
