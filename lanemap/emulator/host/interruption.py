"""Ctrl-C while compiled code runs: a word that the run loop reads is set when a signal arrives.

Python runs signal handlers in the main thread between two bytecodes, so never while that thread is
inside the run loop. CPython's own C handler writes a byte to the wakeup descriptor, however; a
thread that waits for such bytes sets the word. The run loop then returns, and Python runs the
handler: by default it raises KeyboardInterrupt. Handlers stay what the user made them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

from lanemap.emulator.runtime import abi


class _Watcher:
    """The thread that waits for signals, and the launches whose word it sets."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._reading, self.writing = os.pipe()
        os.set_blocking(self.writing, False)
        #: The launch of the main thread that runs, and whose wakeup descriptor was replaced.
        self.running: list[abi.Launch] = []
        self.previous = -1
        threading.Thread(target=self._watch, name="lanemap signals", daemon=True).start()

    def of_this_process(self) -> bool:
        """Whether the thread exists: a fork keeps only the thread that forked."""
        return self._process == os.getpid()

    def _watch(self) -> None:
        while True:
            numbers = os.read(self._reading, 64)
            for launch in self.running:
                launch.interrupted = 1
            if self.previous >= 0:
                with contextlib.suppress(OSError):  # its reader may be gone
                    os.write(self.previous, numbers)


_watcher: _Watcher | None = None


@contextlib.contextmanager
def interruptible(launch: abi.Launch) -> Iterator[None]:
    """Let signals set `launch.interrupted` during the `with` block; main thread only."""
    global _watcher
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _watcher is None or not _watcher.of_this_process():
        _watcher = _Watcher()
    watcher, previous = _watcher, -1
    watcher.running.append(launch)
    try:
        previous = signal.set_wakeup_fd(watcher.writing, warn_on_full_buffer=False)
        if previous != watcher.writing:  # else a signal handler launches within a launch
            watcher.previous = previous
        yield
    finally:
        signal.set_wakeup_fd(previous)
        watcher.running.remove(launch)
