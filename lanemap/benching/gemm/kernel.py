"""A kernel of C = A @ B.T: its text for a tile, and its launch on any device."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.build import CompiledKernel
from lanemap.benching.gemm.choice import choose, ranked
from lanemap.benching.gemm.estimate import least_cycles
from lanemap.benching.gemm.problem import ACTIVATIONS, TYPES, Problem, check_leading
from lanemap.benching.gemm.tiling import ROW_BYTES, Tiling, tilings
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.benching.scratch import Scratch
from lanemap.devices.arguments import ByValue
from lanemap.emission.wgmma_wrappers import wrapper
from lanemap.targets import TARGETS

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: From so many cycles on a launch does not overlap with others: CTAs that begin when others end lie
#: less evenly on the SMs, which costs more than it gains.
_LONG = 80_000
#: Tiles that a sweep times for each problem.
_TIMED = 12
#: Registers of a thread that copies and of one that multiplies, by the consumers of an SM and of a
#: CTA.
_REGISTERS = {(1, 1): (24, 240), (2, 2): (24, 240), (2, 1): (24, 232), (3, 3): (32, 160)}


@dataclass(frozen=True)
class GemmKernel(CompiledKernel[Problem, Tiling]):
    """A kernel of the folder kernels/.

    Attributes:
        name: Name of the folder and of the entry.
        layouts: The maps that its source uses, for a problem and a tile.
        target: An instruction set.
        transposes: Whether it takes operands with adjacent elements of a column.
        registers: What its threads need at least, as they are when a CTA begins.
        blocks: Blocks of 64 rows that a consumer has at most.
        part: Columns of a wgmma of a wide tile whose sums are kept in two levels.
    """

    name: str
    layouts: Callable[[Problem, Tiling], Sequence[Layout]]
    target: str = "sm_90a"
    transposes: bool = False
    registers: int = 0
    blocks: int = 1
    part: int = 128

    @property
    def skeleton(self) -> str:
        """The source that every warp runs, in which comments say where a role begins."""
        return "hopper_gemm.h"

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that should be fastest on so many SMs."""
        return choose(problem, multiprocessors, self.possible(problem, multiprocessors))

    def possible(self, problem: Problem, multiprocessors: int) -> list[Tiling]:
        """Return the tiles that can compute a product."""
        every = tilings(problem, multiprocessors)
        return [
            each
            for each in every
            if each.registers >= self.registers and each.blocks <= self.blocks
        ]

    def tilings(self, problem: Problem) -> Sequence[Tiling]:
        """Return the tiles that are worth timing for a product."""
        multiprocessors = TARGETS[self.target].gpu.multiprocessors
        every = self.possible(problem, multiprocessors)
        return ranked(problem, multiprocessors, every)[:_TIMED]

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source."""
        copying, multiplying = _REGISTERS[tiling.consumers * tiling.resident, tiling.consumers]
        return {
            "TILE_N": tiling.columns,
            "STAGES": tiling.stages,
            "CLUSTER_M": tiling.cluster_m,
            "CLUSTER_N": tiling.cluster_n,
            "CLUSTER_K": tiling.cluster_k,
            "RESIDENT": tiling.resident,
            "SWAPPED": tiling.swapped,
            "A_TRANSPOSED": int(tiling.transposed(problem)[0]),
            "B_TRANSPOSED": int(tiling.transposed(problem)[1]),
            "BLOCKS": tiling.blocks,
            "CONSUMERS": tiling.consumers,
            "A_ROWS": tiling.loaded,
            "ELEMENT_BYTES": TYPES[problem.element].bytes,
            "OUTPUT_F32": int(problem.output == "float32"),
            "OUTPUT_F16": int(problem.output == "float16"),
            "TWO_LEVEL": int(problem.accumulation == "two_level"),
            "PART_N": tiling.part(problem, self.part),
            "SHARED_TILES": tiling.shared,
            "ONCE": tiling.once,
            "BIAS": int(problem.epilogue.bias),
            "ACTIVATION": ACTIVATIONS[problem.epilogue.activation],
            "PRODUCER_REGISTERS": copying,
            "CONSUMER_REGISTERS": multiplying,
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and the wrapper of wgmma.

        Raises:
            UserError: a map was never observed.
        """
        kind = TYPES[problem.element]
        part = tiling.part(problem, self.part)
        form = f"wgmma.m64n{part}k{32 // kind.bytes}.f32.{kind.ptx}.{kind.ptx}"
        text = header(self.layouts(problem, tiling), results)
        a_transposed, b_transposed = tiling.transposed(problem)
        kinds = ("ss",) if a_transposed else ("ss", "rs")
        wgmma = wrapper(form, kinds, b_transposed, a_transposed)
        return {HEADER: text, "wgmma.h": f"#pragma once\n\n{wgmma}"}

    def launch(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        a: Operand,
        b: Operand,
        c: Operand,
        multiprocessors: int,
        scratch: Scratch | None = None,
        bias: Any = None,
    ) -> Launch:
        """Return a launch that computes C.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            a: (M, K).
            b: (N, K).
            c: (M, N).
            multiprocessors: CTAs that run at once, one on each.
            scratch: Where the launch has memory for itself; by default in arrays of its own.
            bias: What is added to each column of C, of C's type.

        Raises:
            UserError: an operand's rows are not aligned.
        """
        depth = ROW_BYTES // TYPES[problem.element].bytes
        sides = ("A", a, problem.m), ("B", b, problem.n)
        maps = []
        for (name, side, size), transposed, rows in zip(
            reversed(sides) if tiling.swapped else sides,
            tiling.transposed(problem),
            tiling.boxes(),
            strict=True,
        ):
            sizes, box = (size, problem.k), (rows, depth)
            if transposed:
                sizes, box = (problem.k, size), (depth, ROW_BYTES // TYPES[problem.element].bytes)
            maps.append(tensor_map(device, name, side, problem.element, sizes, box))
        clusters = tiling.clusters(problem, multiprocessors)
        output = self.output(device, problem, tiling, c)
        own = scratch or Scratch(device)
        work, used = self.work(device, problem, tiling, clusters, own)
        return Launch(
            module[self.name],
            clusters * tiling.ctas,
            tiling.threads,
            (*maps, *output, *work, *self.finish(problem, bias)),
            tiling.shared_bytes,
            (tiling.ctas, 1, 1),
            overlaps=least_cycles(tiling, problem, multiprocessors) < _LONG,
            scratch=used,
        )

    def finish(self, problem: Problem, bias: Any) -> tuple[Any, ...]:
        """Return the last argument: the bias, of so many columns."""
        address = 0 if bias is None else bias.pointer().address
        places = () if bias is None else ((0, bias, 0),)
        return (ByValue(struct.pack("<QI4x", address, problem.n), 8, bias, places),)

    def output(self, device: Any, problem: Problem, tiling: Tiling, c: Operand) -> tuple[Any, ...]:
        """Return the arguments for C: two tensor maps, and the columns of tiles of the first.

        Both are by row, column of tiles, and column of a tile, so that TMA clips a store where its
        tile ends, which need not be where a box ends. A column of tiles has as many columns as the
        others, and the last one as many as are left; so that one has a map of its own. The boxes of
        D transposed end where tiles do; the maps are those of a tile's boxes, and of its last one.
        """
        kind = TYPES[problem.output]
        if tiling.swapped:
            sizes, width = (problem.m, problem.n), ROW_BYTES // kind.bytes
            first, second = (
                tensor_map(device, "C", c, problem.output, sizes, (rows, width))
                for rows in (tiling.box_rows, tiling.slice % tiling.box_rows or tiling.box_rows)
            )
            return first, second, np.uint32(0)
        columns = tiling.slice
        whole = -(-problem.n // columns) - 1
        tile_bytes, left = columns * kind.bytes, problem.n - whole * columns
        box = tiling.box_rows, 1, ROW_BYTES // kind.bytes

        def tiles(columns_of_tiles: int, of_each: int, byte_offset: int) -> Any:
            sizes = problem.m, columns_of_tiles, of_each
            return tensor_map(
                device, "C", c, problem.output, sizes, box, (tile_bytes,), byte_offset
            )

        last = tiles(1, left, whole * tile_bytes)
        return (tiles(whole, columns, 0) if whole else last), last, np.uint32(whole)

    def work(
        self, device: Any, problem: Problem, tiling: Tiling, clusters: int, scratch: Scratch
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the entry's arguments behind those of C: what each cluster does.

        With them, those arrays of `scratch` among them that the launch uses.
        """
        (rows, columns), stages = tiling.cluster_tiles(problem), tiling.k_blocks(problem)
        order = ByValue(struct.pack("<4I", rows, columns, tiling.group, stages), 4)
        tiles, nothing = np.uint32(rows * columns), np.uint64(0)
        if not tiling.shared:
            return (order, nothing, tiles, nothing, nothing), ()
        if tiling.waits:
            # A word that is not 0 says that it is there.
            own = scratch.of(0, 1, clusters * tiling.ctas * tiling.rows * tiling.columns)
            return (order, nothing, tiles, own[1], nothing), own
        schedule = tiling.schedule(problem, clusters)
        parts = int(schedule["parts"][schedule["parts"] > 1].size)
        warps = max(parts, 1) * tiling.ctas * tiling.consumers * 4
        columns = tiling.slice  # whose sums a CTA leaves
        if not tiling.swapped:
            columns = -(-columns // 16) * 16
        registers = warps * 32 * tiling.blocks * columns // 2 if parts else 4
        own = scratch.of(0, registers, warps)
        there = device.array(schedule.view(np.uint32), name="schedule")
        return (order, there, np.uint32(len(schedule)), *own), own if parts else ()


def tensor_map(
    device: Any,
    name: str,
    operand: Operand,
    kind: str,
    sizes: tuple[int, ...],
    box: tuple[int, ...],
    strides: tuple[int, ...] = (),
    byte_offset: int = 0,
) -> Any:
    """Return the map of a matrix whose rows are its outermost dimension.

    Args:
        device: A device from `lanemap.open_device`.
        name: For errors.
        operand: The matrix.
        kind: Name of its type.
        sizes: Rows, .., columns.
        box: As many, outermost first.
        strides: Bytes, of what is between rows and columns.
        byte_offset: Where in the matrix the map begins.

    Raises:
        UserError: rows are not aligned.
    """
    check_leading(name, operand.row_bytes)
    return device.tensor_map(
        operand.array,
        box=box,
        dtype=TYPES[kind].map_type,
        sizes=sizes,
        strides=(operand.row_bytes, *strides),
        swizzle="128b",
        # Rows that begin within lines take longer where L2 reads two lines for one.
        l2_promotion="l2_128b" if operand.row_bytes % ROW_BYTES else "l2_256b",
        byte_offset=byte_offset,
    )
