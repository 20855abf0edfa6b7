"""The matrix of access kind by hazard, tensor memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import Cell, complaints
from tests.emulator.access.known import TENSOR, gap
from tests.emulator.access.tensor_cells import HAZARDS, ROWS


def _cells() -> Iterator[Any]:
    for hazard in HAZARDS:
        for name in ROWS:
            if isinstance(HAZARDS[hazard](name), Cell):
                cell = f"{hazard}: {name}"
                reason = gap(TENSOR, cell)
                marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
                yield pytest.param(hazard, name, id=cell, marks=marks)


CELLS = list(_cells())


@pytest.mark.parametrize(("hazard", "name"), CELLS)
def test_a_cell(hazard: str, name: str) -> None:
    cell = HAZARDS[hazard](name)
    assert isinstance(cell, Cell)
    found = list(complaints(cell))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_what_is_known_to_fail_is_a_cell() -> None:
    for pattern in TENSOR:
        assert any(gap({pattern: "known"}, str(cell.id)) for cell in CELLS), pattern


def test_a_hazard_that_does_not_apply_says_why() -> None:
    for hazard in HAZARDS.values():
        for name in ROWS:
            cell = hazard(name)
            assert isinstance(cell, Cell) or len(cell.split()) >= 3
