"""Grouped products as `lanemap bench` computes them, beside PyTorch's on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm import problem as gemm
from lanemap.benching.gemm.benchmark import INTEGERS, NORMAL
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.reference import wrong
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices.torch_grouped import GroupedProduct

from .kernel import GroupedKernel, Matrices
from .problem import Problem

#: Rows of each group that are compared where a product in float64 takes long.
_CHECKED_ROWS, _LONG = 8, 1 << 32


@lru_cache(maxsize=1)
def operands(problem: Problem, inputs: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return A and B on the host; no two matrices of B are equal."""
    p, kind = problem, TYPES[problem.element].dtype
    rng = np.random.default_rng(p.rows + 3 * p.n + 7 * p.k)

    def matrices(shape: tuple[int, ...]) -> npt.NDArray[Any]:
        if inputs == INTEGERS:
            return rng.integers(-2, 3, shape, np.int8).astype(kind)
        return rng.standard_normal(shape, np.float32).astype(kind)

    of_a = (p.groups, p.rows, p.k) if p.masked else (p.rows, p.k)
    return matrices(of_a), matrices((p.groups, p.n, p.k))


class GroupedCase(Case):
    """One grouped product on a device."""

    inputs = (NORMAL, INTEGERS)

    def __init__(
        self, kernel: GroupedKernel, device: Any, problem: Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        p, count = problem, multiprocessors(device)
        tiling = tile or kernel.choose(p, count)
        self.problem, self._target, self._device = p, kernel.target, device
        self.tile = {
            name: value if isinstance(value, str) else int(value)
            for name, value in asdict(tiling).items()
        }
        self.text = kernel.ptx(p, tiling)
        element, output = TYPES[p.element], TYPES[p.output]
        outer = (p.groups,) if p.masked else ()
        self._a = device.empty((*outer, p.rows, p.k), element.dtype, name="A")
        self._b = device.empty((p.groups, p.n, p.k), element.dtype, name="B")
        self._c = device.empty((*outer, p.rows, p.n), output.dtype, name="C")
        self._sizes = device.array(np.array(p.drawn, np.int32), name="sizes")
        row, width = p.k * element.bytes, p.n * output.bytes
        apart = p.rows if p.masked else 0
        self.launch = kernel.launch(
            device, loaded(device, self.text), p, tiling,
            Matrices(Operand(self._a, row), apart * row),
            Matrices(Operand(self._b, row), p.n * row),
            Matrices(Operand(self._c, width), apart * width),
            self._sizes, count,
        )  # fmt: skip

    def fill(self, inputs: str) -> None:
        """Write A and B, and NaN over C; see `Case`."""
        a, b = operands(self.problem, inputs)
        self._a.set(a)
        self._b.set(b)
        self._c.set(np.full(self._c.shape, np.nan, self._c.dtype))

    def check(self, inputs: str) -> Check:
        """Compare each group's rows; rows of no group must be as they were. See `Case`."""
        p = self.problem
        a, b = operands(p, inputs)
        c = np.asarray(self._c.get())
        outside, used, compared, first = 0, 0.0, 0, 0
        written = np.zeros(c.shape[:-1], bool)
        for group, size in enumerate(p.drawn):
            where: Any = (group, slice(size)) if p.masked else slice(first, first + size)
            first += size
            written[where] = True
            rows = np.arange(size)
            if p.flops > _LONG:
                rows = np.unique(np.linspace(0, size - 1, min(size, _CHECKED_ROWS)).astype(int))
            if not len(rows):
                continue
            mine, found = a[where][rows], c[where][rows]
            compared += found.size
            if inputs == INTEGERS:
                exact = mine.astype(np.float64) @ b[group].astype(np.float64).T
                outside += int((found != exact.astype(c.dtype)).sum())
            else:
                of_group = gemm.Problem(len(rows), p.n, p.k, p.element, p.output)
                bad, part = wrong(of_group, mine, b[group], found, self._target)
                outside, used = outside + bad, max(used, part)
        unwritten = np.isnan(c.astype(np.float32))
        outside += int(unwritten[written].sum()) + int((~unwritten[~written]).sum())
        return Check(inputs, compared, outside, round(used, 6))

    def library(self) -> Library | None:
        """Return the product by PyTorch, which has groups that lie one after another in bf16."""
        p = self.problem
        if p.masked or p.element != "bfloat16" or p.output != "bfloat16":
            return None
        product = GroupedProduct(self._a, self._b, p.drawn)
        return Library(product.name, product.enqueue)


class GroupedBenchmark(Benchmark):
    """The kernel on one target."""

    default = Problem(512, 512, 512, 6)

    def __init__(self, made: GroupedKernel, problems: Sequence[Problem]) -> None:
        """Keep the kernel, and the problems that are timed on hardware."""
        self.made, self.problems = made, problems
        self.kernel, self.target = made.product.name, made.target

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> GroupedCase:
        """Return a product on a device; see `Benchmark`."""
        return GroupedCase(self.made, device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a product; see `Benchmark`."""
        return self.made.ptx(problem, tile or self.made.choose(problem, multiprocessors(device)))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return all tiles; see `Benchmark`."""
        return self.made.tiles

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        rows = 64 * tile["blocks"] * tile["consumers"]
        room = f"up to {problem['rows']} each" if problem["masked"] else str(problem["rows"])
        return {
            "groups": str(problem["groups"]),
            "rows": room,
            "N x K": f"{problem['n']} x {problem['k']}",
            "A, B": problem["element"],
            "C": problem["output"],
            "tile": f"{rows} x {tile['columns']}, cluster {tile['cluster_m']}",
        }
