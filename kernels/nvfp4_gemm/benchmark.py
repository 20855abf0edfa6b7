"""Block-scaled products as `lanemap bench` computes them, beside cuBLASLt on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices import cublaslt
from lanemap.quantization.quantize import BlockScaled, quantize

from .kernel import KERNEL, Arrays
from .problem import Problem
from .reference import reference, wrong
from .tiling import TILES, Tiling, choose

NORMAL, INTEGERS = "N(0, 1), quantized", "integers from -2 to 2"
#: Rows of C that are compared, spread over all, where a product in float64 takes long.
_CHECKED_ROWS, _LONG = 48, 1 << 31


@lru_cache(maxsize=2)
def operands(problem: Problem, inputs: str) -> tuple[BlockScaled, BlockScaled]:
    """Return A (L, M, K) and B (L, N, K) on the host."""
    rng = np.random.default_rng(problem.m + 3 * problem.n + 7 * problem.k)

    def matrix(rows: int) -> BlockScaled:
        shape = problem.batches, rows, problem.k
        if inputs == INTEGERS:
            return quantize(rng.integers(-2, 3, shape, np.int8), problem.format)
        return quantize(rng.standard_normal(shape, np.float32), problem.format)

    return matrix(problem.m), matrix(problem.n)


@cache
def _workspace(device: Any) -> Any:
    return device.empty(cublaslt.WORKSPACE_BYTES, np.uint8)


class ScaledCase(Case):
    """One block-scaled product on a device."""

    inputs = (NORMAL, INTEGERS)

    def __init__(self, device: Any, problem: Problem, tile: Tiling | None) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        count = multiprocessors(device)
        tiling = tile or choose(problem, count)
        self.problem, self._device, self.tile = problem, device, asdict(tiling)
        self.text = KERNEL.ptx(problem, tiling)
        p, output = problem, TYPES[problem.output]
        row = p.kind.row_bytes(p.k)
        self._a = device.empty((p.batches * p.m, row), np.uint8, name="A")
        self._b = device.empty((p.batches * p.n, row), np.uint8, name="B")
        self._c = device.empty((p.batches, p.m, p.n), output.dtype, name="C")
        self._sfa = device.empty((p.batches, *p.atoms(p.m), 32, 4, 4), np.uint8, name="SFA")
        self._sfb = device.empty((p.batches, *p.atoms(p.n), 32, 4, 4), np.uint8, name="SFB")
        width = p.n * output.bytes
        arrays = Arrays(
            (Operand(self._a, row), p.m * row),
            (Operand(self._b, row), p.n * row),
            (Operand(self._c, width), p.m * width),
            self._sfa,
            self._sfb,
        )
        module = loaded(device, self.text)
        self.launch = KERNEL.launch(device, module, p, tiling, arrays, 1.0, count)

    def fill(self, inputs: str) -> None:
        """Write A, B and their scales, and NaN over C; see `Case`."""
        row = self.problem.row_bytes
        for given, data, atoms in zip(
            operands(self.problem, inputs), (self._a, self._b), (self._sfa, self._sfb), strict=True
        ):
            # The host pads K to whole blocks.
            data.set(np.ascontiguousarray(given.data.view(np.uint8)[..., :row]).reshape(-1, row))
            columns = self.problem.atoms(1)[1]
            atoms.set(np.ascontiguousarray(given.atoms[..., :columns, :, :, :]))
        self._c.set(np.full(self._c.shape, np.nan, self._c.dtype))

    def check(self, inputs: str) -> Check:
        """Compare C: with a tolerance that is derived, or exactly for integers; see `Case`."""
        p = self.problem
        a, b = operands(p, inputs)
        whole = np.asarray(self._c.get())
        rows = np.arange(p.m)
        if p.flops > 2 * _LONG:
            rows = np.unique(np.linspace(0, p.m - 1, _CHECKED_ROWS).astype(np.int64))
        c, a = whole[:, rows], _rows(a, rows)
        unwritten = int(np.isnan(np.delete(whole, rows, 1).astype(np.float32)).sum())
        if inputs == INTEGERS:
            outside, used = int((c != reference(a, b).astype(c.dtype)).sum()), 0.0
        else:
            outside, used = wrong(p, a, b, c)
        return Check(inputs, c.size, outside + unwritten, round(used, 6))

    def library(self) -> Library | None:
        """Return one product by cuBLASLt, which is not asked for batches; see `Case`."""
        p = self.problem
        if p.batches > 1:
            return None
        c = self._device.empty((p.m, p.n), TYPES[p.output].dtype)
        scales = cublaslt.BlockScales(p.element, p.k, p.kind.block, self._sfa, self._sfb)
        product = cublaslt.Product(self._a, self._b, c, _workspace(self._device), scales=scales)
        name = f"cuBLASLt {cublaslt.version()}, the first algorithm of its heuristic"
        return Library(name, product.enqueue)


def _rows(x: BlockScaled, rows: Any) -> BlockScaled:
    return BlockScaled(x.format, x.data[:, rows], x.scales[:, rows], x.columns, x.global_scale)


class ScaledBenchmark(Benchmark):
    """nvfp4_gemm on sm_100a."""

    kernel, target = KERNEL.name, KERNEL.target
    default = Problem(1024, 1024, 1024)

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems that are timed on hardware."""
        self.problems = problems

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> ScaledCase:
        """Return a product on a device; see `Benchmark`."""
        return ScaledCase(device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a product; see `Benchmark`."""
        return KERNEL.ptx(problem, tile or choose(problem, multiprocessors(device)))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return all tiles; see `Benchmark`."""
        return TILES

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        return {
            "L x M x N x K": " x ".join(str(problem[name]) for name in ("batches", "m", "n", "k")),
            "A, B": problem["format"],
            "C": problem["output"],
            "tile": f"{128 * tile['cluster_m']} x {tile['columns']}",
        }
