"""The machine and the versions that a measurement is reported with."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path


def describe() -> dict[str, str]:
    """The processor, the cores that may be used, what else ran, the versions that make the code.

    `load` is the system's average of running processes over the last minute: above zero before a
    measurement begins, others share the cores and the times are too long.
    """
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "load": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "llvmlite": importlib.metadata.version("llvmlite"),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(("model name", "CPU part")):
            return line.split(":", 1)[1].strip()
    return platform.machine()
