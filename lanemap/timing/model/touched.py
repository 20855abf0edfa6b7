"""Which sectors of global memory each issue touches, numbered across all warps of an SM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanemap.timing.model.places import Places
from lanemap.timing.model.trace import SECTOR_BYTES, Trace, Unit

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

    The third array says in how many lines these lie. The fourth has the sectors' numbers; the fifth
    says for each distinct one whether only memory has it, the sixth by how many cycles its line
    answers later than the mean, the seventh the same of an atomic. L2 holds the share `held` of
    lines. Neither which ones is known nor where they lie, for which physical addresses count: a
    hash of the address decides.

    The CTAs of one kind are those of the grid in order; one that the trace has no addresses for
    does as another one does, elsewhere but for what all that it has addresses for access.
    """
    firsts, counts, crossed, addresses = [], [], [], []
    total = 0
    given: dict[int, int] = {}
    known = {kind: _accesses(trace, kind) for kind in set(kinds)}
    for kind in kinds:
        own = known[kind]
        turn = given[kind] = given.get(kind, -1) + 1
        elsewhere = np.uint64(turn // max(len(own), 1)) << _ELSEWHERE
        for warp, number in enumerate(trace.ctas[kind]):
            length = len(trace.warps[number].works)
            first, count = np.full(length, -1, np.int32), np.zeros(length, np.int32)
            crosses = np.zeros(length, np.int32)
            if own:
                each = own[turn % len(own)][warp]
                count[each.places], crosses[each.places] = each.counts, each.lines
                first[each.places] = total + np.cumsum(each.counts) - each.counts
                addresses.append(each.addresses + elsewhere * each.own)
                total += len(each.addresses)
            firsts.append(first)
            counts.append(count)
            crossed.append(crosses)
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
        np.concatenate(crossed),
        np.ascontiguousarray(numbers.reshape(-1), np.int32),
        beyond.astype(np.int32),
        np.ascontiguousarray(apart, np.int32),
        np.ascontiguousarray(away, np.int32),
    )


def _one_of(values: NDArray[np.int32], at: NDArray[np.float64]) -> NDArray[np.int32]:
    """Values by how far through them, from 0 to below 1."""
    return values[(at * len(values)).astype(np.int64)]


@dataclass(frozen=True)
class _Accesses:
    """What one warp accesses.

    Attributes:
        places: The places of its accesses in what it issues.
        counts: How many sectors each has.
        lines: In how many lines these lie.
        addresses: Of these sectors, access after access.
        own: Whether each is another one for each CTA: 1, or 0 for what all CTAs access.
    """

    places: NDArray[np.intp]
    counts: NDArray[np.int64]
    lines: NDArray[np.int64]
    addresses: NDArray[np.uint64]
    own: NDArray[np.uint64]


def _accesses(trace: Trace, kind: int) -> list[list[_Accesses]]:
    """Of each CTA of a kind that the trace has addresses for, what its warps access."""
    known = [
        int(cta)
        for cta in np.flatnonzero(trace.grid == kind)
        if cta < len(trace.bases) and len(trace.bases[cta])
    ]
    found = []
    for cta in known:
        bases = trace.addresses(cta)
        works = (trace.warps[number].works for number in trace.ctas[kind])
        found.append([_of(trace, own, base) for own, base in zip(works, bases, strict=True)])
    sets = [np.unique(np.concatenate([each[3] for each in own])) for own in found]
    common = _whole(trace, sets[0]) if sets else np.zeros(0, np.uint64)
    if len(sets) > 1:
        each, times = np.unique(np.concatenate(sets), return_counts=True)
        common = each[times == len(sets)]
    return [
        [_Accesses(*each, np.isin(each[3], common, invert=True).astype(np.uint64)) for each in own]
        for own in found
    ]


def _whole(trace: Trace, sectors: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Of sorted sectors those of arrays that have no others, which each CTA accesses then."""
    found = [np.zeros(0, np.uint64)]
    for begin, size in trace.arrays:
        first, last = np.searchsorted(sectors, np.array([begin, begin + size], np.uint64))
        if (last - first) * SECTOR_BYTES >= size:
            found.append(sectors[first:last])
    return np.concatenate(found)


def _of(
    trace: Trace, works: NDArray[np.int32], bases: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """Of one warp: the places of its accesses, how many sectors and lines each has, and where."""
    near = np.isin(trace.works["unit"], _NEAR) & (trace.works["count"] > 0)
    places = np.flatnonzero((works >= 0) & near[works]) if len(near) else np.zeros(0, np.intp)
    own = trace.works[works[places]]
    counts = own["count"].astype(np.int64)
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    offsets = trace.sectors[np.repeat(own["first"].astype(np.int64), counts) + within]
    addresses = offsets.astype(np.uint64) + np.repeat(bases[places], counts)
    begins = within == 0
    new = begins | np.append(True, np.diff(addresses // _LINE) != 0)[: len(addresses)]
    lines = np.add.reduceat(new, np.flatnonzero(begins)) if len(places) else counts
    return places, counts, lines.astype(np.int64), addresses
