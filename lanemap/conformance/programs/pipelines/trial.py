"""The pipeline programs on the emulator and on a GPU, and what their row says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import lanemap
from lanemap.conformance.programs.pipelines.launch import inputs, launch
from lanemap.conformance.programs.pipelines.shape import Shape, shape
from lanemap.conformance.programs.pipelines.text import text
from lanemap.devices import Device
from lanemap.errors import LanemapError
from lanemap.records.hashes import source_hash
from lanemap.sweeping.executors import spread

TARGET = "sm_90a"
COUNT = 64
#: How often the GPU runs each program: all runs must give the same bytes.
TIMES = 3


def _once(device: Device, each: Shape) -> tuple[str, str]:
    """Return the hash of what a program wrote, and why it failed; one of them is empty."""
    try:
        return source_hash(launch(device, each)), ""
    except LanemapError as error:
        return "", str(error)


def emulate(number: int) -> tuple[str, str]:
    """Run one program on the emulator; see `_once`."""
    return _once(lanemap.open_device(TARGET, "emulator"), shape(number))


def observe(device: Device) -> tuple[Mapping[str, Any], int]:
    """Run everything on both devices; return the findings and how many programs disagree.

    Args:
        device: The GPU.
    """
    emulated = spread(emulate, range(COUNT))
    programs, disagreeing = [], []
    for number, (mine, wrong) in enumerate(emulated):
        each = shape(number)
        runs = [_once(device, each) for _ in range(TIMES)]
        theirs, failed = runs[0]
        programs.append(
            {
                "name": each.name,
                "ptx": source_hash(text(each)),
                "inputs": source_hash(inputs(each).tobytes()),
                "output": theirs or None,
                "errors": [wrong, failed],
            }
        )
        if wrong or failed or runs != [(mine, "")] * TIMES:
            disagreeing.append(each.name)
            print(f"{each.name}: differs {wrong or failed}", flush=True)
    print(f"{COUNT} pipelines ran {TIMES} times each; {len(disagreeing)} differ", flush=True)
    return {"runs": TIMES, "programs": programs, "disagreements": disagreeing}, len(disagreeing)
