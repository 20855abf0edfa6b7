"""What the emulator does not get right yet, with the reason; whoever mends it removes the lines.

Cells are named `<hazard>: <access kind>-<space>`, and patterns of them written as for a shell. Each
is marked as failing, strictly: a cell that begins to pass while it stands here is an error.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

PTX: dict[str, str] = {}

GFX950: dict[str, str] = {}

TENSOR: dict[str, str] = {}

WGMMA: dict[str, str] = {}

WMMA: dict[str, str] = {}


def gap(known: dict[str, str], cell: str) -> str:
    """Why a cell is known to fail; "" if it is not."""
    return next((why for pattern, why in known.items() if fnmatchcase(cell, pattern)), "")
