"""Random pipelines of tcgen05 against NumPy, and generated faults in them.

The programs have pairs of CTAs, `.ws`, scale factors, copies and shifts to tensor memory,
collectors, multicast loads and commits, and several tiles and sums at a time.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lanemap.errors import LanemapError
from tests.emulator.ptx.tensor_pipelines.faults import FAULTS, Fault
from tests.emulator.ptx.tensor_pipelines.launch import launch
from tests.emulator.ptx.tensor_pipelines.operands import sums
from tests.emulator.ptx.tensor_pipelines.shape import LOADERS, SCALED, TEAMS, Shape, shape
from tests.emulator.ptx.tensor_pipelines.text import text

#: Programs; of the first so many the sums are checked in the fast suite.
COUNT, QUICK = 120, 6
#: Programs in which each fault is tried; every so many faults are tried in one in the fast suite.
TRIED, EVERY = 12, 8


@cache
def _shapes() -> tuple[Shape, ...]:
    return tuple(shape(number) for number in range(COUNT))


def _numbers() -> list[object]:
    """All programs, most of them slow tests."""
    slow = (pytest.mark.slow,)
    return [pytest.param(n, marks=() if n < QUICK else slow) for n in range(COUNT)]


@pytest.mark.parametrize("strict", [False, True], ids=["plain", "strict"])
@pytest.mark.parametrize("number", _numbers())
def test_sums_are_numpys(number: int, strict: bool) -> None:
    s = _shapes()[number]
    device, got = launch(s, strict=strict)
    assert np.array_equal(got, sums(s))
    assert [str(note) for note in device.notes] == []


@pytest.mark.parametrize("number", _numbers())
def test_ptxas_assembles_them(number: int) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    if number >= QUICK or number % 3 == 0:
        cubin, messages = ptxas.judge(text(_shapes()[number]), "sm_100a")
        assert cubin is not None, messages


def test_programs_have_every_choice() -> None:
    found = _shapes()
    for team in TEAMS:
        assert {s.loader for s in found if s.team == team} == set(LOADERS)
    assert {(s.group, s.rows, s.fold) for s in found} >= {
        (1, 128, 1),
        (1, 64, 1),
        (1, 32, 4),
        (1, 64, 2),
        (2, 128, 1),
        (2, 64, 2),
    }
    scaled = {(s.mma.kind, s.mma.words) for s in found if s.mma.scaled}
    assert scaled == {(kind, words) for kind, words, *_ in SCALED}
    assert {(s.mma.scaled, s.mma.tensor) for s in found} == {(a, b) for a in (0, 1) for b in (0, 1)}
    assert {s.moved for s in found} == {"", "shift", "ashift"}
    assert {s.near.swizzle for s in found} == {"none", "32B", "64B", "128B"}
    for name in ("sharing", "copier", "through", "by_warp"):
        assert {getattr(s, name) for s in found} == {False, True}
    for name in ("stages", "steps", "sums", "depths", "first_reader"):
        assert len({getattr(s, name) for s in found}) >= 3


def _programs(fault: Fault) -> list[Shape]:
    """The first programs that have what the fault changes."""
    having = (s for s in _shapes() if fault.apply(text(s), s) != text(s))
    return [s for s, _ in zip(having, range(TRIED), strict=False)]


def _notices(fault: Fault, s: Shape, strict: bool) -> bool:
    """Whether a program with the fault is reported, refused, or wrong."""
    try:
        _, got = launch(s, fault.apply(text(s), s), strict)
    except LanemapError:
        return True
    return not np.array_equal(got, sums(s))


@pytest.mark.parametrize("fault", FAULTS[::EVERY], ids=lambda fault: fault.name)
def test_a_fault_is_noticed(fault: Fault) -> None:
    s = next(s for s in _shapes() if fault.apply(text(s), s) != text(s))
    assert _notices(fault, s, fault.strict)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_noticed_in_each_program(fault: Fault) -> None:
    programs = _programs(fault)
    assert programs
    assert [s.name for s in programs if not _notices(fault, s, fault.strict)] == []
