"""The notes on `ds_read_b64_tr_b8` that this project grew from: first a gather, then a broadcast.

The gather, later struck out by its author: byte j of a lane is LDS[base + 8*j]. All bytes but the
first lie outside the chunk at the lane's address, so that only the first can be said in terms of
chunks. The broadcast: eight identical bytes in each lane, which differ between lanes, seen with one
address for all lanes. Read as a rule about the lane's own address, it means byte l & 7 of the
lane's own chunk. Only this byte agrees with the notes wherever the bytes read had been written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import UNDEFINED

_NOTES = "design notes that the project grew from: TR8-compatible layout, {}"


def gather(lane: Any, byte: Any) -> tuple[Any, Any]:
    """LDS[base + 8*j], of which byte 0 lies in the chunk."""
    return lane, np.where(byte == 0, 0, UNDEFINED)


def broadcast(lane: Any, byte: Any) -> tuple[Any, Any]:
    """Eight times the same byte of the chunk at the lane's own address."""
    return lane + 0 * byte, lane % 8


STATEMENTS = (
    Statement(
        "design notes, stride-8 gather",
        _NOTES.format("'original (incorrect) assumption'"),
        Level.DOCUMENT,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, gather),
        reading="bytes 1 to 7 lie outside the chunks that lanes give addresses of, and are unsaid",
    ),
    Statement(
        "design notes, broadcast",
        _NOTES.format("'critical finding'"),
        Level.DOCUMENT,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, broadcast),
        reading="the byte that repeats is taken to be byte l & 7 of the lane's own chunk",
        condition="seen with one address for all lanes",
    ),
)
