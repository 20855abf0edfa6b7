"""Which sectors of global memory each issue touches, numbered across all warps of an SM."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lanemap.timing.model.places import Places
from lanemap.timing.model.trace import Trace, Unit

#: Units whose accesses L1 may answer.
_NEAR = (Unit.GLOBAL, Unit.LOCAL)
#: The bits of an address above all that memory has.
_ELSEWHERE = np.uint64(52)


#: Bytes of a line of L2, and odd numbers of Knuth's multiplicative hash and of a power of 2.
_LINE = np.uint64(128)
_ODD, _OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_WHOLE = 2.0**64


def touched(
    trace: Trace, kinds: Sequence[int], held: float, places: Places | None = None
) -> tuple[NDArray[np.int32], ...]:
    """Return, of the CTAs of these kinds, for each issue where its sectors begin, or -1; how many.

    The third array has the sectors' numbers; the fourth says for each distinct one whether only
    memory has it, the fifth by how many cycles its line answers later than the mean, the sixth
    the same of an atomic. L2 holds the share `held` of lines. Neither which ones is known nor where
    they lie, for which physical addresses count: a hash of the address decides.

    The CTAs of one kind are those of the grid in order; one that the trace has no addresses for
    does as another one does, elsewhere.
    """
    firsts, counts, addresses = [], [], []
    total = 0
    given: dict[int, int] = {}
    known = {kind: _known(trace, kind) for kind in set(kinds)}
    for kind in kinds:
        own = known[kind]
        turn = given[kind] = given.get(kind, -1) + 1
        elsewhere = np.uint64(turn // max(len(own), 1)) << _ELSEWHERE
        bases = trace.addresses(own[turn % len(own)]) if own else ()
        for warp, number in enumerate(trace.ctas[kind]):
            works = trace.warps[number].works
            first, count = np.full(len(works), -1, np.int32), np.zeros(len(works), np.int32)
            if own:
                each = _of(trace, works, bases[warp])
                count[each[0]] = each[1]
                first[each[0]] = total + np.cumsum(each[1]) - each[1]
                addresses.append(each[2] + elsewhere)
                total += len(each[2])
            firsts.append(first)
            counts.append(count)
    distinct, numbers = np.unique(
        np.concatenate([np.zeros(0, np.uint64), *addresses]), return_inverse=True
    )
    lines = distinct // _LINE
    beyond = lines * _ODD / _WHOLE >= held
    apart = away = np.zeros(len(lines), np.int32)
    if places is not None:
        at = lines * _OTHER / _WHOLE
        apart = np.where(beyond, _one_of(places.memory, at), _one_of(places.reads, at))
        away = _one_of(places.atomics, at)
    return (
        np.concatenate(firsts),
        np.concatenate(counts),
        np.ascontiguousarray(numbers.reshape(-1), np.int32),
        beyond.astype(np.int32),
        np.ascontiguousarray(apart, np.int32),
        np.ascontiguousarray(away, np.int32),
    )


def _one_of(values: NDArray[np.int32], at: NDArray[np.float64]) -> NDArray[np.int32]:
    """Values by how far through them, from 0 to below 1."""
    return values[(at * len(values)).astype(np.int64)]


def _known(trace: Trace, kind: int) -> list[int]:
    """The CTAs of a kind that the trace has addresses for."""
    return [
        int(cta)
        for cta in np.flatnonzero(trace.grid == kind)
        if cta < len(trace.bases) and len(trace.bases[cta])
    ]


def _of(
    trace: Trace, works: NDArray[np.int32], bases: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.uint64]]:
    """Of one warp: the places of its accesses, how many sectors each has, and their addresses."""
    near = np.isin(trace.works["unit"], _NEAR) & (trace.works["count"] > 0)
    places = np.flatnonzero((works >= 0) & near[works]) if len(near) else np.zeros(0, np.intp)
    own = trace.works[works[places]]
    counts = own["count"].astype(np.int64)
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    offsets = trace.sectors[np.repeat(own["first"].astype(np.int64), counts) + within]
    return places, counts, offsets.astype(np.uint64) + np.repeat(bases[places], counts)
