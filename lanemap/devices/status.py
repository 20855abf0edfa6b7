"""A line on a terminal that says how far a launch is, for those that take longer than a moment."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import TextIO

#: Seconds before the line appears, and between two looks.
_PATIENCE, _PACE = 1.0, 0.25
_CLEAR = "\r\x1b[K"


@contextlib.contextmanager
def status_line(stream: TextIO, say: Callable[[], str]) -> Iterator[None]:
    """Show what `say` returns at the foot of a terminal while the context lasts, then clear it.

    Nothing is shown in the first second, nor where the stream is no terminal. `say` is called by
    another thread. The cursor stays at the beginning of the line, so that what is printed
    meanwhile takes its place.
    """
    if not stream.isatty():
        yield
        return
    ended, shown = threading.Event(), False

    def show() -> None:
        nonlocal shown
        seconds = _PATIENCE
        while not ended.wait(seconds):
            text = say()[: shutil.get_terminal_size().columns - 1]
            shown = True
            stream.write(f"{_CLEAR}{text}\r")
            stream.flush()
            seconds = _PACE

    thread = threading.Thread(target=show, name="lanemap status", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if shown:
            stream.write(_CLEAR)
            stream.flush()
