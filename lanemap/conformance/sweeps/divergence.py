"""Programs whose lanes part: every lane computes what it computes alone."""

from __future__ import annotations

import numpy as np

import lanemap
from lanemap.conformance.programs import divergence
from lanemap.sweeping.sweep import Found, Sweep, each

LENGTHS = (4, 10, 12, 30)


def _one(item: str) -> Found:
    number = int(item)
    program = divergence.make(number, LENGTHS[number % len(LENGTHS)])
    device = lanemap.open_device("sm_90a", device="emulator", strict=True)
    out = device.zeros((divergence.LANES, divergence.REGISTERS), np.uint32)
    device.load(divergence.text(program))["k"](1, divergence.LANES, (out,))
    expected = [row or [0] * divergence.REGISTERS for row in divergence.play(program)]
    lanes = np.flatnonzero((out.get() != np.array(expected, np.uint32)).any(axis=1))
    return Found(item, f"lanes {lanes.tolist()} differ" if len(lanes) else "")


SWEEP = Sweep(
    "random programs whose lanes part and meet, against each lane computed alone in Python",
    each(_one),
    batch=100,
)
