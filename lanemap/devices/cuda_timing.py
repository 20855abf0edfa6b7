"""Times work on an NVIDIA GPU: bursts of launches in a graph, between two events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lanemap.devices.nvml import card_state

#: Launches of one graph; a longer burst replays it.
_NODES = 100


class Burst:
    """Launches of the same work, recorded once, so that the host costs nothing.

    Where there are several, such as the same work on copies of its operands, they take turns.
    """

    def __init__(self, cupy: Any, enqueues: Sequence[Callable[[int], None]]) -> None:
        """Record work; each function takes a stream's handle and must not wait."""
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._events = cupy.cuda.Event(), cupy.cuda.Event()
        self._elapsed = cupy.cuda.get_elapsed_time
        for enqueue in enqueues:
            enqueue(self._stream.ptr)  # loads what the first launch loads
        self._stream.synchronize()
        self._round = len(enqueues)
        self._rounds = max(1, _NODES // self._round)
        self._graphs = {count: self._record(enqueues, count) for count in {1, self._rounds}}

    def _record(self, enqueues: Sequence[Callable[[int], None]], rounds: int) -> Any:
        self._stream.begin_capture()
        for _ in range(rounds):
            for enqueue in enqueues:
                enqueue(self._stream.ptr)
        graph = self._stream.end_capture()
        graph.upload(stream=self._stream)
        return graph

    def run(self, launches: int) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one launch, and the card's state while they ran.

        Args:
            launches: At least so many; each work has as many as the others.

        Raises:
            UserError: the work fails.
        """
        rounds = -(-launches // self._round)
        begin, end = self._events
        begin.record(self._stream)
        for _ in range(rounds // self._rounds):
            self._graphs[self._rounds].launch(stream=self._stream)
        for _ in range(rounds % self._rounds):
            self._graphs[1].launch(stream=self._stream)
        end.record(self._stream)
        state = card_state()
        end.synchronize()
        return float(self._elapsed(begin, end)) / (rounds * self._round), state
