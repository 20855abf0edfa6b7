"""A kernel of C = A @ B.T for sm_100a: its tiles, its text and its launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.gemm.kernel import GemmKernel, tensor_map
from lanemap.benching.gemm.problem import PLAIN, TYPES, Problem
from lanemap.benching.gemm.tiling import ROW_BYTES, Tiling
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.benching.scratch import Scratch
from lanemap.emission.wrappers import header as wrappers
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: Two boxes of 32 rows for each of the epilogue's four warps.
_BOXES_BYTES = 4 * 2 * 32 * ROW_BYTES
#: The forms of tcgen05.st that take 128 bytes of a row to tensor memory, by shape: a 16-lane shape
#: is used twice. The planner finds the same (`lanemap plan 16x64b@a:128x64:bf16 a:128x64:bf16`).
STORES = {
    "32x32b": "32x32b.x32", "16x64b": "16x64b.x16", "16x128b": "16x128b.x8",
    "16x256b": "16x256b.x4", "16x32bx2": "16x32bx2.x16",
}  # fmt: skip
#: What the tensor core does not read: each half of a register in a column of its own.
WRONG_STORE = "32x32b.unpack::16b"
#: Four mbarriers of a stage.
_STAGE_BARRIERS_BYTES = 32
#: Those of two accumulators, and the address of tensor memory.
_OTHER_BYTES = 48


@dataclass(frozen=True)
class BlackwellTiling(Tiling):
    """Tile sizes, as #defined in the source; a CTA has 128 rows, two CTAs are a `cta_group::2`.

    Attributes:
        movers: Warps that take A to tensor memory.
        store: The shape of tcgen05.st that they use, of `STORES`, or `WRONG_STORE`.
        tma_store: Whether C goes through shared memory and TMA rather than to memory at once.
    """

    columns: int = 256
    stages: int = 4
    cluster_m: int = 1
    blocks: int = 2
    consumers: int = 1
    movers: int = 0
    store: str = "32x32b"
    tma_store: bool = True

    @property
    def received(self) -> int:
        """Rows of A and B that a CTA receives for each stage; one of a pair has half of B's."""
        return self.rows + self.columns // self.cluster_m

    @property
    def box_rows(self) -> int:
        """Rows of a box of C: those of a warp."""
        return 32

    @property
    def threads(self) -> int:
        """Threads of a CTA: four warps of the epilogue, one that copies and one that multiplies."""
        return 32 * (6 + self.movers)

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a CTA."""
        stage = self.received * ROW_BYTES + _STAGE_BARRIERS_BYTES
        return self.stages * stage + _BOXES_BYTES + _OTHER_BYTES


def _product(tiling: Tiling) -> str:
    """CTAs and M of a product, as variants of tcgen05.mma name them."""
    return f"cta_group::{tiling.cluster_m}.m{128 * tiling.cluster_m}"


def output_layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps of C's way, and that of operands in shared memory: README.md says where."""
    assert isinstance(tiling, BlackwellTiling)
    form = "32x32b.x64" if problem.output != "float32" else "32x32b.x32"
    if tiling.tma_store and problem.output != "float32":
        form = "16x256b.x8"
    bits = 8 * TYPES[problem.element].bytes
    return [
        # Accumulators of fewer columns are the first columns of this one.
        Layout(f"tcgen05.mma.{_product(tiling)}n256.f32:D", "sum", "word"),
        Layout(f"tcgen05.ld.{form}", "d", "word"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout(f"shared.k_major.128b.{bits}bit", "operand", inverse=True),
    ]


def moving_layouts(problem: Problem, tiling: Tiling) -> list[Layout]:
    """The maps of A's way to tensor memory, and those of `output_layouts`."""
    assert isinstance(tiling, BlackwellTiling)
    store = STORES[tiling.store.split(".")[0]]
    moved = Layout(f"tcgen05.st.{store}", "a", "word", inverse=True)
    kind = TYPES[problem.element]
    form = "kind::f16" if kind.bytes == 2 else "kind::f8f6f4"
    group, rows = _product(tiling).split(".")
    factor = Layout(
        f"tcgen05.mma.{group}.{form}.{rows}.{kind.ptx}:A",
        "factor",
        "half" if kind.bytes == 2 else "byte",
    )
    return [moved, factor, *output_layouts(problem, tiling)]


@dataclass(frozen=True)
class BlackwellKernel(GemmKernel):
    """A kernel of the folder kernels/ for sm_100a.

    Attributes:
        tiles: The tiles to choose from, from the most efficient to the smallest.
    """

    target: str = "sm_100a"
    tiles: Sequence[BlackwellTiling] = ()

    @property
    def skeleton(self) -> str:
        """The source that every warp runs, in which comments say where a role begins."""
        return "blackwell_gemm.h"

    def choose(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that takes the fewest columns one after another, the first of equal ones.

        No sm_100a GPU has timed it: a stage takes as long as its products, and CTAs take turns.

        Raises:
            UserError: sums in two levels, a bias or an activation are asked for.
        """
        if problem.accumulation != "fast":
            raise UserError(
                f"accumulation {problem.accumulation} is for sm_90a only: tensor cores of sm_100a "
                "do not truncate FP8 sums; leave it out"
            )
        if problem.epilogue != PLAIN:
            raise UserError("bias and activation are for sm_90a only; apply them to the result")
        return self.fewest_columns(problem, multiprocessors)

    def fewest_columns(self, problem: Problem, multiprocessors: int) -> Tiling:
        """Return the tile that takes the fewest columns in turn, the first of equal ones."""

        def columns(tiling: BlackwellTiling) -> int:
            rows, across = tiling.cluster_tiles(problem)
            clusters = max(multiprocessors // tiling.ctas, 1)
            return -(-rows * across // clusters) * tiling.columns

        return min(self.tiles, key=columns)

    def tilings(self, problem: Problem) -> Sequence[Tiling]:
        """Return the tiles that can compute a product."""
        return self.tiles

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source."""
        assert isinstance(tiling, BlackwellTiling)
        return {
            "TILE_N": tiling.columns,
            "STAGES": tiling.stages,
            "CLUSTER_M": tiling.cluster_m,
            "ELEMENT_BYTES": TYPES[problem.element].bytes,
            "ELEMENT_BF16": int(problem.element == "bfloat16"),
            "OUTPUT_F32": int(problem.output == "float32"),
            "OUTPUT_F16": int(problem.output == "float16"),
            "TWO_LEVEL": int(problem.accumulation == "two_level"),
            "TMA_STORE": int(tiling.tma_store),
            "UNPACK": int(tiling.store == WRONG_STORE),
            **{
                f"STORE_{shape.upper()}": int(tiling.store.split(".")[0] == shape)
                for shape in STORES
            },
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and wrappers of tcgen05.

        Raises:
            UserError: a map was never observed.
        """
        text = header(self.layouts(problem, tiling), results)
        return {HEADER: text, "tcgen05.h": wrappers({})}

    def output(self, device: Any, problem: Problem, tiling: Tiling, c: Operand) -> tuple[Any, ...]:
        """Return the tensor map of C; see `GemmKernel.output`."""
        box = tiling.box_rows, ROW_BYTES // TYPES[problem.output].bytes
        return (tensor_map(device, "C", c, problem.output, (problem.m, problem.n), box),)

    def finish(self, problem: Problem, bias: Any) -> tuple[Any, ...]:
        """Return nothing: these kernels leave the product as it is."""
        return ()

    def work(
        self, device: Any, problem: Problem, tiling: Tiling, clusters: int, scratch: Scratch
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the order of tiles, and the stages of one; see `GemmKernel.work`."""
        order = tiling.order(problem)
        stages = np.uint32(tiling.k_blocks(problem))
        return (device.array(order, name="schedule"), np.uint32(len(order)), stages), ()

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
        """Return a launch that computes C; see `GemmKernel.launch`."""
        found = super().launch(
            device, module, problem, tiling, a, b, c, multiprocessors, scratch, bias
        )
        return replace(found, arguments=(*found.arguments, *self.elements(problem, c)))

    def elements(self, problem: Problem, c: Operand) -> tuple[Any, ...]:
        """Return the last arguments: C for stores of elements, where TMA cannot reach its rows."""
        return c.array, np.uint64(c.row_bytes), np.uint32(problem.m), np.uint32(problem.n)
