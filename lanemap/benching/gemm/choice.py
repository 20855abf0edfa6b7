"""The choice of a tile for a product: by times of an H200, and an estimate fitted to them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.benching.gemm.estimate import Neighbors, Parameters, tiles_of
from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.tiling import Tiling, tilings
from lanemap.records.files import read_record

#: The rows; benchmarks/gemm_tiles.py makes the first, tools/gemm_estimate.py the second.
TIMES, ESTIMATE = "sm_90a/cuda/tile_times.json", "sm_90a/cuda/tile_estimate.json"
#: A form of tiles has proved good where one of its times is this near to the best of a product.
PROVED = 1.1
#: Times this near to the best of a product correct the estimate: those of slow tiles say less of
#: what is fast, and the choice is no worse without them.
CORRECTS = 1.2
#: SMs of the GPU of the times, and its cycles in a microsecond.
SMS, MEGAHERTZ = 132, 1980


def product_of(row: Mapping[str, Any]) -> Problem:
    """Return the product that a part of a row is about."""
    return Problem(row["m"], row["n"], row["k"])


def form(tiling: Tiling) -> Tiling:
    """Return what a tile and those of other stages have in common: 0 stages.

    The times of a form are of as many stages as there was room for; later there may be more.
    """
    return replace(tiling, stages=0)


def timed(
    products: Sequence[Mapping[str, Any]], columns: Sequence[str], within: float = math.inf
) -> Iterator[tuple[Tiling, Problem, float]]:
    """Yield tiles, products and cycles: geometric means of those warm and cold.

    `within`: how much longer than the fastest one of its product a tile may take.
    """
    for each in products:
        problem = product_of(each)
        least = min(warm * cold for *_, warm, cold in each["tiles"])
        for *fields, warm, cold in each["tiles"]:
            if warm * cold <= within**2 * least:
                tiling = Tiling(**dict(zip(columns[:-2], fields, strict=True)))
                yield tiling, problem, (warm * cold) ** 0.5 * MEGAHERTZ


def known(
    products: Sequence[Mapping[str, Any]], columns: Sequence[str], weights: Sequence[float]
) -> Neighbors:
    """Return what corrects an estimate by the times of products, given how much each does."""
    tiles = tiles_of([each[:2] for each in timed(products, columns, CORRECTS)], SMS)
    return Neighbors(tiles.places, np.array(weights))


def proved(products: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> set[Tiling]:
    """Return the forms of tiles that were nearly the best of a product."""
    return {form(tiling) for tiling, *_ in timed(products, columns, PROVED)}


def fastest(products: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> dict[Problem, Tiling]:
    """Return the form of the fastest tile of each product that was timed."""
    return {problem: form(tiling) for tiling, problem, _ in timed(products, columns, 1)}


@cache
def _rows() -> tuple[Parameters, Neighbors, set[Tiling], dict[Problem, Tiling]]:
    """Return the estimate, what corrects it, the forms that have proved good, and the fastest ones.

    Raises:
        UserError: a row is missing or damaged.
    """
    results = paths.find("results")
    fitted, times = (read_record(results / each).findings for each in (ESTIMATE, TIMES))
    by, products, columns = Parameters(**fitted["parameters"]), times["products"], times["columns"]
    near = known(products, columns, fitted["weights"])
    return by, near, proved(products, columns), fastest(products, columns)


def estimated(
    problem: Problem, multiprocessors: int, tiles: Sequence[Tiling]
) -> list[tuple[float, Tiling]]:
    """Return tiles with the cycles that they should take, the fastest one first."""
    by, near, *_ = _rows()
    cycles = near.cycles(tiles_of([(each, problem) for each in tiles], multiprocessors), by)
    return [(float(cycles[i]), tiles[i]) for i in np.argsort(cycles, kind="stable")]


def ranked(
    problem: Problem, multiprocessors: int, tiles: Sequence[Tiling] | None = None
) -> list[Tiling]:
    """Return tiles that have proved good, by default of all possible ones, the fastest first.

    Of a product of 16-bit operands that was timed the first one is the one that was fastest then.
    """
    _, _, good, known_best = _rows()
    possible = tilings(problem, multiprocessors) if tiles is None else tiles
    every = [each for each in possible if form(each) in good] or possible
    found = [each for _, each in estimated(problem, multiprocessors, every)]
    best = known_best.get(Problem(problem.m, problem.n, problem.k))
    if best and multiprocessors == SMS and TYPES[problem.element].bytes == 2:
        found.sort(key=lambda each: form(each) != best)
    return found


def choose(problem: Problem, multiprocessors: int, tiles: Sequence[Tiling] | None = None) -> Tiling:
    """Return the tile that should be fastest, by default of all that can compute a product."""
    return ranked(problem, multiprocessors, tiles)[0]
