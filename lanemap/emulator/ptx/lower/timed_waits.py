"""Waits that ptxas is known to miscompile: docs/found.md, "A timed wait splits the warp".

They are `mbarrier.try_wait` with a suspendTimeHint outside a loop. ptxas 13.0 to 13.5 lets lanes
whose phase is not complete sleep apart from the others, and continues as if the warp had
reconverged. An instruction after the wait that needs all lanes of the warp then finds only some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lanemap.emulator.ptx.lower.pieces import Piece, cut
from lanemap.emulator.ptx.text.module import Function, Instruction

#: Operands of a try_wait that has a suspendTimeHint: result, address, phase, hint.
_TIMED_OPERANDS = 4


def timed_waits(functions: Sequence[Function]) -> Iterator[tuple[Instruction, Instruction]]:
    """Yield each such wait, with the first instruction after it that needs the whole warp."""
    for function in functions:
        if not any(_is_timed(instruction) for instruction in function.body):
            continue
        pieces = cut(function)
        for piece in pieces:
            behind = _reached(pieces, piece)
            if any(piece is other for other in behind):
                continue  # in a loop
            rest = [range(other.first, _end(other)) for other in [piece, *behind]]
            for index in range(piece.first, piece.last):
                if not _is_timed(function.body[index]):
                    continue
                later = (i for part in rest for i in part if part is not rest[0] or i > index)
                needs = next((i for i in later if _needs_warp(function.body[i])), None)
                if needs is not None:
                    yield function.body[index], function.body[needs]


def _end(piece: Piece) -> int:
    return piece.last + (piece.ender is not None)


def _is_timed(instruction: Instruction) -> bool:
    return (
        instruction.opcode == "mbarrier"
        and instruction.modifiers[:1] == ("try_wait",)
        and len(instruction.operands) == _TIMED_OPERANDS
    )


def _needs_warp(instruction: Instruction) -> bool:
    """Whether the instruction waits for other lanes of its warp: .sync, .aligned, a barrier."""
    words = set(instruction.modifiers)
    if instruction.opcode in ("bar", "barrier"):
        return "arrive" not in words or "aligned" in words
    return not words.isdisjoint(("sync", "aligned"))


def _reached(pieces: Sequence[Piece], start: Piece) -> list[Piece]:
    """Return the pieces that control can reach from the end of one, nearest first."""
    found: list[Piece] = []
    work = list(start.targets)
    while work:
        piece = pieces[work.pop(0)]
        if not any(piece is other for other in found):
            found.append(piece)
            work += piece.targets
    return found
