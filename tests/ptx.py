"""PTX for tests: texts around bodies (see `ptx_text`), and their launch on the emulator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import lanemap
from lanemap.devices.arrays import DeviceArray
from lanemap.devices.emulator import EmulatorDevice, Hazard
from tests.ptx_text import entry, marked, module

__all__ = ["Launched", "entry", "hazard", "launch", "marked", "module"]


@dataclass(frozen=True)
class Launched:
    """A launch that is over: its device, and the arrays among its arguments."""

    device: EmulatorDevice
    arrays: tuple[DeviceArray, ...]

    def __iter__(self) -> Iterator[np.ndarray]:
        """What the arrays hold, in the order of the arguments."""
        return (array.get() for array in self.arrays)


def launch(
    text: str,
    *arguments: Any,
    kernel: str = "k",
    grid: Any = 1,
    block: Any = 32,
    cluster: Any = 1,
    shared_bytes: int = 0,
    device: EmulatorDevice | None = None,
    **options: Any,
) -> Launched:
    """Launch a kernel of a text on an emulator of the text's target, or on `device`.

    Args:
        text: PTX.
        arguments: NumPy arrays, which the device gets copies of, and what a device takes.
        kernel: the kernel's name.
        grid: CTAs.
        block: threads of a CTA.
        cluster: CTAs of a cluster.
        shared_bytes: dynamic shared memory of a CTA.
        device: executes it, if it is not to be opened here.
        options: of `lanemap.open_device`.
    """
    if device is None:
        target = re.search(r"^\.target (\w+)", text, re.MULTILINE)
        assert target, "a text names its target"
        device = lanemap.open_device(target[1], "emulator", **options)
    placed = [device.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    device.load(text)[kernel](grid, block, placed, shared_bytes, cluster)
    return Launched(device, tuple(a for a in placed if isinstance(a, DeviceArray)))


def hazard(text: str, *arguments: Any, **how: Any) -> Hazard | None:
    """The hazard that a launch raises, if any; see `launch`."""
    try:
        launch(text, *arguments, **how)
    except Hazard as caught:
        return caught
    return None
