"""The matrix of access kind by hazard, PTX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import Cell, complaints
from tests.emulator.access.known import PTX, gap
from tests.emulator.access.ptx_hazards import HAZARDS, TARGET, every_access
from tests.emulator.access.ptx_kinds import GENERIC, KINDS, ROWS, row_id


def _cells() -> Iterator[Any]:
    for hazard in HAZARDS:
        for name, space in ROWS:
            if isinstance(HAZARDS[hazard](KINDS[name], space), str):
                continue
            cell = f"{hazard}: {row_id(name, space)}"
            reason = gap(PTX, cell)
            marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
            # a generic address takes the same way once it is resolved
            marks += [pytest.mark.slow] * (space == GENERIC)
            yield pytest.param(hazard, name, space, id=cell, marks=marks)


CELLS = list(_cells())


@pytest.mark.parametrize(("hazard", "name", "space"), CELLS)
def test_a_cell(hazard: str, name: str, space: str) -> None:
    cell = HAZARDS[hazard](KINDS[name], space)
    assert isinstance(cell, Cell)
    found = list(complaints(cell, modes=space == KINDS[name].spaces[0]))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_what_is_known_to_fail_is_a_cell() -> None:
    for pattern in PTX:
        assert any(gap({pattern: "known"}, str(cell.id)) for cell in CELLS), pattern


def test_a_hazard_that_does_not_apply_says_why() -> None:
    for hazard in HAZARDS.values():
        for name, space in ROWS:
            cell = hazard(KINDS[name], space)
            assert isinstance(cell, Cell) or len(cell.split()) >= 3


def test_ptxas_accepts_every_access() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    cubin, messages = ptxas.judge(every_access(), TARGET)
    assert cubin is not None, messages
