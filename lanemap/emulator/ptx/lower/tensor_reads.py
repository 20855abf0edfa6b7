"""Uses of the registers that tcgen05.ld writes: by default the loads are complete there.

An instruction that names a destination of a load cannot issue before the load has delivered it, so
NVIDIA's own code hands tensor memory on after such an instruction, without tcgen05.wait::ld (CuTe
DSL 4.8.1, cutlass/utils/gemm/sm100.py, epilogue_tma_store). The PTX ISA asks for the wait, and
strict mode with it. A `mov` waits for nothing: ptxas renames its registers.
"""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.emulator.ptx.lower.pieces import ends_piece, labels
from lanemap.emulator.ptx.text.module import Function, Instruction
from lanemap.emulator.ptx.text.operands import Address, Not, Operand, Pair, Register, Vector


def completing(function: Function) -> dict[int, int]:
    """Return, by index into the body, which instructions complete the last so many loads.

    Control comes to such an instruction from those loads only: no branch, label or barrier lies
    between them.
    """
    found: dict[int, int] = {}
    targets = {label.target for instruction in function.body for label in labels(instruction)}
    count, unread = 0, list[set[Register]]()
    for index, instruction in enumerate(function.body):
        if index in targets:
            count, unread = 0, []
        unread = [registers for registers in unread if not _delivers(instruction, registers)]
        if count and not unread:
            found[index], count = count, 0
        if is_load(instruction):
            count += 1
            unread.append(set(_registers(instruction.operands[:1])))
        elif ends_piece(instruction):
            count, unread = 0, []
    return found


def _delivers(instruction: Instruction, loaded: set[Register]) -> bool:
    """Whether an instruction needs what was loaded; what a `mov` copies of it counts as loaded."""
    if instruction.opcode == "mov" and instruction.guard is None:
        target, source = (set(_registers((operand,))) for operand in instruction.operands)
        if source & loaded:
            loaded |= target
            return False
    return bool(loaded & set(_registers(instruction.operands)))


def is_load(instruction: Instruction) -> bool:
    """Whether the instruction is a tcgen05.ld."""
    return instruction.opcode == "tcgen05" and instruction.modifiers[:1] == ("ld",)


def _registers(operands: tuple[Operand, ...]) -> Iterator[Register]:
    for operand in operands:
        if isinstance(operand, Register):
            yield operand
        elif isinstance(operand, Vector):
            yield from _registers(operand.elements)
        elif isinstance(operand, Pair):
            yield from _registers((operand.first, operand.second))
        elif isinstance(operand, Not):
            yield operand.operand
        elif isinstance(operand, Address):
            base = (operand.base,) if isinstance(operand.base, Register) else ()
            yield from _registers((*base, *operand.indices))
