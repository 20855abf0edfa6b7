"""Registers that asynchronous instructions use, numbered so that they can be pending."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx.text.module import Function, Instruction
from lanemap.emulator.ptx.text.operands import Immediate, Operand, Pair, Vector
from lanemap.emulator.ptx.text.operands import Register as ParsedRegister
from lanemap.emulator.runtime.abi import PENDING_WORDS

MOST = 64 * PENDING_WORDS


def number_tracked(functions: Iterable[Function], settings: Settings) -> dict[int, int]:
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
        if (
            settings.strict
            and instruction.opcode == "tcgen05"
            and instruction.modifiers[:1] == ("ld",)
        ):
            for register in _registers(instruction.operands[0]):
                found.setdefault(id(register), len(found))
    copies = _copies(body) if copied else {}
    while copied:
        for target in copies.pop(copied.pop(), ()):
            found.setdefault(target, len(found))
            copied.append(target)
    return {register: number for register, number in found.items() if number < MOST}


def zero_registers(functions: Iterable[Function]) -> frozenset[int]:
    """Return the identities of virtual registers that only `mov` of zero writes.

    Zero is the constant or another such register: compilers write the zeros that accumulators
    begin with in this way.
    """
    sources: dict[int, list[Operand | None]] = {}
    for instruction in (each for function in functions for each in function.body):
        called = instruction.call.results if instruction.call else ()
        for target in (*instruction.operands[:1], *called):
            moved = instruction.operands[1] if _is_move(instruction) else None
            parts = (target.first, target.second) if isinstance(target, Pair) else (target,)
            for register in (*parts, *_registers(target)):
                sources.setdefault(id(register), []).append(moved)
    zeros = set(sources)
    while dropped := {r for r in zeros if not all(is_zero(x, zeros) for x in sources[r])}:
        zeros -= dropped
    return frozenset(zeros)


def is_zero(operand: Operand | None, zeros: Collection[int]) -> bool:
    """Whether an operand is the constant zero, or one of the registers `zeros`."""
    return id(operand) in zeros or isinstance(operand, Immediate) and operand.value == 0


def _is_move(instruction: Instruction) -> bool:
    return instruction.opcode == "mov" and len(instruction.operands) == 2


def _registers(operand: object) -> Iterator[ParsedRegister]:
    """The registers of a list in braces."""
    for part in operand.elements if isinstance(operand, Vector) else ():
        if isinstance(part, ParsedRegister):
            yield part


def _copies(body: Iterable[Instruction]) -> dict[int, list[int]]:
    """The registers that a mov copies each register to."""
    found: dict[int, list[int]] = {}
    for instruction in body:
        if not _is_move(instruction):
            continue
        target, source = instruction.operands
        if isinstance(target, ParsedRegister) and isinstance(source, ParsedRegister):
            found.setdefault(id(source), []).append(id(target))
    return found
