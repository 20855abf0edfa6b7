"""How a block-scaled product is divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.benching.gemm.tiling import BARRIER_BYTES, ROW_BYTES, order
from lanemap.quantization.formats import BlockFormat
from lanemap.quantization.scales import ATOM_BYTES, ATOM_COLUMNS, ATOM_ROWS

from .problem import Problem

#: Rows of a CTA's tile, and of a box of C, which is a warp's part.
ROWS, BOX_ROWS = 128, 32
#: Of a CTA: the epilogue has four warps, copies and products one each.
THREADS = 192
#: tcgen05.mma that a stage of 128 bytes of K takes, each of 32 bytes.
_STEPS, _STEP_BITS = 4, 256
#: Two boxes for each of the epilogue's four warps.
_BOXES_BYTES = 4 * 2 * BOX_ROWS * ROW_BYTES
#: Mbarriers of two accumulators, and the address of tensor memory.
_OTHER_BYTES = 48
#: Rows of tiles that the order goes through together.
_GROUP = 8


def scale_vector(kind: BlockFormat) -> int:
    """Return the X of .scale_vec: the scales of a row that one tcgen05.mma takes."""
    return _STEP_BITS // kind.element.bits // kind.block


def stage_atoms(kind: BlockFormat) -> int:
    """Return the atoms that a stage has along K, for 128 rows."""
    return _STEPS * scale_vector(kind) // ATOM_COLUMNS


@dataclass(frozen=True)
class Tiling:
    """Tile sizes, as #defined in the kernel source.

    Attributes:
        columns: N of a tile: 256, 128, or 64 for one CTA.
        stages: Stages of the pipeline.
        cluster_m: CTAs that compute a tile together, 1 or 2: two are a `cta_group::2`.
    """

    columns: int = 128
    stages: int = 5
    cluster_m: int = 1

    @property
    def accumulators(self) -> int:
        """Accumulators: beside 256 columns and the scales there is no room for a second one."""
        return 1 if self.columns == 256 else 2

    @property
    def atom_tiles(self) -> int:
        """Atoms of 128 rows in which the scales of a tile of B lie."""
        return -(-self.columns // ATOM_ROWS)

    def shared_bytes(self, kind: BlockFormat) -> int:
        """Return the dynamic shared memory of a CTA."""
        scales = stage_atoms(kind) * ATOM_BYTES * (1 + self.atom_tiles)
        rows = ROWS + self.columns // self.cluster_m
        stage = rows * ROW_BYTES + scales + BARRIER_BYTES
        return self.stages * stage + _BOXES_BYTES + _OTHER_BYTES

    def k_blocks(self, problem: Problem) -> int:
        """Return the stages that a tile takes."""
        return -(-problem.row_bytes // ROW_BYTES)

    def tiles(self, problem: Problem) -> int:
        """Return the tiles of all matrices."""
        rows, columns = self._grid(problem)
        return rows * columns * problem.batches

    def scale_box(self, kind: BlockFormat) -> tuple[int, int, int]:
        """Return what a CTA loads of SFB at once: atoms along N, atoms along K, bytes of each.

        A CTA of a pair loads half: the first of these that can be halved is.
        """
        sizes = [self.atom_tiles, stage_atoms(kind), ATOM_BYTES]
        if self.cluster_m > 1:
            axis = next(i for i, size in enumerate(sizes) if size > 1)
            sizes[axis] //= 2
        return sizes[0], sizes[1], sizes[2]

    def turns(self, problem: Problem, multiprocessors: int) -> int:
        """Return the tiles that the busiest CTA computes, one on each SM."""
        return -(-self.tiles(problem) // max(multiprocessors // self.cluster_m, 1))

    def ctas(self, problem: Problem, multiprocessors: int) -> int:
        """Return the CTAs to launch: as few as take no more turns than one for every SM."""
        clusters = -(-self.tiles(problem) // self.turns(problem, multiprocessors))
        return clusters * self.cluster_m

    def schedule(self, problem: Problem) -> npt.NDArray[np.uint32]:
        """Return the tiles of a matrix in the order in which CTAs take them: m << 16 | n."""
        return order(*self._grid(problem), _GROUP)

    def _grid(self, problem: Problem) -> tuple[int, int]:
        return -(-problem.m // (ROWS * self.cluster_m)), -(-problem.n // self.columns)


#: The most efficient tile first: that of a pair with 256 columns reads the fewest bytes of shared
#: memory for each product, and smaller ones occupy all SMs with fewer rows and columns.
PAIRS = (Tiling(256, 5, 2), Tiling(128, 6, 2))
SINGLE = (Tiling(256, 3), Tiling(128, 5), Tiling(64, 6))
TILES = (PAIRS[0], SINGLE[0], PAIRS[1], *SINGLE[1:])


def choose(problem: Problem, multiprocessors: int, tiles: Sequence[Tiling] = TILES) -> Tiling:
    """Return the tile that takes the fewest columns one after another, the first of equal ones.

    No sm_100a GPU has timed it: a stage takes as long as its products, and CTAs take turns.
    """

    def columns(tiling: Tiling) -> int:
        return tiling.turns(problem, multiprocessors) * tiling.columns

    return min(tiles, key=columns)
