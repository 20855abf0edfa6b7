"""The kernel of block-scaled products for sm_100a: its text for a tile, and its launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.build import CompiledKernel, debugging
from lanemap.benching.gemm.problem import TYPES, check_leading
from lanemap.benching.gemm.tiling import ROW_BYTES
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.emission.wrappers import header as wrappers
from lanemap.quantization.formats import E8M0
from lanemap.quantization.scales import ATOM_BYTES
from lanemap.records.files import Roots

from .problem import Problem
from .tiling import (
    BOX_ROWS,
    ROWS,
    THREADS,
    Tiling,
    scale_vector,
    stage_atoms,
)

#: Codes of element types in the instruction descriptor of block-scaled kinds (PTX ISA 9.0, tcgen05,
#: "Instruction descriptor").
_ELEMENT_TYPES = {"nvfp4": 1, "mxfp4": 1, "mxfp8_e4m3": 0, "mxfp8_e5m2": 1}
#: An atom is numbers of 16 bits to a tensor map, whose boxes have at most 256 elements.
_SCALE_BYTES = 2


@dataclass(frozen=True)
class Arrays:
    """The operands of a product on a device.

    Attributes:
        a: (L, M, bytes of a row), with the bytes from one matrix to the next.
        b: (L, N, bytes of a row), likewise.
        c: (L, M, N), likewise.
        sfa: Atoms of the scales of A, contiguous.
        sfb: The scales of B.
    """

    a: tuple[Operand, int]
    b: tuple[Operand, int]
    c: tuple[Operand, int]
    sfa: Any
    sfb: Any


@dataclass(frozen=True)
class ScaledKernel(CompiledKernel[Problem, Tiling]):
    """The kernel of the folder kernels/nvfp4_gemm."""

    name: str = "nvfp4_gemm"
    target: str = "sm_100a"

    def layouts(self, problem: Problem, tiling: Tiling) -> list[Layout]:
        """The maps that sm_100a.cu uses: README.md says where."""
        vector = scale_vector(problem.kind)
        load = "32x32b.x32" if problem.output == "float32" else "16x256b.x8"
        pair, rows = tiling.cluster_m == 2, f"m{ROWS * tiling.cluster_m}"
        form = f"tcgen05.mma.cta_group::{tiling.cluster_m}"
        columns = f"{rows}.n{tiling.columns}" if pair else f"n{tiling.columns}"
        scales = [
            Layout(
                f"{form}.{size}.scale_vec::{vector}X.id{byte}:SF{letter.upper()}",
                f"sf{letter}{byte}",
                "byte",
            )
            for byte in range(0, 4, vector)
            for letter, size in (("a", rows), ("b", columns))
        ]
        return [
            Layout(f"tcgen05.ld.{load}", "d", "word"),
            Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
            Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
            Layout("shared.k_major.128b.8bit", "operand", inverse=True),
            Layout("shared.k_major.none.8bit", "atom", inverse=True),
            Layout("tcgen05.cp.32x128b.warpx4", "cp", "byte"),
            Layout(f"{form}.{rows}n256.f32:D", "sum", "word"),
            *scales,
        ]

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source."""
        return {
            "TILE_N": tiling.columns,
            "STAGES": tiling.stages,
            "ACCUMULATORS": tiling.accumulators,
            "SCALE_VECTOR": scale_vector(problem.kind),
            "SCALE_UE8M0": int(problem.kind.scale == E8M0),
            "ELEMENT_TYPE": _ELEMENT_TYPES[problem.format],
            "OUTPUT_F32": int(problem.output == "float32"),
            "OUTPUT_F16": int(problem.output == "float16"),
            "CLUSTER_M": tiling.cluster_m,
            # Of headers shared with other kernels: bytes of operands, C by TMA.
            "ELEMENT_BYTES": 1,
            "ELEMENT_BF16": 0,
            "TMA_STORE": 1,
            **debugging(),
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and wrappers of tcgen05.

        Raises:
            UserError: a map was never observed.
        """
        text = header(self.layouts(problem, tiling), results)
        return {HEADER: text, "tcgen05.h": wrappers({})}

    def launch(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        arrays: Arrays,
        alpha: Any,
        multiprocessors: int,
    ) -> Launch:
        """Return a launch that computes C.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            arrays: The operands.
            alpha: What every element of C is multiplied by: a number, or an array of f32.
            multiprocessors: CTAs that run at once, one on each.

        Raises:
            UserError: an operand's rows or matrices are not aligned.
        """
        p, output = problem, TYPES[problem.output]
        a_tiles, b_tiles = p.atoms(p.m)[0], p.atoms(p.n)[0]
        maps = [
            _operand_map(device, "A", arrays.a, (p.batches, p.m, p.row_bytes), (ROWS, ROW_BYTES)),
            _operand_map(device, "B", arrays.b, (p.batches, p.n, p.row_bytes),
                         (tiling.columns // tiling.cluster_m, ROW_BYTES)),
            _scale_map(device, arrays.sfa, p, a_tiles, (1, stage_atoms(p.kind), ATOM_BYTES)),
            _scale_map(device, arrays.sfb, p, b_tiles, tiling.scale_box(p.kind)),
            _operand_map(device, "C", arrays.c, (p.batches, p.m, p.n),
                         (BOX_ROWS, ROW_BYTES // output.bytes), output.name),
        ]  # fmt: skip
        if isinstance(alpha, (int, float, np.number)):
            alpha = device.array(np.array([alpha], np.float32), name="alpha")
        order = tiling.schedule(problem)
        arguments = (
            *maps, device.array(order, name="schedule"), np.uint32(len(order)),
            np.uint32(p.batches), np.uint32(tiling.k_blocks(p)), np.uint32(a_tiles),
            np.uint32(b_tiles), alpha,
        )  # fmt: skip
        return Launch(
            module[self.name],
            tiling.ctas(p, multiprocessors),
            THREADS,
            arguments,
            tiling.shared_bytes(p.kind),
            (tiling.cluster_m, 1, 1),
        )


KERNEL = ScaledKernel()


def _operand_map(
    device: Any,
    name: str,
    given: tuple[Operand, int],
    sizes: tuple[int, int, int],
    box: tuple[int, int],
    dtype: str = "uint8",
) -> Any:
    operand, matrix_bytes = given
    check_leading(name, operand.row_bytes)
    check_leading(f"the batch of {name}", matrix_bytes)
    return device.tensor_map(
        operand.array,
        box=(1, *box),
        dtype=dtype,
        sizes=sizes,
        strides=(matrix_bytes, operand.row_bytes),
        swizzle="128b",
        l2_promotion="l2_256b",
    )


def _scale_map(
    device: Any, atoms: Any, problem: Problem, tiles: int, box: tuple[int, int, int]
) -> Any:
    """A map of all matrices' atoms: (L * tiles of rows, atoms along K, an atom's bytes)."""
    _, columns = problem.atoms(problem.m)
    return device.tensor_map(
        atoms,
        box=(*box[:2], box[2] // _SCALE_BYTES),
        dtype="uint16",
        sizes=(problem.batches * tiles, columns, ATOM_BYTES // _SCALE_BYTES),
        strides=(columns * ATOM_BYTES, ATOM_BYTES),
        l2_promotion="l2_256b",
    )
