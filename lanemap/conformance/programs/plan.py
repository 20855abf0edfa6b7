"""The list of programs: 324 with every form in three of them, and three more.

A program's number is its index in the list. Higher numbers belong to further series of as many
programs, with the same forms in other combinations and with other inputs.

`python -m lanemap.conformance.programs.plan` draws the choices with hypothesis and stores them in
choices.json, so that the programs do not depend on the version of hypothesis. Running them does
not need hypothesis.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.conformance.forms.judged import accepted_forms
from lanemap.conformance.forms.rows import Form
from lanemap.conformance.programs.chance import Chance
from lanemap.conformance.programs.exceptions import is_run
from lanemap.conformance.programs.program import SHAPES, Choices, Program, build
from lanemap.conformance.programs.structure import COLLECTIVES, Structure
from lanemap.errors import MissingEnvironment
from lanemap.records.files import dumps, write_files

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TARGET = "sm_90a"
#: In how many programs each form appears.
ROUNDS = 3
PER_ROUND = 108
_CHOICES = Path(__file__).with_name("choices.json")
_SEED = 90


def strategy() -> SearchStrategy[Choices]:
    """Return a hypothesis strategy for the choices of a program.

    Raises:
        MissingEnvironment: hypothesis is not here.
    """
    try:
        from hypothesis import strategies as st
    except ImportError as error:
        raise MissingEnvironment(
            "generating programs needs hypothesis: run pip install hypothesis"
        ) from (error)
    structures = st.builds(
        Structure,
        trips=st.integers(2, 7),
        stride=st.integers(1, 13),
        phase=st.integers(0, 63),
        step=st.integers(0, 31),
        lanes=st.integers(1, 31),
        collective=st.sampled_from(COLLECTIVES),
    )
    return st.builds(
        Choices,
        seed=st.integers(0, 2**64 - 1),
        threads=st.sampled_from(sorted(SHAPES)),
        shape=st.integers(0, 2),
        structure=st.none() | structures,
    )


def draw(count: int) -> list[Choices]:
    """Draw choices with hypothesis. Every second one has a structure; all seeds differ.

    Raises:
        MissingEnvironment: hypothesis is not here.
    """
    drawn = strategy()
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: dict[int, Choices] = {}

    @seed(_SEED)
    @settings(
        max_examples=20 * count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def collect(choices: Choices) -> None:
        found.setdefault(choices.seed, choices)

    collect()
    pools = {
        flat: [c for c in found.values() if (c.structure is None) == flat] for flat in (True, False)
    }
    return [pools[number % 2 == 0].pop() for number in range(count)]


@cache
def choices() -> tuple[Choices, ...]:
    """Return the stored choices, one for each program."""
    return tuple(_choices(item) for item in json.loads(_CHOICES.read_text())["programs"])


def _choices(item: dict[str, Any]) -> Choices:
    structure = item["structure"]
    return Choices(
        item["seed"], item["threads"], item["shape"], Structure(**structure) if structure else None
    )


def _alone(form: Form) -> bool:
    """Return whether a form needs its own program, because it changes the register count."""
    return form.name.startswith("setmaxnreg")


@cache
def assignment(series: int = 0) -> tuple[tuple[Form, ...], ...]:
    """Return the forms of each program of a series."""
    forms = [form for form in accepted_forms(TARGET) if is_run(form.name)]
    alone = tuple(form for form in forms if _alone(form))
    rest = [form for form in forms if not _alone(form)]
    found: list[tuple[Form, ...]] = []
    for number in range(ROUNDS):
        order = Chance("round", number, *([series] if series else [])).shuffled(rest)
        found += [tuple(order[first::PER_ROUND]) for first in range(PER_ROUND)]
    return (*found, *[alone] * ROUNDS)


def count() -> int:
    """Return how many programs there are in a series."""
    return ROUNDS * PER_ROUND + ROUNDS


def forms_of(number: int) -> tuple[Form, ...]:
    """Return the forms of a program."""
    series, place = divmod(number, count())
    return assignment(series)[place]


def choices_of(number: int) -> Choices:
    """Return the stored choices of a program; further series replace the seed."""
    series, place = divmod(number, count())
    seed = Chance("series", number).bits(64)
    return replace(choices()[place], seed=seed) if series else choices()[place]


def program(number: int) -> Program:
    """Write one program."""
    return build(f"{number:03d}", choices_of(number), forms_of(number))


def store() -> None:
    """Draw the choices anew and store them."""
    drawn = [asdict(item) for item in draw(count())]
    write_files({_CHOICES: dumps({"hypothesis_seed": _SEED, "programs": drawn})})


if __name__ == "__main__":
    store()
