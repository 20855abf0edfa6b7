"""How a product is divided: tiles of a CTA and their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
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
#: Rows of a box of D transposed that a consumer's boxes hold.
MOST_BOX_ROWS = 128
#: Registers of an SM.
REGISTERS = 65536
#: Shared memory of a CTA, and more stages than make anything faster.
SHARED_BYTES, MOST_STAGES = 232448, 16
#: Shared memory of each of two CTAs of an SM: half of 228 KB, less 1 KB that each takes besides.
SHARED_BYTES_OF_TWO = 115712
#: Of an H200's SMs, clusters of so many CTAs fill this many (the driver's
#: cuOccupancyMaxActiveClusters): they do not divide the SMs of each GPC.
SMS, FILLED = 132, {1: 132, 2: 132, 4: 120, 8: 112}
#: D of a wgmma of fewer columns is the first columns of this one; a test holds observed ones to it.
D_OF_256 = "wgmma.m64n256.f32:D"


@dataclass(frozen=True)
class Tiling:
    """Tile sizes, as #defined in the kernel source.

    Attributes:
        columns: N of a tile of D, and of wgmma.
        stages: Stages of the pipeline.
        cluster_m: CTAs of a cluster along M; they share B.
        cluster_n: CTAs of a cluster along N; they share A.
        blocks: Blocks of 64 rows of a consumer.
        consumers: Warpgroups that multiply.
        group: Rows of cluster tiles that the schedule goes through together.
        shared: 1 if all clusters share the tiles of the last turn, along k, and whoever comes last
            adds; 2 if each tile has as many clusters, of which the last one waits for the others.
        a_rows: Rows of A that are loaded, where A has no more; 0 for all.
        swapped: Whether (1 or 0) D is the transpose of C, so that M is divided by `columns`.
        cluster_k: CTAs of a cluster that share a tile along k.
        resident: CTAs that an SM holds at once.
        once: Whether (1 or 0) each CTA has one tile at most, so that C's boxes lie in its stages.
    """

    columns: int = 256
    stages: int = 4
    cluster_m: int = 2
    cluster_n: int = 1
    blocks: int = 1
    consumers: int = 2
    group: int = 8
    shared: int = 0
    a_rows: int = 0
    swapped: int = 0
    cluster_k: int = 1
    resident: int = 1
    once: int = 0

    def part(self, problem: Problem, of_wide: int = 128) -> int:
        """N of a wgmma: with two sums of f32 a thread has registers for one of 128 columns.

        `of_wide`: that of a tile with more columns.
        """
        two = problem.accumulation == "two_level" and self.columns > 128
        return of_wide if two else self.columns

    @property
    def rows(self) -> int:
        """M of a tile."""
        return 64 * self.blocks * self.consumers

    @property
    def loaded(self) -> int:
        """Rows of A that a tile loads."""
        return self.a_rows or self.rows

    @property
    def received(self) -> int:
        """Rows of A and B that a CTA receives for each stage, its own loads or those of others."""
        return self.loaded + self.columns

    @property
    def queued(self) -> int:
        """Stages that are in the tensor core at one time: `AHEAD` of ss_gemm's source."""
        return min(1 if self.columns > 128 else 2 if self.columns > 64 else 3, self.stages - 1)

    @property
    def waits(self) -> bool:
        """Whether a tile's last cluster waits for the sums of the others."""
        return self.shared == 2

    @property
    def stmatrix(self) -> str:
        """The instruction that writes rows of C."""
        return f"stmatrix.sync.aligned.m8n8.x4{'.trans' if self.swapped else ''}.shared.b16"

    @property
    def box_rows(self) -> int:
        """Rows of a box of C: those of a warp, or of D transposed those of each store but the last.

        Three consumers have less room each.
        """
        if not self.swapped:
            return 16
        boxes = 1 if self.slice <= MOST_BOX_ROWS else 2 if self.consumers < 3 else 3
        return -(-self.slice // (8 * boxes)) * 8

    @property
    def slice(self) -> int:
        """Columns of a tile that each of its CTAs finishes and stores."""
        return self.columns // self.cluster_k

    @property
    def ctas(self) -> int:
        """CTAs of a cluster."""
        return self.cluster_m * self.cluster_n * self.cluster_k

    @property
    def threads(self) -> int:
        """Threads of a CTA; one of its warpgroups copies."""
        return 128 * (self.consumers + 1)

    @property
    def registers(self) -> int:
        """Registers of a thread when a CTA begins."""
        return REGISTERS // (self.threads * self.resident) // 8 * 8

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a CTA."""
        return self.stages * self.stage_bytes + self.outside_stages

    @property
    def stage_bytes(self) -> int:
        """Shared memory of a stage: operands and mbarriers."""
        return (self.rows + self.columns) * ROW_BYTES + BARRIER_BYTES

    @property
    def outside_stages(self) -> int:
        """Shared memory besides stages: boxes of C."""
        if self.once:
            return 0
        transposed = -(-self.box_rows // 16) * 16 * ROW_BYTES  # written by sixteens
        return self.consumers * (transposed if self.swapped else BOXES_BYTES_A_CONSUMER)

    def cluster_tiles(self, problem: Problem) -> tuple[int, int]:
        """Tiles of whole clusters along D's rows and columns; the last may lie partly outside."""
        rows, columns = self.sizes(problem)
        return (
            -(-rows // (self.rows * self.cluster_m)),
            -(-columns // (self.columns * self.cluster_n)),
        )

    def transposed(self, problem: Problem) -> tuple[bool, bool]:
        """Whether the operands of D's rows and of its columns lie with k not adjacent."""
        a, b = problem.transposed
        return (b, a) if self.swapped else (a, b)

    def boxes(self) -> tuple[int, int]:
        """Rows of both operands that a CTA copies for its cluster."""
        return self.loaded // self.cluster_n, self.columns // self.cluster_m

    def loads(self, problem: Problem) -> bool:
        """Whether boxes of the operands are whole: of 64 rows, where rows are adjacent."""
        both = zip(self.transposed(problem), self.boxes(), strict=True)
        return all(rows % 64 == 0 for transposed, rows in both if transposed)

    def sizes(self, problem: Problem) -> tuple[int, int]:
        """Rows and columns of D."""
        return (problem.n, problem.m) if self.swapped else (problem.m, problem.n)

    def k_blocks(self, problem: Problem) -> int:
        """Stages that a tile takes."""
        return -(-problem.k * TYPES[problem.element].bytes // ROW_BYTES)

    def clusters(self, problem: Problem, multiprocessors: int) -> int:
        """Clusters to launch: as few as take no more turns than one for every group of SMs.

        SMs that the last turn would not need do not draw power in the others.
        """
        rows, columns = self.cluster_tiles(problem)
        tiles = rows * columns
        if self.cluster_k > 1 and not self.shared:
            return tiles  # the stages of a cluster then hold sums
        most = max(1, held(self.ctas, multiprocessors) * self.resident // self.ctas)
        if self.shared:
            least = LEAST_STAGES * self.cluster_k
            most = max(1, min(most, tiles * self.k_blocks(problem) // least))
            # As many clusters for each tile: those of one part then go through the same k together.
            each = most // tiles
            return tiles * each if each > 1 or (self.waits and each) else most
        turns = -(-tiles // most)
        return -(-tiles // turns)

    def shares_evenly(self, problem: Problem, multiprocessors: int) -> bool:
        """Say whether shared tiles come behind a whole turn, or have several clusters each."""
        rows, columns = self.cluster_tiles(problem)
        clusters = self.clusters(problem, multiprocessors)
        if self.waits:
            parts, left = divmod(clusters, rows * columns)
            return left == 0 and parts * self.cluster_k > 1
        if rows * columns > clusters:
            if self.cluster_k > 1:
                return False  # a turn is all there is
            return rows * columns % clusters > 0
        return clusters > rows * columns and clusters % (rows * columns) == 0

    def is_one_turn(self, problem: Problem, multiprocessors: int) -> bool:
        """Say whether no CTA has a second tile."""
        rows, columns = self.cluster_tiles(problem)
        return rows * columns <= self.clusters(problem, multiprocessors)

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


def held(ctas: int, multiprocessors: int) -> int:
    """Return the SMs that clusters of so many CTAs can fill."""
    return max(1, multiprocessors * FILLED[ctas] // SMS)


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


#: Rows of A that tiles of few rows load.
FEW_ROWS = (8, 16, 32, 48)


@cache
def _skinny(rows: int) -> tuple[Tiling, ...]:
    """Those for an A of so few rows: narrow, with many stages. Sharing A along N was slower."""
    found = []
    for columns in (128, 96, 64, 48, 32, 16):
        tiling = Tiling(columns, cluster_m=1, consumers=1, a_rows=rows)
        stages = (SHARED_BYTES - tiling.outside_stages) // tiling.stage_bytes
        found.append(replace(tiling, stages=min(stages, MOST_STAGES)))
    return tuple(found)


def _staged(tiling: Tiling) -> Tiling:
    """Return the tiling with as many stages as there is room for, and as make it faster."""
    room = SHARED_BYTES if tiling.resident == 1 else SHARED_BYTES_OF_TWO
    stages = (room - tiling.outside_stages) // tiling.stage_bytes
    return replace(tiling, stages=min(stages, MOST_STAGES))


def _once(tiling: Tiling) -> Tiling | None:
    """Return the tiling with boxes in its stages, if that leaves room for more of them."""
    if not tiling.waits and (tiling.shared or tiling.cluster_k > 1):
        return None  # stages hold sums, or a CTA has two tiles
    staged = _staged(replace(tiling, once=1))
    return staged if staged.stages > tiling.stages else None


#: N of tiles of C, and of C transposed, which divide M.
WIDE, NARROW = range(16, 257, 16), range(8, 257, 8)


#: Consumers and blocks of each, with the columns for which registers and rows are worth it.
BLOCKS = {(1, 1): (8, 256), (2, 1): (8, 256), (3, 1): (64, 192), (2, 2): (64, 192)}
#: CTAs of a cluster along M, which share B, and along N, which share A.
SHARING = ((1, 1), (2, 1), (4, 1), (8, 1), (1, 2), (1, 4), (2, 2), (4, 2), (2, 4))


@cache
def forms() -> tuple[Tiling, ...]:
    """Return all forms of tiles, but those of few rows of A."""
    found = []
    for swapped, blocks, (along_m, along_n) in product((0, 1), BLOCKS, SHARING):
        consumers, of_each = blocks
        low, high = BLOCKS[blocks]
        for columns in NARROW if swapped else WIDE:
            # TMA's swizzle is that of addresses: a part may begin within its pattern of 8 rows.
            if low <= columns <= high and columns % along_m == 0 and columns >= 8 * along_m:
                form = Tiling(columns, 1, along_m, along_n, of_each, consumers, swapped=swapped)
                found += [replace(form, shared=shared) for shared in (0, 1, 2)]
    for swapped, consumers, along_k in product((0, 1), (1, 2, 3), (2, 4, 8)):
        low, high = BLOCKS[consumers, 1]
        for columns in NARROW if swapped else WIDE:
            if low <= columns <= high and columns % (8 * along_k) == 0:
                form = Tiling(columns, 1, 1, 1, 1, consumers, swapped=swapped, cluster_k=along_k)
                found += [replace(form, shared=shared) for shared in (0, 1, 2)]
    two = [each for each in found if each.consumers == 1 and each.columns <= 160]
    found += [replace(each, resident=2) for each in two]
    staged = [_staged(each) for each in found]
    staged += [each for each in map(_once, staged) if each is not None]
    # A cluster along k leaves its sums in its stages.
    return tuple(
        each
        for each in staged
        if each.stages > 1
        and (
            each.cluster_k == 1
            or each.waits
            or each.rows * each.columns * 4 <= each.stages * each.stage_bytes
        )
    )


def tilings(problem: Problem, multiprocessors: int) -> list[Tiling]:
    """Return the tiles that can compute a product, but those that would share nothing."""
    few = next((rows for rows in FEW_ROWS if rows >= problem.m), 0)
    # C transposed has tiles of few rows; f32 has none of these.
    every = (*forms(), *(_skinny(few) if few and problem.output == "float32" else ()))
    return [
        each
        for each in every
        if each.columns % each.part(problem) == 0
        and each.loads(problem)
        and (not each.swapped or problem.output != "float32")
        and (each.blocks == 1 or problem.accumulation == "fast")
        and (each.cluster_k == 1 or each.k_blocks(problem) >= 2 * each.cluster_k)
        and (not each.shared or each.shares_evenly(problem, multiprocessors))
        and (not each.once or each.is_one_turn(problem, multiprocessors))
        and (each.columns <= 64 or each.columns < 2 * each.sizes(problem)[1])
    ]
