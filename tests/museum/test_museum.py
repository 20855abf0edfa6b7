"""Every exhibit: the fault is found at its line, and the mended kernel is clean and right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import lanemap
from lanemap.conformance.museum.exhibit import WRONG_RESULT, Exhibit, Pair, exhibits
from lanemap.emulator.api import Hazard
from lanemap.errors import MissingEnvironment

EXHIBITS = [pytest.param(one, id=name) for name, one in exhibits().items()]


def run(one: Exhibit, faulty: bool) -> tuple[Sequence[Pair], Sequence[Hazard]]:
    """Launch it on the emulator: what it left, and what was reported."""
    device = lanemap.open_device(one.target, device="emulator", hazards="report", strict=one.strict)
    try:
        module = one.module(device, faulty)
    except MissingEnvironment as error:
        pytest.skip(str(error))
    try:
        pairs = one.launch(device, module)
    except Hazard as ended:
        return [], [*device.hazards, ended]
    return pairs, device.hazards


def lines(one: Exhibit, hazard: Hazard) -> set[int]:
    """The lines of the exhibit's file that a hazard names."""
    return {line for file, line in hazard.facts.places if file.endswith(one.source.name)}


@pytest.mark.parametrize("one", EXHIBITS)
def test_the_fault_is_found_at_its_line(one: Exhibit) -> None:
    pairs, hazards = run(one, faulty=True)
    if one.kind == WRONG_RESULT:
        assert not hazards
        assert not all(np.array_equal(got, right) for got, right in pairs)
        return
    found = [each for each in hazards if each.kind == one.kind and one.says in str(each)]
    assert found, [str(each) for each in hazards]
    assert any(lines(one, each) & one.marked() for each in found), str(found[0])


@pytest.mark.parametrize("one", EXHIBITS)
def test_the_mended_kernel_is_clean_and_right(one: Exhibit) -> None:
    pairs, hazards = run(one, faulty=False)
    assert not hazards, str(hazards[0])
    assert pairs
    for got, right in pairs:
        assert np.array_equal(got, right)


def test_every_exhibit_says_where_it_was_met_and_why() -> None:
    for name, one in exhibits().items():
        assert one.threads and all(each.startswith("https://") for each in one.threads), name
        assert one.cause.endswith(".") and one.says, name
        text = one.source.read_text()
        assert "FAULTY" in text and one.marked(), name
