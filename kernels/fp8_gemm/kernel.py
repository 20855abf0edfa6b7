"""The kernel of FP8 products with scales of blocks: its launch on any device."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.blackwell import BlackwellKernel, BlackwellTiling
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import D_OF_256, Tiling
from lanemap.benching.layouts import Layout
from lanemap.devices.arguments import ByValue
from lanemap.errors import UserError

#: Elements of k, and rows of B, that have one scale.
BLOCK = 128
#: Strides of scales are numbers of 32 bits.
_MOST_STRIDE = (1 << 32) - 1


@dataclass(frozen=True)
class Scales:
    """Scales of A or B on a device.

    Attributes:
        array: f32: of A (M, ceil(K / 128)), of B (ceil(N / 128), ceil(K / 128)).
        strides: Elements from one row and one column to the next.
    """

    array: Any
    strides: tuple[int, int]


def hopper_layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    return [
        Layout(f"wgmma.m64n{tiling.part(problem)}.f32:D", "part", "word"),
        Layout(D_OF_256, "d", "word"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout("shared.k_major.128b.8bit", "operand", inverse=True),
    ]


def scales_argument(problem: Problem, scales: tuple[Scales, Scales]) -> ByValue:
    """Return the entry's last argument: `Scales` of block_scales.h.

    Raises:
        UserError: they lie too far apart.
    """
    a, b = scales
    for name, strides in (("a_scales", a.strides), ("b_scales", b.strides)):
        if not all(0 <= each <= _MOST_STRIDE for each in strides):
            raise UserError(f"{name} has strides {strides}; strides of 0 to 2^32 are supported")
    packed = struct.pack(
        "<QQ6I", a.array.pointer().address, b.array.pointer().address, *a.strides, *b.strides,
        problem.m, -(-problem.n // BLOCK),
    )  # fmt: skip
    return ByValue(packed, 8, (a.array, b.array), [(0, a.array, 0), (8, b.array, 0)])


class ScaledKernel(GemmKernel):
    """A kernel for one target; `finish` gets both operands' scales where others have a bias."""

    def finish(self, problem: Problem, bias: Any) -> tuple[Any, ...]:
        """Return the last argument: a pair of `Scales`."""
        return (scales_argument(problem, bias),)


#: For sm_100a: a pair of CTAs, then one, then narrower.
BLACKWELL_TILES = (
    BlackwellTiling(columns=128, stages=6, cluster_m=2),
    BlackwellTiling(columns=128, stages=6),
    BlackwellTiling(columns=64, stages=7),
)


@dataclass(frozen=True)
class HopperScaled(ScaledKernel):
    """The kernel for sm_90a."""

    def possible(self, problem: Problem, multiprocessors: int) -> list[Tiling]:
        """Return the tiles whose parts have columns of one block; an SM has room for one CTA.

        While one consumer adds a stage the other one's is in the tensor core, so a tile has two of
        them, unless A has rows for one alone: with one, 8192^3 took 1.5 times as long on an H200.
        CTAs that share B's stages wait for each other's additions: with 256 columns 4096^3 took
        131.7 us in pairs there and 120.7 without, 8192^3 1009.6 and 935.4; fours were slower still.
        Their estimate is that of products without scales.
        """
        return [
            each
            for each in super().possible(problem, multiprocessors)
            if BLOCK % each.part(problem) == 0
            and (each.swapped, each.cluster_k, each.resident) == (0, 1, 1)
            and (each.consumers == 2 or problem.m <= 64)
            and each.cluster_m <= (1 if each.columns == 256 else 2)
        ]


@dataclass(frozen=True)
class BlackwellScaled(ScaledKernel, BlackwellKernel):
    """The kernel for sm_100a."""

    target: str = "sm_100a"

    @property
    def skeleton(self) -> str:
        """The source in which comments say where a role begins."""
        return f"{self.name}.cu"

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that takes the fewest columns one after another, the first of equal ones.

        No sm_100a GPU has timed it.
        """
        return self.fewest_columns(problem, multiprocessors)

    def elements(self, problem: Problem, c: Operand) -> tuple[Any, ...]:
        """Return nothing: C goes through TMA alone."""
        return ()
