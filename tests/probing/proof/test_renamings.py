"""Renamings that change nothing, against all permutations tried one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.probing.proof.renamings import Relation, Renamings

SIZE = 6
CELLS = np.arange(SIZE)
RELATIONS = {
    "none": (),
    "halves": (Relation("halves", reaches=CELLS // 3),),
    "parity and halves": (Relation("h", reaches=CELLS // 3), Relation("p", reaches=CELLS % 2)),
    "shift": (Relation("shift", moves_from=np.minimum(CELLS + 1, SIZE - 1)),),
    "two shifts": (Relation("shift", moves_from=np.array([1, 2, 2, 4, 5, 5])),),
    "a pair": (Relation("swap", moves_from=np.array([1, 0, 2, 3, 4, 5])),),
}


def left(relations: tuple[Relation, ...]) -> list[tuple[int, ...]]:
    """Every permutation under which all relations stay what they are."""
    found = []
    for renamed in itertools.permutations(range(SIZE)):
        to = np.array(renamed)
        same = all(
            (r.reaches is None or np.array_equal(r.reaches[to], r.reaches))
            and (r.moves_from is None or np.array_equal(to[r.moves_from], r.moves_from[to]))
            for r in relations
        )
        found += [renamed] if same else []
    return found


@pytest.mark.parametrize("name", RELATIONS)
def test_classes_and_order_against_all_permutations(name: str) -> None:
    relations = RELATIONS[name]
    renamings, wanted = Renamings("cells", SIZE, relations), left(relations)
    classes = renamings.classes()
    # No permutation that is left takes a cell out of its class.
    assert all(np.array_equal(classes[list(p)], classes) for p in wanted)
    exact = all(relation.moves_from is None for relation in relations) or len(wanted) == 1
    assert renamings.order == len(wanted) if exact else renamings.order >= len(wanted)
    orbits = {frozenset(p[cell] for p in wanted) for cell in range(SIZE)}
    assert len(orbits) == classes.max() + 1


def test_what_is_left_is_said() -> None:
    half = Renamings("lanes", 32, (Relation("lane 16", reaches=np.arange(32) // 16),))
    found = half.certificate("load and store", "the shift")
    assert not found.complete and found.splits == "the shift"
    assert found.remaining == "any exchange within 0 to 15; 16 to 31: these have no other names"
    assert found.parts == math.factorial(32) // math.factorial(16) ** 2
    shift = Relation("shift.down", moves_from=np.minimum(np.arange(32) + 1, 31))
    whole = Renamings("lanes", 32, (shift,)).certificate("all")
    assert whole.complete and whole.remaining is None and whole.parts == math.factorial(32)
    with pytest.raises(UserError, match="speaks of 3 of 32"):
        Renamings("lanes", 32, (Relation("short", reaches=np.arange(3)),)).classes()
