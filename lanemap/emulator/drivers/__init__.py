"""Shared libraries that stand in for the runtime libraries that others' programs load.

Each `NAME.c` here is linked as `libNAME.so` when lanemap is installed (runtime/build.py). Such a
library forwards calls to the functions that its loader registers. A folder here is linked as one
library, too: cuda/ as libcuda.so.1.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from lanemap.emulator.runtime import built
from lanemap.errors import MissingEnvironment


def driver_library(name: str) -> Path:
    """Return the library `libNAME.so` for this machine, or one of a whole name: `libcuda.so.1`.

    Raises:
        MissingEnvironment: there is none for its system or its processor.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in built.MACHINES:
        called = name if name in built.COMPOUND else f"lib{name}.so"
        raise MissingEnvironment(
            f"{called} is there for Linux on {' and '.join(built.MACHINES)}; this is "
            f"{sys.platform} on {machine}"
        )
    if name in built.COMPOUND:
        return built.DRIVERS / machine / name
    return built.library(built.DRIVERS / f"{name}.c", machine)
