"""The flow graph of a kernel's SASS: blocks of instructions, and which may follow which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.toolchain.control import Control
from lanemap.toolchain.sass import SassInstruction

_TARGET = re.compile(r"\.L_x_\d+")
_PREDICATE = re.compile(r"!?U?P\d")
#: Opcodes after which a block ends.
_ENDS = ("BRA", "BRX", "JMP", "EXIT", "RET", "CALL")
#: A guard that is always true.
_ALWAYS = ("", "@PT", "@UPT")
#: The longest stall count that is known with the yield bit set.
_LONGEST = 11
#: The successor of a block at whose end a warp may end.
END = -1


def is_guarded(instruction: SassInstruction) -> bool:
    """Whether a predicate decides if it executes."""
    return instruction.guard not in _ALWAYS


def opcode_of(instruction: SassInstruction) -> str:
    """The opcode without modifiers."""
    return instruction.opcode.partition(".")[0]


def is_decision(instruction: SassInstruction) -> bool:
    """Whether a warp goes on in one of two places after it.

    BRA.DIV is none: it goes to code for lanes that are apart, which a whole warp never enters.
    """
    opcode = opcode_of(instruction)
    if opcode not in _ENDS or ".DIV" in instruction.opcode:
        return False
    named = opcode == "BRA" and _PREDICATE.match(instruction.operands)
    return is_guarded(instruction) or bool(named)


def issue_cycles(control: Control) -> int:
    """Cycles until a warp's next issue that a control word asks for, on an H200.

    Source: the row timing_issue. It has no count above 11 with the yield bit set, and no count of
    0, for which this is the least that there is, 1.
    """
    if control.stall == 1 and not control.yields:
        return 2
    if control.stall > _LONGEST and control.yields:
        return 1
    return max(control.stall, 1)


@dataclass(frozen=True)
class Block:
    """Instructions that execute one after the other.

    Attributes:
        code: They.
        next: The block where the last one goes if it does not jump; None if it always does.
        jumps: The blocks where it may jump; END is the warp's end.
    """

    code: tuple[SassInstruction, ...]
    next: int | None
    jumps: tuple[int, ...]

    @property
    def successors(self) -> tuple[int, ...]:
        """Where a warp may go on."""
        ways = self.jumps if self.next is None else (self.next, *self.jumps)
        return tuple(dict.fromkeys(ways))


def blocks_of(code: Sequence[SassInstruction]) -> tuple[Block, ...]:
    """Return the blocks of a function, the first of which is its entry.

    What follows a CALL is where every RET of the function may go. A jump that names no target,
    such as that to itself after the last EXIT, leads nowhere.
    """
    starts = {0} | {place for place, each in enumerate(code) if each.label}
    starts |= {place + 1 for place, each in enumerate(code) if opcode_of(each) in _ENDS}
    bounds = [*sorted(place for place in starts if place < len(code)), len(code)]
    number_at = {place: number for number, place in enumerate(bounds[:-1])}
    labels = {each.label: number_at[place] for place, each in enumerate(code) if each.label}
    pieces = [tuple(code[a:b]) for a, b in zip(bounds, bounds[1:], strict=False)]
    returns = tuple(
        number + 1 for number, piece in enumerate(pieces[:-1]) if opcode_of(piece[-1]) == "CALL"
    )
    return tuple(
        _block(piece, number + 1 if number + 1 < len(pieces) else None, labels, returns)
        for number, piece in enumerate(pieces)
    )


def _block(
    code: tuple[SassInstruction, ...],
    following: int | None,
    labels: dict[str, int],
    returns: tuple[int, ...],
) -> Block:
    last = code[-1]
    opcode = opcode_of(last)
    if opcode not in _ENDS or ".DIV" in last.opcode:
        return Block(code, following, ())
    if opcode == "EXIT":
        jumps: tuple[int, ...] = (END,)
    elif opcode == "RET":
        jumps = returns
    else:
        jumps = tuple(labels[name] for name in _TARGET.findall(last.operands) if name in labels)
    return Block(code, following if is_decision(last) else None, jumps)
