"""The sweep of random functions: that it compares, and that a wrong output is found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.corpus import random_functions as sweep
from tests.corpus import units

pytest.importorskip("ziglang", reason="the host's side is compiled by ziglang's clang")
#: One that nests, one that is rich, a group, and one of most.
ITEMS = ("29", "30", "31", "32")


def test_functions_of_a_unit_are_equal_to_the_host() -> None:
    found = list(sweep.SWEEP.run(ITEMS))
    assert [(each.item, each.wrong) for each in found] == [(item, "") for item in ITEMS]
    assert [each.counts["groups"] for each in found] == [0, 0, 1, 0]


def test_a_number_is_always_the_same_function() -> None:
    assert units.case(7) == units.case(7) and units.case(7).source != units.case(8).source


def test_a_wrong_output_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    right = sweep.on_the_host

    def wrong(library: Any, case: Any, values: Any) -> Any:
        out = right(library, case, values)
        out[3 * case.outputs + 1] ^= 4
        return out

    monkeypatch.setattr(sweep, "on_the_host", wrong)
    (found,) = sweep.SWEEP.run(["32"])
    assert found.wrong.startswith("emulator: 1 outputs differ, as element 3 output 1: ")
