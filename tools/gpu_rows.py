"""Rows that a tool measures on a machine with a GPU and writes on another one, of a checkout."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import lanemap
from lanemap import paths
from lanemap.records.files import write_records
from lanemap.records.schema import Record


def measure(file: Path, target: str, measured: Callable[[Any], Mapping[str, Any]]) -> None:
    """Measure with the GPU's device, and write the findings and on what they were found.

    Raises:
        MissingEnvironment: there is no GPU of the target.
    """
    device = lanemap.open_device(target, "cuda")
    before = dict(device.environment())
    findings = measured(device)
    environment = {"before": before, "after": dict(device.environment())}
    file.write_text(json.dumps({"findings": findings, "environment": environment}) + "\n")


def write(file: Path, folder: Path, target: str, name: str) -> None:
    """Write the row of what `measure` wrote into a folder of results."""
    found = json.loads(file.read_text())
    own = Record(name, target, "cuda", "silicon", (), found["findings"], found["environment"],
                 kind=name)  # fmt: skip
    write_records([own], folder)


def main(target: str, name: str, measured: Callable[[Any], Mapping[str, Any]]) -> None:
    """Do what the command line says: `measure FILE` or `row FILE`."""
    what, file = sys.argv[1], Path(sys.argv[2])
    if what == "measure":
        measure(file, target, measured)
    else:
        write(file, paths.find("results"), target, name)
