"""Modular's documentation of the transpose reads in Mojo.

b8: "each 16-lane row .. performs two interleaved 8x8 byte transposes", one over the even lanes and
one over the odd ones; the lane of pair p receives byte p of the lanes of its own parity. b16: each
row of 16 lanes loads a tile of 4 x 16 and each lane gets a column.
"""

from __future__ import annotations

from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read


def b8(lane: Any, byte: Any) -> tuple[Any, Any]:
    """Lane 2p + o of a row receives byte p of lanes 2j + o."""
    row, pair, odd = lane // 16, lane % 16 // 2, lane % 2
    return 16 * row + 2 * byte + odd, pair


def b16(lane: Any, half: Any) -> tuple[Any, Any]:
    """A row of the tile is the chunks of four lanes; lane c receives column c."""
    column = lane % 16
    return 16 * (lane // 16) + 4 * half + column // 4, column % 4


STATEMENTS = (
    Statement(
        "Modular",
        "modular/modular, Mojo standard library, gpu intrinsics: ds_read_tr8_b64; and the FP8 V "
        "loads of its AMD attention kernels, which word it alike",
        Level.DOCUMENT,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, b8),
        reading="as worded: even and odd lanes are transposed apart",
    ),
    Statement(
        "Modular",
        "modular/modular, Mojo documentation of ds_read_tr16_b64_row",
        Level.DOCUMENT,
        r"ds_read_b64_tr_b16",
        lambda match: transpose_read(16, b16),
    ),
)
