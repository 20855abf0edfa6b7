"""Copies of rows of bytes, for operands that TMA cannot reach as they lie."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanemap.benching.build import CompiledKernel
from lanemap.benching.launch import Launch, loaded, multiprocessors
from lanemap.devices.arguments import ByValue

if TYPE_CHECKING:
    from lanemap.records.files import Roots

_THREADS, _CTAS_OF_AN_SM = 256, 8
#: Bytes that a thread writes at once.
_UNIT = 16


@dataclass(frozen=True)
class Rows:
    """Rows as they lie in memory.

    Attributes:
        count: How many there are.
        size: Bytes of each.
        pitch: Bytes from one to the next.
    """

    count: int
    size: int
    pitch: int

    @property
    def element(self) -> str:
        """They are bytes of any type."""
        return "uint8"


def rows_of(shape: Sequence[int], steps: Sequence[int] | None, item: int) -> Rows | None:
    """Return the rows of an array; None unless elements are adjacent and rows equally far apart.

    Args:
        shape: Sizes of its dimensions.
        steps: Bytes from one index to the next of each; by default those of a contiguous array.
        item: Bytes of an element.
    """
    *sizes, columns = shape
    if steps is None:
        return Rows(math.prod(sizes), columns * item, columns * item)
    if columns > 1 and steps[-1] != item:
        return None
    along = [(size, step) for size, step in zip(sizes, steps[:-1], strict=True) if size > 1]
    pitch = along[-1][1] if along else columns * item
    expected = pitch
    for size, step in reversed(along):
        if step != expected:
            return None
        expected = step * size
    return Rows(math.prod(sizes), columns * item, pitch) if pitch > 0 else None


@dataclass(frozen=True)
class RowsKernel(CompiledKernel[Rows, None]):
    """What copies them."""

    target: str
    name: str = "ss_gemm"

    @property
    def stem(self) -> str:
        """Name of its source."""
        return "rows"

    def defines(self, problem: Rows, tiling: None) -> dict[str, int]:
        """Return none."""
        return {}

    def headers(self, problem: Rows, tiling: None, results: Roots) -> dict[str, str]:
        """Return none."""
        return {}

    def enqueue(
        self, device: Any, rows: Rows, to_pitch: int, from_pitch: int
    ) -> Callable[..., None]:
        """Return a function that copies rows, by a stream's handle, where to and where from."""
        to, source = (device.zeros(16, "uint8") for _ in range(2))
        module = loaded(device, self.ptx(rows, None))
        most = multiprocessors(device) * _CTAS_OF_AN_SM
        units = -(-(rows.size + _UNIT - 1) // _UNIT)  # of a row that begins at the end of one
        lying = struct.pack("<5Q", to_pitch, from_pitch, rows.size, rows.count, units)
        launch = Launch(
            module["copy_rows"],
            max(1, min(-(-rows.count * units // _THREADS), most)),
            _THREADS,
            (to, source, ByValue(lying, 8)),
            overlaps=True,
        )
        return launch.enqueue((to, source))
