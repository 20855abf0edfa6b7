"""The kernel of FP8 products with scales of blocks: its launch on any device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.blackwell import BlackwellKernel, BlackwellTiling
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.scales import HOPPER_TILES, microseconds, packed
from lanemap.benching.gemm.tiling import Tiling
from lanemap.devices.arguments import ByValue
from lanemap.targets import TARGETS


class ScaledKernel(GemmKernel):
    """A kernel for one target; `finish` gets both operands' scales where others have a bias."""

    def finish(self, problem: Problem, bias: Any) -> tuple[Any, ...]:
        """Return the last argument: a pair of `Scales`."""
        a, b = (each.array for each in bias)
        return (ByValue(packed(bias, problem.m, problem.n), 8, (a, b), [(0, a, 0), (8, b, 0)]),)


#: For sm_100a: a pair of CTAs, then one, then narrower.
BLACKWELL_TILES = (
    BlackwellTiling(columns=128, stages=6, cluster_m=2),
    BlackwellTiling(columns=128, stages=6),
    BlackwellTiling(columns=64, stages=7),
)


#: Microseconds, fitted as those of `microseconds`: until clusters that share a tile know that its
#: last part is there, and until the largest tile's sums are in memory or back.
_MEETING, _MOVING = 2.7, 1.2
#: Tiles are shared where turns are at most this part of those of whole tiles. Nearly equal turns
#: take as long: power limits them.
_WORTH_SHARING = 0.95


@dataclass(frozen=True)
class HopperScaled(ScaledKernel):
    """The kernel for sm_90a."""

    def possible(self, problem: Problem, multiprocessors: int) -> list[Tiling]:
        """Return the tiles, whole and shared."""
        found = list(HOPPER_TILES)
        for each in HOPPER_TILES:
            tiling = replace(each, shared=1)
            if tiling.shares_evenly(problem, multiprocessors):
                turns, ends = _turns(problem, tiling, multiprocessors)
                found += [tiling] if turns <= _WORTH_SHARING * ends else []
        return found

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that should be fastest on so many SMs."""
        return self._ranked(problem, multiprocessors)[0]

    def tilings(self, problem: Problem) -> Sequence[Tiling]:
        """Return the tiles that are worth timing for a product: all."""
        return self._ranked(problem, TARGETS[self.target].gpu.multiprocessors)

    def _ranked(self, problem: Problem, multiprocessors: int) -> list[Tiling]:
        def time(tiling: Tiling) -> float:
            turns, ends = _turns(problem, tiling, multiprocessors)
            whole = microseconds(tiling, turns, ends, tiling.k_blocks(problem))
            if not tiling.shared:
                return whole
            # 1 / turns clusters share a tile, or two each of those that whole turns leave.
            moved = (1 + max(1.0, 1 / turns)) * tiling.rows * tiling.columns / (128 * 256)
            return whole + _MEETING + moved * _MOVING

        return sorted(self.possible(problem, multiprocessors), key=time)


def _turns(problem: Problem, tiling: Tiling, multiprocessors: int) -> tuple[float, int]:
    """Return the tiles that a CTA multiplies, and how often it stores one."""
    rows, columns = tiling.cluster_tiles(problem)
    turns = rows * columns / tiling.clusters(problem, multiprocessors)
    return turns if tiling.shared else math.ceil(turns), math.ceil(turns)


@dataclass(frozen=True)
class BlackwellScaled(ScaledKernel, BlackwellKernel):
    """The kernel for sm_100a."""

    target: str = "sm_100a"

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that takes the fewest columns one after another, the first of equal ones.

        No sm_100a GPU has timed it.
        """
        return self.fewest_columns(problem, multiprocessors)

    def elements(self, problem: Problem, c: Operand) -> tuple[Any, ...]:
        """Return nothing: C goes through TMA alone."""
        return ()
