"""The choice of a tile for a product: by times of an H200, and an estimate fitted to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.benching.gemm.estimate import Floats, Neighbors, Parameters, neighbors, tiles_of
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import Tiling, tilings
from lanemap.records.files import read_record

#: The rows; benchmarks/gemm_tiles.py makes the first, tools/gemm_estimate.py the second.
TIMES, ESTIMATE = "sm_90a/cuda/tile_times.json", "sm_90a/cuda/tile_estimate.json"
#: A form of tiles has proved good where one of its times is this near to the best of a product.
PROVED = 1.1
#: SMs of the GPU of the times, and its cycles in a microsecond.
SMS, MEGAHERTZ = 132, 1980


def timed(
    products: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> Iterator[tuple[Tiling, Problem, float]]:
    """Yield tiles, products and cycles: geometric means of those warm and cold."""
    for each in products:
        problem = Problem(each["m"], each["n"], each["k"])
        for *fields, warm, cold in each["tiles"]:
            tiling = Tiling(**dict(zip(columns[:-2], fields, strict=True)))
            yield tiling, problem, (warm * cold) ** 0.5 * MEGAHERTZ


def known(
    products: Sequence[Mapping[str, Any]], columns: Sequence[str], by: Parameters
) -> Neighbors:
    """Return what corrects an estimate by the times of products."""
    found = list(timed(products, columns))
    tiles = tiles_of([each[:2] for each in found], SMS)
    cycles: Floats = np.array([each[2] for each in found])
    return neighbors(tiles, cycles, by)


def proved(products: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> set[Tiling]:
    """Return the tiles that were nearly the best of a product."""
    found = set()
    for each in products:
        own = [(cycles, tiling) for tiling, _, cycles in timed([each], columns)]
        least = min(cycles for cycles, _ in own)
        found |= {tiling for cycles, tiling in own if cycles <= PROVED * least}
    return found


@cache
def _rows() -> tuple[Parameters, Neighbors, set[Tiling]]:
    """Return the estimate, what corrects it, and the tiles that have proved good.

    Raises:
        UserError: a row is missing or damaged.
    """
    results = paths.find("results")
    by = Parameters(**read_record(results / ESTIMATE).findings["parameters"])
    times = read_record(results / TIMES).findings
    products, columns = times["products"], times["columns"]
    return by, known(products, columns, by), proved(products, columns)


def ranked(
    problem: Problem, multiprocessors: int, tiles: Sequence[Tiling] | None = None
) -> list[Tiling]:
    """Return tiles, by default all that can compute a product, the fastest one first."""
    by, near, good = _rows()
    possible = tilings(problem, multiprocessors) if tiles is None else tiles
    every = [each for each in possible if each in good] or possible
    cycles = near.cycles(tiles_of([(each, problem) for each in every], multiprocessors), by)
    return [every[i] for i in np.argsort(cycles, kind="stable")]


def choose(problem: Problem, multiprocessors: int, tiles: Sequence[Tiling] | None = None) -> Tiling:
    """Return the tile that should be fastest, by default of all that can compute a product."""
    return ranked(problem, multiprocessors, tiles)[0]
