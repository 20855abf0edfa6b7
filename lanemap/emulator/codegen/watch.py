"""What observers of a launch asked for."""

from __future__ import annotations

from enum import IntEnum


class Watch(IntEnum):
    """What a launch records: nothing, counts, or counts and a trace."""

    NOTHING = 0
    COUNT = 1
    TRACE = 2
