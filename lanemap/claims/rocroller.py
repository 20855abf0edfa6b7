"""rocRoller's GPU tests of the transpose reads: addresses given, results expected.

`TransposeLoadsTest` fills LDS with a row-major matrix of K rows by 16 columns, gives each lane the
chunk of a table of indices, and expects in register r of lane l elements of column l of the
matrix. Where each expected element lies in LDS says which chunk it must have come from.
"""

from __future__ import annotations

import re

import numpy as np

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read
from lanemap.layout import UNDEFINED, LayoutMap

LANES = 64
COLUMNS = 16


def _chunk_indices(elements: int) -> list[int]:
    """The chunk of LDS, in LDS order, that each lane's address names; two loads share the matrix.

    Args:
        elements: Elements of a chunk.
    """
    beside = COLUMNS // elements
    indices = [0] * LANES
    for group in range(4):
        for row in range(elements):
            for part in range(beside):
                lane = elements * beside * group + beside * row + part
                indices[lane] = 2 * elements * beside * group + beside * row + part
    return indices


def _read(match: re.Match[str]) -> LayoutMap:
    """The lane whose chunk holds each expected element, and its place in the chunk."""
    bits = int(match["bits"])
    elements = (96 if bits == 6 else 64) // bits
    beside = COLUMNS // elements
    giver_of = {chunk: lane for lane, chunk in enumerate(_chunk_indices(elements))}
    # A register holds `run` elements, a load `registers`; the b6 test counts one register of 16.
    run, registers = (16, 1) if bits == 6 else (32 // bits, 2)
    givers = np.full((LANES, elements), UNDEFINED)
    offsets = np.full((LANES, elements), UNDEFINED)
    for register in range(registers):
        for lane in range(LANES):
            for each in range(run):
                group, column = lane // COLUMNS, lane % COLUMNS
                row = group * 2 * registers * run + register * run + each
                chunk = row * beside + column // elements
                givers[lane, register * run + each] = giver_of[chunk]
                offsets[lane, register * run + each] = column % elements
    return transpose_read(
        bits, lambda lane, element: (givers[lane, element], offsets[lane, element])
    )


STATEMENTS = (
    Statement(
        "rocRoller",
        "ROCm/rocm-libraries, shared/rocroller, TransposeLoadsTest.cpp, executeTransposeLoad: "
        "trLoadIdx and the expected results of MN = 16",
        Level.HW_CI,
        r"ds_read_b(?:64|96)_tr_b(?P<bits>16|8|4|6)",
        _read,
        reading="an expected element came from the lane whose address names its chunk",
    ),
)
