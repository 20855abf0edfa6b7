"""Times work on an AMD GPU: bursts of launches on a stream, between two events."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Caller(Protocol):
    """The HIP runtime, as `devices.hip.Runtime` has it."""

    def call(self, function: str, *arguments: Any, what: str | None = None) -> Any:
        """Call a HIP function and return what follows the status."""

    def attempt(self, function: str, *arguments: Any) -> None:
        """Call a HIP function whose failure changes nothing for the user."""


class Burst:
    """Launches of the same work, one after the other."""

    def __init__(self, runtime: Caller, enqueue: Callable[[Any], None]) -> None:
        """Run the work once; `enqueue` takes a stream of hip-python and must not wait."""
        self._runtime, self._enqueue = runtime, enqueue
        self._stream = runtime.call("hipStreamCreate")
        self._events = [runtime.call("hipEventCreate") for _ in range(2)]
        for event in self._events:
            weakref.finalize(self, runtime.attempt, "hipEventDestroy", event)
        weakref.finalize(self, runtime.attempt, "hipStreamDestroy", self._stream)
        enqueue(self._stream)  # loads what the first launch loads
        runtime.call("hipStreamSynchronize", self._stream)

    def run(self, launches: int) -> tuple[float, Mapping[str, Any]]:
        """Return milliseconds of one launch, and the card's state, of which HIP says nothing.

        Raises:
            UserError: the work fails.
        """
        begin, end = self._events
        self._runtime.call("hipEventRecord", begin, self._stream)
        for _ in range(launches):
            self._enqueue(self._stream)
        self._runtime.call("hipEventRecord", end, self._stream)
        self._runtime.call("hipEventSynchronize", end, what="the work that is timed")
        elapsed = float(self._runtime.call("hipEventElapsedTime", begin, end))
        return elapsed / launches, {}
