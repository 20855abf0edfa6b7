"""Parameters of functions, and where a kernel's lie.

NVIDIA PTX ISA, Kernel Function Parameters: in the order declared, each aligned as declared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lanemap.emulator.ptx.text.declarations import parse_registers, parse_variables
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Register
from lanemap.emulator.ptx.text.scopes import Scope
from lanemap.emulator.ptx.text.variables import Variable

_WORD = re.compile(r"\s*\.(\w+)")


def parameter_offsets(parameters: Sequence[Register | Variable]) -> tuple[int, ...]:
    """Return the byte offset of each parameter: in order, each aligned as it is declared."""
    offsets, end = [], 0
    for parameter in parameters:
        if isinstance(parameter, Variable):
            offset = -(-end // parameter.align) * parameter.align
            offsets.append(offset)
            end = offset + parameter.size
    return tuple(offsets)


def parse_parameters(text: str, line: int) -> tuple[Register | Variable, ...]:
    """Parse the text inside the `( )` of a signature.

    Raises:
        OperandError: it is malformed.
    """
    if not text.strip():
        return ()
    found: list[Register | Variable] = []
    for part in re.split(r",(?=\s*\.)", text):
        match = _WORD.match(part)
        if match is None or match[1] not in ("param", "reg"):
            raise OperandError(f"`{' '.join(part.split())}` is not a .param or .reg declaration")
        rest = part[match.end() :]
        if match[1] == "reg":
            scope = Scope(None, [])
            for name, _count, kind, _width in parse_registers(rest):
                found.append(scope.register(name, kind))
        else:
            found += parse_variables(rest, "param", "", line)
    return tuple(found)
