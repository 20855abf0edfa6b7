"""Threads that a script starts: `cuda` is redirected in them, and they belong to the script."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from lanemap.check.findings import Findings, Stopped, named, show_traceback
from lanemap.errors import UserError

NOT_REDIRECTED = (
    "`cuda` is redirected in the thread that runs the script and in those of Python's module "
    "threading, not in others"
)
#: lanemap's own threads, which use no tensors.
_OWN = "lanemap "
_of_thread = threading.local()


def is_redirected() -> bool:
    """Whether `cuda` means the emulator in this thread."""
    return getattr(_of_thread, "redirected", False)


@contextlib.contextmanager
def redirected(modes: AbstractContextManager[Any]) -> Iterator[None]:
    """Let `modes` redirect `cuda` in this thread during the `with` block."""
    before = is_redirected()
    with modes:
        _of_thread.redirected = True
        try:
            yield
        finally:
            _of_thread.redirected = before


@contextlib.contextmanager
def in_threads(
    modes: Callable[[], AbstractContextManager[Any]], findings: Findings
) -> Iterator[None]:
    """Redirect `cuda` in threads that start during the `with` block.

    An exception that ends one is noted, unless the script has a `threading.excepthook` of its own.

    Args:
        modes: Makes what redirects `cuda` in the thread that enters it.
        findings: Where the end of a thread is noted.
    """
    hook, start = threading.excepthook, threading.Thread.start

    def start_redirected(thread: threading.Thread) -> None:
        if not thread.name.startswith(_OWN):
            body = thread.run
            # An attribute of the object hides the method, whichever class has it.
            thread.run = lambda: run(body)  # type: ignore[method-assign]
        start(thread)

    def run(body: Callable[[], None]) -> None:
        try:
            with redirected(modes()):
                body()
        except Exception as error:
            if threading.excepthook is not hook:
                raise
            _note(error, findings)

    threading.Thread.start = start_redirected  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        threading.Thread.start = start  # type: ignore[method-assign]


def _note(error: Exception, findings: Findings) -> None:
    """Note why a thread ended; what is refused and what is a hazard has been told already."""
    if isinstance(error, UserError):
        if error not in findings.refused:
            findings.refuse(error)
    elif not isinstance(error, Stopped):
        place = named(show_traceback(error))
        findings.fail(f"a thread raised {type(error).__name__}" + (f" at {place}" if place else ""))
