"""The backward kernel of attention for sm_100a: its tiles, macros and maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanemap.benching.attention.gradient import KEYS, GradientKernel, GradientTiling
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.emission.wrappers import header as wrappers

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: dS.T of 64 queries after another; two chunks of dQ of 32 x 32 f32 for each of four warps.
_DS_BYTES, _ADDENDS_BYTES = 2 * KEYS * 128, 4 * 2 * 32 * 32 * 4
#: mbarriers beside those of stages, and the address of tensor memory.
_OTHER_BYTES = 8 * 8 + 8


@dataclass(frozen=True)
class BlackwellGradientTiling(GradientTiling):
    """What is #defined in the kernel source beside the problem; registers are in the source."""

    q_stages: int = 2
    d_o_stages: int = 1

    @property
    def queries(self) -> int:
        """Queries of a step."""
        return 128

    @property
    def chunks(self) -> int:
        """Parts of a step's dQ that are added in turn: those of a warp together."""
        return 4

    @property
    def stored_rows(self) -> int:
        """Rows of a gradient that a warp stores."""
        return 32

    @property
    def threads(self) -> int:
        """Threads of a CTA: of 16 warps 8 compute, 4 add, 1 copies, 1 multiplies."""
        return 512

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA: K, V; Q, dO; dS; chunks of dQ; statistics; mbarriers."""
        row = problem.head_dim * problem.element_bytes
        stages = self.q_stages + self.d_o_stages
        tiles = (2 * KEYS + stages * self.queries) * row
        statistics = self.q_stages * 2 * self.queries * 4
        return tiles + _DS_BYTES + _ADDENDS_BYTES + statistics + stages * 16 + _OTHER_BYTES


@dataclass(frozen=True)
class BlackwellGradientKernel(GradientKernel):
    """The kernel for sm_100a."""

    target: str = "sm_100a"

    def choose(self, problem: Problem, deterministic: bool) -> GradientTiling:
        """Return the tile; with smaller rows there is room for another tile of dO."""
        stages = 1 if problem.head_dim == 128 else 2
        return BlackwellGradientTiling(deterministic, d_o_stages=stages)

    def layouts(self, problem: Problem) -> list[Layout]:
        """The maps that the source uses: README.md says where."""
        a = f"tcgen05.mma.cta_group::1.kind::f16.m128.{TYPES[problem.element].ptx}:A"
        return [
            Layout("tcgen05.ld.32x32b.x32", "score", "word"),
            Layout("tcgen05.st.32x32b.x32", "weight", "word", inverse=True),
            Layout("tcgen05.mma.cta_group::1.m128n256.f32:D", "accumulator", "word"),
            Layout(a, "weight_source", "half"),
            Layout(a, "weight_place", "half", inverse=True),
            Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
            Layout("shared.k_major.128b.16bit", "operand", inverse=True),
            Layout("shared.mn_major.128b.16bit", "value", inverse=True),
        ]

    def defines(self, problem: Problem, tiling: GradientTiling) -> dict[str, int]:
        """Return the macros of the source.

        Raises:
            UserError: the kernel cannot compute the problem.
        """
        self.check(problem)
        return {
            "HEAD_DIM": problem.head_dim,
            "SEES_LEFT": int(problem.left == ALL),
            "SEES_RIGHT": int(problem.right == ALL),
            "VARLEN": int(bool(problem.lengths)),
            "OUTPUT_F16": int(problem.element == "float16"),
            "ELEMENT_BYTES": problem.element_bytes,
            "ELEMENT_BF16": int(problem.element == "bfloat16"),
            "Q_STAGES": tiling.q_stages,
            "DO_STAGES": tiling.d_o_stages,
            "DETERMINISTIC": int(tiling.deterministic),
        }

    def headers(self, problem: Problem, tiling: GradientTiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and wrappers of tcgen05.

        Raises:
            UserError: a map was never observed.
        """
        return {HEADER: header(self.layouts(problem), results), "tcgen05.h": wrappers({})}
