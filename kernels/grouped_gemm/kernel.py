"""The kernel of grouped products: its launch on any device."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.scales import Scales
from lanemap.benching.gemm.scales import packed as packed_scales
from lanemap.benching.gemm.tiling import ROW_BYTES, Tiling
from lanemap.benching.launch import Launch
from lanemap.benching.scratch import Scratch
from lanemap.devices.arguments import ByValue

from .problem import Problem

#: A tensor map, and the f32 of scratch memory that it takes.
_MAP_BYTES, _MAP_FLOATS = 128, 32
#: Maps of A that a CTA has in memory.
_A_MAPS = 2
#: What `Groups` of grouped.h has of scales.
_SCALES_BYTES = 56


@dataclass(frozen=True)
class Matrices:
    """A, B or C on a device.

    Attributes:
        operand: Its memory, and the bytes from one row to the next.
        group_bytes: From one group's matrix to the next; 0 where groups lie one after another.
    """

    operand: Operand
    group_bytes: int = 0


@dataclass(frozen=True)
class GroupedKernel:
    """The kernel for one target.

    Attributes:
        product: What makes its text: macros, maps and wrappers of a GEMM of one product.
        tiles: The tiles to choose from, from the most efficient to the smallest.
        scaled_tiles: Likewise for FP8 with scales of blocks.
        scaled_microseconds: The time of one of those, as `lanemap.benching.gemm.scales` estimates
            it; None where no GPU has been timed.
    """

    product: GemmKernel
    tiles: Sequence[Tiling]
    scaled_tiles: Sequence[Tiling]
    scaled_microseconds: Callable[[Tiling, float, int, int], float] | None = None

    @property
    def target(self) -> str:
        """An instruction set."""
        return self.product.target

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile whose turns take the least time, the first of equal ones.

        The sizes are not known, so groups count as equal. On an H200 the times of tiles were nearly
        as the rows of A and B that their CTAs receive. Sharing B in a cluster of sm_90a makes those
        no fewer; in a pair of CTAs of sm_100a each has half of B. With scales of blocks threads add
        every stage, and the estimate is fp8_gemm's where a GPU has been timed.
        """

        def time(tiling: Tiling) -> float:
            turns = -(-_tiles(problem, tiling) // (multiprocessors // tiling.ctas))
            if problem.scaled and self.scaled_microseconds:
                stages = tiling.k_blocks(problem.product)
                return self.scaled_microseconds(tiling, turns, turns, stages)
            return turns * tiling.received

        return min(self.possible(problem), key=time)

    def possible(self, problem: Problem) -> Sequence[Tiling]:
        """Return the tiles that can compute a problem."""
        return self.scaled_tiles if problem.scaled else self.tiles

    def ptx(self, problem: Problem, tiling: Tiling) -> str:
        """Return the kernel's PTX for a tile; see `CompiledKernel.ptx`."""
        return self.product.ptx(problem.product, tiling)

    def shared_bytes(self, tiling: Tiling) -> int:
        """Dynamic shared memory of a CTA: the product's, then maps that are edited."""
        whole = -(-tiling.shared_bytes // _MAP_BYTES) * _MAP_BYTES
        return whole + (1 + _storing(tiling)) * _MAP_BYTES

    def launch(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        a: Matrices,
        b: Matrices,
        c: Matrices,
        sizes: Any,
        multiprocessors: int,
        scratch: Scratch | None = None,
        scales: tuple[Scales, Scales] | None = None,
    ) -> Launch:
        """Return a launch that computes C.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            a: (rows, K), or one of each group.
            b: (groups, N, K).
            c: (rows, N), or one of each group.
            sizes: (groups,) of int32.
            multiprocessors: CTAs that run at once, one on each.
            scratch: Where the launch has memory for tensor maps; by default an array of its own.
            scales: Those of A and of B, if `problem.scaled`.
        """
        p, element, output = problem, TYPES[problem.element], TYPES[problem.output]
        depth, width = (ROW_BYTES // kind.bytes for kind in (element, output))
        ctas = min(multiprocessors // tiling.ctas, _most_tiles(p, tiling)) * tiling.ctas
        own = (scratch or Scratch(device)).of(
            0, ctas * (_A_MAPS + _storing(tiling)) * _MAP_FLOATS, 1
        )
        maps = (
            _map(device, a, p.element, (p.rows, p.k), (tiling.rows, depth)),
            _map(
                device,
                b,
                p.element,
                (p.groups, p.n, p.k),
                (1, tiling.columns // tiling.ctas, depth),
            ),
            _map(device, c, p.output, (p.rows, p.n), (tiling.box_rows, width)),
        )
        places = [(0, a.operand.array, 0), (24, c.operand.array, 0), (48, sizes, 0)]
        packed = struct.pack(
            "<QQQQQQQIIII",
            *(each for m in (a, c) for each in (
                m.operand.array.pointer().address, m.operand.row_bytes, m.group_bytes)),
            sizes.pointer().address, p.groups, p.rows, int(p.masked),
            -(-p.n // tiling.columns),
        )  # fmt: skip
        held = a.operand.array, c.operand.array, sizes
        of_scales = bytes(_SCALES_BYTES)
        if scales is not None:
            of_scales = packed_scales(scales, p.rows, p.n)
            of_scales += struct.pack("<QQ", *(each.group for each in scales))
            arrays = tuple(each.array for each in scales)
            places += [(len(packed) + 8 * i, array, 0) for i, array in enumerate(arrays)]
            held += arrays
        return Launch(
            module[self.product.name],
            ctas,
            tiling.threads,
            (*maps, own[0], np.uint32(tiling.k_blocks(p.product)),
             ByValue(packed + of_scales, 8, held, places)),
            self.shared_bytes(tiling),
            (tiling.ctas, 1, 1),
            scratch=own,
        )  # fmt: skip


def _storing(tiling: Tiling) -> int:
    """Return the warps that store C, each through a tensor map of its own."""
    return 4 * tiling.consumers


def _tiles(problem: Problem, tiling: Tiling) -> int:
    """Return the tiles that clusters have of groups of one size."""
    each = problem.rows if problem.masked else -(-problem.rows // problem.groups)
    return (
        problem.groups * -(-each // (tiling.rows * tiling.ctas)) * -(-problem.n // tiling.columns)
    )


def _most_tiles(problem: Problem, tiling: Tiling) -> int:
    """Return the most tiles that clusters can have, whatever the groups' sizes."""
    rows = -(-problem.rows // (tiling.rows * tiling.ctas))
    rows = rows * problem.groups if problem.masked else rows + problem.groups - 1
    return rows * -(-problem.n // tiling.columns)


def _map(
    device: Any, given: Matrices, kind: str, sizes: tuple[int, ...], box: tuple[int, ...]
) -> Any:
    """Return the map of a matrix, or of one of each group."""
    strides = (given.group_bytes, given.operand.row_bytes)[-(len(sizes) - 1) :]
    return device.tensor_map(
        given.operand.array,
        box=box,
        dtype=TYPES[kind].map_type,
        sizes=sizes,
        strides=strides,
        swizzle="128b",
        l2_promotion="l2_256b",
    )
