"""How a product is divided: tiles of a CTA, their order, and the choice of a tile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

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
        shared: Whether (1 or 0) all clusters share the tiles of the last turn, along k.
    """

    columns: int = 256
    stages: int = 4
    cluster_m: int = 2
    cluster_n: int = 1
    blocks: int = 1
    consumers: int = 2
    group: int = 8
    shared: int = 0

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
        if self.shared:
            return max(1, min(most, rows * columns * self.k_blocks(problem) // LEAST_STAGES))
        turns = -(-rows * columns // most)
        return -(-rows * columns // turns)

    def order(self, problem: Problem) -> npt.NDArray[np.uint32]:
        """Return the cluster tiles in the order in which clusters take them; see `order`."""
        return order(*self.cluster_tiles(problem), self.group)

    def schedule(self, problem: Problem, clusters: int) -> npt.NDArray[np.void]:
        """Return what clusters do, `WORK`; cluster c does each entry i with i % clusters == c.

        With `shared`, the stages of the tiles that do not fill a turn are shared evenly, one tile
        after the other, so that a cluster has the end of one and perhaps the beginning of the next.
        """
        tiles, stages = self.order(problem).tolist(), self.k_blocks(problem)
        whole = len(tiles) - len(tiles) % clusters if self.shared else len(tiles)
        works: list[Entry] = [(tile, 0, stages, 0, 1, 0) for tile in tiles[:whole]]
        works += _shared(tiles[whole:], stages, clusters)
        return np.array(works, WORK)


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


#: An entry of the schedule, as the source has it: a cluster tile, its stages from `begin`, and the
#: number of this part of several.
WORK = np.dtype([("tile", "<u4"), ("begin", "<u4"), ("stages", "<u4"), ("part", "u1"),
                 ("parts", "u1"), ("slot", "<u2")])  # fmt: skip
Entry: TypeAlias = tuple[int, int, int, int, int, int]
#: Stages that a cluster has at least of a tile that it shares.
LEAST_STAGES = 4


def _shared(tiles: list[int], stages: int, clusters: int) -> list[Entry]:
    """Share the stages of fewer tiles than clusters; a cluster has at most two entries."""
    if not tiles:
        return []
    total = len(tiles) * stages
    sharing = min(clusters, max(len(tiles), total // LEAST_STAGES))
    bounds = [total * cluster // sharing for cluster in range(sharing + 1)]
    cuts: list[list[int]] = [[] for _ in tiles]  # clusters that have a part of each tile
    for cluster in range(sharing):
        for tile in range(bounds[cluster] // stages, -(-bounds[cluster + 1] // stages)):
            cuts[tile].append(cluster)
    slots, slot = [], 0
    for shares in cuts:
        slots.append(slot)
        slot += len(shares) if len(shares) > 1 else 0
    turns: list[list[Entry]] = [[(0, 0, 0, 0, 1, 0)] * clusters for _ in range(2)]
    for tile, shares in enumerate(cuts):
        for part, cluster in enumerate(shares):
            begin = max(bounds[cluster] - tile * stages, 0)
            end = min(bounds[cluster + 1] - tile * stages, stages)
            entry = tiles[tile], begin, end - begin, part, len(shares), slots[tile]
            second = bounds[cluster] < tile * stages
            turns[second][cluster] = entry
    return [entry for turn in turns for entry in turn]


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
#: Bytes a cycle at which an SM writes and reads partial sums of shared tiles, cycles until the last
#: warp knows that it is the last, and what sharing must gain.
_PARTIAL_BYTES, _MEETING, _WORTH_SHARING = 24, 8000, 1.03


def cycles(tiling: Tiling, problem: Problem, multiprocessors: int) -> float:
    """Estimate the cycles of a product, to compare tiles.

    A CTA takes as many turns as the busiest one has tiles; the last one is shorter where all share
    its tiles, but then sums go to memory and back. A stage of a turn takes as long as its wgmma or
    its loads, and the whole at least as long as its operands take from memory.
    """
    rows, columns = tiling.cluster_tiles(problem)
    clusters = tiling.clusters(problem, multiprocessors)
    row_bytes = problem.k * TYPES[problem.element].bytes
    # A wgmma of 32 bytes of k and N columns takes N / 2 cycles.
    product = _OVER_WGMMA * 4 * tiling.blocks * tiling.consumers * tiling.columns / 2
    loaded = ROW_BYTES * (tiling.rows / tiling.cluster_n + tiling.columns / tiling.cluster_m)
    rate = _OTHER_BYTES if row_bytes % ROW_BYTES else _ALIGNED_BYTES
    turns, adding = float(-(-rows * columns // clusters)), 0.0
    left = rows * columns % clusters
    if tiling.shared and left:
        turns = rows * columns / clusters
        parts = min(clusters / left + 1, tiling.k_blocks(problem))
        adding = (1 + parts) * tiling.rows * tiling.columns * 4 / _PARTIAL_BYTES + _MEETING
    stages = turns * tiling.k_blocks(problem) * max(product, loaded / rate)
    memory = (problem.m + problem.n) * row_bytes / (clusters * tiling.ctas * _MEMORY_BYTES)
    return max(stages, memory) + math.ceil(turns) * _CYCLES_A_COLUMN * tiling.columns + adding


def choose(problem: Problem, multiprocessors: int) -> Tiling:
    """Return the tile whose estimate is least; of equal ones the first of `TILINGS`.

    Tiles are shared only behind a whole turn, because clusters that share all tiles are at
    different k and find less in the L2 cache, and only where that should gain enough.
    """
    found = min(tilings(problem), key=lambda each: cycles(each, problem, multiprocessors))
    sharing = replace(found, shared=1)
    rows, columns = found.cluster_tiles(problem)
    if rows * columns < sharing.clusters(problem, multiprocessors):
        return found
    gain = cycles(found, problem, multiprocessors) / cycles(sharing, problem, multiprocessors)
    return sharing if gain > _WORTH_SHARING else found
