"""What the tables do not cover: of launches outside of it, errors may be of any size.

Each rule follows from what rows hold, and from how a launch was traced; none knows a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lanemap.timing.model.answer import Prediction
from lanemap.timing.model.interval import ends

#: A part of a prediction that may be anything moves it by no more than an error that is asked for.
_PART = Fraction(1, 5)
#: As of which share of what its SMs would take without others L2 is busy for nearly as long.
_BUSY = Fraction(1, 2)


def outside(found: Prediction) -> Iterator[str]:
    """Why a launch lies outside of the envelope; nothing if it does not."""
    yield from _path(found)
    yield from _besides(found)
    yield from _l2(found)
    yield from _queues(found)
    yield from _words(found)


def _words(found: Prediction) -> Iterator[str]:
    """Atomics at few words: lanes and warps meet at words and sectors."""
    own = found.grid.changed
    if own and own > _PART * found.cycles:
        yield (
            "atomics change so few words of memory that they wait for each other, and rows say how "
            "long all of them take, not how long each waits"
        )


def _path(found: Prediction) -> Iterator[str]:
    if found.joined.approximate:
        yield (
            "ptxas made another number of loads of some lines, and which of them reads what is "
            "taken from their order"
        )


def _besides(found: Prediction) -> Iterator[str]:
    """What an SM takes besides its instructions is known of short launches alone, as a median."""
    trace = found.trace
    more = ends(found.parameters, trace.threads, trace.cluster, len(trace.grid))
    if more > _PART * found.active:
        yield (
            f"{round(more)} of its {found.active} cycles are what an SM takes besides its "
            "instructions, which is a median over launches"
        )


def _l2(found: Prediction) -> Iterator[str]:
    held = found.grid.held
    if min(held, 1 - held) > _PART and found.grid.moved > _PART * found.cycles:
        yield f"L2 is taken to hold {held:.0%} of what it reads, and which part is not known"


def _queues(found: Prediction) -> Iterator[str]:
    """Rows say what L2 takes when it is busy, not how long a request waits then."""
    busy, moved = found.grid.busy, found.grid.moved
    if found.grid.held > 1 - _PART and min(busy, moved) > _BUSY * max(busy, moved):
        yield (
            "L2 is busy for nearly as long as the SMs would be without others, and no row says how "
            "long a request waits then"
        )
