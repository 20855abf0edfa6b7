"""How much memory a process may use on this machine."""

from __future__ import annotations

import functools
import os
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup/memory.max")


@functools.cache
def machine_bytes() -> int:
    """Bytes of the machine's memory, or of what a container is allowed of it."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        allowed = _CGROUP.read_text().strip()
    except OSError:  # no cgroup of version 2
        return total
    return min(total, int(allowed)) if allowed.isdigit() else total
