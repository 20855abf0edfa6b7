"""The octet rule: the plain 8x8 transpose of the bytes of every eight lanes.

A probe that gives all lanes one address suggests this rule: byte l & 7 arrives eight times, and the
readings do not show which lane's chunk it came from.
"""

from __future__ import annotations

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read

STATEMENTS = (
    Statement(
        "the octet rule",
        "nobody's text: the rule that the design notes' probe with one uniform address suggests",
        Level.DOCUMENT,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, lambda lane, byte: (lane // 8 * 8 + byte, lane % 8)),
    ),
)
