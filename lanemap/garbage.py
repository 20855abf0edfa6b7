"""Garbage collections while modules are imported, and a text is loaded or compiled."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Hold off garbage collections: a text becomes a hundred thousand objects, of which most stay.

    Collections cost a third of the time to load a text, and a twentieth of that to compile one; and
    of the modules that a kernel's first launch imports, whose objects all stay.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
