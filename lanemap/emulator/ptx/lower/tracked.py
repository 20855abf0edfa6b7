"""Registers that asynchronous instructions use, numbered so that they can be pending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lanemap.emulator.ptx.text.module import Function, Instruction
from lanemap.emulator.ptx.text.operands import Operand, Vector
from lanemap.emulator.ptx.text.operands import Register as ParsedRegister
from lanemap.emulator.runtime.abi import PENDING_WORDS

MOST = 64 * PENDING_WORDS


def number_tracked(functions: Iterable[Function], strict: bool) -> dict[int, int]:
    """Return the numbers of tracked virtual registers, by the identity of the parsed register.

    These are D, and A in registers, of wgmma, and copies of D; in strict mode also what tcgen05.ld
    fills. Registers beyond the first `MOST` are not tracked.
    """
    body = [instruction for function in functions for instruction in function.body]
    found: dict[int, int] = {}
    copied: list[int] = []
    for instruction in body:
        if instruction.opcode == "wgmma" and instruction.modifiers[:1] == ("mma_async",):
            for position, operand in enumerate(instruction.operands[:2]):
                for register in _registers(operand):
                    found.setdefault(id(register), len(found))
                    copied += [id(register)] if position == 0 else []
        if strict and instruction.opcode == "tcgen05" and instruction.modifiers[:1] == ("ld",):
            for register in _registers(instruction.operands[0]):
                found.setdefault(id(register), len(found))
    copies = _copies(body) if copied else {}
    while copied:
        for target in copies.pop(copied.pop(), ()):
            found.setdefault(target, len(found))
            copied.append(target)
    return {register: number for register, number in found.items() if number < MOST}


def _registers(operand: Operand) -> Iterator[ParsedRegister]:
    """The registers of a list in braces."""
    for part in operand.elements if isinstance(operand, Vector) else ():
        if isinstance(part, ParsedRegister):
            yield part


def _copies(body: Iterable[Instruction]) -> dict[int, list[int]]:
    """For each register the ones that a mov copies it to."""
    found: dict[int, list[int]] = {}
    for instruction in body:
        if instruction.opcode != "mov" or len(instruction.operands) != 2:
            continue
        target, source = instruction.operands
        if isinstance(target, ParsedRegister) and isinstance(source, ParsedRegister):
            found.setdefault(id(source), []).append(id(target))
    return found
