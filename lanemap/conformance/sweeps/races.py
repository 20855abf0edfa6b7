"""Programs of warps that share bytes: races are found, programs without one are clean."""

from __future__ import annotations

from functools import cache

from lanemap.conformance.programs.races import warps
from lanemap.conformance.programs.races.trial import Warps
from lanemap.sweeping.sweep import Found, Sweep, each

#: CTAs and steps of programs.
SHAPES = ((1, 12), (1, 40), (2, 60), (4, 100))
SORTS = ("clean", "racy", "messages", "damaged")


@cache
def _player() -> Warps:
    return Warps()


def _program(number: int) -> tuple[str, list[warps.Step], int]:
    """The sort of a program, its steps and its CTAs."""
    (ctas, length), sort = SHAPES[number // len(SORTS) % len(SHAPES)], SORTS[number % len(SORTS)]
    if sort == "messages":
        return sort, warps.clean(number, ctas, length, messages=True), ctas
    made = {"clean": warps.clean, "racy": warps.racy, "damaged": warps.damaged}[sort]
    return sort, made(number, ctas, length), ctas


def _one(item: str) -> Found:
    sort, steps, ctas = _program(int(item))
    racy = sort in ("racy", "damaged")
    found = _player().objects(steps, ctas)
    counts = {f"{sort}": 1, f"{sort}, reported": int(found)}
    if sort == "damaged":  # docs/emulator-order.md says which of these it cannot find
        return Found(item, counts=counts)
    wrong = "" if found == racy else "a race is not reported" if racy else "a false alarm"
    return Found(item, wrong, counts)


SWEEP = Sweep(
    "random programs of warps that share bytes and pass messages, against an oracle of their order",
    each(_one),
    batch=200,
)
