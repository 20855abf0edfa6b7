"""A function's body cut into pieces: straight-line code and the instruction that ends it.

Pieces begin at branch targets, after instructions that may transfer control, at instructions where
lanes wait for one another, and at arrivals at mbarriers. `@p` before an instruction that ends a
piece becomes a branch around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lanemap.emulator.ptx.lower.table import find
from lanemap.emulator.ptx.text.module import Function, Instruction
from lanemap.emulator.ptx.text.operands import Label, LabelList

#: Opcodes that end a piece; `bar` and `barrier` do unless they only arrive.
ENDERS = frozenset({"bra", "brx", "ret", "exit", "call", "trap", "brkpt"})
BARRIERS = frozenset({"bar", "barrier"})
#: What arrives at an mbarrier.
ARRIVALS = ("mbarrier.arrive", "cp.async.mbarrier.arrive", "tcgen05.commit")


@dataclass
class Piece:
    """Instructions first .. last - 1 of a body, and the control flow after them.

    Attributes:
        ender: The instruction that ends the piece, else None: then it falls through.
        guarded: Whether the ender stands in a piece of its own because of its guard.
        targets: Piece numbers: where it goes on (falling through, or behind the ender) first, then
            where a branch leads.
    """

    first: int
    last: int
    ender: Instruction | None = None
    targets: list[int] = field(default_factory=list)


def is_barrier(instruction: Instruction) -> bool:
    """Whether the warp waits at the instruction for other warps of the CTA."""
    return (
        instruction.opcode in BARRIERS
        and instruction.modifiers[:1] != ("warp",)
        and "arrive" not in instruction.modifiers
    )


def ends_piece(instruction: Instruction) -> bool:
    """Whether control may go elsewhere after the instruction."""
    return instruction.opcode in ENDERS or is_barrier(instruction)


def is_gate(instruction: Instruction) -> bool:
    """Whether lanes wait at the instruction for others of their warp."""
    if is_barrier(instruction):
        return True
    definition = find(instruction)
    return definition is not None and definition.gate


def arrives(instruction: Instruction) -> bool:
    """Whether the instruction arrives at an mbarrier, and so may end a phase.

    A warp's turn ends with a piece, and no piece may end two phases: warps that wait see the first.
    What else ends a phase, such as bytes that are copied, needs an arrival before it ends another.
    """
    return instruction.name.startswith(ARRIVALS)


def cut(function: Function) -> list[Piece]:
    """Return the pieces of a body, the first one at its beginning; the last one may be empty."""
    body = function.body
    first_of = _beginnings(function)
    begins = sorted(first_of)
    number = {begin: i for i, begin in enumerate(begins)}
    pieces: list[Piece] = []
    for begin, end in zip(begins, [*begins[1:], len(body)], strict=True):
        last = body[end - 1] if end > begin else None
        following = [number[end]] if end in number and end > begin else []
        if last is not None and ends_piece(last):
            pieces.append(Piece(begin, end - 1, last, following + _targets(last, number)))
        else:
            pieces.append(Piece(begin, end, None, following))
    return pieces


def _beginnings(function: Function) -> set[int]:
    begins = {0, len(function.body)}
    for index, instruction in enumerate(function.body):
        if ends_piece(instruction):
            begins.add(index + 1)
            begins.update(label.target for label in labels(instruction))
        if is_gate(instruction):
            begins.add(index)
            if instruction.guard is not None:
                begins.add(index + 1)
        elif arrives(instruction):
            begins.add(index)
    return begins


def labels(instruction: Instruction) -> Iterator[Label]:
    """Yield the labels that an instruction may jump to."""
    for operand in instruction.operands:
        if isinstance(operand, Label):
            yield operand
        elif isinstance(operand, LabelList):
            yield from operand.labels


def _targets(instruction: Instruction, number: dict[int, int]) -> list[int]:
    return [number[label.target] for label in labels(instruction)]
