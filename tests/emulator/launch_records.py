"""A plugin of pytest that writes down what each launch of the emulator left and reported.

With `-p tests.emulator.launch_records` and a folder in LANEMAP_LAUNCH_RECORDS, every test that
launches kernels adds a line of JSON: its name, and of each launch the hash of every array by its
address, the findings, and the error that ended it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanemap.emulator.host.launcher import Launcher

_LAUNCHES: list[dict[str, Any]] = []


def _arrays(launcher: Launcher) -> dict[str, str]:
    memory, found = launcher.memory, {}
    for base, allocation in list(memory._allocations.items()):
        if allocation.loan is None and allocation.size:
            data = memory.read(base, allocation.size)
            found[hex(base)] = hashlib.sha256(data).hexdigest()[:16]
    return found


def pytest_configure(config: pytest.Config) -> None:
    """Let launches write down what they leave."""
    original = Launcher.launch

    def launch(self: Launcher, *arguments: Any, **more: Any) -> None:
        before, error = len(self.reported), ""
        try:
            original(self, *arguments, **more)
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
            raise
        finally:
            findings = [str(each) for each in self.reported[before:]]
            _LAUNCHES.append({"arrays": _arrays(self), "findings": findings, "error": error})

    Launcher.launch = launch  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write a test's line."""
    _LAUNCHES.clear()
    result = yield
    if _LAUNCHES:
        folder = Path(os.environ["LANEMAP_LAUNCH_RECORDS"])
        with (folder / f"{os.getpid()}.jsonl").open("a") as file:
            file.write(json.dumps([item.nodeid, _LAUNCHES]) + "\n")
    return result
