"""Memory that launches need for themselves: one for each stream, whose launches follow each other.

It has floats that nothing has written, and counters that are zero before and after each launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock, get_ident
from typing import Any, TypeAlias

import numpy as np

#: Floats and counters.
Arrays: TypeAlias = tuple[Any, Any]
#: cudaStreamPerThread: one handle for a stream of each thread.
_PER_THREAD = 2


@dataclass(frozen=True)
class _Own:
    """What a stream has: arrays, their lengths, and their addresses."""

    arrays: Arrays
    floats: int
    counters: int
    addresses: tuple[int, int]


class Scratch:
    """The scratch memory of a device."""

    def __init__(self, device: Any) -> None:
        """Begin without any."""
        self._device, self._lock = device, Lock()
        self._by_stream: dict[tuple[int, int], _Own] = {}
        # Launches that were enqueued with smaller arrays may still run, and graphs keep addresses.
        self._outgrown: list[Arrays] = []
        self._capture = 0
        self._in_capture: dict[int, tuple[int, int, Sequence[int], Any]] = {}

    def of(self, stream: int, floats: int, counters: int) -> Arrays:
        """Return arrays of a stream, named by its handle, that are at least so long.

        Where they grow, this waits until they are zero.
        """
        return self._of(stream, floats, counters).arrays

    def addresses(self, stream: int, floats: int, counters: int) -> tuple[int, int]:
        """Return the addresses of the arrays that `of` returns."""
        return self._of(stream, floats, counters).addresses

    def _of(self, stream: int, floats: int, counters: int) -> _Own:
        key = stream, get_ident() if stream == _PER_THREAD else 0
        found = self._by_stream.get(key)
        if found is not None and found.floats >= floats and found.counters >= counters:
            return found
        with self._lock:
            if found is not None:
                self._outgrown.append(found.arrays)
                floats = _grown(max(floats, found.floats))
                counters = _grown(max(counters, found.counters))
            sums, zeros = made = self._made(floats, counters)
            own = _Own(made, floats, counters, (sums.address, zeros.address))
            self._by_stream[key] = own
            return own

    def captured(
        self, capture: int, stream: int, floats: int, counters: int, home: Any
    ) -> Sequence[int]:
        """Return the addresses of arrays for launches that a graph records on a stream.

        A graph may run beside anything else, so it has memory of its own, which the arrays' library
        gives; it zeroes the counters whenever it runs.

        Args:
            capture: The number of the capture, which no other one has.
            stream: Handle of the stream.
            floats: How many are needed.
            counters: Likewise.
            home: The arrays' library, of `homes`.
        """
        with self._lock:
            if capture != self._capture:  # PyTorch's memory stays with the graph
                self._capture, self._in_capture = capture, {}
            found = self._in_capture.get(stream)
            if found is None or found[0] < floats or found[1] < counters:
                zeros = home.zeros(counters)
                sums = home.empty((floats,), home.dtype(np.dtype(np.float32), "float32"))
                addresses, _ = home.addresses([sums, zeros], 0)
                before = found[3] if found else ()
                found = floats, counters, addresses, (sums, zeros, before)
                self._in_capture[stream] = found
                if home.forgets:
                    self._outgrown.append((sums, zeros))
            return found[2]

    def forget(self) -> None:
        """Forget all arrays: a launch that failed may have left counters that are not zero."""
        with self._lock:
            self._outgrown += [each.arrays for each in self._by_stream.values()]
            self._by_stream.clear()

    def _made(self, floats: int, counters: int) -> Arrays:
        device = self._device
        made = (
            device.empty((floats,), np.float32, name="partial sums"),
            device.zeros((counters,), np.uint32, name="arrivals"),
        )
        device.synchronize()
        return made


def _grown(size: int) -> int:
    """Return the next power of two, so that arrays grow a few times only."""
    return 1 << (size - 1).bit_length()


@cache
def scratch_of(device: Any) -> Scratch:
    """Return the scratch memory of a device."""
    return Scratch(device)
