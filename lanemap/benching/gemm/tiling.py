"""How a product is divided: tiles of a CTA, their order, and the choice of a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm.problem import TYPES, Problem

#: A stage has this many bytes of each row: what the 128-byte swizzle spans.
ROW_BYTES = 128
#: Two boxes of 16 rows for each consumer warp.
BOXES_BYTES_A_CONSUMER = 4 * 2 * 16 * ROW_BYTES
#: A `full` and an `empty` mbarrier.
BARRIER_BYTES = 16


@dataclass(frozen=True)
class Tiling:
    """What the source's macros say.

    Attributes:
        columns: N of a tile, and of wgmma.
        stages: Of the pipeline.
        cluster_m: CTAs of a cluster along M; they share B.
        cluster_n: CTAs of a cluster along N; they share A.
        blocks: Blocks of 64 rows of a consumer.
        consumers: Warpgroups that multiply.
        group: Rows of cluster tiles that the schedule goes through together.
    """

    columns: int = 256
    stages: int = 4
    cluster_m: int = 2
    cluster_n: int = 1
    blocks: int = 1
    consumers: int = 2
    group: int = 8

    @property
    def rows(self) -> int:
        """M of a tile."""
        return 64 * self.blocks * self.consumers

    @property
    def ctas(self) -> int:
        """Of a cluster."""
        return self.cluster_m * self.cluster_n

    @property
    def threads(self) -> int:
        """Of a CTA: one warpgroup copies."""
        return 128 * (self.consumers + 1)

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a CTA."""
        stage = (self.rows + self.columns) * ROW_BYTES
        return self.stages * (stage + BARRIER_BYTES) + self.consumers * BOXES_BYTES_A_CONSUMER

    def cluster_tiles(self, problem: Problem) -> tuple[int, int]:
        """Tiles of whole clusters along M and N; those at the end may lie partly outside."""
        return (
            -(-problem.m // (self.rows * self.cluster_m)),
            -(-problem.n // (self.columns * self.cluster_n)),
        )

    def k_blocks(self, problem: Problem) -> int:
        """Stages that a tile takes."""
        return -(-problem.k * TYPES[problem.element].bytes // ROW_BYTES)

    def schedule(self, problem: Problem) -> npt.NDArray[np.uint32]:
        """Return the cluster tiles in the order in which clusters take them: m << 16 | n.

        Groups of rows are gone through column by column, back and forth, so that the tiles which
        are computed at one time share their operands in the L2 cache.
        """
        rows, columns = self.cluster_tiles(problem)
        order = []
        for turn, first in enumerate(range(0, rows, self.group)):
            along = range(columns) if turn % 2 == 0 else range(columns - 1, -1, -1)
            last = min(first + self.group, rows)
            order += [m << 16 | n for n in along for m in range(first, last)]
        return np.array(order, np.uint32)


#: Tiles from the most efficient to the smallest.
TILINGS = (
    Tiling(),
    Tiling(cluster_m=1),
    Tiling(columns=128, stages=6),
    Tiling(columns=128, stages=6, cluster_m=1),
    Tiling(columns=128, stages=7, cluster_m=1, consumers=1),
    Tiling(columns=64, stages=8, cluster_m=1),
    Tiling(columns=64, stages=8, cluster_m=1, consumers=1),
)


def tilings(problem: Problem) -> Sequence[Tiling]:
    """Return the tiles that can compute a product; with two sums a consumer has 64 x 128."""
    if problem.accumulation == "two_level":
        return [each for each in TILINGS if each.columns <= 128]
    return TILINGS


def seconds(tiling: Tiling, problem: Problem, multiprocessors: int) -> float:
    """Estimate the time of a product in units of its own, to compare tiles.

    The busiest CTA's tiles, each with the rate at which its wgmma reads shared memory: a wgmma of
    64 x N reads 64 + N rows for each k, so a tile costs in proportion to rows and columns where N
    is small, and a constant for filling the pipeline and storing.
    """
    rows, columns = tiling.cluster_tiles(problem)
    clusters = max(multiprocessors // tiling.ctas, 1)
    turns = -(-rows * columns // clusters)
    wgmmas = tiling.blocks * tiling.consumers
    # Cycles of one k step of 32 bytes: 1/2 of a column each; 80 % of 128 bytes a cycle are read.
    product = wgmmas * tiling.columns / 2
    reads = wgmmas * (64 + tiling.columns) * 32 / 128
    fixed = 1500.0
    return turns * (max(product, reads) * 4 * tiling.k_blocks(problem) + fixed)


def choose(problem: Problem, multiprocessors: int) -> Tiling:
    """Return the tile whose estimate is least; of equal ones the first of `TILINGS`."""
    return min(tilings(problem), key=lambda each: seconds(each, problem, multiprocessors))
