"""gau-nernst/learn-cuda: a matrix product with A in tensor memory that its author ran on a B200.

Thread `tid` loads 16 consecutive BF16 of row `tid` of A as eight 32-bit words and stores them by a
plain 32x32b.x8 `tcgen05.st`; D is read back by 32x32b.x8 as 8 columns of the same row.
"""

from __future__ import annotations

import re

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import lanes_are_rows, matrix, tensor_memory
from lanemap.layout import LayoutMap

_FILE = "gau-nernst/learn-cuda, 02e_matmul_sm100/_matmul_tmem.cu at 7623fe2 (B200), {}"


def _operand(match: re.Match[str]) -> LayoutMap:
    """Word r of a thread is elements 2r and 2r + 1 of its row, the first in the low half."""
    return LayoutMap.from_function(
        tensor_memory(128, 8),
        matrix("row", "k", 128, 16, 16),
        lambda lane, column, bit: {"row": lane, "k": 2 * column + bit // 16, "bit": bit % 16},
    )


STATEMENTS = (
    Statement(
        "learn-cuda",
        _FILE.format("gmem to rmem to tmem"),
        Level.HW_RUN,
        r"tcgen05\.mma\.cta_group::1\.kind::f16\.m128\.bf16:A",
        _operand,
        reading="memory order of a row's elements, kept by ld.global.v8.b32 and a plain st",
    ),
    Statement(
        "learn-cuda",
        _FILE.format("tmem to rmem: Layout D"),
        Level.HW_RUN,
        r"tcgen05\.mma\.cta_group::1\.m128n(?P<n>128)\.f32:D",
        lambda match: lanes_are_rows(int(match["n"])),
    ),
)
