"""Primus-Turbo's FP8 GEMM for gfx950: the operand read that makes its product right.

In the first of four reads lane l gives the address of 8 contiguous columns of one k: k is
16*(l/16) + (l%16)/2, the columns are 8*(l%2) on. The 16x16x128 MFMA wants column l%16 in lane l,
and in its first two registers k from 16*(l/16) on.
"""

from __future__ import annotations

import re

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import LayoutMap

LANES, BYTES = 64, 8


def _read(match: re.Match[str]) -> LayoutMap:
    chunks = {(16 * (lane // 16) + lane % 16 // 2, lane % 2): lane for lane in range(LANES)}
    givers = np.array(
        [
            [chunks[16 * (lane // 16) + row, lane % 16 // 8] for row in range(BYTES)]
            for lane in range(LANES)
        ]
    )
    return transpose_read(8, lambda lane, element: (givers[lane, element], lane % 8))


STATEMENTS = (
    Statement(
        "Primus-Turbo",
        "AMD-AGI/Primus-Turbo, primus_turbo/flydsl/utils/gemm_helper.py, S2RLoaderTr._ptr_off, for "
        "v_mfma_f32_16x16x128_f8f6f4",
        Level.HW_CI,
        r"ds_read_b64_tr_b8",
        _read,
        reading="the one map that brings the operand that the MFMA needs from the chunks that the "
        "lanes address",
    ),
)
