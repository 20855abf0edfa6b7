"""FP8 products with scales of blocks as `lanemap bench` computes them, beside PyTorch's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm import problem as gemm
from lanemap.benching.gemm.benchmark import INTEGERS
from lanemap.benching.gemm.problem import TYPES, check_leading
from lanemap.benching.gemm.scaled import Operands, drawn, integers, reference, wrong
from lanemap.benching.gemm.scales import BLOCK, ELEMENT, Scales
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices.torch_scaled import ScaledProduct
from lanemap.errors import MissingEnvironment

from .kernel import ScaledKernel

NORMAL = "N(0, 1), quantized"
#: Rows and columns of C that are compared, spread over all, where a product in float64 takes long.
_CHECKED_ROWS, _CHECKED_COLUMNS, _LONG = 64, 1024, 1 << 31


@dataclass(frozen=True)
class Problem(gemm.Problem):
    """C = A @ B.T of e4m3, with scales of blocks."""

    element: str = ELEMENT
    accumulation: str = "two_level"

    @property
    def least_bytes(self) -> int:
        """Least bytes that memory moves: A, B and their scales read once, C written once."""
        scales = (self.m + -(-self.n // BLOCK)) * -(-self.k // BLOCK) * 4
        return super().least_bytes + scales


@lru_cache(maxsize=2)
def operands(problem: gemm.Problem, inputs: str) -> Operands:
    """Return A, B and their scales on the host."""
    rng = np.random.default_rng(problem.m + 3 * problem.n + 7 * problem.k)
    m, n, k = problem.m, problem.n, problem.k
    if inputs == INTEGERS:
        (a, of_a), (b, of_b) = integers(rng, m, k, 1), integers(rng, n, k, BLOCK)
    else:
        (a, of_a), (b, of_b) = drawn(rng, m, k, 1), drawn(rng, n, k, BLOCK)
    return Operands(a, b, of_a, of_b)


class ScaledCase(Case):
    """One product on a device; A's scales lie in columns, as quantizing kernels leave them."""

    inputs = (NORMAL, INTEGERS)

    def __init__(
        self, kernel: ScaledKernel, device: Any, problem: gemm.Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        p, count = problem, multiprocessors(device)
        tiling = tile or kernel.choose(p, count)
        self.problem, self._target = p, kernel.target
        self.tile = {
            name: value if isinstance(value, str) else int(value)
            for name, value in asdict(tiling).items()
        }
        self.text = kernel.ptx(p, tiling)
        output, blocks = TYPES[p.output], -(-p.k // BLOCK)
        check_leading("K", p.k)
        check_leading("N", p.n * output.bytes)
        self._a = device.empty((p.m, p.k), np.uint8, name="A")
        self._b = device.empty((p.n, p.k), np.uint8, name="B")
        self._c = device.empty((p.m, p.n), output.dtype, name="C")
        self._of_a = device.empty((blocks, p.m), np.float32, name="a_scales")
        self._of_b = device.empty((-(-p.n // BLOCK), blocks), np.float32, name="b_scales")
        self.launch = kernel.launch(
            device, loaded(device, self.text), p, tiling, Operand(self._a, p.k),
            Operand(self._b, p.k), Operand(self._c, p.n * output.bytes), count, None,
            (Scales(self._of_a, (1, p.m)), Scales(self._of_b, (blocks, 1))),
        )  # fmt: skip

    def fill(self, inputs: str) -> None:
        """Write A, B and their scales, and NaN over C; see `Case`."""
        given = operands(self.problem, inputs)
        self._a.set(given.a.view(np.uint8))
        self._b.set(given.b.view(np.uint8))
        self._of_a.set(np.ascontiguousarray(given.a_scales.T))
        self._of_b.set(given.b_scales)
        self._c.set(np.full(self._c.shape, np.nan, self._c.dtype))

    def check(self, inputs: str) -> Check:
        """Compare C: with a tolerance that is derived, or exactly for integers; see `Case`."""
        p, given = self.problem, operands(self.problem, inputs)
        whole = np.asarray(self._c.get())
        unwritten = int(np.isnan(whole.astype(np.float32)).sum())
        rows, columns = np.arange(p.m), np.arange(p.n)
        if p.m * p.n * p.k > _LONG:
            rows = np.unique(np.linspace(0, p.m - 1, _CHECKED_ROWS).astype(np.int64))
            columns = np.unique(np.linspace(0, p.n - 1, _CHECKED_COLUMNS).astype(np.int64))
        c, given = whole[np.ix_(rows, columns)], given.of_part(rows, columns)
        if inputs == INTEGERS:
            outside, used = int((c != reference(given).astype(c.dtype)).sum()), 0.0
        else:
            outside, used = wrong(p, given, c, self._target)
        return Check(inputs, c.size, max(outside, unwritten), round(used, 6))

    def library(self) -> Library | None:
        """Return the product by PyTorch, which has C in bf16, on sm_90 alone; see `Case`."""
        if self.problem.output != "bfloat16" or self._target != "sm_90a":
            return None
        try:
            product = ScaledProduct(self._a, self._b, self._of_a, self._of_b)
        except MissingEnvironment as error:
            self.no_library = str(error)
            return None
        return Library(product.name, product.enqueue)


class ScaledBenchmark(Benchmark):
    """fp8_gemm on one target."""

    default = Problem(1024, 1024, 1024)

    def __init__(self, made: ScaledKernel, problems: Sequence[Problem]) -> None:
        """Keep the kernel, and the problems that are timed on hardware."""
        self.made, self.problems = made, problems
        self.kernel, self.target = made.name, made.target

    @property
    def skeleton(self) -> str:
        """The source that every warp runs; see `Benchmark`."""
        return self.made.skeleton

    def case(self, device: Any, problem: gemm.Problem, tile: Tiling | None = None) -> ScaledCase:
        """Return a product on a device; see `Benchmark`."""
        return ScaledCase(self.made, device, problem, tile)

    def text(self, device: Any, problem: gemm.Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a product; see `Benchmark`."""
        return self.made.ptx(problem, tile or self.made.choose(problem, multiprocessors(device)))

    def tiles(self, problem: gemm.Problem) -> Sequence[Tiling]:
        """Return all tiles; see `Benchmark`."""
        return self.made.tilings(problem)

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        rows = 64 * tile["blocks"] * tile["consumers"]
        return {
            "M x N x K": f"{problem['m']} x {problem['n']} x {problem['k']}",
            "C": problem["output"],
            "tile": f"{rows} x {tile['columns']}, cluster {tile['cluster_m']}",
        }
