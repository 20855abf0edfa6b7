"""Single instructions as ptxas judges them, and the machine code of those that it accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanemap.errors import UserError
from lanemap.toolchain import ptxas, sass

_HEAD = ".version 8.8\n.target {target}\n.address_size 64\n"
_KERNEL = (
    ".visible .entry k{number}(.param .u32 at) {{ .reg .b32 t, v<129>; .reg .b64 d; .reg .pred p; "
    ".shared .align 8 .b64 s; ld.param.u32 t, [at]; cvt.u64.u32 d, t; {line} ret; }}\n"
)
BATCH = 600


@dataclass(frozen=True)
class Judgement:
    """One instruction.

    Attributes:
        reason: Why ptxas refuses it; empty where it is accepted.
        opcodes: The machine instructions of its kernel.
    """

    reason: str
    opcodes: tuple[str, ...] = ()


def version() -> str:
    """The version of ptxas that judges.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    return ptxas.version()


def alone(line: str, target: str) -> str:
    """The PTX text that contains one instruction, in a kernel k0."""
    return _HEAD.format(target=target) + _KERNEL.format(number=0, line=line)


def judged(lines: Sequence[str], target: str) -> list[Judgement]:
    """Judge instructions, each in a kernel of its own.

    Args:
        lines: PTX on registers t (32 bits), d (64 bits), v0 to v128 and p (a predicate), and on 8
            shared bytes s.
        target: The instruction set.

    Raises:
        MissingEnvironment: ptxas or nvdisasm is not here.
        UserError: ptxas refuses a text without naming a line.
    """
    found: dict[int, Judgement] = {}
    numbers = list(range(len(lines)))
    for first in range(0, len(numbers), BATCH):
        left = numbers[first : first + BATCH]
        while left:
            head = _HEAD.format(target=target)
            text = head + "".join(_KERNEL.format(number=n, line=lines[n]) for n in left)
            cubin, messages = ptxas.judge(text, target)
            if cubin is not None:
                found |= _accepted(cubin, left)
                break
            wrong: dict[int, Judgement] = {}
            for message in messages:
                at = message.line - head.count("\n") - 1
                if message.severity in ("error", "fatal") and 0 <= at < len(left):
                    wrong.setdefault(left[at], Judgement(message.message))
            if not wrong:
                raise UserError(f"ptxas refuses a text and names no line: {messages[0].message}")
            found |= wrong
            left = [n for n in left if n not in wrong]
    return [found[n] for n in numbers]


def _accepted(cubin: bytes, numbers: Sequence[int]) -> dict[int, Judgement]:
    functions = sass.disassemble(cubin)
    return {n: Judgement("", tuple(i.opcode for i in functions[f"k{n}"])) for n in numbers}
