"""The kernels of a GEMV: their text for a division, and their launch on any device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lanemap import paths
from lanemap.benching.build import compile_kernel, debugging, sources
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.emission.wrappers import header as wrappers
from lanemap.errors import UserError
from lanemap.records.files import Roots

from .arrays import Arrays
from .problem import ATOM_BYTES, Problem
from .tiling import (
    TILE_BYTES,
    TILE_COLUMNS,
    TILE_ROWS,
    FmaTiling,
    MmaTiling,
    Tiling,
)

NAME = "nvfp4_gemv"
#: Instruction sets that have each implementation; the first one is computed for by default.
TARGETS = {"fma": ("sm_90a", "sm_100a"), "mma": ("sm_100a",)}
_FORM = "tcgen05.mma.cta_group::1"
#: The maps that the tensor core's source uses: README.md says where.
LAYOUTS = (
    Layout("tcgen05.ld.32x32b.x1", "d", "word"),
    Layout("shared.k_major.128b.8bit", "operand", inverse=True),
    Layout("shared.k_major.none.8bit", "atom", inverse=True),
    Layout("tcgen05.cp.32x128b.warpx4", "cp", "byte"),
    Layout(f"{_FORM}.m128n8.f32:D", "sum", "word"),
    Layout(f"{_FORM}.m128.scale_vec::4X.id0:SFA", "sfa", "byte"),
    Layout(f"{_FORM}.n64.scale_vec::4X.id0:SFB", "sfb", "byte"),
)
#: Elements of a tensor map of atoms: a box has at most 256 of them along a dimension.
_ATOM_HALVES = ATOM_BYTES // 2


@dataclass(frozen=True)
class Form:
    """The parameters that a kernel's text depends on.

    Attributes:
        impl: "fma" or "mma".
        target: An instruction set.
        defines: Macros of the source.
    """

    impl: str
    target: str
    defines: tuple[tuple[str, int], ...]


def form(problem: Problem, tiling: Tiling, target: str) -> Form:
    """Return what the text of a problem depends on.

    Raises:
        UserError: the target has no such implementation.
    """
    known = TARGETS[problem.impl]
    if target not in known:
        raise UserError(f"impl {problem.impl} runs on {' and '.join(known)}, not on {target}")
    if isinstance(tiling, FmaTiling):
        made = {
            "K": problem.k, "ATOM_SCALES": int(problem.scales == "atoms"),
            "FULL": int(tiling.whole(problem)), "WARPS": tiling.warps, "SPLIT": tiling.split,
            "ROWS": tiling.rows, "STAGES": tiling.stages, "CTAS_PER_SM": tiling.ctas,
            "GROUPS": tiling.groups, **debugging(),
        }  # fmt: skip
    else:
        # Of headers shared with other kernels: bytes of operands, one CTA, scales of a step.
        made = {
            "SPLIT": tiling.split, "STAGES": tiling.stages,
            "ELEMENT_BYTES": 1, "ELEMENT_BF16": 0, "CLUSTER_M": 1, "SCALE_VECTOR": 4, **debugging(),
        }  # fmt: skip
    made["IMPL_MMA"] = int(problem.impl == "mma")
    return Form(problem.impl, target, tuple(sorted(made.items())))


def compile_texts(made: Form, texts: Mapping[str, str], results: Roots | None = None) -> str:
    """Return the PTX of given source texts; see `build.sources` and `ptx`."""
    emitted = {}
    if made.impl == "mma":
        roots = results if results is not None else paths.find("results")
        emitted = {HEADER: header(LAYOUTS, roots), "tcgen05.h": wrappers({})}
    return compile_kernel(texts, made.target, dict(made.defines), emitted)


@cache
def ptx(made: Form) -> str:
    """Return a kernel's PTX; texts are kept.

    Raises:
        UserError: a map was never observed, or NVRTC refuses the source.
        MissingEnvironment: NVRTC is not here.
    """
    return compile_texts(made, sources(NAME, made.target))


def launch(
    device: Any, module: Any, problem: Problem, tiling: Tiling, arrays: Arrays, multiprocessors: int
) -> Launch:
    """Return a launch that computes c.

    Args:
        device: A device from `lanemap.open_device`.
        module: The module that the device loaded from `ptx`.
        problem: Sizes and layout.
        tiling: The division that the text was made for.
        arrays: Arrays of the device, in the order of memory.
        multiprocessors: SMs of the device.
    """
    if isinstance(tiling, MmaTiling):
        return _mma(device, module, problem, tiling, arrays)
    return _fma(module, problem, tiling, arrays, multiprocessors)


def _fma(
    module: Any, problem: Problem, tiling: FmaTiling, arrays: Arrays, multiprocessors: int
) -> Launch:
    groups, grid = tiling.matrix_groups(problem), tiling.grid(problem, multiprocessors)
    share, more = divmod(groups * problem.batches, grid)
    numbers = (problem.m, groups, share, more, _step(arrays.b), _step(arrays.scales_b))
    arguments = (
        arrays.a, arrays.scales_a, arrays.b, arrays.scales_b, arrays.c,
        *(np.uint32(number) for number in numbers),
    )  # fmt: skip
    return Launch(module[NAME], grid, tiling.threads, arguments, overlaps=True)


def _step(array: Any) -> int:
    """Return the bytes of each matrix of a batch."""
    return int(np.prod(array.shape[1:]))


def _mma(device: Any, module: Any, problem: Problem, tiling: MmaTiling, arrays: Arrays) -> Launch:
    p = problem
    maps = [
        _operand_map(device, arrays.a, (p.batches, p.m, p.k // 2), p.k // 2, TILE_ROWS),
        # Rows of b beyond the first are left out, so that TMA fills them with zeros.
        _operand_map(device, arrays.b, (p.batches, 1, p.k // 2), _step(arrays.b), TILE_COLUMNS),
        _scale_map(device, arrays.scales_a, p, p.batches * p.atom_tiles, 1),
        _scale_map(device, arrays.scales_b, p, p.batches, int(arrays.scales_b.shape[1])),
    ]
    arguments = (*maps, arrays.c, np.uint32(p.m), np.uint32(tiling.k_blocks(p)))
    return Launch(
        module[NAME],
        tiling.grid(p),
        tiling.threads,
        arguments,
        tiling.shared_bytes,
        (tiling.split, 1, 1),
    )


def _operand_map(
    device: Any, array: Any, sizes: tuple[int, int, int], row_step: int, rows: int
) -> Any:
    """A map of packed rows; `row_step` is that of matrices where there is one row of each."""
    batch_step = row_step * sizes[1]
    return device.tensor_map(
        array,
        box=(1, rows, TILE_BYTES),
        dtype="uint8",
        sizes=sizes,
        strides=(batch_step, row_step),
        swizzle="128b",
        l2_promotion="l2_256b",
    )


def _scale_map(device: Any, atoms: Any, problem: Problem, tiles: int, apart: int) -> Any:
    """A map of atoms, (tiles, along K, halves); only every `apart`-th tile is there."""
    columns = problem.atom_columns
    return device.tensor_map(
        atoms,
        box=(1, TILE_BYTES // 32, _ATOM_HALVES),
        dtype="uint16",
        sizes=(tiles, columns, _ATOM_HALVES),
        strides=(apart * columns * ATOM_BYTES, ATOM_BYTES),
        l2_promotion="l2_256b",
    )
