"""The matrix of access kind by hazard, wmma.load and wmma.store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import Cell, complaints
from tests.emulator.access.known import WMMA, gap
from tests.emulator.access.ptx_kinds import row_id
from tests.emulator.access.wmma_cells import HAZARDS, KINDS, ROWS, TARGET


def _cells() -> Iterator[Any]:
    for hazard in HAZARDS:
        for name, space in ROWS:
            if isinstance(HAZARDS[hazard](KINDS[name], space), Cell):
                cell = f"{hazard}: {row_id(name, space)}"
                reason = gap(WMMA, cell)
                marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
                yield pytest.param(hazard, name, space, id=cell, marks=marks)


CELLS = list(_cells())


@pytest.mark.parametrize(("hazard", "name", "space"), CELLS)
def test_a_cell(hazard: str, name: str, space: str) -> None:
    cell = HAZARDS[hazard](KINDS[name], space)
    assert isinstance(cell, Cell)
    found = list(complaints(cell))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_what_is_known_to_fail_is_a_cell() -> None:
    for pattern in WMMA:
        assert any(gap({pattern: "known"}, str(cell.id)) for cell in CELLS), pattern


def test_a_hazard_that_does_not_apply_says_why() -> None:
    for hazard in HAZARDS.values():
        for name, space in ROWS:
            cell = hazard(KINDS[name], space)
            assert isinstance(cell, Cell) or len(cell.split()) >= 3


@pytest.mark.parametrize("name", KINDS)
def test_ptxas_assembles_the_texts(name: str) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for hazard in ("undefined", "origin kept", "order"):
        cell = HAZARDS[hazard](KINDS[name], ".shared")
        if isinstance(cell, Cell):
            cubin, messages = ptxas.judge(cell.text, TARGET)
            assert cubin is not None, messages
