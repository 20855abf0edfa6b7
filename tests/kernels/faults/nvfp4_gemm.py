"""Faults of nvfp4_gemm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import lanemap.benching  # noqa: F401 (makes kernels/ a package)
from lanemap_kernels.nvfp4_gemm.kernel import KERNEL
from lanemap_kernels.nvfp4_gemm.problem import Problem
from lanemap_kernels.nvfp4_gemm.tiling import Tiling
from tests.kernels.block_scaled import integers, launched_with
from tests.kernels.faults import LAYOUT, ORDER, Fault, Suite, adapted
from tests.kernels.faults.blackwell_gemm import COMMON, EMPTIED, IN_ENTRY, PAIR, PIPELINE

#: A pair of CTAs takes eight tiles of two matrices in turn; two stages for five blocks of k.
PROBLEM, TILING = Problem(400, 136, 1056, 2), Tiling(128, 2, 2)
_OWN, _SCALED, _SUMS = "", "blackwell_scaled.h", "blackwell_accumulator.h"
_DESCRIPTORS = "blackwell.h"
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Given:
    """What the host side passes: packed elements, and scales in atoms."""

    a: Bytes
    b: Bytes
    sfa: Bytes
    sfb: Bytes


def atoms_transposed(given: Given) -> Given:
    """Rows of an atom 4 bytes apart, and those 32 further on 128 bytes."""
    return Given(
        given.a,
        given.b,
        *(np.ascontiguousarray(x.swapaxes(-2, -3)) for x in (given.sfa, given.sfb)),
    )


def atoms_by_columns(given: Given) -> Given:
    """Atoms of the same K follow each other, rather than those of the same rows."""
    return Given(
        given.a, given.b, *(np.ascontiguousarray(x.swapaxes(1, 2)) for x in (given.sfa, given.sfb))
    )


def nibbles_exchanged(given: Given) -> Given:
    """The element of the lower k in the high bits, in A alone."""
    return Given((given.a >> 4 | given.a << 4).astype(np.uint8), given.b, given.sfa, given.sfb)


SYNCHRONIZATION = (
    *adapted(PIPELINE, {
        "The producer does not wait for an empty stage": {
            "file": _OWN, "old": "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n", "new": ""},
        "The producer waits for the wrong phase": {
            "file": _OWN, "old": "mbarrier_wait(pipe.empty(), pipe.parity ^ 1);",
            "new": "mbarrier_wait(pipe.empty(), pipe.parity);"},
    } | {name: {"file": _OWN} for name in IN_ENTRY}),
    *EMPTIED,
    Fault("The bytes of the scales are not expected", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN,
          "mbarrier_expect(pipe.full(), STAGE_BYTES * CTAS)",
          "mbarrier_expect(pipe.full(), (A_BYTES + B_BYTES) * CTAS)"),
    Fault("The scales are copied before the stage is full", ORDER, "hazard",
          "nothing orders this after phase", _SUMS,
          "    mbarrier_wait(pipe.full(), pipe.parity);\n",
          "    copy_scales(pipe, sum.columns);\n    mbarrier_wait(pipe.full(), pipe.parity);\n"),
    Fault("The scales are copied after the products", ORDER, "hazard",
          "decide the matrix operand", _OWN,
          "copy_scales(stage, columns);\n          multiply(d, stage, columns, first, add);\n",
          "multiply(d, stage, columns, first, add);\n          copy_scales(stage, columns);\n"),
)  # fmt: skip
OF_PAIRS = (
    *adapted(PAIR, {
        "The second CTA's bytes are not expected": {"file": _OWN},
        "Both CTAs load the same half of B": {"file": _OWN},
    }),
    Fault("Each CTA loads its half of B's scales for itself alone", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _DESCRIPTORS,
          '                 "h"(static_cast<unsigned short>(3)) : "memory");\n#else\n  tma_load_3d',
          '                 "h"(static_cast<unsigned short>(1 << cluster_rank())) : "memory");\n'
          "#else\n  tma_load_3d"),
    Fault("Both CTAs load the same half of B's scales", LAYOUT, "wrong", "", _OWN,
          "SPLIT_ATOMS ? rank * (ATOMS / 2) : 0", "0"),
    Fault("The second CTA has the first one's scales of A", LAYOUT, "wrong", "", _OWN,
          "work.a_atom_tiles + a_row / ATOM_ROWS", "work.a_atom_tiles + place.row / ATOM_ROWS"),
)  # fmt: skip
SCALES = (
    Fault("scale_vec::2X, as for E8M0 scales", LAYOUT, "hazard",
          "nvfp4 wants 4X", _SCALED,
          "mxf4nvf4.block_scale.scale_vec::4X", "mxf4nvf4.block_scale.scale_vec::2X"),
    Fault("kind::mxf4, whose scales are E8M0", LAYOUT, "hazard",
          "but kind::mxf4 takes UE8M0", _SCALED,
          "kind::mxf4nvf4.block_scale.scale_vec::4X", "kind::mxf4.block_scale.scale_vec::2X"),
    Fault("The instruction descriptor says that scales are E8M0", LAYOUT, "wrong", "", _OWN,
          "SCALE_UE8M0 << 23", "1u << 23"),
    Fault("The id of the scales of A is that of the next byte", LAYOUT, "hazard",
          "must be a multiple of 4", _OWN,
          "| id << 29", "| (id + 1) << 29"),
    Fault("SFA has no replicas for two warps' lanes", LAYOUT, "hazard",
          "must be the same in all four groups", _OWN,
          "copy_atom(columns + SFA_COLUMN + atom * COPY_COLUMNS, pipe.sfa() + atom * ATOM_BYTES);",
          'asm volatile("tcgen05.cp." PAIR ".64x128b.warpx2::01_23 [%0], %1;"\n'
          '                 ::"r"(columns + SFA_COLUMN + atom * COPY_COLUMNS),\n'
          '                   "l"(atom_descriptor(pipe.sfa() + atom * ATOM_BYTES)) : "memory");'),
    Fault("The scales of A and B are exchanged", LAYOUT, "wrong", "", _SCALED,
          '"r"(sfa), "r"(sfb)', '"r"(sfb), "r"(sfa)'),
    Fault("Every step takes the scales of the first", LAYOUT, "wrong", "", _OWN,
          "unsigned atom = step * SCALE_VECTOR / ATOM_COLUMNS,", "unsigned atom = 0,"),
    Fault("The columns of the scales of A and of B overlap", LAYOUT, "wrong", "", _OWN,
          "SFA_COLUMN + ATOMS * COPY_COLUMNS;", "SFA_COLUMN + COPY_COLUMNS;"),
    Fault("The scales lie in the columns of the second accumulator", LAYOUT, "hazard",
          "must be the same in all four groups", _OWN,
          "SFA_COLUMN = ACCUMULATORS * TILE_N;", "SFA_COLUMN = TILE_N;"),
    Fault("The lines of an atom are 32 bytes apart", LAYOUT, "hazard",
          "nothing orders this after phase", _SCALED,
          "eight_rows = 8 * ", "eight_rows = 16 * "),
    Fault("The atom of a copy is read with the operands' swizzle", LAYOUT, "hazard",
          "nothing orders this after phase", _SCALED,
          "eight_rows >> 4 << 32 | 1ull << 46;",
          "eight_rows >> 4 << 32 | 1ull << 46 | 2ull << 61;"),
    Fault("Scales of the first matrix for the whole batch", LAYOUT, "wrong", "", _OWN,
          "a_tile = place.batch * work.a_atom_tiles + ", "a_tile = "),
    Fault("Atoms along K are taken for those along M", LAYOUT, "wrong", "", _OWN,
          "maps.sfa, 0, block * ATOMS, a_tile,", "maps.sfa, 0, a_tile, block * ATOMS,"),
    Fault("Atoms are transposed", LAYOUT, "wrong", host=atoms_transposed),
    Fault("Atoms lie column by column", LAYOUT, "wrong", host=atoms_by_columns),
    Fault("The two elements of a byte are exchanged", LAYOUT, "wrong", host=nibbles_exchanged),
)  # fmt: skip
OPERANDS = (
    Fault("B's k step is twice too long", LAYOUT, "hazard",
          "nothing orders this after phase", _OWN,
          "a + k, b + k", "a + k, b + 2 * k"),
    Fault("The instruction descriptor says that B is N-major", LAYOUT, "hazard",
          "take K-major operands only", _OWN,
          "| TILE_N / 8 << 17", "| 1u << 16 | TILE_N / 8 << 17"),
    Fault("The instruction descriptor takes A for E4M3", LAYOUT, "hazard",
          "kind::mxf4nvf4 has E2M1 = 1", _OWN,
          "ELEMENT_TYPE << 7", "0u << 7"),
    Fault("The instruction descriptor has half of N", LAYOUT, "wrong", "", _OWN,
          "TILE_N / 8 << 17", "TILE_N / 16 << 17"),
    Fault("The instruction descriptor has M of one CTA", LAYOUT, "wrong", "", _OWN,
          "CTAS * TILE_M / 16 << 24", "TILE_M / 16 << 24"),
    Fault("Every matrix of the batch is stored as the first", LAYOUT, "hazard",
          "wait_group by its own warp is missing", _OWN,
          "place.row + box_row(part), place.batch,", "place.row + box_row(part), 0,"),
)  # fmt: skip


def outcome(
    texts: Mapping[str, str], change: Callable[[Given], Given] | None, strict: bool
) -> float:
    """Which part of C is wrong; `change` is called with what the host side passes."""
    a, b, expected = integers(PROBLEM)
    given = Given(a.data, b.data, a.atoms, b.atoms)
    given = change(given) if change else given
    text = KERNEL.compile(PROBLEM, TILING, texts)
    c = launched_with(
        text,
        PROBLEM,
        TILING,
        given.a,
        given.b,
        given.sfa,
        given.sfb,
        strict=strict,
        multiprocessors=2,
    )
    return float(np.mean(c != expected))


SUITES = (
    Suite(KERNEL.name, KERNEL.target,
          (*COMMON, *SYNCHRONIZATION, *OF_PAIRS, *SCALES, *OPERANDS), outcome,
          ("The scales are copied after the products",)),
)  # fmt: skip
