"""The matrix of hazards for operands of wgmma in shared memory, and for its registers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import Cell, complaints
from tests.emulator.access.known import WGMMA, gap
from tests.emulator.access.wgmma_cells import (
    FORMS,
    HAZARDS,
    ROWS,
    SWIZZLES,
    TARGET,
    registers,
    text,
)


def _cells() -> Iterator[Any]:
    for hazard, make in HAZARDS.items():
        for form, swizzle in ROWS:
            yield f"{hazard}: {form}, swizzle {SWIZZLES[swizzle]}", (make, form, swizzle)
    for way in ("branches", "guards"):
        yield f"registers: {way}", (registers, way)


def _marked() -> Iterator[Any]:
    for cell, made in _cells():
        reason = gap(WGMMA, cell)
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        yield pytest.param(*made[:1], made[1:], id=cell, marks=marks)


@pytest.mark.parametrize(("make", "given"), list(_marked()))
def test_a_cell(make: Any, given: tuple[Any, ...]) -> None:
    cell = make(*given)
    assert isinstance(cell, Cell)
    found = list(complaints(cell))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_what_is_known_to_fail_is_a_cell() -> None:
    for pattern in WGMMA:
        assert any(gap({pattern: "known"}, cell) for cell, _ in _cells()), pattern


def test_ptxas_assembles_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for each in (*(text(form) for form in FORMS), registers("branches").text):
        cubin, messages = ptxas.judge(each, TARGET)
        assert cubin is not None, messages
