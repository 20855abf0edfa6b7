"""Times work on an NVIDIA GPU: bursts of launches in a graph, copies, kernels by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from lanemap.devices.cupti import kernel_spans, version
from lanemap.devices.nvml import card_state
from lanemap.errors import UserError

#: Launches of one graph at most. Between two graphs a GPU is idle for the time of several short
#: kernels, so that a burst is one graph where it can be.
_NODES = 1000


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
        self._enqueues = enqueues
        self._rounds = max(1, _NODES // len(enqueues))
        self._graphs: dict[int, Any] = {}

    def _graph(self, rounds: int) -> Any:
        """Return a graph of so many rounds of all work, recorded once."""
        if rounds not in self._graphs:
            self._stream.begin_capture()
            for _ in range(rounds):
                for enqueue in self._enqueues:
                    enqueue(self._stream.ptr)
            self._graphs[rounds] = self._stream.end_capture()
            self._graphs[rounds].upload(stream=self._stream)
        return self._graphs[rounds]

    def _graphs_of(self, rounds: int) -> list[Any]:
        whole, rest = divmod(rounds, self._rounds)
        return [self._graph(self._rounds)] * whole + ([self._graph(rest)] if rest else [])

    def run(self, launches: int, lead: int = 0) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one launch, and the card's state while they ran.

        Args:
            launches: At least so many; each work has as many as the others.
            lead: Launches that go before these without a pause, so that no time counts in which the
                host prepares what is timed.

        Raises:
            UserError: the work fails.
        """
        before, rounds = (-(-count // len(self._enqueues)) for count in (lead, launches))
        untimed, timed = self._graphs_of(before), self._graphs_of(rounds)
        begin, end = self._events
        for graph in untimed:
            graph.launch(stream=self._stream)
        begin.record(self._stream)
        for graph in timed:
            graph.launch(stream=self._stream)
        end.record(self._stream)
        state = card_state()
        end.synchronize()
        return float(self._elapsed(begin, end)) / (rounds * len(self._enqueues)), state


class Copy:
    """Copies from one array of the GPU's memory to another, timed as launches of a burst are.

    They are not replayed from a graph, which leaves copies to slower engines.
    """

    def __init__(self, cupy: Any, size_bytes: int) -> None:
        """Allocate both arrays."""
        self._runtime, self._bytes = cupy.cuda.runtime, size_bytes
        self._arrays = cupy.zeros(size_bytes, "u1"), cupy.empty(size_bytes, "u1")
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._events = cupy.cuda.Event(), cupy.cuda.Event()
        self._elapsed = cupy.cuda.get_elapsed_time
        cupy.cuda.runtime.deviceSynchronize()

    def _enqueue(self, copies: int) -> None:
        source, target = self._arrays
        for _ in range(copies):
            self._runtime.memcpyAsync(
                target.data.ptr,
                source.data.ptr,
                self._bytes,
                self._runtime.memcpyDeviceToDevice,
                self._stream.ptr,
            )

    def run(self, launches: int, lead: int = 0) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one copy, and the card's state while they ran.

        Args:
            launches: Copies.
            lead: Those that go before them; see `Burst.run`.
        """
        begin, end = self._events
        self._enqueue(lead)
        begin.record(self._stream)
        self._enqueue(launches)
        end.record(self._stream)
        state = card_state()
        end.synchronize()
        return float(self._elapsed(begin, end)) / launches, state


def kernel_microseconds(
    cupy: Any, enqueues: Sequence[Callable[[int], None]], rounds: int
) -> tuple[float, str]:
    """Return the median time of the kernels of one launch, and the tool that measured it.

    Raises:
        MissingEnvironment: CUPTI is not here.
        UserError: launches have different numbers of kernels, or CUPTI refuses.
    """
    stream = cupy.cuda.Stream(non_blocking=True)

    def work() -> None:
        for _ in range(rounds):
            for enqueue in enqueues:
                enqueue(stream.ptr)
        stream.synchronize()

    work()  # what the first launch loads
    spans, launches = kernel_spans(work), rounds * len(enqueues)
    each = len(spans) // launches
    if not spans or len(spans) != each * launches:
        raise UserError(f"CUPTI saw {len(spans)} kernels of {launches} launches")
    taken = [end - start for start, end in spans]
    sums = [sum(taken[first : first + each]) for first in range(0, len(taken), each)]
    return round(median(sums) / 1000, 3), f"CUPTI {version()}"
