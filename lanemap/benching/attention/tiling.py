"""How attention is divided: tiles of queries and keys, and which CTA takes which."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.benching.attention.problem import Problem

#: A consumer warpgroup has the 64 rows of a wgmma.
ROWS = 64
#: A `full` and an `empty` mbarrier.
_BARRIER_BYTES = 16
#: What ends a CTA's list.
END = 0xFFFFFFFF
#: Cost of loading Q and storing O, in tiles of keys.
_COST_OF_A_TILE = 1.5


@dataclass(frozen=True)
class Tiling:
    """What the source's macros say.

    Attributes:
        columns: Keys of a tile.
        consumers: Warpgroups that compute 64 rows each.
        q_stages: Tiles of Q in shared memory.
        stages: Tiles of K, and of V.
        registers: Of a thread that computes, and of one that copies.
    """

    columns: int
    consumers: int = 2
    q_stages: int = 2
    stages: int = 2
    registers: tuple[int, int] = (240, 24)

    @property
    def rows(self) -> int:
        """Queries of a tile."""
        return ROWS * self.consumers

    @property
    def threads(self) -> int:
        """Of a CTA: one warpgroup copies."""
        return 128 * (self.consumers + 1)

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA."""
        row = problem.head_dim * problem.element_bytes
        rows = self.q_stages * self.rows + 2 * self.stages * self.columns
        return rows * row + (self.q_stages + 2 * self.stages) * _BARRIER_BYTES

    def key_tiles(self, problem: Problem, tile: int) -> int:
        """Tiles of keys that a tile of queries attends to."""
        seen = problem.keys
        if problem.causal:
            last = (tile + 1) * self.rows + problem.keys - problem.queries
            seen = max(0, min(seen, last))
        return -(-seen // self.columns)

    def query_tiles(self, problem: Problem) -> int:
        """Tiles of queries of one head."""
        return -(-problem.queries // self.rows)

    def ctas(self, problem: Problem, multiprocessors: int) -> int:
        """CTAs to launch."""
        tiles = self.query_tiles(problem) * problem.heads * problem.batch
        return min(multiprocessors, tiles)

    def schedule(self, problem: Problem, ctas: int, group: int) -> npt.NDArray[np.uint32]:
        """Return the CTAs' lists, (turns, CTAs): head << 16 | tile of queries, then `END`.

        Within a group of heads the longest tiles come first; each goes to the CTA with the least
        work so far.

        Args:
            problem: What is divided.
            ctas: How many share the work.
            group: Heads that are worked at together, so that their K and V stay in the L2 cache.
        """
        tiles, heads = range(self.query_tiles(problem)), problem.batch * problem.heads
        costs = [self.key_tiles(problem, tile) + _COST_OF_A_TILE for tile in tiles]
        lists: list[list[int]] = [[] for _ in range(ctas)]
        load = [(0.0, cta) for cta in range(ctas)]
        for first in range(0, heads, group):
            for tile in reversed(tiles) if problem.causal else tiles:
                for head in range(first, min(first + group, heads)):
                    work, cta = load[0]
                    lists[cta].append(head << 16 | tile)
                    heapq.heapreplace(load, (work + costs[tile], cta))
        turns = max(map(len, lists)) + 1
        schedule = np.full((turns, ctas), END, np.uint32)
        for cta, entries in enumerate(lists):
            schedule[: len(entries), cta] = entries
        return schedule
