"""Exhibits of the museum: the fault is reported, the mended kernel is clean and right."""

from __future__ import annotations

import numpy as np

from lanemap.conformance.museum.exhibit import Exhibit, exhibits
from lanemap.conformance.museum.reports import hazards_of, report
from lanemap.devices import open_device
from lanemap.sweeping.sweep import Found, Sweep, each


def _mended(one: Exhibit) -> str:
    """What is wrong with the mended kernel on the emulator."""
    device = open_device(one.target, "emulator", hazards="report", strict=one.strict)
    pairs = one.launch(device, one.module(device, False))
    if device.hazards:
        return f"the mended kernel: {device.hazards[0]}"
    right = all(np.array_equal(found, expected) for found, expected in pairs)
    return "" if right else "the mended kernel leaves a wrong result"


def _one(item: str) -> Found:
    one = exhibits()[item]
    report(one, hazards_of(one))  # raises if nothing of the kind is reported
    return Found(item, _mended(one))


SWEEP = Sweep(
    "faults that people reported in public, faulty and mended, on the emulator",
    each(_one),
    lambda: list(exhibits()),
)
