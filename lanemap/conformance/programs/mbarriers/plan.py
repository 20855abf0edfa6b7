"""The list of mbarrier programs: 36, half with a cluster of two; every form is in three.

Everything follows from a hash and Python's Mersenne Twister (`chance`).
"""

from __future__ import annotations

from functools import cache

from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.mbarriers.rings import Crowd
from lanemap.conformance.programs.mbarriers.steps import Steps
from lanemap.conformance.programs.mbarriers.text import Mbarriers, Text
from lanemap.conformance.programs.plan import TARGET

#: Programs that a form is in.
ROUNDS = 3
PER_ROUND = 12
_RINGS = 2


@cache
def forms() -> tuple[Form, ...]:
    """Return the forms of mbarrier that ptxas accepts."""
    return tuple(form for form in accepted_forms(TARGET) if form.name.startswith("mbarrier."))


@cache
def assignment() -> tuple[tuple[Form, ...], ...]:
    """Return the forms of each program."""
    found: list[tuple[Form, ...]] = []
    for number in range(ROUNDS):
        order = Chance("mbarriers", number).shuffled(forms())
        found += [tuple(order[first::PER_ROUND]) for first in range(PER_ROUND)]
    return tuple(found)


def count() -> int:
    """Return how many programs there are."""
    return ROUNDS * PER_ROUND


def program(number: int) -> Mbarriers:
    """Write one program."""
    seed = Chance("mbarriers of program", number).bits(64)
    text = Text(seed, 1 + number % 2)
    steps = Steps(text)
    for form in assignment()[number]:
        steps.write(form)
    crowd = Crowd(text, assignment()[number])
    for _ in range(_RINGS):
        crowd.ring()
    crowd.rendezvous()
    return text.finished(f"mbarriers {number:02d}", [form.name for form in assignment()[number]])
