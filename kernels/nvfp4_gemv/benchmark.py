"""GEMVs as `lanemap bench` computes them, beside cuBLAS in bf16 on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, lru_cache
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices import cublas
from lanemap.quantization.scales import scale_atoms
from lanemap.records.hashes import source_hash

from .arrays import Arrays
from .kernel import NAME, form, launch, ptx
from .problem import BLOCK, Problem
from .reference import decoded, wrong
from .tiling import FmaTiling, Tiling, choose

ANY, EXACT = "all codes, scales from 1/4 to 4", "all codes, scales 1 and 2: exact sums"
#: Elements of c that are compared, spread over all.
_CHECKED_ROWS = 256
Bytes = npt.NDArray[np.uint8]


@lru_cache(maxsize=4)
def drawn(rows: int, k: int, batches: int, inputs: str) -> tuple[Bytes, Bytes]:
    """Return packed elements (L, rows, K / 2) and scales (L, rows, K / 16)."""
    rng = np.random.default_rng([rows, k, batches])
    elements = rng.integers(0, 256, (batches, rows, k // 2), np.uint8)
    # Codes of e4m3: 8 to each power of two, of which 56 is 1.
    low, high, step = (40, 72, 1) if inputs == ANY else (7, 9, 8)
    scales = rng.integers(low, high, (batches, rows, k // BLOCK), np.uint8) * np.uint8(step)
    return elements, scales


def _operands(problem: Problem, inputs: str) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Return A with its scales, then b with its."""
    p = problem
    return *drawn(p.m, p.k, p.batches, inputs), *drawn(1, p.k, p.batches, inputs)


@lru_cache(maxsize=2)
def _bf16(*shape: int) -> npt.NDArray[np.uint16]:
    """Codes of bf16 with magnitudes from 1/2 to 2, random signs and fractions."""
    codes = np.random.default_rng(shape).integers(0, 1 << 16, shape, np.uint16)
    return np.asarray(codes & 0x80FF | 0x3F00, np.uint16)


@cache
def _workspace(device: Any) -> Any:
    return device.empty(32 << 20, np.uint8)


class GemvCase(Case):
    """One GEMV on a device."""

    inputs = (ANY, EXACT)

    def __init__(self, target: str, device: Any, problem: Problem, tile: Tiling | None) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        count = multiprocessors(device)
        tiling = tile or choose(problem, count)
        self.problem, self._device = problem, device
        self._library: Library | None = None
        self.tile = {name: int(value) for name, value in asdict(tiling).items()}
        self.text = ptx(form(problem, tiling, target))
        self._arrays = _empty(device, problem)
        module = loaded(device, self.text)
        self.launch = launch(device, module, problem, tiling, self._arrays, count)

    def fill(self, inputs: str) -> None:
        """Write A, b and their scales, and NaN over c; see `Case`."""
        here = self._arrays
        a, scales_a, b, scales_b = _operands(self.problem, inputs)
        lay = scale_atoms if self.problem.scales == "atoms" else np.ascontiguousarray
        here.a.set(a)
        here.b.set(b)
        here.scales_a.set(lay(scales_a))
        here.scales_b.set(lay(scales_b))
        here.c.set(np.full(here.c.shape, np.nan, np.float16))

    def check(self, inputs: str) -> Check:
        """Compare c: with a tolerance that is derived, or exactly; see `Case`."""
        p = self.problem
        a, scales_a, b, scales_b = _operands(p, inputs)
        whole = np.asarray(self._arrays.c.get())[:, :, 0]
        rows = np.unique(np.linspace(0, p.m - 1, min(p.m, _CHECKED_ROWS)).astype(np.int64))
        c = whole[:, rows]
        matrix, vector = decoded(a[:, rows], scales_a[:, rows]), decoded(b, scales_b)[:, 0]
        unwritten = int(np.isnan(np.delete(whole, rows, 1).astype(np.float32)).sum())
        if inputs == EXACT:
            exact = np.einsum("lmk,lk->lm", matrix, vector).astype(np.float16)
            outside, used = int((c != exact).sum()), 0.0
        else:
            outside, used = wrong(p, matrix, vector, c)
        result = source_hash(whole.tobytes())
        return Check(inputs, c.size, outside + unwritten, round(used, 6), result)

    def library(self) -> Library:
        """Return the product of bf16 matrices of the same size by cuBLAS; see `Case`."""
        if self._library is None:
            p, kind = self.problem, np.dtype(ml_dtypes.bfloat16)
            shapes = (p.batches, p.m, p.k), (p.batches, p.k), (p.batches, p.m)
            a, b, c = (self._device.empty(shape, kind) for shape in shapes)
            a.set(_bf16(*shapes[0]).view(kind))
            b.set(_bf16(*shapes[1]).view(kind))
            gemv = cublas.BatchedGemv(a, b, c, _workspace(self._device))
            name = f"cuBLAS {cublas.version()}, GemmStridedBatchedEx in bf16"
            self._library = Library(name, gemv.enqueue)
        return self._library


def _empty(device: Any, problem: Problem) -> Arrays:
    p = problem

    def scales(rows: int) -> tuple[int, ...]:
        if p.scales == "plain":
            return p.batches, rows, p.k // BLOCK
        return p.batches, -(-rows // 128), p.atom_columns, 32, 4, 4

    return Arrays(
        device.empty((p.batches, p.m, p.k // 2), np.uint8, name="a"),
        device.empty(scales(p.m), np.uint8, name="sfa"),
        device.empty((p.batches, 1, p.k // 2), np.uint8, name="b"),
        device.empty(scales(1), np.uint8, name="sfb"),
        device.empty((p.batches, p.m, 1), np.float16, name="c"),
    )


class GemvBenchmark(Benchmark):
    """A GEMV on one target."""

    kernel = NAME
    streams = True

    def __init__(self, target: str, default: Problem, problems: Sequence[Problem] = ()) -> None:
        """Keep the target, the problem on the emulator, and those timed on hardware."""
        self.target, self.default, self.problems = target, default, problems

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> GemvCase:
        """Return a GEMV on a device; see `Benchmark`."""
        return GemvCase(self.target, device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a GEMV; see `Benchmark`."""
        return ptx(form(problem, tile or choose(problem, multiprocessors(device)), self.target))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return divisions near the chosen one; see `Benchmark`."""
        chosen = choose(problem, 1)
        if not isinstance(chosen, FmaTiling):
            return [chosen]
        made = replace(chosen, rows=4, ctas=max(1, 16 // chosen.warps))
        found = [replace(made, stages=stages) for stages in (1, 2)]
        if problem.scales == "plain":
            narrow = replace(made, rows=2, ctas=max(1, 28 // made.warps))
            found += [replace(narrow, stages=stages) for stages in (1, 2)]
        return found

    def limits(self, problem: Problem, work: Mapping[str, Any]) -> dict[str, float]:
        """Return the time of memory, which alone limits a GEMV; see `Benchmark`."""
        return {"memory": problem.least_bytes / self.rates.memory_bytes * 1e6}

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        return {
            "M x K x L": f"{problem['m']} x {problem['k']} x {problem['batches']}",
            "scales": problem["scales"],
            "division": _division(tile),
        }


def _division(tile: Mapping[str, Any]) -> str:
    if "warps" not in tile:
        return f"clusters of {tile['split']} CTAs"
    return f"{tile['ctas']} x {tile['warps']} warps, {tile['split']} along K"
