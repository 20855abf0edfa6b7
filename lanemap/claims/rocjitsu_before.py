"""rocjitsu, AMD's simulator, before it was corrected; it still treats b4 and b6 this way.

Its transposes scatter: they name, for each source, the destination. The rules here are the same
read backwards. One routine per width served gfx950 and the RDNA and gfx1250 loads, which
group lanes differently.
"""

from __future__ import annotations

from typing import Any

from lanemap.claims.claim import Level, Statement
from lanemap.claims.spaces import transpose_read

_FILE = (
    "ROCm/rocm-systems, emulation/rocjitsu, isa/arch/amdgpu/shared/ds_transpose.h at 152bff7, {}"
)
_SOURCE = "rocjitsu, uncorrected"


def b8(lane: Any, byte: Any) -> tuple[Any, Any]:
    """Four lanes at a time; two fours make a register's destination lanes 8 apart."""
    return lane // 16 * 16 + 8 * (byte // 4) + 4 * (lane // 8 % 2) + byte % 4, lane % 8


def b16(lane: Any, half: Any) -> tuple[Any, Any]:
    """The plain transpose of every four lanes."""
    return lane // 4 * 4 + half, lane % 4


def b4(lane: Any, nibble: Any) -> tuple[Any, Any]:
    """Eight lanes at a time, within 32 lanes: the other eight go to lanes 16 further on."""
    return lane // 32 * 32 + 16 * (nibble // 8) + 8 * (lane // 16 % 2) + nibble % 8, lane % 16


def b6(lane: Any, field: Any) -> tuple[Any, Any]:
    """Two passes over 32 lanes, each of the lanes in fours, every other four."""
    return lane // 32 * 32 + 8 * (field // 4) + field % 4 + 4 * (lane // 16 % 2), lane % 16


STATEMENTS = (
    Statement(
        _SOURCE,
        _FILE.format("transpose_b64, until pull request 10589 (2026-08-24)"),
        Level.SIMULATOR,
        r"ds_read_b64_tr_b8",
        lambda match: transpose_read(8, b8),
    ),
    Statement(
        _SOURCE,
        _FILE.format("transpose_b16, until pull request 10175"),
        Level.SIMULATOR,
        r"ds_read_b64_tr_b16",
        lambda match: transpose_read(16, b16),
    ),
    Statement(
        _SOURCE,
        _FILE.format("transpose_b4, the same at c186c451"),
        Level.SIMULATOR,
        r"ds_read_b64_tr_b4",
        lambda match: transpose_read(4, b4),
    ),
    Statement(
        _SOURCE,
        _FILE.format("transpose_b6, the same at c186c451"),
        Level.SIMULATOR,
        r"ds_read_b96_tr_b6",
        lambda match: transpose_read(6, b6),
    ),
)
