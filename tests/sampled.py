"""What of a long list of cases `make test` runs; `make test-slow` runs the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def sampled(
    cases: Iterable[Any],
    quick: Callable[[Any], bool] | Collection[Any] | int,
    ids: Callable[[Any], str] | None = None,
) -> list[Any]:
    """Cases for `parametrize`, of which all but the quick ones are slow.

    `quick` says it of a case, holds the quick cases, or is a number: every so many, from the first.
    A tuple is the arguments of a case.
    """
    made = []
    for number, case in enumerate(cases):
        if isinstance(quick, int):
            chosen = number % quick == 0
        else:
            chosen = quick(case) if callable(quick) else case in quick
        made.append(
            pytest.param(
                *(case if isinstance(case, tuple) else (case,)),
                id=ids(case) if ids else None,
                marks=() if chosen else pytest.mark.slow,
            )
        )
    return made
