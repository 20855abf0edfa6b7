"""The kernel of attention for sm_100a: its tiles, macros and maps, and its tensor memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.benching.attention.kernel import AttentionKernel, common_defines
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import Tiling, swizzle_bytes
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.emission.copies import Budget, column_budget
from lanemap.emission.wrappers import header as wrappers
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: Queries of a softmax warpgroup, which are the rows of a tcgen05.mma.
ROWS = 128
#: Warps of softmax, of correction, and those that copy, multiply, store, and do nothing.
_WARPS = 8 + 4 + 4
#: Two boxes of 64 columns of O; a number for each query.
_BOXES_BYTES, _STATISTIC_BYTES = 2 * ROWS * 128, 4
#: mbarriers beside those of stages, and the address of tensor memory.
_OTHER_BYTES = 18 * 8 + 8


@dataclass(frozen=True)
class BlackwellTiling(Tiling):
    """Tile sizes, as #defined in the kernel source; a CTA has two tiles of 128 queries.

    Attributes:
        rescale_bits: O is rescaled where exponents would grow by more than so many bits.
        polynomial: How many of 16 exponentials are computed without the special function unit.
    """

    columns: int = 128
    stages: int = 3
    rescale_bits: int = 8
    polynomial: int = 2

    @property
    def rows(self) -> int:
        """Queries of a CTA."""
        return 2 * ROWS

    @property
    def rows_of_copy(self) -> int:
        """Queries that one copy loads."""
        return ROWS

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return 32 * _WARPS

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA: tiles of Q, and of K and V in one ring; boxes of O."""
        rows = self.rows + self.stages * self.columns
        barriers = self.stages * 16 + _OTHER_BYTES
        row = problem.head_dim * problem.element_bytes
        return rows * row + _BOXES_BYTES + self.rows * _STATISTIC_BYTES + barriers


def columns(problem: Problem, tiling: Tiling) -> Budget:
    """Return where S, P and O of both tiles of queries lie in tensor memory; P lies in S.

    `lanemap plan --budget` prints the same; README.md of the kernel draws it.
    """
    kind, width = TYPES[problem.element].ptx, tiling.columns
    operands = (
        f"S=d:{ROWS}x{width}:f32*2",
        f"P=a:{ROWS}x{width}:{kind}*2@S",
        f"O=d:{ROWS}x{problem.head_dim}:f32*2",
    )
    return column_budget(operands)


def _columns_header(found: Budget) -> str:
    """Return the text of `budget.h`: the first column of each operand of a tile of queries."""
    lines = ["#pragma once", "// Columns of tensor memory, as `lanemap plan --budget` places them."]
    for name in dict.fromkeys(each.operand.name for each in found.places):
        first, second = (each.first for each in found.places if each.operand.name == name)
        lines.append(
            f"static __device__ __forceinline__ int {name.lower()}_column(int half) "
            f"{{ return half ? {second} : {first}; }}"
        )
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class BlackwellAttention(AttentionKernel):
    """The kernel for sm_100a."""

    target: str = "sm_100a"

    def choose(self, problem: Problem) -> Tiling:
        """Return the tile; tiles of K and V fill the shared memory.

        With half the products for each weight, more of the weights are polynomials. Weights of FP8
        have no room to grow, so that each new maximum rescales O.

        Raises:
            UserError: head dimensions or additions to logits that only sm_90a has.
        """
        dims = problem.head_dim, problem.values
        if dims not in ((64, 64), (128, 128)):
            raise UserError(
                f"the head dimension is {dims[0]}, and {dims[1]} of v; on sm_100a fmha supports 64 "
                "and 128"
            )
        if problem.added:
            raise UserError(f"fmha has no {problem.additions[0]} on sm_100a; sm_90a has it")
        stages = {256: 3, 128: 6, 64: 8}[problem.head_dim * problem.element_bytes]
        if problem.element_bytes == 1:
            return BlackwellTiling(stages=stages, polynomial=4, rescale_bits=0)
        return BlackwellTiling(stages=stages, polynomial=2 if problem.head_dim == 128 else 4)

    def layouts(self, problem: Problem) -> list[Layout]:
        """The maps that sm_100a.cu uses: README.md says where."""
        kind = TYPES[problem.element]
        form, cells = ("f16", "half") if kind.bytes == 2 else ("f8f6f4", "byte")
        a = f"tcgen05.mma.cta_group::1.kind::{form}.m128.{kind.ptx}:A"
        swizzle, bits = swizzle_bytes(problem.head_dim * kind.bytes), 8 * kind.bytes
        return [
            Layout("tcgen05.ld.32x32b.x64", "logit", "word"),
            Layout(f"tcgen05.st.32x32b.x{32 * kind.bytes}", "weight", "word", inverse=True),
            Layout("tcgen05.ld.32x32b.x32", "o_row", "word"),
            Layout("tcgen05.mma.cta_group::1.m128n256.f32:D", "accumulator", "word"),
            Layout(a, "weight_source", cells),
            Layout(a, "weight_place", cells, inverse=True),
            Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
            Layout(f"shared.k_major.{swizzle}b.{bits}bit", "operand", inverse=True),
            Layout(f"shared.mn_major.{swizzle}b.{bits}bit", "value", inverse=True),
        ]

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source."""
        assert isinstance(tiling, BlackwellTiling)
        return {
            **common_defines(problem, tiling),
            "STAGES": tiling.stages,
            "RESCALE_BITS": tiling.rescale_bits,
            "POLYNOMIAL": tiling.polynomial,
            "ELEMENT_BF16": int(problem.element == "bfloat16"),
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers: maps from `results`, wrappers of tcgen05, the budget.

        Raises:
            UserError: a map was never observed.
        """
        return {
            HEADER: header(self.layouts(problem), results),
            "tcgen05.h": wrappers({}),
            "budget.h": _columns_header(columns(problem, tiling)),
        }

    def boxes(self, tiling: Tiling) -> tuple[int, int, int]:
        """Return the rows of a copy's box of Q, of K and V, and of O."""
        return ROWS, tiling.columns, ROWS
