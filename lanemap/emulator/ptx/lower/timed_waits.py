"""Waits that ptxas is known to miscompile: docs/found.md, "A timed wait splits the warp".

They are `mbarrier.try_wait` with a suspendTimeHint outside a loop. ptxas 13.0 to 13.5 lets lanes
whose phase is not complete sleep apart from the others, and continues as if the warp had
reconverged. An instruction after the wait that needs all lanes of the warp then finds only some.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from lanemap.emulator.ptx.lower.pieces import Piece, cut
from lanemap.emulator.ptx.text.module import Function, Instruction

#: Operands of a try_wait that has a suspendTimeHint: result, address, phase, hint.
_TIMED_OPERANDS = 4


def timed_waits(functions: Sequence[Function]) -> Iterator[tuple[Instruction, Instruction]]:
    """Yield each such wait, with the first instruction after it that needs the whole warp."""
    for function in functions:
        body = function.body
        timed = [index for index, instruction in enumerate(body) if _is_timed(instruction)]
        if not timed:
            continue
        pieces = cut(function)
        for index in timed:
            at = next(n for n, piece in enumerate(pieces) if piece.first <= index < piece.last)
            behind = _reached(pieces, at)
            if at in behind:
                continue  # in a loop
            rest = [range(index + 1, _end(pieces[at]))]
            rest += [range(pieces[n].first, _end(pieces[n])) for n in behind]
            needs = next((body[i] for part in rest for i in part if _needs_warp(body[i])), None)
            if needs is not None:
                yield body[index], needs


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


def _reached(pieces: Sequence[Piece], start: int) -> dict[int, None]:
    """Return the numbers of the pieces that control can reach from one's end, nearest first."""
    found: dict[int, None] = {}
    work = deque(pieces[start].targets)
    while work:
        number = work.popleft()
        if number not in found:
            found[number] = None
            work += pieces[number].targets
    return found
