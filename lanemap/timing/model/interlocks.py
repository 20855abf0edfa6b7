"""Products of 64 bits, whose readers the hardware holds back whatever the stall counts say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lanemap.timing.model.parameters import Parameters, Reading
from lanemap.toolchain.sass import SassInstruction

#: By what opcodes begin with: the registers of the result, and the series of its first reader.
_HELD = {
    "IMAD.HI": (1, Reading("alu_paths", "mul.hi.u32")),
    "IMAD.WIDE": (2, Reading("alu_paths", "mul.wide.u32")),
}
_REGISTER = re.compile(r"\bR(\d+)\b(\.64)?")
_MOVING = ("BRA", "BRX", "EXIT", "BSYNC", "WARPSYNC", "CALL", "RET", "JMP")


def later(
    parameters: Parameters,
    code: Sequence[SassInstruction],
    used: Sequence[int],
    stalls: Mapping[int, int],
) -> dict[int, int]:
    """By place, cycles that an instruction lets the next one wait beyond its stall count.

    Args:
        parameters: Where cycles come from.
        code: The instructions.
        used: Places of those that are issued.
        stalls: By place, until the next issue.
    """
    found: dict[int, int] = {}
    for place in used:
        kind = next((each for each in _HELD if code[place].opcode.startswith(each)), None)
        if kind is None:
            continue
        size, reading = _HELD[kind]
        written = _REGISTER.match(code[place].operands)
        if written is None:
            continue
        result = {int(written[1]) + each for each in range(size)}
        least = round(parameters.read(f"{kind}, until its result is read", reading))
        taken, at = stalls[place], place + 1
        while at in stalls and taken < least and not code[at].label:
            if result & _reads(code[at]):
                found[at - 1] = max(found.get(at - 1, 0), least - taken)
                break
            if code[at].opcode.startswith(_MOVING):
                break
            taken += stalls[at]
            at += 1
    return found


def _reads(each: SassInstruction) -> set[int]:
    """Registers that an instruction reads: all that it names behind the first operand."""
    operands = each.operands
    if not each.opcode.startswith(("ST", "RED", "BAR", "LDGSTS", "SYNCS")):
        operands = operands.partition(",")[2]
    found = set()
    for match in _REGISTER.finditer(operands):
        found |= {int(match[1]) + more for more in range(2 if match[2] else 1)}
    return found
