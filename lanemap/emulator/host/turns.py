"""Python threads that use one device: they take turns, each for a whole launch."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Turns:
    """A lock that gives a device to one thread at a time; the others wait."""

    def __init__(self, settle: Callable[[], None]) -> None:
        """Let whoever begins to use the device call `settle` first."""
        self._settle = settle
        self._lock = threading.RLock()
        self._depth = 0  # of `take`: a signal handler may launch within a launch
        self._put_off: deque[Callable[[], None]] = deque()

    @contextlib.contextmanager
    def take(self) -> Iterator[None]:
        """Use the device during the `with` block.

        A signal that interrupts this leaves no turn taken: an unreferenced generator is closed.
        """
        with self._lock:
            self._depth += 1
            try:
                if self._depth == 1:
                    self._settle()
                self._catch_up()
                yield
                self._catch_up()
            finally:
                self._depth -= 1

    def put_off(self, action: Callable[[], None]) -> None:
        """Call `action` as soon as no thread uses the device, at the latest before the next does.

        This is for what runs when an object is collected. That happens in any thread at any time,
        so it may neither wait nor change anything under a thread that uses the device, its own
        one included.
        """
        self._put_off.append(action)
        if self._lock.acquire(blocking=False):
            try:
                if not self._depth:
                    with self.take():
                        pass
            finally:
                self._lock.release()

    def _catch_up(self) -> None:
        """Do what was put off, unless a use of the device goes on around this one."""
        while self._depth == 1 and self._put_off:
            self._put_off.popleft()()


class _Shared(Protocol):
    @property
    def turns(self) -> Turns:
        """Those of the device."""


_Self = TypeVar("_Self", bound=_Shared)


def in_turn(
    method: Callable[Concatenate[_Self, _Given], _Result],
) -> Callable[Concatenate[_Self, _Given], _Result]:
    """Let one thread at a time call a method of what has `turns`."""

    @functools.wraps(method)
    def called(self: _Self, /, *arguments: _Given.args, **named: _Given.kwargs) -> _Result:
        with self.turns.take():
            return method(self, *arguments, **named)

    return called
