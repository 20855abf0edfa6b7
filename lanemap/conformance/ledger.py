"""Which parts of `make silicon` ran with this code on such a GPU, so that a run can go on later."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lanemap import paths
from lanemap.errors import UserError
from lanemap.records.environment import package_hash
from lanemap.records.files import dumps, write_files
from lanemap.records.hashes import source_hash

#: The file beside the rows; it is no row, so its name does not end in .json.
NAME = "silicon.done"


@dataclass(frozen=True)
class Done:
    """The result of a part.

    Attributes:
        row: Hash of the stored row that it wrote or was compared with.
        unequal: How many ways it disagreed: with the emulator, a model, or the stored row.
        seconds: Duration in seconds.
    """

    row: str
    unequal: int
    seconds: float


def code_and_gpu(environment: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a part's result belongs to: the code that ran, and the GPU with its driver."""
    folders = [paths.find(name) for name in ("probes", "kernels", "museum")]
    return {
        "source": package_hash([Path(paths.__file__).parent, *folders]),
        "gpu": environment["gpu"],
        "driver": environment.get("card", {}).get("driver", environment.get("cuda_driver")),
    }


class Ledger:
    """The parts that are done; each is on disk as soon as it is."""

    def __init__(self, folder: Path, belongs: Mapping[str, Any]) -> None:
        """Read what is done; parts of other code, or of another GPU, are not.

        Args:
            folder: Folder of the rows.
            belongs: The result of `code_and_gpu`.

        Raises:
            UserError: the file cannot be read.
        """
        self._path, self._belongs = folder / NAME, dict(belongs)
        self._done: dict[str, Done] = {}
        if not self._path.exists():
            return
        try:
            told = json.loads(self._path.read_text())
            if told["belongs"] == self._belongs:
                self._done = {name: Done(**each) for name, each in told["parts"].items()}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise UserError(f"{self._path} is not a valid progress file; remove it") from error

    def done(self, name: str, row: Path) -> Done | None:
        """Return what a part gave; None unless it is done and its row is still the same."""
        found = self._done.get(name)
        return found if found and row.exists() and _hash(row) == found.row else None

    def add(self, name: str, row: Path, unequal: int, seconds: float) -> None:
        """Note that a part is done, with the stored row that it wrote or was compared with."""
        self._done[name] = Done(_hash(row), unequal, round(seconds, 1))
        parts = {name: asdict(each) for name, each in self._done.items()}
        write_files({self._path: dumps({"belongs": self._belongs, "parts": parts})})


def _hash(path: Path) -> str:
    return source_hash(path.read_bytes())
