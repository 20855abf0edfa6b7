"""Products as `lanemap bench` computes them, beside cuBLASLt on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm.kernel import GemmKernel
from lanemap.benching.gemm.problem import TYPES, Problem, check_leading
from lanemap.benching.gemm.reference import wrong
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices import cublaslt

NORMAL, INTEGERS = "N(0, 1)", "integers from -2 to 2"
#: Rows of C that are compared, spread over all, where a product in float64 takes long.
_CHECKED_ROWS, _LONG = 48, 1 << 31
#: Numbers that are drawn for a matrix, a prime: a larger one has them again, elsewhere in its rows.
_DRAWN = 4_194_301


@lru_cache(maxsize=2)
def operands(problem: Problem, inputs: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return A (M, K) and B (N, K) on the host."""
    rng = np.random.default_rng(problem.m + 3 * problem.n + 7 * problem.k)
    kind = TYPES[problem.element].dtype

    def matrix(rows: int) -> npt.NDArray[Any]:
        count = min(rows * problem.k, _DRAWN)
        if inputs == INTEGERS:
            drawn = rng.integers(-2, 3, count, np.int8).astype(kind)
        else:
            drawn = rng.standard_normal(count, np.float32).astype(kind)
        return np.resize(drawn, (rows, problem.k))

    return matrix(problem.m), matrix(problem.n)


@cache
def _workspace(device: Any) -> Any:
    return device.empty(cublaslt.WORKSPACE_BYTES, np.uint8)


class GemmCase(Case):
    """One product on a device."""

    inputs = (NORMAL, INTEGERS)

    def __init__(
        self, kernel: GemmKernel, device: Any, problem: Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        count = multiprocessors(device)
        tiling = tile or kernel.choose(problem, count)
        self.problem, self._target, self._device = problem, kernel.target, device
        self.tile = {
            name: value if isinstance(value, str) else int(value)
            for name, value in asdict(tiling).items()
        }
        self.text = kernel.ptx(problem, tiling)
        element, output = TYPES[problem.element], TYPES[problem.output]
        check_leading("K", problem.k * element.bytes)
        check_leading("N", problem.n * output.bytes)
        self._a = device.empty((problem.m, problem.k), element.dtype, name="A")
        self._b = device.empty((problem.n, problem.k), element.dtype, name="B")
        self._c = device.empty((problem.m, problem.n), output.dtype, name="C")
        row, width = problem.k * element.bytes, problem.n * output.bytes
        self.launch = kernel.launch(
            device,
            loaded(device, self.text),
            problem,
            tiling,
            Operand(self._a, row),
            Operand(self._b, row),
            Operand(self._c, width),
            count,
        )

    def fill(self, inputs: str) -> None:
        """Write A and B, and NaN over C; see `Case`."""
        a, b = operands(self.problem, inputs)
        self._a.set(a)
        self._b.set(b)
        self._c.set(np.full(self._c.shape, np.nan, self._c.dtype))

    def check(self, inputs: str) -> Check:
        """Compare C: with a tolerance that is derived, or exactly for integers; see `Case`."""
        problem = self.problem
        a, b = operands(problem, inputs)
        whole = np.asarray(self._c.get())
        rows = np.arange(problem.m)
        if problem.m * problem.n * problem.k > _LONG:
            rows = np.unique(np.linspace(0, problem.m - 1, _CHECKED_ROWS).astype(np.int64))
        c = whole[rows]
        unwritten = int(np.isnan(np.delete(whole, rows, 0).astype(np.float32)).sum())
        if inputs == INTEGERS:
            exact = a[rows].astype(np.float64) @ b.astype(np.float64).T
            outside, used = int((c != exact.astype(c.dtype)).sum()), 0.0
        else:
            outside, used = wrong(problem, a[rows], b, c, self._target)
        return Check(inputs, c.size, outside + unwritten, round(used, 6))

    def library(self) -> Library:
        """Return the product by cuBLASLt; see `Case`."""
        fast, output = self.problem.accumulation == "fast", TYPES[self.problem.output].dtype
        c = self._device.empty(self._c.shape, output)
        product = cublaslt.Product(self._a, self._b, c, _workspace(self._device), fast)
        name = f"cuBLASLt {cublaslt.version()}, the first algorithm of its heuristic"
        return Library(name, product.enqueue)


class GemmBenchmark(Benchmark):
    """A kernel of C = A @ B.T on one target."""

    default = Problem(1024, 1024, 1024)

    def __init__(self, made: GemmKernel, problems: Sequence[Problem]) -> None:
        """Keep the kernel, and the problems that are timed on hardware."""
        self.made, self.problems = made, problems
        self.kernel, self.target = made.name, made.target

    @property
    def skeleton(self) -> str:
        """The source that every warp runs; see `Benchmark`."""
        return self.made.skeleton

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> GemmCase:
        """Return a product on a device; see `Benchmark`."""
        return GemmCase(self.made, device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a product; see `Benchmark`."""
        return self.made.ptx(problem, tile or self.made.choose(problem, multiprocessors(device)))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return the tiles that are worth timing; see `Benchmark`."""
        return self.made.tilings(problem)

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        rows = 64 * tile["blocks"] * tile["consumers"]
        ctas = tile["cluster_m"] * tile["cluster_n"]
        shared = ", shared along k" if tile.get("shared") else ""
        return {
            "M x N x K": f"{problem['m']} x {problem['n']} x {problem['k']}",
            "A, B": problem["element"],
            "C": problem["output"],
            "sums": problem["accumulation"],
            "tile": f"{rows} x {tile['columns']}, cluster {ctas}{shared}",
        }
