"""Devices that stand in for the emulator while a probe is scored, and devices that do not work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lanemap.layout import LayoutMap, Space
from tests.probing.lds.standin import StandIn


def bytes_of_sixteen() -> LayoutMap:
    """Lane i of 16 receives column i of the 8 x 16 bytes that their chunks are."""
    register = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 64)))
    table = np.arange(4096).reshape(4, 8, 16, 8).transpose(0, 2, 1, 3).reshape(-1)
    return LayoutMap(register, chunk, table)


def device_of(layout: LayoutMap) -> StandIn:
    """A device in NumPy that moves bits by a layout map; nothing of the emulator is in it."""
    source = layout.table.reshape(64, -1)

    def rule(addresses: np.ndarray, bits: int) -> np.ndarray:
        return 8 * addresses[source // 64] + source % 64

    return StandIn(rule)


class Dead:
    """A device that launches nothing; arrays that it made hold a constant afterwards.

    Args:
        device: What makes its arrays.
        octet: The byte that fills them at each launch; None leaves them as they are.
    """

    def __init__(self, device: Any, octet: int | None) -> None:
        self._device, self._octet = device, octet
        self._made: list[Any] = []
        self.multiprocessors = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def zeros(self, shape: Any, dtype: Any) -> Any:
        self._made.append(self._device.zeros(shape, dtype))
        return self._made[-1]

    empty = zeros

    def load(self, source: str) -> Dead:
        return self

    def __getitem__(self, entry: str) -> Callable[..., None]:
        return self._launch

    def _launch(self, *_: Any, **__: Any) -> None:
        for array in self._made:
            if self._octet is not None:
                octets = np.full(array.nbytes, self._octet, np.uint8)
                array.set(octets.view(array.dtype).reshape(array.shape))
