"""The instruction table: each instruction's syntax, citation and semantics in one place.

    @instruction("popc", "popc.type d, a; .type = { .b32, .b64 }", cite="PTX ISA, popc")
    def popc(s):
        kind = s.type("b32 b64")
        d, a = s.destination("b32"), s.source(kind)
        return lambda b: d.write(b, b.resize(b.intrinsic("ctpop", a.read(b)), "i32"))

The function is called when the text is loaded. It consumes the modifiers and operands that it knows
from the Statement and returns a function that emits the code. The rest is refused with its line.
`gate`: lanes wait at the instruction for others (it begins a block). `needs`: the feature that a
target must have, one of `lanemap.targets.FEATURES`. `control`: it ends a block and is lowered by
`lanemap.emulator.ptx.lower.lowering`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.emulator.codegen.builder import Builder

if TYPE_CHECKING:
    from lanemap.emulator.ptx.lower.statement import Statement
    from lanemap.emulator.ptx.text.module import Instruction

Emit = Callable[[Builder], None]
Semantics = Callable[["Statement"], Emit]


@dataclass(frozen=True)
class Definition:
    """One instruction, or the forms of one that share a beginning ("bar.warp")."""

    name: str
    syntax: str
    cite: str
    function: Semantics
    gate: bool = False
    needs: str = ""


#: By the beginning of a name; importing lanemap.emulator.ptx.isa fills it.
TABLE: dict[str, Definition] = {}


def instruction(
    names: str, syntax: str, *, cite: str, gate: bool = False, needs: str = ""
) -> Callable[[Semantics], Semantics]:
    """Enter a function into the table under each of the blank-separated names."""

    def enter(function: Semantics) -> Semantics:
        for name in names.split():
            if name in TABLE:
                raise ValueError(f"{name} has semantics already")
            TABLE[name] = Definition(name, syntax, cite, function, gate, needs)
        return function

    return enter


def find(instruction: Instruction) -> Definition | None:
    """Return the entry with the longest beginning of the instruction's name."""
    return _longest(instruction.opcode, instruction.modifiers[:4])


#: Why whole families are not executed.
_FAMILIES = {
    "tex tld4 txq istypep": "lanemap emulates no textures",
    "suld sust sured suq": "lanemap emulates no surfaces",
    "multimem": "lanemap emulates one GPU, and a multimem address is memory of several",
}


def not_supported(instruction: Instruction) -> str:
    """Say that an instruction is not executed, with the reason of its family."""
    for opcodes, reason in _FAMILIES.items():
        if instruction.opcode in opcodes.split():
            return f"`{instruction.name}` is not supported: {reason}"
    return f"`{instruction.name}` is not supported by the emulator"


@functools.cache
def _longest(opcode: str, modifiers: tuple[str, ...]) -> Definition | None:
    if not TABLE:
        raise RuntimeError("the table is empty: import lanemap.emulator.ptx.isa")
    words = (opcode, *modifiers)
    for count in range(len(words), 0, -1):
        found = TABLE.get(".".join(words[:count]))
        if found is not None:
            return found
    return None
