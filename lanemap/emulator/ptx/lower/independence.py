"""Whether CTAs (or clusters) of a kernel are independent of each other."""

from __future__ import annotations

from collections.abc import Iterable

from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import Function, Instruction

#: PTX ISA, Memory Consistency Model: what a load or store says if others may access it meanwhile.
_MEETING = frozenset({"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"})
_ATOMIC = frozenset({"atom", "red", "multimem"})
#: Spaces that no other cluster sees.
_OWN_SPACES = ("shared", "local", "param", "const")
#: Scopes that reach beyond a cluster; `membar.gl` is the old name of `.gpu`.
_WIDE_SCOPES = frozenset({"gpu", "sys", "gl"})
#: Operations of `atom` and `red` on integers whose results do not depend on the order; those that
#: compare tell signed numbers apart.
_COMMUTING = {"add": False, "and": False, "or": False, "xor": False, "min": True, "max": True}


def meetings(functions: Iterable[Function]) -> list[Instruction]:
    """The instructions by which a cluster waits for or synchronizes with another one."""
    return [each for function in functions for each in function.body if _meets_others(each)]


def independent(meeting: Iterable[Instruction], drawn: bool) -> bool:
    """Whether clusters may run side by side, which meet by these instructions alone.

    Their order then shows only in races, which are hazards in any order. That holds without such
    instructions, and where all of them are one operation on integers of one width, which commutes
    with itself, and no instruction reads what was there before (`drawn`). Floats are rounded, so
    that their sums depend on the order.
    """
    operations = {_commuting(each) for each in meeting}
    return not operations or (len(operations) == 1 and None not in operations and not drawn)


def _commuting(instruction: Instruction) -> str | None:
    """What an atomic does, if it commutes with itself: "add 32", "min s32"."""
    modifiers = instruction.modifiers
    name = next((word for word in modifiers if word in _COMMUTING), None)
    kind = modifiers[-1]
    if instruction.opcode not in ("atom", "red") or name is None or "async" in modifiers:
        return None
    if kind[0] not in "bsu" or BITS[kind] not in (32, 64):
        return None
    return f"{name} {kind if _COMMUTING[name] else BITS[kind]}"


def _meets_others(instruction: Instruction) -> bool:
    modifiers = instruction.modifiers
    if instruction.opcode == "clusterlaunchcontrol":  # who takes which depends on the order
        return True
    if instruction.opcode == "cp" and modifiers[0] == "reduce" and "bulk_group" in modifiers:
        return True
    if instruction.opcode in ("fence", "membar", "tensormap"):
        return not _WIDE_SCOPES.isdisjoint(modifiers)
    if any(modifier.startswith(_OWN_SPACES) for modifier in modifiers):
        return False
    if instruction.opcode in _ATOMIC:
        return True
    return instruction.opcode in ("ld", "st") and not _MEETING.isdisjoint(modifiers)
