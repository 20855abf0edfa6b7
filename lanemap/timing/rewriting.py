"""Windows rewritten in the cubin, and proven by reading them back: what ptxas alone decides.

ptxas chooses registers, and with them which of a register file's banks an instruction reads. So the
three-operand instructions of a window get other source registers, each with a given remainder by
four, and bits that keep them in the reuse cache or do not. All registers are among those that the
instructions of the window wrote before, so that nothing else is lost. And ptxas waits for wgmma
before a branch, which the window ends with; there the wait is made one for older groups. The fields
are those that nvdisasm reads from words that it prints; it reads the rewritten words again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lanemap.errors import UserError
from lanemap.timing.window import Window
from lanemap.toolchain.sass import SassInstruction

#: Remainders of register numbers: a bank is a remainder by two or by four.
BANKS = 4
#: First bits of the eight that hold the result's register and the three sources'.
_RESULT, _SOURCES = 16, (24, 32, 64)
_PLAIN = re.compile(r"R(\d+)(\.reuse)?$")
#: The wait for groups of wgmma, and where its eight bits of how many may stay pending begin.
_WAIT, _PENDING = "WARPGROUP.DEPBAR.LE", 72
#: What leaves a kernel, and what does nothing, without its control word.
_LEAVE, _NOTHING = "EXIT", 0x7918


class Rewriting(Protocol):
    """How the instructions of a window are changed."""

    def words(self, window: Window, instruction: str) -> dict[int, int]:
        """By address, the words to put in place of ptxas's; `instruction` is the timed one."""

    def differs(self, window: Window, instruction: str) -> str:
        """Why a window is not as rewritten; "" if it is."""


@dataclass(frozen=True)
class Unwaited:
    """A window that does not wait for the last groups of wgmma, and that no thread leaves.

    An EXIT waits for them too, even one that its predicate turns off.

    Attributes:
        groups: How many may stay pending.
    """

    groups: int = 1

    def words(self, window: Window, _instruction: str) -> dict[int, int]:
        """By address, the waits of the window, and its EXIT."""
        waits = [each for each in window.body if each.opcode == _WAIT]
        leaves = [each for each in window.body if each.opcode == _LEAVE]
        return {each.address: _with(each.word, _PENDING, self.groups) for each in waits} | {
            each.address: each.control.put(_NOTHING) for each in leaves
        }

    def differs(self, window: Window, _instruction: str) -> str:
        """Why it has no wait, or one for other groups, or an EXIT; "" if it is as rewritten."""
        if _LEAVE in window.opcodes():
            return f"the window has an {_LEAVE}"
        waits = [each for each in window.body if each.opcode == _WAIT]
        if not waits:
            return f"the window has no {_WAIT}"
        wrong = [each for each in waits if each.operands.split(", ")[-1] != f"{self.groups:#x}"]
        return f"{_WAIT} {wrong[0].operands} waits for other groups" if wrong else ""


@dataclass(frozen=True)
class Sources:
    """The source registers of a window's timed instructions.

    Attributes:
        remainders: Remainders of the three register numbers by `BANKS`.
        reuse: Which of the sources the reuse cache holds, a bit each; sources that it holds are the
            same in every instruction.
        stall: Cycles between two of the instructions, as their control words say.
    """

    remainders: tuple[int, int, int]
    reuse: int = 0
    stall: int = 1

    def words(self, window: Window, instruction: str) -> dict[int, int]:
        """By address, the words of the window's timed instructions with these sources.

        Raises:
            UserError: the window's instructions write too few registers.
        """
        timed = _timed(window, instruction)
        own = sorted({_numbers(each)[0] for each in timed})
        sources = _chosen(own, self.remainders)
        results = [number for number in own if number not in sources]
        if len(results) < BANKS:
            raise UserError(f"the {instruction} of the window write {len(own)} registers, too few")
        found = {}
        for place, each in enumerate(timed):
            control = replace(each.control, reuse=self.reuse, stall=self.stall, yields=1)
            word = control.put(each.word)
            word = _with(word, _RESULT, results[place % len(results)])
            for first, number in zip(_SOURCES, sources, strict=True):
                word = _with(word, first, number)
            found[each.address] = word
        return found

    def differs(self, window: Window, instruction: str) -> str:
        """Why the window's timed instructions have other sources; "" if they have these."""
        for each in _timed(window, instruction):
            _, *sources = _numbers(each)
            remainders = tuple(number % BANKS for number in sources)
            if remainders != self.remainders or len(set(sources)) != len(sources):
                return f"{each.opcode} {each.operands} has other sources than declared"
            if each.control.reuse != self.reuse or each.control.stall != self.stall:
                return f"{each.opcode} {each.operands} has another control word than declared"
        return ""


def _timed(window: Window, instruction: str) -> list[SassInstruction]:
    return [each for each in window.body if each.opcode == instruction]


def _numbers(each: SassInstruction) -> tuple[int, ...]:
    """The numbers of its result's register and its three sources'.

    Raises:
        UserError: its operands are no four registers.
    """
    parts = [_PLAIN.match(part.strip()) for part in each.operands.split(",")[:4]]
    if len(parts) < len(_SOURCES) + 1 or not all(parts):
        raise UserError(f"{each.opcode} {each.operands} does not have three source registers")
    return tuple(int(part[1]) for part in parts if part)


def _chosen(own: Sequence[int], remainders: Sequence[int]) -> list[int]:
    """Different registers of `own` with these remainders.

    Raises:
        UserError: there are none.
    """

    def next_of() -> Iterator[int]:
        left = list(own)
        for remainder in remainders:
            number = next((each for each in left if each % BANKS == remainder), None)
            if number is None:
                raise UserError(f"the window has no register with remainder {remainder}")
            left.remove(number)
            yield number

    return list(next_of())


def _with(word: int, first: int, number: int) -> int:
    return word & ~(0xFF << first) | number << first
