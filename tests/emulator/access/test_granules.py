"""What becomes of the accesses of a word whose other bytes are accessed next, or by others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from lanemap.conformance.programs.races.trial import Warps
from lanemap.conformance.programs.races.warps import (
    ATOMIC,
    BYTES,
    LOAD,
    MEET,
    STORE,
    WARPS,
    Step,
    races,
)

#: Bytes of the word; and the place of one that nothing but zeros is stored to.
LOW, HIGH, CONSTANT = 0, 2, BYTES


def _half(warp: int, what: str, at: int, value: int = 0) -> Step:
    return Step(warp, what, at=at, width=2, value=value)


def _word(warp: int, what: str, value: int = 0) -> Step:
    return Step(warp, what, width=4, value=value)


def _meet(*members: int) -> Step:
    return Step(0, MEET, members=members)


PROGRAMS: dict[str, list[Step]] = {
    "a write of the other half, then a read": [
        _half(0, STORE, LOW, 1), _half(1, STORE, HIGH, 2), _half(2, LOAD, LOW)],
    "a write of the other half, then a write": [
        _half(0, STORE, LOW, 1), _half(1, STORE, HIGH, 2), _half(2, STORE, LOW, 3)],
    "a read, a write of the other half, then a write": [
        _half(0, LOAD, LOW), _half(1, STORE, HIGH, 2), _half(2, STORE, LOW, 3)],
    "two reads, a write of the other half, then a write": [
        _half(0, LOAD, LOW), _half(1, LOAD, LOW), _half(2, STORE, HIGH, 2), _meet(1, 2, 3),
        _half(3, STORE, LOW, 3)],
    "reads of both halves, of which a barrier orders the first": [
        _half(0, LOAD, LOW), _meet(0, 1), _half(0, LOAD, HIGH), _half(1, STORE, LOW, 1)],
    "reads of both halves, of which a barrier orders the first, and a write of the second": [
        _half(0, LOAD, LOW), _meet(0, 1), _half(0, LOAD, HIGH), _half(1, STORE, HIGH, 1)],
    "writes of both halves, of which a barrier orders the first": [
        _half(0, STORE, LOW, 1), _meet(0, 1), _half(0, STORE, HIGH, 2), _half(1, LOAD, LOW)],
    "three readers, of whom a barrier orders the last two": [
        _word(0, LOAD), _word(1, LOAD), _word(2, LOAD), _meet(1, 2, 3), _word(3, STORE, 1)],
    "three readers, all ordered": [
        _word(0, LOAD), _word(1, LOAD), _word(2, LOAD), _meet(0, 1, 2, 3), _word(3, STORE, 1)],
    "two atomics, of which a barrier orders the last": [
        _word(0, ATOMIC, 1), _word(1, ATOMIC, 2), _meet(1, 2), _word(2, LOAD)],
    "a read, then an atomic of another that a barrier orders": [
        _word(0, LOAD), _word(1, ATOMIC, 1), _meet(1, 2), _word(2, STORE, 2)],
    "a store of what is there, and a read": [
        Step(0, STORE, at=CONSTANT, width=4), Step(1, LOAD, at=CONSTANT, width=4)],
}  # fmt: skip
_BOTH = ("shared", "global")


def _cases() -> list[Any]:
    cases = []
    for name in PROGRAMS:
        for space in _BOTH:
            cases.append(pytest.param(name, space, id=f"{space}: {name}"))
    return cases


def _renamed(step: Step, names: tuple[int, ...], space: str) -> Step:
    """The same with other warps, so that the schedule is another."""
    members = tuple(sorted(names[member] for member in step.members))
    return replace(step, warp=names[step.warp], members=members, space=space)


@pytest.fixture(scope="module")
def objects() -> Callable[[list[Step]], bool]:
    player = Warps()
    return lambda steps: player.objects(steps, 1)


@pytest.mark.parametrize(("name", "space"), _cases())
def test_the_word_remembers(objects: Callable[[list[Step]], bool], name: str, space: str) -> None:
    for names in permutations(range(WARPS)):
        steps = [_renamed(step, names, space) for step in PROGRAMS[name]]
        assert objects(steps) == races(steps), names
