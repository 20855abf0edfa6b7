"""Qualifiers, state spaces and widths that loads and stores have together on no target.

PTX ISA, Data Movement: ld, st, ldu; Memory Consistency Model. ptxas 13.0 refuses the same for every
target (tests/targets).
"""

from __future__ import annotations

from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.module import Instruction
from lanemap.emulator.ptx.text.operand_text import OperandError

_ORDERS = {"volatile", "mmio", "relaxed", "acquire", "release"}
#: State spaces that no other thread writes, or none at all.
_PRIVATE = {"local", "const", "param", "param::entry", "param::func"}
_SHARED = {"shared", "shared::cta", "shared::cluster"}
_EVICTIONS = {"L2::evict_first", "L2::evict_last", "L2::evict_normal"}
#: 256 bits are eight words or four double words of global memory.
_WIDE = {(8, 32), (4, 64)}


def check_access(instruction: Instruction, kind: str, count: int) -> None:
    """Refuse what no target loads or stores.

    Args:
        instruction: The load or store.
        kind: Its type.
        count: Elements of its vector.

    Raises:
        OperandError: The sentence says what does not go together.
    """
    words, name = set(instruction.modifiers), instruction.name
    order, private = words & _ORDERS, words & _PRIVATE
    if order and private:
        raise OperandError(f"`{name}`: .{min(order)} does not apply to .{min(private)} memory")
    width, wide = count * BITS[kind], (count, BITS[kind]) in _WIDE
    if width > 128:
        narrow = private | (words & _SHARED)
        if not wide or narrow or instruction.opcode == "ldu":
            raise OperandError(
                f"`{name}` has {width} bits; 256 bits are a .v8 of 32 or a .v4 of 64 bits of global"
                " memory, and every other access has at most 128"
            )
    if (evictions := words & _EVICTIONS) and not wide:
        raise OperandError(
            f"`{name}`: .{min(evictions)} needs an access of 256 bits, a .v8 of 32 or a .v4 of 64"
        )
