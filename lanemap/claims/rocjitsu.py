"""rocjitsu, AMD's simulator, since it was corrected for b8 and b16.

Pull request 10175 gives b16 in words: halfword n of lane l comes from halfword l & 3 of lane
((l & ~15) | ((l >> 2) & 3)) + 4n. Pull request 10589 gave b8 the layout of 16 lanes likewise.
"""

from __future__ import annotations

from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read


def b16(lane: Any, half: Any) -> tuple[Any, Any]:
    """The map that the description of pull request 10175 states."""
    return ((lane & ~15) | ((lane >> 2) & 3)) + 4 * half, lane & 3


def b8(lane: Any, byte: Any) -> tuple[Any, Any]:
    """The same of 8 rows of two lanes each."""
    return ((lane & ~15) | ((lane >> 3) & 1)) + 2 * byte, lane & 7


STATEMENTS = (
    Statement(
        "rocjitsu",
        "ROCm/rocm-systems, pull request 10589: destination-centric 16-lane layout of B64_TR_B8",
        Level.SIMULATOR,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, b8),
    ),
    Statement(
        "rocjitsu",
        "ROCm/rocm-systems, pull request 10175: lane layout of ds_read_b64_tr_b16",
        Level.SIMULATOR,
        r"ds_read_b64_tr_b16",
        lambda match: transpose_read(16, b16),
    ),
)
