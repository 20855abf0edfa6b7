"""How a GEMV is divided among CTAs and warps."""

from __future__ import annotations

from dataclasses import dataclass

from .problem import ATOM_ROWS, Problem

#: Elements of k of a warp at once: 16 bytes of each lane.
CHUNK = 1024
#: Warps of an SM that 128 registers a thread allow, and 72.
_WARPS, _NARROW_WARPS = 16, 28
#: Warps of a CTA at least: several teams where a team has fewer.
_TEAMS_BELOW = 4
#: Rows and bytes of k of a tile of the tensor core.
TILE_ROWS, TILE_BYTES = 128, 128
#: Columns of its B, one of which is b.
TILE_COLUMNS = 8
_MOST_SPLIT = 8


@dataclass(frozen=True)
class FmaTiling:
    """Tile sizes, as #defined in nvfp4_fma.h.

    Attributes:
        warps: Warps of a CTA.
        split: Warps that share a group of rows, each with its part of k.
        rows: Rows of a group.
        stages: Groups whose loads are in flight.
        ctas: CTAs of an SM.
        groups: Groups whose sums wait in shared memory.
    """

    warps: int = 16
    split: int = 16
    rows: int = 4
    stages: int = 1
    ctas: int = 1
    groups: int = 128

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return 32 * self.warps

    def matrix_groups(self, problem: Problem) -> int:
        """Groups of rows of a matrix."""
        if problem.scales == "atoms":
            return problem.atom_tiles * ATOM_ROWS // self.rows
        return -(-problem.m // self.rows)

    def whole(self, problem: Problem) -> bool:
        """Whether every row of every group exists."""
        return self.matrix_groups(problem) * self.rows == problem.m

    def grid(self, problem: Problem, multiprocessors: int) -> int:
        """CTAs to launch: at most as many as run at once, each with work for its teams."""
        groups = self.matrix_groups(problem) * problem.batches
        teams = self.warps // self.split
        return min(multiprocessors * self.ctas, -(-groups // teams))


@dataclass(frozen=True)
class MmaTiling:
    """Tile sizes, as #defined in sm_100a.cu.

    Attributes:
        split: CTAs of a cluster, each with its part of k.
        stages: Tiles of A in flight.
    """

    split: int = 1
    stages: int = 4

    @property
    def threads(self) -> int:
        """Threads of a CTA: four warps of the epilogue, one that copies and one that multiplies."""
        return 192

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory: stages with their scales and mbarriers, the sums, two words."""
        scales = 2 * TILE_BYTES // 32 * 512
        stage = (TILE_ROWS + TILE_COLUMNS) * TILE_BYTES + scales + 16
        return self.stages * stage + self.split * TILE_ROWS * 4 + 16

    def k_blocks(self, problem: Problem) -> int:
        """Tiles along K."""
        return -(-problem.k // (2 * TILE_BYTES))

    def grid(self, problem: Problem) -> int:
        """CTAs to launch."""
        return problem.atom_tiles * problem.batches * self.split


Tiling = FmaTiling | MmaTiling


def choose(problem: Problem, multiprocessors: int) -> Tiling:
    """Return the division that should be fastest."""
    return (_mma if problem.impl == "mma" else _fma)(problem, multiprocessors)


def _fma(problem: Problem, multiprocessors: int) -> FmaTiling:
    """The fastest tiling on an H200; the kernel's README.md lists those tried."""
    chunks = -(-problem.k // CHUNK)
    pairs = problem.scales == "plain" and chunks < _WARPS and chunks % 2 == 0
    split = chunks // 2 if pairs else -(-chunks // -(-chunks // _WARPS))
    warps = split if split >= _TEAMS_BELOW else _TEAMS_BELOW // split * split
    if split > _WARPS // 2:
        return FmaTiling(warps, split, rows=4, stages=1, ctas=_WARPS // warps)
    if problem.scales == "atoms":
        return FmaTiling(warps, split, rows=4, stages=2, ctas=_WARPS // warps)
    # A warp has two chunks of two rows in flight: both of one group, or one of each of two.
    return FmaTiling(warps, split, rows=2, stages=1 if pairs else 2, ctas=_NARROW_WARPS // warps)


def _mma(problem: Problem, multiprocessors: int) -> MmaTiling:
    """Two CTAs for each SM, as shared memory allows, if k has enough tiles."""
    tiling = MmaTiling()
    most = min(_MOST_SPLIT, tiling.k_blocks(problem))
    split = 1
    while 2 * split <= most and tiling.grid(problem) * split < 2 * multiprocessors:
        split *= 2
    return MmaTiling(split)
