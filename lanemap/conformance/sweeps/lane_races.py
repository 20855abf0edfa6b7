"""Programs of the lanes of one warp that share bytes: races are found, others are clean."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.programs.races import lanes
from lanemap.conformance.programs.races.trial import Lanes
from lanemap.sweeping.sweep import Found, Sweep, each

LENGTHS = (15, 40, 60)


@cache
def _player() -> Lanes:
    return Lanes()


def _one(item: str) -> Found:
    number = int(item)
    racy, length = number % 2 == 1, LENGTHS[number // 2 % len(LENGTHS)]
    found = _player().objects((lanes.racy if racy else lanes.clean)(number, length))
    sort = "racy" if racy else "clean"
    wrong = "" if found == racy else "a race is not reported" if racy else "a false alarm"
    return Found(item, wrong, {sort: 1, f"{sort}, reported": int(found)})


SWEEP = Sweep(
    "random programs of one warp's lanes that share bytes, against an oracle of their order",
    each(_one),
    batch=200,
)
