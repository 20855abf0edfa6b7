"""Layout algebra by the clock: fits of 8192 cells, and the planner's whole grid.

    python benchmarks/layout_fit.py [--repeats R] [--json] [--skip-grid]

* f2: fit over F2 and check on every cell, of a random affine map of 8192 cells; refusing one with
  one cell changed.
* cute: fit as a CuTe layout, of a swizzled tile of 8192 cells; refusing the same with one cell
  changed, which tries every swizzle.
* grid: every plan of benchmarks/layout_grid.py; the model makes the placements, the planner plans
  and executes each plan by the maps of its instructions.

Seconds of wall time, and of this process's processor time for the grid.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from layout_grid import cases
from machine import describe

from lanemap.layout import CuteFit, F2Fit, LayoutMap, Space, fit_cute, fit_f2, map_from_f2
from lanemap.layout.planner import Plan

REGISTER = Space("register", (("lane", 64), ("register", 4), ("bit", 32)))
SOURCE = Space("chunk", (("lane", 64), ("bit", 128)))
TILE = Space("matrix", (("row", 64), ("byte", 128)))
SHARED = Space("shared", (("byte", 8192),))


def affine() -> LayoutMap:
    """A random affine map of 8192 cells."""
    rng = np.random.default_rng(1)
    matrix = rng.integers(0, 2, (13, 13), dtype=np.uint8)
    return map_from_f2(REGISTER, SOURCE, matrix, rng.integers(0, 2, 13, dtype=np.uint8))


def swizzled() -> LayoutMap:
    """A tile under the 128-byte swizzle."""
    return LayoutMap.from_function(
        TILE, SHARED, lambda row, byte: {"byte": 128 * row + (byte ^ ((row % 8) << 4))}
    )


def spoiled(layout: LayoutMap) -> LayoutMap:
    """The same map with its last cell changed."""
    table = layout.table.copy()
    table[-1] ^= 1
    return LayoutMap(layout.destination, layout.source, table)


def fits_f2(layout: LayoutMap) -> bool:
    """Whether an F2 fit is found and equal on every cell."""
    fit = fit_f2(layout)
    return isinstance(fit, F2Fit) and fit.to_map() == layout


def fits_cute(layout: LayoutMap) -> bool:
    """Whether a CuTe fit is found and equal on every cell."""
    fit = fit_cute(layout)
    return isinstance(fit, CuteFit) and fit.to_map() == layout


def timed(work: Callable[[], bool], expected: bool, repeats: int) -> dict[str, float]:
    """Median and extremes of some runs, after one that is not counted."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
        if found is not expected:
            raise AssertionError("the work that is measured went wrong")
    return {
        "median": statistics.median(times[1:]),
        "least": min(times[1:]),
        "most": max(times[1:]),
    }


def grid() -> dict[str, float]:
    """Seconds of the whole grid, once."""
    wall, processor = time.perf_counter(), time.process_time()
    count = plans = 0
    for case in cases():
        plan = case.plan()
        if isinstance(plan, Plan) is not case.possible:
            raise AssertionError(f"{case.name} went wrong: {plan}")
        count, plans = count + 1, plans + isinstance(plan, Plan)
    return {
        "cases": count,
        "plans": plans,
        "wall": time.perf_counter() - wall,
        "processor": time.process_time() - processor,
    }


def measure(repeats: int) -> dict[str, dict[str, float]]:
    """Every fit."""
    linear, tile = affine(), swizzled()
    return {
        "f2 fit and check": timed(lambda: fits_f2(linear), True, repeats),
        "f2 refusal": timed(lambda: fits_f2(spoiled(linear)), False, repeats),
        "cute fit and check": timed(lambda: fits_cute(tile), True, repeats),
        "cute refusal": timed(lambda: fits_cute(spoiled(tile)), False, repeats),
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--skip-grid", action="store_true")
    options = parser.parse_args()
    rows: dict[str, Any] = {"fits": measure(options.repeats)}
    if not options.skip_grid:
        rows["grid"] = grid()
    if options.json:
        print(json.dumps({"machine": describe(), "repeats": options.repeats, "rows": rows}))
        return 0
    print(", ".join(f"{key} {value}" for key, value in describe().items()))
    print(f"8192 cells, milliseconds, median (least to most) of {options.repeats}")
    for name, row in rows["fits"].items():
        median, least, most = (1000 * row[key] for key in ("median", "least", "most"))
        print(f"{name:20} {median:8.2f} ({least:.2f} to {most:.2f})")
    if "grid" in rows:
        row = rows["grid"]
        print(
            f"grid: {row['cases']:.0f} cases, {row['plans']:.0f} plans, "
            f"{row['wall']:.1f} s, {row['processor']:.1f} s of processor"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
