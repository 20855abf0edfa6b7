"""Every plan of the grid, executed bit by bit with the model's maps and nothing of the planner's.

The executor here knows a plan's issues (variant, lane and column offset, imm, registers) and the
layout maps of those variants; it shares no code with the one that the planner itself checks with.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lanemap.layout.planner import Issue, NoPlan, Plan
from lanemap.model import variants
from tests.sampled import sampled


def _grid() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "layout_grid.py"
    spec = importlib.util.spec_from_file_location("layout_grid", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


GRID = _grid()
CASES = list(GRID.cases())
MAPS = {v.name: v for v in variants("sm_100a") if v.family in ("tcgen05.ld", "tcgen05.st")}


@cache
def bits_of(variant: str) -> tuple[np.ndarray, ...]:
    """Of every register bit: thread, register, bit; then lane, column and bit it moves to or from.

    The seventh array is the column that the upper half of the threads begins at.
    """
    layout = MAPS[variant].map
    load = layout if variant.startswith("tcgen05.ld") else layout.inverse()
    here, there = load.destination.grid(), load.source.coords(load.table)
    upper = there["column"][here["lane"] >= 16].min()
    return (*here.values(), *there.values(), np.where(here["lane"] >= 16, upper, 0))


def moves_of(issue: Issue, warp: int) -> tuple[np.ndarray, ...]:
    """Thread, fragment register and bit; absolute lane, column and bit of tensor memory."""
    thread, register, bit, lane, column, place, begin = bits_of(issue.variant)
    if issue.gap is not None:
        # The listed variant lets the second half follow the first; a plan may place it elsewhere.
        column = column - begin + np.where(thread >= 16, issue.gap, 0)
    lane = 32 * (warp % 4) + issue.lane + lane
    return thread, np.array(issue.registers)[register], bit, lane, column + issue.column, place


def executed(plan: Plan) -> np.ndarray:
    """The destination's table after the plan, in bits of the matrix; -1 where nothing came."""
    source, destination = plan.source, plan.destination
    given = source.layout.table.reshape(source.ctas, -1, source.words, 32)
    result = np.full(destination.layout.table.size, -1)
    out = result.reshape(destination.ctas, -1, destination.words, 32)
    for (cta, warp), steps in plan.warps.items():
        if source.kind == "tmem":
            count = 1 + max(r for issue in steps.loads for r in issue.registers)
            fragment = np.full((32, count, 32), -1)
            for issue in steps.loads:
                wanted = moves_of(issue, warp)
                thread, register, bit, *place = (part[wanted[1] >= 0] for part in wanted)
                fragment[thread, register, bit] = given[(cta, *place)]
        else:
            fragment = given[cta, 32 * warp : 32 * warp + 32]
        if steps.moves is not None:
            fragment = moved(fragment, plan, steps.moves.source)
        if destination.kind == "registers":
            out[cta, 32 * warp : 32 * warp + 32, : fragment.shape[1]] = fragment
        for issue in steps.stores:
            thread, register, bit, lane, column, place = moves_of(issue, warp)
            out[cta, lane, column] = -1
            out[cta, lane, column, place] = fragment[thread, register, bit]
    return result


def moved(fragment: np.ndarray, plan: Plan, source: np.ndarray) -> np.ndarray:
    """A fragment's elements taken to their new cells, and their bits to the new encoding."""
    old, new = plan.source.encoding, plan.destination.encoding
    first = fragment.reshape(-1, old.unit)[:, old.shift]
    elements = np.where(first >= 0, first // old.bits, -1)
    placed = np.where(source >= 0, elements[source], -1)
    inside = np.arange(new.unit) - new.shift
    whole = (placed[..., None] >= 0) & (inside >= 0) & (inside < new.bits)
    bits = np.where(whole, placed[..., None] * new.bits + inside, -1)
    return bits.reshape(*source.shape[:2], 32)


@pytest.mark.parametrize("case", sampled(CASES, 4, lambda case: case.name.replace(" ", "-")))
def test_the_plan_moves_every_cell(case: object) -> None:
    plan = case.plan()  # type: ignore[attr-defined]
    if not case.possible:  # type: ignore[attr-defined]
        assert isinstance(plan, NoPlan)
        # Layout B has the upper half of N on lanes 64 to 127, A wants it on all.
        assert "must receive row 0 k " in plan.reason and "out of reach of warp 0" in plan.reason
        return
    assert isinstance(plan, Plan), str(plan)
    wanted, found = plan.destination.layout.table, executed(plan)
    wrong = np.flatnonzero((wanted >= 0) & (wanted != found))
    assert wrong.size == 0, plan.destination.layout.destination.format(int(wrong[0]))
    if plan.destination.kind == "tmem":
        words = wanted.reshape(-1, 32)
        unused = np.all(words < 0, axis=1)
        assert np.all(found.reshape(-1, 32)[unused] < 0), (
            "a word outside the destination is written"
        )


def test_the_grid_has_every_layout_type_and_shape() -> None:
    names = [case.name for case in CASES]
    for letter in "ABCDEFG":
        assert any(name.startswith(f"load {letter} ") for name in names)
    for shape in GRID.SHAPES:
        assert any(name.startswith("store") and name.endswith(shape) for name in names)
    assert len(set(names)) == len(names)


def test_plain_copies_need_no_moves() -> None:
    for case in CASES:
        if case.name.startswith(("load", "store")):
            continue
        plan = case.plan()
        if isinstance(plan, Plan):
            assert (plan.shuffles, plan.merges) == (0, 0), case.name


def test_the_free_choice_is_never_dearer_than_the_shape_that_made_the_fragment() -> None:
    from lanemap.layout.planner import plan_copy

    table = GRID.movers()
    for case in CASES[::17]:
        if not case.name.startswith("load"):
            continue
        forced = case.plan()
        source, fragment = forced.source.layout, forced.destination.layout
        free = plan_copy(source, fragment, variants=table)
        assert isinstance(free, Plan)
        assert free.shuffles == free.merges == 0
        assert free.instructions <= forced.instructions, case.name
