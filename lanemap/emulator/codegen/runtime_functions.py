"""Functions of the runtime that code of every front end may call."""

from __future__ import annotations

from lanemap.emulator.memory_model import functions as memory_model
from lanemap.emulator.runtime import functions as runtime

FUNCTIONS = {**runtime.FUNCTIONS, **memory_model.FUNCTIONS}
