"""An estimate of the time of a product, to choose tiles by.

tools/gemm_estimate.py fits it to the times of results/sm_90a/cuda/tile_times.json, which
benchmarks/gemm_tiles.py wrote.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm.problem import TYPES, Problem
from lanemap.benching.gemm.tiling import ROW_BYTES, Tiling, held

#: A number, or an array with one for each tile.
Number: TypeAlias = Any
Floats: TypeAlias = npt.NDArray[np.float64]
#: Limits that are near each other hinder each other: they are added in this power.
POWER = 5


@dataclass(frozen=True)
class Load:
    """What a tiling makes the GPU do; each is a number, or an array of them.

    Attributes:
        turns: Tiles that the busiest CTA has; less than one where tiles are shared along k.
        ends: How often it stores a tile.
        stages: Stages of a turn.
        at_once: CTAs that an SM has at once.
        wgmma: Cycles of the wgmma of a stage.
        lines: Lines of 128 bytes of a stage.
        single: 1 where one warpgroup multiplies on an SM, else 0.
        triple: 1 where three of a CTA do.
        narrow: The inverse of the columns of a tile.
        transposed: 1 for tiles of C transposed.
        all_lines: Lines of all SMs, of which a multicast is one.
        operand_bytes: Bytes of A and B.
        output_bytes: Bytes of C.
        sms: SMs that load.
        tile: Elements of a tile.
        meets: 1 where clusters share tiles and the last one adds.
        waits: 1 where one of them waits for the others.
        moved: Bytes of partial sums that a CTA moves through the L2 cache.
        along_k: 1 for clusters along k.
        exchanged: Bytes of partial sums that a CTA of such a cluster leaves.
        clustered: 1 for clusters of two CTAs and more.
        large: 1 for clusters of more than two.
        pipeline: Stages of the pipeline.
        consumers: Warpgroups of a CTA that multiply.
        filled: Part of the SMs that have a CTA.
        two: 1 where an SM can hold two CTAs.
        flight: Stages that are on their way while others are multiplied.
    """

    turns: Number
    ends: Number
    stages: Number
    at_once: Number
    wgmma: Number
    lines: Number
    single: Number
    triple: Number
    narrow: Number
    transposed: Number
    all_lines: Number
    operand_bytes: Number
    output_bytes: Number
    sms: Number
    tile: Number
    meets: Number
    waits: Number
    moved: Number
    along_k: Number
    exchanged: Number
    clustered: Number
    large: Number
    pipeline: Number
    consumers: Number
    filled: Number
    two: Number
    flight: Number


def _lines(problem: Problem) -> float:
    """Return the lines of a row of a box, on average: one that begins within a line is in two."""
    row_bytes = problem.k * TYPES[problem.element].bytes
    return 2 - math.gcd(row_bytes, ROW_BYTES) / ROW_BYTES


def load(tiling: Tiling, problem: Problem, multiprocessors: int) -> Load:
    """Return what a tiling makes the GPU do."""
    rows, columns = tiling.sizes(problem)
    cluster_rows, cluster_columns = tiling.cluster_tiles(problem)
    tiles, stages = cluster_rows * cluster_columns, tiling.k_blocks(problem)
    clusters, sms = tiling.clusters(problem, multiprocessors), held(tiling.ctas, multiprocessors)
    elements = tiling.rows * tiling.columns
    in_use = -(-rows // tiling.rows) * -(-columns // tiling.columns) * tiling.cluster_k
    at_once = min(tiling.resident, -(-tiles * tiling.ctas // sms))
    turns = float(-(-tiles * tiling.ctas // (sms * tiling.resident)))
    ends, moved, busy = turns, 0.0, float(in_use)
    if tiling.waits:
        of_each = clusters // tiles
        turns, ends, busy = 1 / of_each, 1.0, float(in_use * of_each)
        moved = 4.0 * elements * (1 + of_each)  # its own, and its slice of all parts
    elif tiling.shared:
        turns = tiles / clusters
        ends = math.ceil(turns)
        parts = 1.0
        if tiles % clusters:
            parts = max(clusters / (tiles % clusters), 1) + (turns > 1)
        moved = (2 if parts == 2 else 1 + parts) * elements * 4 / tiling.cluster_k
        busy = min(in_use * parts, clusters * tiling.ctas)
    element, output = TYPES[problem.element].bytes, TYPES[problem.output].bytes
    lines = _lines(problem)
    # Each column of cluster tiles loads the rows once, and each row of them the columns.
    across = -(-columns // (tiling.columns * tiling.cluster_n))
    down = -(-rows // (tiling.rows * tiling.cluster_m))
    return Load(
        turns=turns,
        ends=ends,
        stages=-(-stages // tiling.cluster_k),
        at_once=at_once,
        wgmma=elements / 32,  # 32 bytes of k and N columns take N / 2 cycles
        lines=(tiling.loaded + tiling.columns) * lines,
        single=float(tiling.consumers * at_once == 1),
        triple=float(tiling.consumers == 3),
        narrow=1 / tiling.columns,
        transposed=float(tiling.swapped),
        all_lines=stages * lines * (across * rows + down * columns),
        operand_bytes=(problem.m + problem.n) * problem.k * element,
        output_bytes=problem.m * problem.n * output,
        sms=min(busy / at_once, sms),
        tile=elements,
        meets=float(tiling.shared == 1),
        waits=float(tiling.waits),
        moved=moved,
        along_k=float(tiling.cluster_k > 1 and not tiling.waits),
        exchanged=elements * 4 * (tiling.cluster_k > 1 and not tiling.waits),
        clustered=float(tiling.ctas > 1),
        large=float(tiling.ctas > 2),
        pipeline=tiling.stages,
        consumers=tiling.consumers,
        filled=min(1.0, tiles * tiling.ctas / sms) if not tiling.shared else 1.0,
        two=float(tiling.resident > 1),
        flight=max(1, tiling.stages - tiling.queued),
    )


def least_cycles(tiling: Tiling, problem: Problem, multiprocessors: int) -> float:
    """Return the cycles of the wgmma, or of reading the operands if those are more."""
    own = load(tiling, problem, multiprocessors)
    wgmma = own.turns * own.stages * own.at_once * own.wgmma
    return float(max(wgmma, own.operand_bytes / Parameters.all_bytes))


@dataclass(frozen=True)
class Parameters:
    """Parameters of the estimate: cycles, or what moves in a cycle.

    Attributes:
        launch: Until the first stage is there, and from the last store to the end.
        over_wgmma: How much longer a stage takes than its wgmma.
        alone: How much longer if one warpgroup multiplies on an SM.
        by_three: Likewise if three of a CTA do.
        narrow: How much longer narrow tiles take, in columns.
        transposed: How much longer tiles of C transposed take.
        line: In which an SM receives a line.
        least_stage: Of a stage, however small.
        all_lines: Lines that all SMs together receive in a cycle.
        sm_bytes: Bytes that an SM gets from memory in a cycle.
        all_bytes: Bytes that all SMs together read and write in a cycle.
        stored: Elements that an SM stores in a cycle.
        end: Of the end of a tile, besides its stores.
        overlapped: Part of the ends that another CTA of the SM hides.
        meeting: Until the last part of a shared tile knows that it is the last.
        waiting: Until a part that another one waits for is there.
        moved: Bytes of partial sums that an SM moves in a cycle.
        barrier: Until a cluster along k has left its sums.
        exchanged: Bytes of such sums that an SM moves in a cycle.
        clustered: Of a launch of clusters.
        large: Of a launch of clusters of more than two CTAs.
        barriers: Until the mbarriers of a stage are made.
        consumer: Of a launch, for each warpgroup that multiplies.
        filling: Of a launch that fills all SMs.
        two: Of a launch of CTAs that leave room for another.
        alone_lines: How much longer lines take where one warpgroup waits for them.
        latency: From the release of a stage until it is full again, besides its lines.
    """

    launch: float = 3000
    over_wgmma: float = 1.1
    alone: float = 1.1
    by_three: float = 1.0
    narrow: float = 2.0
    transposed: float = 1.0
    line: float = 1.4
    least_stage: float = 150
    all_lines: float = 48
    sm_bytes: float = 20
    all_bytes: float = 2300
    stored: float = 40
    end: float = 400
    overlapped: float = 0.4
    meeting: float = 2500
    waiting: float = 1400
    moved: float = 52
    barrier: float = 1000
    exchanged: float = 40
    clustered: float = 200
    large: float = 300
    barriers: float = 100
    consumer: float = 400
    filling: float = 1000
    two: float = 50
    alone_lines: float = 1.0
    latency: float = 1200


def together(*limits: Number) -> Number:
    """Return the time under several limits."""
    return sum(each**POWER for each in limits) ** (1 / POWER)


def estimate(own: Load, by: Parameters) -> Number:
    """Estimate the cycles of a product with its launch.

    A CTA takes as many turns as the busiest one has tiles. A stage of a turn takes as long as its
    wgmma, or as the SM receives its lines. The whole takes as long as the L2 cache gives lines, and
    as memory gives the operands and takes C. Where tiles are shared, sums go to memory and back, or
    to the other CTAs of a cluster.
    """
    wgmma = by.over_wgmma * own.wgmma * (1 + own.single * (by.alone - 1))
    wgmma *= (1 + own.triple * (by.by_three - 1)) * (1 + own.transposed * (by.transposed - 1))
    wgmma *= 1 + by.narrow * own.narrow
    lines = own.at_once * own.lines * by.line * (1 + own.single * (by.alone_lines - 1))
    arriving = (by.latency + lines) / own.flight
    stage = together(own.at_once * wgmma, lines, by.least_stage, arriving)
    inside = together(
        own.turns * own.stages * stage,
        own.all_lines / by.all_lines,
        own.operand_bytes / (own.sms * by.sm_bytes),
        (own.operand_bytes + own.output_bytes) / by.all_bytes,
    )
    exposed = 1 - (own.at_once - 1) * by.overlapped
    ends = own.ends * (by.end + own.tile * own.at_once / by.stored) * exposed
    shared = own.meets * by.meeting + own.waits * by.waiting + own.moved / by.moved
    exchanged = own.along_k * by.barrier + own.exchanged / by.exchanged
    clusters = own.clustered * by.clustered + own.large * by.large
    begin = by.launch + own.pipeline * by.barriers + own.consumers * by.consumer
    begin += own.filled * by.filling + own.two * by.two
    return begin + inside + ends + shared + exchanged + clusters


#: What is one step in each coordinate of `place`: sizes of the product and lines of a row of a box,
#: how the tile is made, how many turns it has.
_UNITS = (3.75, 3.75, 3.0, 1.5, 0.75, 1.0, 1.0, 1.5, 1.5, 1.9, 1.9, 1.5, 1.9, 1.5, 2.15)
#: How much of a time is chance, against what near times have in common.
_CHANCE = 0.2


def place(tiling: Tiling, problem: Problem, turns: float) -> tuple[float, ...]:
    """Return where a tile of a product lies among others."""
    log = math.log2
    values = (
        log(problem.m), log(problem.n), log(problem.k), _lines(problem),
        tiling.swapped, tiling.shared, tiling.resident - 1,
        log(tiling.cluster_k), tiling.cluster_k > 1,
        log(tiling.cluster_m), log(tiling.cluster_n), log(tiling.rows / 64), log(tiling.columns),
        tiling.a_rows > 0, log(max(turns, 0.02)),
    )  # fmt: skip
    return tuple(value / unit for value, unit in zip(values, _UNITS, strict=True))


@dataclass(frozen=True)
class Tiles:
    """Tiles of products.

    Attributes:
        loads: What they make the GPU do, in arrays.
        places: (tiles, coordinates).
    """

    loads: Load
    places: Floats


#: The values of a load, in order.
_VALUES = attrgetter(*(each.name for each in fields(Load)))


def tiles_of(each: Iterable[tuple[Tiling, Problem]], multiprocessors: int) -> Tiles:
    """Return tiles of products in arrays."""
    loads, places = [], []
    for tiling, problem in each:
        own = load(tiling, problem, multiprocessors)
        loads.append(_VALUES(own))
        places.append(place(tiling, problem, own.turns))
    arrays = (np.array(column, float) for column in zip(*loads, strict=True))
    return Tiles(Load(*arrays), np.array(places))


@dataclass(frozen=True)
class Neighbors:
    """Times that an estimate is corrected by.

    Attributes:
        places: Of the tiles that were timed.
        weights: How much each of them corrects what is near.
    """

    places: Floats
    weights: Floats

    def cycles(self, tiles: Tiles, by: Parameters) -> Floats:
        """Return the cycles of tiles: the estimate, and what it was wrong by for near ones."""
        correction = _nearness(tiles.places, self.places) @ self.weights
        return np.asarray(estimate(tiles.loads, by) * np.exp(correction))


def neighbors(tiles: Tiles, cycles: Floats, by: Parameters) -> Neighbors:
    """Return what corrects an estimate by the times of tiles: kernel ridge regression."""
    wrong = np.log(cycles / estimate(tiles.loads, by))
    near = _nearness(tiles.places, tiles.places) + _CHANCE * np.eye(len(wrong))
    return Neighbors(tiles.places, np.linalg.solve(near, wrong))


def _nearness(some: Floats, others: Floats) -> Floats:
    apart = (some**2).sum(1)[:, None] + (others**2).sum(1) - 2 * some @ others.T
    return np.asarray(np.exp(-np.maximum(apart, 0) / 2))
