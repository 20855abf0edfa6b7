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
from lanemap.benching.gemm import scaled
from lanemap.benching.gemm.benchmark import INTEGERS, NORMAL
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.gemm.reference import wrong
from lanemap.benching.gemm.scales import BLOCK, scales_in
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices.torch_grouped import GroupedProduct

from .kernel import GroupedKernel, Matrices
from .problem import Problem

#: Rows of each group that are compared where a product in float64 takes long.
_CHECKED_ROWS, _LONG = 8, 1 << 32


#: Numbers that are drawn; larger matrices repeat them, from another one on in each row.
_DRAWN = (1 << 22) + 40961
Array = npt.NDArray[Any]


@lru_cache(maxsize=1)
def operands(problem: Problem, inputs: str) -> tuple[Array, ...]:
    """Return A and B on the host, then their scales; no two matrices of B are equal."""
    p, kind = problem, TYPES[problem.element].dtype
    rng = np.random.default_rng(p.rows + 3 * p.n + 7 * p.k)
    if p.scaled:
        make = scaled.integers if inputs == INTEGERS else scaled.drawn
        rows = p.rows * p.groups if p.masked else p.rows
        a, of_a = make(rng, rows, p.k, 1)
        tall = -(-p.n // BLOCK)
        b, of_b = make(rng, p.groups * tall * BLOCK, p.k, BLOCK)
        b = b.reshape(p.groups, tall * BLOCK, p.k)[:, : p.n]
        outer = (p.groups, p.rows) if p.masked else (p.rows,)
        return a.reshape(*outer, p.k), b, of_a.reshape(*outer, -1), of_b.reshape(p.groups, tall, -1)

    def matrices(shape: tuple[int, ...]) -> Array:
        some = (
            rng.integers(-2, 3, _DRAWN, np.int8)
            if inputs == INTEGERS
            else rng.standard_normal(_DRAWN, np.float32)
        )
        return np.resize(some.astype(kind), shape)

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
        self._scales = [
            device.empty(shape, np.float32, name=name)
            for name, shape in (
                ("a_scales", (*outer, p.rows, -(-p.k // BLOCK))),
                ("b_scales", (p.groups, -(-p.n // BLOCK), -(-p.k // BLOCK))),
            )
            if p.scaled
        ]
        of = [scales_in(array) for array in self._scales]
        row, width = p.k * element.bytes, p.n * output.bytes
        apart = p.rows if p.masked else 0
        self.launch = kernel.launch(
            device, loaded(device, self.text), p, tiling,
            Matrices(Operand(self._a, row), apart * row),
            Matrices(Operand(self._b, row), p.n * row),
            Matrices(Operand(self._c, width), apart * width),
            self._sizes, count, None, (of[0], of[1]) if of else None,
        )  # fmt: skip

    def fill(self, inputs: str) -> None:
        """Write A and B, and NaN over C; see `Case`."""
        given = operands(self.problem, inputs)
        for array, values in zip((self._a, self._b, *self._scales), given, strict=True):
            array.set(values)
        self._c.set(np.full(self._c.shape, np.nan, self._c.dtype))

    def check(self, inputs: str) -> Check:
        """Compare each group's rows; rows of no group must be as they were. See `Case`."""
        p = self.problem
        a, b, *scales = operands(p, inputs)
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
            of = (scales[0][where][rows], scales[1][group]) if p.scaled else ()
            compared += found.size
            bad, part = self._wrong(inputs, found, mine, b[group], *of)
            outside, used = outside + bad, max(used, part)
        unwritten = np.isnan(c.astype(np.float32))
        outside += int(unwritten[written].sum()) + int((~unwritten[~written]).sum())
        return Check(inputs, compared, outside, round(used, 6))

    def _wrong(
        self, inputs: str, c: Array, a: Array, b: Array, *scales: Array
    ) -> tuple[int, float]:
        """Return how many elements of a group are wrong, and the part of the tolerance used."""
        p = self.problem
        if p.scaled:
            given = scaled.Operands(a, b, scales[0], scales[1])
            if inputs == INTEGERS:
                return int((c != scaled.reference(given).astype(c.dtype)).sum()), 0.0
            of_group = gemm.Problem(len(a), p.n, p.k, p.element, p.output, "two_level")
            return scaled.wrong(of_group, given, c, self._target)
        if inputs == INTEGERS:
            exact = a.astype(np.float64) @ b.astype(np.float64).T
            return int((c != exact.astype(c.dtype)).sum()), 0.0
        of_group = gemm.Problem(len(a), p.n, p.k, p.element, p.output)
        return wrong(of_group, a, b, c, self._target)

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
        return self.made.possible(problem)

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        rows = 64 * tile["blocks"] * tile["consumers"]
        room = f"up to {problem['rows']} each" if problem["masked"] else str(problem["rows"])
        return {
            "groups": str(problem["groups"]),
            "rows": room,
            "N x K": f"{problem['n']} x {problem['k']}",
            "A, B": problem["element"] + (", scales" if problem["scaled"] else ""),
            "C": problem["output"],
            "tile": f"{rows} x {tile['columns']}, cluster {tile['cluster_m']}",
        }
