"""The two-sided proof of a latency: one cycle less, and results are wrong.

A consumer that issues too early after a producer of fixed latency reads the register's old value.
So the stall counts of all producers of an edge are set to L in the control words of a cubin. If
every result is right with L cycles and more, and some result is wrong with L - 1, L is what the
edge needs. For a producer of variable latency the consumer's wait for its barrier is removed
instead, and some result must be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lanemap.timing.launch import Machine, Words
from lanemap.timing.window import Edge, Window
from lanemap.toolchain.control import NO_BARRIER
from lanemap.toolchain.patch import patched

#: The largest stall count that a control word holds.
MOST = 15
_ADDRESS = re.compile(r"\[([^\]]*)\]")
_REGISTER = re.compile(r"(?<!\w)R\d+")


@dataclass(frozen=True)
class TwoSided:
    """Outcomes of the results of an edge's chain under other control words.

    Attributes:
        edge: The two instructions.
        assembled: The stall counts that ptxas wrote, ascending.
        wrong: By stall count, the share of inputs whose result changed; for an edge of variable
            latency, by 0 only: without the wait.
        inputs: How many inputs there were.
    """

    edge: Edge
    assembled: tuple[int, ...]
    wrong: Mapping[int, float]
    inputs: int

    @property
    def least(self) -> int | None:
        """The least stall count with which, and with all above, every result is right."""
        return least_right(self.wrong)

    @property
    def holds(self) -> bool:
        """Whether both sides were seen: right at `least`, wrong everywhere below it."""
        if not self.edge.fixed:
            return self.wrong[0] > 0
        least = self.least
        return (
            least is not None
            and least > min(self.wrong)
            and all(share > 0 for stall, share in self.wrong.items() if stall < least)
        )


def least_right(wrong: Mapping[int, float]) -> int | None:
    """The least number of cycles with which, and with all more, no result is wrong.

    Args:
        wrong: by cycles, the share of results that change.
    """
    found = None
    for cycles in sorted(wrong, reverse=True):
        if wrong[cycles]:
            break
        found = cycles
    return found


def with_stall(window: Window, places: Sequence[int], stall: int) -> dict[int, int]:
    """By address, the words of an edge's producers with another stall count."""
    found = {}
    for place in places:
        each = window.body[place]
        found[each.address] = replace(each.control, stall=stall).put(each.word)
    return found


def without_wait(window: Window, places: Sequence[int]) -> dict[int, int]:
    """By address, the words of an edge's consumers without the wait for the producer's barrier."""
    found = {}
    for place in places:
        producer, consumer = window.body[place], window.body[place + 1]
        waits = consumer.control.waits & ~(1 << producer.control.write_barrier)
        found[consumer.address] = replace(consumer.control, waits=waits).put(consumer.word)
    return found


def without_waits(window: Window, instruction: str) -> dict[int, int]:
    """By address, the words of the instructions that wait for a barrier of `instruction`, unwaited.

    Only those in the window, and not the last two: what comes after it must find its operands. The
    first wait for an address in each register stays too: what that held before the window may be no
    address, while later it holds at worst an earlier one.
    """
    found: dict[int, int] = {}
    pending: set[int] = set()
    addresses: set[str] = set()
    for each in window.body:
        waits = each.control.waits
        # What becomes uniform may be an address of tensor memory.
        parts = [each.operands] if each.opcode == "R2UR" else _ADDRESS.findall(each.operands)
        own = {name for part in parts for name in _REGISTER.findall(part)}
        known = own <= addresses
        addresses |= own
        if early := {barrier for barrier in pending if waits >> barrier & 1}:
            pending -= early
            less = waits & ~sum(1 << barrier for barrier in early)
            if known:
                found[each.address] = replace(each.control, waits=less).put(each.word)
        if each.opcode == instruction and each.control.write_barrier != NO_BARRIER:
            pending.add(each.control.write_barrier)
    return dict(list(found.items())[:-2])


def with_total(window: Window, instruction: str, total: int) -> dict[int, int] | None:
    """By address, the words with which neighbors of one opcode issue `total` cycles apart.

    The stall counts of the padding between them count. None if no control words say that.
    """
    found: dict[int, int] = {}
    for gap in window.gaps:
        if gap[0].opcode != instruction:
            continue
        if not len(gap) <= total <= MOST * len(gap):
            return None
        left = total
        for number, each in enumerate(gap, 1):
            stall = min(MOST, left - (len(gap) - number))
            found[each.address] = replace(each.control, stall=stall).put(each.word)
            left -= stall
    return found or None


def assembled_total(window: Window, instruction: str) -> int:
    """The most cycles that ptxas put between neighbors of one opcode; 0 if there are none."""
    return max(
        (
            sum(each.control.stall for each in gap)
            for gap in window.gaps
            if gap[0].opcode == instruction
        ),
        default=0,
    )


def with_least(window: Window, trials: Sequence[TwoSided]) -> dict[int, int]:
    """By address, the words of a window in which every proven edge takes its least stall count."""
    least = {each.edge: each.least for each in trials if each.edge.fixed and each.holds}
    words: dict[int, int] = {}
    for edge, places in window.edges().items():
        stall = least.get(edge)
        if stall is not None:
            words |= with_stall(window, places, stall)
    return words


def try_edges(
    machine: Machine, cubin: bytes, windows: Mapping[str, Window], inputs: Words
) -> dict[str, list[TwoSided]]:
    """Try every edge of every kernel's window; return the trials by entry.

    Each load of the patched cubin tries one edge of every kernel at one stall count.
    """
    module = machine.load(cubin)
    reference = {entry: module.launch(entry, inputs).results for entry in windows}
    edges = {entry: list(own.edges().items()) for entry, own in windows.items()}
    shares: dict[tuple[str, int], dict[int, float]] = {}
    for number in range(max(map(len, edges.values()), default=0)):
        for stall in range(MOST + 1):
            words = {
                entry: own_words
                for entry, own in edges.items()
                if number < len(own) and (own_words := _patch(windows[entry], *own[number], stall))
            }
            if not words:
                continue
            other = machine.load(patched(cubin, words))
            for entry in words:
                results = other.launch(entry, inputs).results
                share = float(np.mean(results != reference[entry]))
                shares.setdefault((entry, number), {})[stall] = share
    return {
        entry: [
            TwoSided(
                edge,
                _assembled(windows[entry], places),
                shares[entry, number],
                reference[entry].size,
            )
            for number, (edge, places) in enumerate(own)
        ]
        for entry, own in edges.items()
    }


def _assembled(window: Window, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted({window.body[place].control.stall for place in places}))


def _patch(window: Window, edge: Edge, places: Sequence[int], stall: int) -> dict[int, int]:
    """The words of one trial; none where ptxas itself takes fewer cycles than the trial."""
    if not edge.fixed:
        # The last consumers wait: a result still on its way would land in a register that the rest
        # of the kernel uses for addresses.
        return without_wait(window, places[:-2]) if stall == 0 else {}
    if not 1 <= stall <= max(_assembled(window, places)):
        return {}
    return with_stall(window, places, stall)
