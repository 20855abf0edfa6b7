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

    def part(self, problem: Problem) -> int:
        """N of a wgmma: with two sums of f32 a thread has registers for one of 128 columns."""
        two = problem.accumulation == "two_level"
        return min(self.columns, 128) if two else self.columns

    @property
    def rows(self) -> int:
        """M of a tile."""
        return 64 * self.blocks * self.consumers

    @property
    def box_rows(self) -> int:
        """Rows of a box of C: those of a warp."""
        return 16

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

    def clusters(self, problem: Problem, multiprocessors: int) -> int:
        """Clusters to launch: as few as take no more turns than one for every group of SMs.

        SMs that the last turn would not need do not draw power in the others.
        """
        rows, columns = self.cluster_tiles(problem)
        most = max(multiprocessors // self.ctas, 1)
        turns = -(-rows * columns // most)
        return -(-rows * columns // turns)

    def schedule(self, problem: Problem) -> npt.NDArray[np.uint32]:
        """Return the cluster tiles in the order in which clusters take them: m << 16 | n."""
        return order(*self.cluster_tiles(problem), self.group)


def order(rows: int, columns: int, group: int) -> npt.NDArray[np.uint32]:
    """Return tiles as m << 16 | n, in the order in which they are computed.

    Groups of rows are gone through column by column, back and forth, so that the tiles which
    are computed at one time share their operands in the L2 cache.
    """
    found = []
    for turn, first in enumerate(range(0, rows, group)):
        along = range(columns) if turn % 2 == 0 else range(columns - 1, -1, -1)
        last = min(first + group, rows)
        found += [m << 16 | n for n in along for m in range(first, last)]
    return np.array(found, np.uint32)


#: Tiles from the most efficient to the smallest.
TILINGS = (
    Tiling(),
    Tiling(cluster_m=1),
    Tiling(columns=128, stages=6),
    Tiling(columns=128, stages=6, cluster_m=1),
    Tiling(columns=128, stages=7, cluster_m=1, consumers=1),
    Tiling(columns=64, stages=8, cluster_m=1),
    Tiling(columns=64, stages=8, cluster_m=1, consumers=1),
    Tiling(columns=128, stages=7, consumers=1),
)


def tilings(problem: Problem) -> Sequence[Tiling]:
    """Return the tiles that can compute a product."""
    return TILINGS


#: Fitted to the times of every tile on an H200 (`lanemap bench ss_gemm --tiles`): how much longer
#: a stage takes than its wgmma alone, bytes a cycle that an SM loads where rows are aligned to the
#: 128 bytes of a stage and where they are not, bytes a cycle that one SM gets from memory, and the
#: cycles that each column of a tile adds for filling the pipeline and storing.
_OVER_WGMMA, _ALIGNED_BYTES, _OTHER_BYTES, _MEMORY_BYTES, _CYCLES_A_COLUMN = 1.1, 40, 27, 16, 15


def cycles(tiling: Tiling, problem: Problem, multiprocessors: int) -> float:
    """Estimate the cycles of a product, to compare tiles.

    A CTA takes as many turns as the busiest one has tiles. A stage of a turn takes as long as its
    wgmma or its loads, and the whole at least as long as its operands take from memory.
    """
    rows, columns = tiling.cluster_tiles(problem)
    clusters = tiling.clusters(problem, multiprocessors)
    turns, row_bytes = -(-rows * columns // clusters), problem.k * TYPES[problem.element].bytes
    # A wgmma of 32 bytes of k and N columns takes N / 2 cycles.
    product = _OVER_WGMMA * 4 * tiling.blocks * tiling.consumers * tiling.columns / 2
    loaded = ROW_BYTES * (tiling.rows / tiling.cluster_n + tiling.columns / tiling.cluster_m)
    rate = _OTHER_BYTES if row_bytes % ROW_BYTES else _ALIGNED_BYTES
    stages = turns * tiling.k_blocks(problem) * max(product, loaded / rate)
    memory = (problem.m + problem.n) * row_bytes / (clusters * tiling.ctas * _MEMORY_BYTES)
    return max(stages, memory) + turns * _CYCLES_A_COLUMN * tiling.columns


def choose(problem: Problem, multiprocessors: int) -> Tiling:
    """Return the tile whose estimate is least; of equal ones the first of `TILINGS`."""
    return min(tilings(problem), key=lambda each: cycles(each, problem, multiprocessors))
