"""Launches of an NVIDIA GPU in a given order, and what they take by the clocks of the host."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

#: Puts work on a stream, named by its handle, and does not wait.
Enqueue = Callable[[int], None]


@dataclass(frozen=True)
class Enqueued:
    """Times of launches as the host measured them.

    Attributes:
        events_ns: From an event before the work to one after it, by cudaEventElapsedTime.
        host_ns: From the call that enqueues the first to the return of the last.
        held: Whether nothing of it had begun when the host was done.
    """

    events_ns: float
    host_ns: int
    held: bool


class Orders:
    """Puts launches on a stream of its own."""

    def __init__(self, cupy: Any) -> None:
        """Make the stream and its events."""
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._held, self._begin, self._end = (cupy.cuda.Event() for _ in range(3))
        self._other = cupy.cuda.Stream(non_blocking=True)
        self._elapsed = cupy.cuda.get_elapsed_time
        self._synchronize = cupy.cuda.runtime.deviceSynchronize

    def behind(
        self, hold: Enqueue, first: Enqueue, work: Sequence[Enqueue], last: Enqueue, graphs: int = 0
    ) -> Enqueued:
        """Enqueue `first`, the work and `last` behind `hold`, and wait until all are done.

        Args:
            hold: keeps the stream busy meanwhile.
            first: is launched before the work.
            work: one launch each.
            last: is launched after it.
            graphs: into how many graphs the work goes, in order; 0 for the stream itself.
        """
        stream = self._stream
        recorded = self._recorded(work, graphs) if graphs else work
        self._synchronize()
        hold(stream.ptr)
        self._held.record(stream)
        self._begin.record(stream)
        first(stream.ptr)
        start = time.perf_counter_ns()
        for each in recorded:
            each(stream.ptr)
        host_ns = time.perf_counter_ns() - start
        last(stream.ptr)
        self._end.record(stream)
        held = not self._held.done
        stream.synchronize()
        return Enqueued(float(self._elapsed(self._begin, self._end)) * 1e6, host_ns, held)

    def one_by_one(self, work: Sequence[Enqueue]) -> Enqueued:
        """Enqueue each launch when the one before it is done."""
        stream = self._stream
        self._synchronize()
        start = time.perf_counter_ns()
        for each in work:
            each(stream.ptr)
            stream.synchronize()
        return Enqueued(0.0, time.perf_counter_ns() - start, True)

    def beside(self, load: Enqueue, work: Sequence[Enqueue]) -> bool:
        """Enqueue the work while `load` runs on another stream, and wait until both are done.

        Returns:
            whether the load ran until the work was done.
        """
        self._synchronize()
        load(self._other.ptr)
        self._held.record(self._other)
        for each in work:
            each(self._stream.ptr)
        self._stream.synchronize()
        ran = not self._held.done
        self._synchronize()
        return ran

    def _recorded(self, work: Sequence[Enqueue], graphs: int) -> list[Enqueue]:
        """The launches as so many graphs."""
        each = -(-len(work) // graphs)
        found: list[Enqueue] = []
        for number in range(graphs):
            self._stream.begin_capture()
            for one in work[number * each : (number + 1) * each]:
                one(self._stream.ptr)
            graph = self._stream.end_capture()
            graph.upload(stream=self._stream)
            found.append(self._launching(graph))
        return found

    def _launching(self, graph: Any) -> Enqueue:
        return lambda _: graph.launch(stream=self._stream)
