"""The chip: SMs that are simulated together feel what the others move, epoch by epoch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lanemap.timing.model.chip import Without, on_chip, resident
from lanemap.timing.model.parameters import Parameters
from lanemap.timing.model.simulate import Level, Simulation
from lanemap.timing.model.trace import Trace, Unit, WarpTrace
from tests.timing.test_machine import instruction, trace

PARAMETERS = Parameters()
SMS = 132
STORES = 1200


def storing() -> Trace:
    """CTAs of two kinds: four warps that store 512 bytes again and again, and one that ends."""
    code = [
        *(instruction(k, "STG.E.128", "[R2.64], R4") for k in range(STORES)),
        instruction(STORES, "EXIT"),
    ]
    works = [{"unit": Unit.GLOBAL, "bytes": 512, "passes": 4}]
    own = trace(code, [range(STORES + 1)] * 4, works, dict.fromkeys(range(STORES), 0))
    idle = WarpTrace(np.array([STORES], np.int32), np.array([-1], np.int32))
    return replace(own, warps=(*own.warps, idle), ctas=((0, 1, 2, 3), (4,)))


def cycles(kinds: list[int], without: Without | None = None) -> float:
    """Cycles of a store on the SM that ends last, if SMs have CTAs of these kinds."""
    own = replace(storing(), grid=np.array(kinds, np.int32))
    grid = on_chip(own, PARAMETERS, Level.L2, 1.0, 1, without=without or Without())
    return grid.result.cycles / (4 * STORES)


def test_an_sm_that_others_leave_alone_stores_as_one_sm_does() -> None:
    """17.03 cycles of a store by one SM, 21.71 by all of them (timing_stores)."""
    assert cycles([0] * SMS) == pytest.approx(21.71, rel=0.03)
    assert cycles([0] + [1] * (SMS - 1)) == pytest.approx(17.03, rel=0.03)


def test_without_contention_all_sms_store_as_one_does() -> None:
    assert cycles([0] * SMS, Without(contention=True)) == pytest.approx(17.03, rel=0.03)


def test_a_run_in_parts_is_the_same_run() -> None:
    own, whole = Simulation(storing(), PARAMETERS), Simulation(storing(), PARAMETERS).whole()
    until = 0
    while not own.machine.go(until):
        until += 97
    parts = own.result()
    assert parts.cycles == whole.cycles
    assert np.array_equal(parts.account, whole.account)


@pytest.mark.parametrize(
    ("threads", "registers", "ctas"),
    # As CUDA's calculator of occupancy: 65,536 registers, 256 at once, warps by fours.
    [(32, 32, 32), (32, 128, 16), (96, 168, 4), (128, 128, 4), (160, 64, 6), (1024, 64, 1)],
)
def test_registers_are_given_warp_by_warp(threads: int, registers: int, ctas: int) -> None:
    own = replace(storing(), threads=threads, registers=registers, shared_bytes=0)
    assert resident(own)[0] == ctas
