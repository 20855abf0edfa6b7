"""Whether CTAs (or clusters) of a kernel are independent of each other."""

from __future__ import annotations

from collections.abc import Iterable

from lanemap.emulator.ptx.text.module import Function, Instruction

#: PTX ISA, Memory Consistency Model: what a load or store says if others may access it meanwhile.
_MEETING = frozenset({"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"})
_ATOMIC = frozenset({"atom", "red", "multimem"})
#: Spaces that no other cluster sees.
_OWN_SPACES = ("shared", "local", "param", "const")
#: Scopes that reach beyond a cluster; `membar.gl` is the old name of `.gpu`.
_WIDE_SCOPES = frozenset({"gpu", "sys", "gl"})


def independent(functions: Iterable[Function]) -> bool:
    """Whether no instruction makes a cluster wait for or synchronize with another one.

    Such a kernel's clusters may run side by side: their order shows only in races, which are
    hazards in any order.
    """
    return not any(_meets_others(each) for function in functions for each in function.body)


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
