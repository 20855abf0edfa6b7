"""Which launches are marked as outside of what the tables cover, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanemap.timing.model.answer import Prediction, predicted
from lanemap.timing.model.envelope import outside
from tests.timing.model.test_answer import EXAMPLE, launched

pytest.importorskip("nvidia.cu13")


@pytest.fixture(scope="module")
def long() -> Prediction:
    return predicted(launched(EXAMPLE.read_text(), 64), changes=False)


def test_a_kernel_that_rows_cover_is_inside(long: Prediction) -> None:
    assert not list(outside(long))


def test_a_launch_that_ends_at_once_is_outside() -> None:
    found = predicted(launched(EXAMPLE.read_text(), 1), changes=False)
    assert any("besides its instructions" in why for why in outside(found))


def test_loads_in_an_order_that_is_taken_are_outside(long: Prediction) -> None:
    found = replace(long, joined=replace(long.joined, approximate={7: 1}))
    assert any("another number of loads" in why for why in outside(found))


@pytest.mark.parametrize(("held", "marked"), [(0.0, False), (0.5, True), (1.0, False)])
def test_l2_that_holds_a_part_is_outside(long: Prediction, held: float, marked: bool) -> None:
    grid = replace(long.grid, held=held, moved=long.grid.busy // 2)
    assert any("which part" in why for why in outside(replace(long, grid=grid))) == marked


@pytest.mark.parametrize(("part", "marked"), [(0.1, False), (1.0, True), (10, False)])
def test_l2_as_busy_as_the_sms_is_outside(long: Prediction, part: float, marked: bool) -> None:
    grid = replace(long.grid, held=1.0, moved=round(part * long.grid.busy))
    assert any("request waits" in why for why in outside(replace(long, grid=grid))) == marked
