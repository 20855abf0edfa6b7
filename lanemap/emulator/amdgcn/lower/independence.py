"""Whether work-groups of a kernel are independent of each other."""

from __future__ import annotations

from collections.abc import Iterable

from lanemap.emulator.amdgcn.lower.binding import Bound
from lanemap.emulator.amdgcn.lower.flow import Flow
from lanemap.emulator.amdgcn.lower.table import SMEM

#: Operations on integers that commute with themselves; a difference is a sum.
_COMMUTING = {
    "add": "add", "sub": "add", "smin": "smin", "smax": "smax", "umin": "umin", "umax": "umax",
    "and": "and", "or": "or", "xor": "xor",
}  # fmt: skip


def meetings(flow: Flow) -> list[Bound]:
    """The reachable instructions by which a work-group waits for or synchronizes with another.

    LLVM, AMDGPUUsage, "Memory Model gfx942": what is volatile or wider than a wave has sc0 or sc1;
    of scalar memory, glc.
    """
    return [
        bound
        for bound in flow.bounds()
        if bound.definition.kind in ("atomic", "fence", "host")
        or bound.instruction.modifiers.keys() & {"sc0", "sc1", "glc"}
    ]


def independent(meeting: Iterable[Bound]) -> bool:
    """Whether the order of work-groups shows only in races, which are hazards in any order.

    That holds without instructions by which they meet, and where all of these are one operation on
    integers of one width that returns nothing.
    """
    operations = {_commuting(bound) for bound in meeting}
    return not operations or (len(operations) == 1 and None not in operations)


def _commuting(bound: Bound) -> tuple[str, int] | None:
    """What an atomic does, and on how many bits, if it commutes with itself and returns nothing."""
    returns = bound.instruction.modifiers.keys() & {"sc0", "glc"}
    if bound.definition.kind != "atomic" or bound.definition.format is SMEM or returns:
        return None
    stem = bound.instruction.mnemonic.partition("_atomic_")[2]
    operation = _COMMUTING.get(stem.removesuffix("_x2"))
    return None if operation is None else (operation, 64 if stem.endswith("_x2") else 32)
