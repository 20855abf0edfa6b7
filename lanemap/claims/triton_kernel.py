"""A kernel that Triton compiled for gfx950, which is right only under one of the rival rules.

Triton 3.9 compiled FP8 P @ V; its assembly reads V through `ds_read_b64_tr_b8`. Executed under the
transpose of 16 lanes, its product equals NumPy's bit for bit; under the transpose of each octet,
under the grouping that rocjitsu once had and under the wording of Modular's documentation it does
not. tests/evidence/test_triton_pv.py executes it under each.
"""

from __future__ import annotations

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read

STATEMENTS = (
    Statement(
        "Triton 3.9's compiled FP8 P @ V",
        "tests/evidence/triton_pv: assembly by triton 3.9.0 for gfx950, executed under each rival "
        "rule by tests/evidence/test_triton_pv.py",
        Level.EXEC,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(
            8, lambda lane, byte: ((lane // 16) * 16 + 2 * byte + lane // 8 % 2, lane % 8)
        ),
        reading="of the rules tried, the one under which its results are right",
        follows="Triton, AMD back end",
    ),
)
