"""The parameters that a kernel declares to its callers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """One parameter: bytes offset .. offset + size of the kernel's parameter space.

    Attributes:
        name: Its name in the source.
        offset: Its first byte.
        size: Its bytes.
    """

    name: str
    offset: int
    size: int
