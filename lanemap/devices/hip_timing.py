"""Times work on an AMD GPU: bursts of launches on a stream, between two events."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol


class Caller(Protocol):
    """The HIP runtime, as `devices.hip.Runtime` has it."""

    def call(self, function: str, *arguments: Any, what: str | None = None) -> Any:
        """Call a HIP function and return what follows the status."""

    def attempt(self, function: str, *arguments: Any) -> None:
        """Call a HIP function whose failure changes nothing for the user."""


class Burst:
    """Launches of the same work; several, such as on copies of its operands, take turns."""

    def __init__(self, runtime: Caller, enqueues: Sequence[Callable[[int], None]]) -> None:
        """Run the work once; each function takes a stream's handle and must not wait."""
        self._runtime, self._enqueues = runtime, enqueues
        self._stream = runtime.call("hipStreamCreate")
        self._events = [runtime.call("hipEventCreate") for _ in range(2)]
        for event in self._events:
            weakref.finalize(self, runtime.attempt, "hipEventDestroy", event)
        weakref.finalize(self, runtime.attempt, "hipStreamDestroy", self._stream)
        for enqueue in enqueues:
            enqueue(int(self._stream))  # loads what the first launch loads
        runtime.call("hipStreamSynchronize", self._stream)

    def _enqueue(self, launches: int) -> int:
        """Put at least so many on the stream, and return how many they are."""
        rounds = -(-launches // len(self._enqueues))
        for _ in range(rounds):
            for enqueue in self._enqueues:
                enqueue(int(self._stream))
        return rounds * len(self._enqueues)

    def run(self, launches: int, lead: int = 0) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one launch, and the card's state, which HIP does not report.

        Args:
            launches: At least so many; each work has as many as the others.
            lead: Launches that go before these without a pause, so that no time counts in which the
                host prepares what is timed.

        Raises:
            UserError: the work fails.
        """
        begin, end = self._events
        self._enqueue(lead)
        self._runtime.call("hipEventRecord", begin, self._stream)
        count = self._enqueue(launches)
        self._runtime.call("hipEventRecord", end, self._stream)
        self._runtime.call("hipEventSynchronize", end, what="the work that is timed")
        elapsed = float(self._runtime.call("hipEventElapsedTime", begin, end))
        return elapsed / count, {}
