"""Where one sm_90a kernel runs: on the emulator, strict and not, and on a GPU if there is one."""

from __future__ import annotations

import pytest

import lanemap
from lanemap.devices import Device
from lanemap.errors import MissingEnvironment

PLACES = ("emulator", "strict", "cuda")


def opened(place: str) -> Device:
    """Open the device of one of PLACES; without a GPU, `cuda` skips the test."""
    if place != "cuda":
        return lanemap.open_device("sm_90a", "emulator", strict=place == "strict")
    try:
        return lanemap.open_device("sm_90a", "cuda")
    except MissingEnvironment as why:
        pytest.skip(str(why))
