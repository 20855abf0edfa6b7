"""Times work on an NVIDIA GPU: bursts of launches in a graph, between two events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lanemap.devices.nvml import card_state

#: Launches of one graph; a longer burst replays it.
_NODES = 100


class Burst:
    """A number of launches of the same work, recorded once, so that the host costs nothing."""

    def __init__(self, cupy: Any, enqueue: Callable[[int], None]) -> None:
        """Record work; `enqueue` takes a stream's handle and must not wait."""
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._events = cupy.cuda.Event(), cupy.cuda.Event()
        self._elapsed = cupy.cuda.get_elapsed_time
        enqueue(self._stream.ptr)  # loads what the first launch loads
        self._stream.synchronize()
        self._graphs = {count: self._record(enqueue, count) for count in (1, _NODES)}

    def _record(self, enqueue: Callable[[int], None], count: int) -> Any:
        self._stream.begin_capture()
        for _ in range(count):
            enqueue(self._stream.ptr)
        graph = self._stream.end_capture()
        graph.upload(stream=self._stream)
        return graph

    def run(self, launches: int) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one launch, and the card's state while they ran.

        Raises:
            UserError: the work fails.
        """
        begin, end = self._events
        begin.record(self._stream)
        for _ in range(launches // _NODES):
            self._graphs[_NODES].launch(stream=self._stream)
        for _ in range(launches % _NODES):
            self._graphs[1].launch(stream=self._stream)
        end.record(self._stream)
        state = card_state()
        end.synchronize()
        return float(self._elapsed(begin, end)) / launches, state
