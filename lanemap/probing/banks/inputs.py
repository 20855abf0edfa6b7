"""The addresses that lanes give: what each family of inputs is there to tell apart.

A row holds the byte offset of each lane, or INACTIVE. Offsets are multiples of the access's size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from lanemap.probing.banks.forms import MEMORY_BYTES, Access

Integers = npt.NDArray[np.int64]
INACTIVE = -1
# A multiple of every number of banks up to 256: the same bank as offset 0, another word.
FAR = 1024
STRIDES = range(1, 34)
DISTANCE_LANE = 5
RANDOM_ROWS = 120
_SEED = 90
DESCRIPTIONS = {
    "base": "one lane at another word, the others at one word",
    "single": "the same, and one lane at another word of the first one's bank",
    "pairs": "the same with each pair of lanes: lanes of one phase share that word",
    "distances": "one lane at each distance from the others: which words share a bank",
    "masks": "lanes 0 and m at another word: lanes agree with lane XOR m alone",
    "agreement": "lanes agree under several masks in different parts of the warp",
    "active": "some lanes only: phases without an active lane",
    "strides": "a constant stride between lanes",
    "random": "random offsets: uniform, few, shared by neighbors, and some lanes only",
}


def families(access: Access) -> dict[str, Integers]:
    """Every family of inputs of an access, each int64[rows, lanes]."""
    found = {
        "base": [_apart(access, 0)],
        "single": [_far(access, (lane,)) for lane in range(access.wave)],
        "pairs": [_far(access, pair) for pair in itertools.combinations(range(access.wave), 2)],
        "distances": [_distance(access, d) for d in distances(access)],
        "masks": [_raised(access, (0, mask)) for mask in masks(access)],
        "agreement": list(_agreement(access)),
        "strides": [access.size * k * np.arange(access.wave) % MEMORY_BYTES for k in STRIDES],
        "random": list(_random(access)),
    }
    if not access.aligned:
        found["active"] = list(_active(access))
    return {name: np.stack(rows).astype(np.int64) for name, rows in found.items()}


def masks(access: Access) -> range:
    """The masks under which lanes may agree."""
    return range(1, access.wave)


def distances(access: Access) -> list[int]:
    """Multiples of the size up to 2 KB; all sums of one or two powers of two below 16 KB."""
    powers = [1 << k for k in range(MEMORY_BYTES.bit_length() - 1) if 1 << k >= access.size]
    sums = [a + b for a, b in itertools.combinations(powers, 2)]
    near = range(0, 2048, max(access.size, 4))
    narrow = range(0, 256, access.size)
    return sorted(d for d in {*near, *narrow, *powers, *sums} if d <= MEMORY_BYTES - access.size)


def _apart(access: Access, lane: int) -> Integers:
    """One lane at another word: lanes agree with lane XOR m under no mask."""
    return _raised(access, (lane,))


def _raised(access: Access, lanes: tuple[int, ...]) -> Integers:
    row = np.zeros(access.wave, np.int64)
    row[list(lanes)] = max(access.size, 4)
    return row


def _far(access: Access, lanes: tuple[int, ...]) -> Integers:
    other = next(lane for lane in range(access.wave) if lane not in lanes)
    row = _apart(access, other)
    row[list(lanes)] = FAR
    return row


def _distance(access: Access, distance: int) -> Integers:
    row = np.zeros(access.wave, np.int64)
    row[DISTANCE_LANE] = distance
    return row


def _agreement(access: Access) -> Iterator[Integers]:
    yield np.zeros(access.wave, np.int64)
    # Each quad agrees under 1 or under 2, but the warp under neither.
    yield _raised(
        access, tuple(lane for q in range(access.wave // 4) for lane in (4 * q, 4 * q + 1 + q % 2))
    )
    # The halves of the warp agree under different masks; only one of them under any.
    yield _raised(access, (0, 1, 16, 18))
    yield _raised(access, (0, 1, 16))
    yield _raised(access, (0, 16, 17))
    yield access.size * (np.arange(access.wave) // 2)
    yield access.size * (np.arange(access.wave) // 4)


def _active(access: Access) -> Iterator[Integers]:
    lanes, own = np.arange(access.wave), access.size * np.arange(access.wave)
    for lane in range(access.wave):
        yield np.where(lanes == lane, own, INACTIVE)
        yield np.where(lanes <= lane, own, INACTIVE)
    for other in range(1, access.wave):  # two lanes, another word of one bank
        row = np.full(access.wave, INACTIVE)
        row[[0, other]] = 0, FAR
        yield row
    for lane in range(4, access.wave, 4):  # conflicts in some phases, and others without a lane
        yield np.where(lanes < lane, 128 * lanes, INACTIVE)
        yield np.where(lanes >= lane, 128 * lanes, INACTIVE)
    for mask in masks(access):  # of lane and lane XOR mask, one is active
        yield np.where(lanes < (lanes ^ mask), own, INACTIVE)


def _random(access: Access) -> Iterator[Integers]:
    """Rows from Python's Mersenne Twister, the same with every version of NumPy."""
    import random

    draw, most = random.Random(_SEED + access.size), MEMORY_BYTES // access.size
    for number in range(RANDOM_ROWS):
        shared = (1, 1, 2, 4)[number % 4]
        offsets = [draw.randrange(most) for _ in range(access.wave // shared)]
        if number % 8 < 2:
            few = offsets[:5]
            offsets = [draw.choice(few) for _ in offsets]
        row = access.size * np.repeat(np.array(offsets), shared)
        if number % 3 == 2 and not access.aligned:
            off = [draw.random() < 0.4 for _ in range(access.wave)]
            off[draw.randrange(access.wave)] = False
            row = np.where(off, INACTIVE, row)
        yield row
