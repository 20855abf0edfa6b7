"""Calls in other processes, side by side."""

from __future__ import annotations

import functools
import operator
import os

import pytest

from lanemap.errors import UserError
from lanemap.sweeping.executors import side_by_side, spread


def test_results_come_in_order_and_errors_where_they_belong() -> None:
    calls = [functools.partial(operator.floordiv, 12, number) for number in (3, 0, 4)]
    with side_by_side(calls) as results:
        assert next(results) == 4
        with pytest.raises(ZeroDivisionError):
            next(results)
        assert list(results) == [3]


def test_a_process_that_ends_is_a_sentence() -> None:
    with (
        side_by_side([functools.partial(os._exit, 1)]) as results,
        pytest.raises(UserError, match="a process ended before it was done"),
    ):
        next(results)


def test_spread_is_map_in_processes() -> None:
    assert spread(operator.sub, (5, 7), (1, 2), most=1) == [4, 5]
