"""How attention is divided: tiles of queries and keys, and which CTA takes which."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.benching.attention.problem import Problem
from lanemap.errors import UserError

#: A consumer warpgroup has the 64 rows of a wgmma.
ROWS = 64
#: A `full` and an `empty` mbarrier.
_BARRIER_BYTES = 16
#: Operands of heads that are worked at together: less than the L2 cache of an H200.
L2_BYTES = 32 << 20
#: Of an SM.
_REGISTERS = 1 << 16
#: What ends a CTA's list.
END = 0xFFFFFFFF
#: Cost of loading Q and storing O, in tiles of keys.
_COST_OF_A_TILE = 1.5


def padded_bytes(row: int) -> int:
    """Return what a row of so many bytes takes in shared memory: whole rows of its swizzle."""
    width = swizzle_bytes(row)
    return -(-row // width) * width


def swizzle_bytes(row: int) -> int:
    """Return how wide the swizzle of a row of so many bytes is, which is the width of a box."""
    return 128 if row > 64 else 64


def check_registers(consumers: int, registers: tuple[int, int]) -> None:
    """Check that warpgroups ask for no more registers than a CTA has.

    setmaxnreg.inc would wait for ever: ptxas gives each thread the same number, a multiple of
    8, and what one warpgroup gives back is all that others can get.

    Args:
        consumers: Warpgroups that compute; one more copies.
        registers: Of a thread that computes, and of one that copies.

    Raises:
        UserError: they ask for more.
    """
    each = _REGISTERS // (128 * (consumers + 1)) // 8 * 8
    consumer, producer = registers
    if consumers * consumer + producer > (consumers + 1) * each:
        raise UserError(
            f"{consumers} warpgroups with {consumer} registers a thread and one with "
            f"{producer} need more than the {each} a thread that the CTA starts with"
        )


@dataclass(frozen=True)
class Tiling:
    """Tile sizes, as #defined in the kernel source.

    Attributes:
        columns: Keys of a tile.
        consumers: Warpgroups that compute 64 rows each.
        q_stages: Tiles of Q in shared memory.
        stages: Tiles of K, and of V.
        registers: Registers of a thread that computes, and of one that copies.
        turns: Whether consumers take turns at the tensor core.
    """

    columns: int
    consumers: int = 2
    q_stages: int = 2
    stages: int = 2
    registers: tuple[int, int] = (240, 24)
    turns: bool = True

    def check_registers(self) -> None:
        """Check that warpgroups ask for no more registers than a CTA has; see `check_registers`."""
        check_registers(self.consumers, self.registers)

    @property
    def rows(self) -> int:
        """Queries of a tile."""
        return ROWS * self.consumers

    @property
    def rows_of_copy(self) -> int:
        """Queries that one copy loads."""
        return ROWS

    @property
    def threads(self) -> int:
        """Threads of a CTA; one of its warpgroups copies."""
        return 128 * (self.consumers + 1)

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA: tiles of Q, K and V, of FP8 also V.T and O; mbarriers."""
        key, value = (
            padded_bytes(each * problem.element_bytes)
            for each in (problem.head_dim, problem.values)
        )
        keys, rings = self.stages * self.columns, 2
        tiles = (self.q_stages * self.rows + keys) * key + keys * value
        if problem.element_bytes == 1:
            transposed = self.stages * problem.values * 128
            tiles, rings = tiles + transposed + self.rows * padded_bytes(2 * problem.values), 3
        return tiles + (self.q_stages + rings * self.stages) * _BARRIER_BYTES

    def key_tiles(self, problem: Problem, sequence: tuple[int, int], tile: int) -> int:
        """Tiles of keys that a tile of queries attends to; `Work` of attention.h has the rule."""
        queries, keys = sequence
        left, right = problem.reach
        own = tile * self.rows + keys - queries
        first = max(0, own - left)
        end = min(keys, own + self.rows + right)
        return -(-end // self.columns) - first // self.columns if end > first else 0

    def query_tiles(self, queries: int) -> int:
        """Tiles of queries of one head of a sequence."""
        return -(-queries // self.rows)

    def ctas(self, problem: Problem, multiprocessors: int) -> int:
        """CTAs to launch."""
        tiles = sum(self.query_tiles(queries) for queries, _ in problem.sequences)
        return min(multiprocessors, tiles * problem.heads)

    def schedule(self, problem: Problem, ctas: int, group: int) -> npt.NDArray[np.uint32]:
        """Return the CTAs' lists, (turns, CTAs): head << 16 | tile of queries, then `END`.

        Heads of all sequences are numbered on. Within a group of heads the longest tiles come
        first; each goes to the CTA with the least work so far.

        Args:
            problem: The problem to divide.
            ctas: How many share the work.
            group: Heads that are worked at together, so that their K and V stay in the L2 cache.
        """
        costs = {
            sequence: [
                self.key_tiles(problem, sequence, tile) + _COST_OF_A_TILE
                for tile in range(self.query_tiles(sequence[0]))
            ]
            for sequence in dict.fromkeys(problem.sequences)
        }
        heads = [each for each in problem.sequences for _ in range(problem.heads)]
        lists: list[list[int]] = [[] for _ in range(ctas)]
        load = [(0.0, cta) for cta in range(ctas)]
        for first in range(0, len(heads), group):
            tiles = [
                (cost, tile, first + i)
                for i, sequence in enumerate(heads[first : first + group])
                for tile, cost in enumerate(costs[sequence])
            ]
            # Stable: of equal tiles the first of each head comes first.
            tiles.sort(key=lambda each: (-each[0], each[1]))
            for cost, tile, head in tiles:
                work, cta = load[0]
                lists[cta].append(head << 16 | tile)
                heapq.heapreplace(load, (work + cost, cta))
        turns = max(map(len, lists)) + 1
        schedule = np.full((turns, ctas), END, np.uint32)
        for cta, entries in enumerate(lists):
            schedule[: len(entries), cta] = entries
        return schedule
