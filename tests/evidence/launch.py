"""Launch a stored Triton kernel as its launcher would, from NAME.amdgcn and NAME.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Stored:
    """One compiled kernel and what its host side must know."""

    text: str
    made: dict[str, Any]

    @property
    def constants(self) -> dict[str, int]:
        return self.made["constants"]

    def run(self, device: Any, grid: int, **arguments: Any) -> None:
        """Launch with arguments by name; scratch pointers, which nothing uses, are null."""
        names = [argument["name"] for argument in self.made["arguments"]]
        null = {name: np.uint64(0) for name in names if name.endswith("_scratch")}
        values = null | arguments
        device.load(self.text)[self.made["entry"]](
            (grid, 1, 1),
            (self.made["threads"], 1, 1),
            tuple(values[name] for name in names),
            shared_bytes=self.made["shared_bytes"],
        )


def stored(folder: str, name: str) -> Stored:
    """Read one kernel of a folder beside this file."""
    base = HERE / folder / name
    return Stored(
        base.with_suffix(".amdgcn").read_text(), json.loads(base.with_suffix(".json").read_text())
    )
