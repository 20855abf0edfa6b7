"""How decode attention is divided: tiles of keys, and CTAs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lanemap.benching.gemm.problem import TYPES
from lanemap.targets import TARGETS

from .problem import Problem

#: Rows of a wgmma: queries and heads that share a head of K and V.
ROWS = 64
#: Elements of a part of a row, which is that of the 128-byte swizzle.
PART_COLUMNS = 64
_BARRIER_BYTES = 16
#: Shared memory of an SM, of which each CTA takes 1 KiB more than it asks for (CUDA Programming
#: Guide, Technical Specifications, 9.0).
SHARED_BYTES, SHARED_BYTES_A_CTA = 228 << 10, 1 << 10
#: Part of the SMs that teams may leave idle: memory is busy without them.
_MOST_IDLE = 0.05
#: Rows times parts of a head that one CTA adds; what the others have done long before.
_MOST_JOINED = 128
#: Fewer bytes of keys and values are few.
_FEW_BYTES = 1 << 29


@dataclass(frozen=True)
class Tiling:
    """Tile sizes, as #defined in the kernel source.

    Attributes:
        columns: Keys of a tile.
        stages: Tiles of K and V in shared memory.
        ctas: CTAs of an SM.
        team: CTAs that read the same keys of adjacent heads at one time, at most.
        box: Keys that a copy has at most.
        joined: Whether (1 or 0) the last CTA of a head adds its parts; else a second launch does.
    """

    columns: int = 128
    stages: int = 4
    ctas: int = 1
    team: int = 8
    box: int = 256
    joined: int = 1

    @property
    def threads(self) -> int:
        """Threads of a CTA: four warps that compute and one that copies."""
        return 160

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA: tiles with their mbarriers."""
        tile = self.columns * problem.head_dim * TYPES[problem.element].bytes
        return self.stages * (tile + _BARRIER_BYTES)

    def box_keys(self, problem: Problem) -> int:
        """Keys of a box: those of a tile that lie in one page, or a part of them."""
        return math.gcd(min(self.columns, self.box), problem.page)

    def tiles(self, problem: Problem) -> int:
        """Tiles of a head's keys, at most."""
        seen = min(problem.keys, problem.reach[0] + problem.queries + self.columns)
        return -(-seen // self.columns)

    def heads_of_team(self, problem: Problem, multiprocessors: int) -> int:
        """CTAs of a team: they divide the heads, and leave few SMs idle."""
        heads, most = problem.kv_heads * blocks(problem), multiprocessors * self.ctas
        fits = [n for n in range(1, min(heads, self.team, most) + 1) if heads % n == 0]
        return max(n for n in fits if n == 1 or most % n <= _MOST_IDLE * most)

    def grid(self, problem: Problem, multiprocessors: int) -> int:
        """CTAs to launch: as many as run at once, and no more than there are tiles."""
        units = problem.batch * problem.kv_heads * blocks(problem) * self.tiles(problem)
        team = self.heads_of_team(problem, multiprocessors)
        return min(multiprocessors * self.ctas // team * team, units)


def rows(problem: Problem) -> int:
    """Return the rows of a tile of Q that are used."""
    return min(ROWS, problem.queries * problem.group)


def blocks(problem: Problem) -> int:
    """Return the tiles of Q of one head of K and V."""
    return -(-problem.queries * problem.group // ROWS)


def choose(problem: Problem) -> Tiling:
    """Return the division that is fastest on an H200, of those of README.md.

    A ring of 96 KiB leaves room for a CTA of the launch behind, which then begins where one ends.
    Small boxes are faster for few keys. The CTA that comes last adds up a head's parts, but rows of
    many parts by all SMs in a launch of their own.
    """
    sms = TARGETS["sm_90a"].gpu.multiprocessors
    parts = max(2, -(-sms // (problem.batch * problem.kv_heads * blocks(problem))))
    joined = int(rows(problem) * parts <= _MOST_JOINED)
    if problem.head_dim == 64:
        return Tiling(128, stages=6, joined=joined)
    row = problem.kv_heads * problem.head_dim * TYPES[problem.element].bytes
    few = 2 * problem.batch * problem.keys * row < _FEW_BYTES
    return Tiling(128, stages=3, box=16 if few else 256, joined=joined)
