"""Decode attention as `lanemap bench` computes it, beside PyTorch's and a device copy on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.benchmark import LARGE, NORMAL, drawn, queries_of
from lanemap.benching.attention.problem import ALL
from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch, loaded, multiprocessors
from lanemap.devices.torch_attention import DefaultAttention
from lanemap.records.hashes import source_hash

from .kernel import NAME, Arrays, DecodeKernel, workspace
from .problem import Problem
from .reference import row
from .tiling import SHARED_BYTES, SHARED_BYTES_A_CTA, Tiling, choose

#: Rows of O that are compared, spread over all.
_CHECKED_ROWS = 32
Array = npt.NDArray[Any]


def table(problem: Problem) -> Array:
    """Return a block table with all pages in a random order."""
    each = problem.keys // problem.page
    order = np.random.default_rng(0).permutation(problem.batch * each)
    return order.astype(np.int32).reshape(problem.batch, each)


class DecodeCase(Case):
    """One problem on a device."""

    inputs = (NORMAL, LARGE)

    def __init__(
        self, kernel: DecodeKernel, device: Any, problem: Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        tiling, p = tile or choose(problem), problem
        count = multiprocessors(device)
        self.problem, self._device, self._filled = problem, device, False
        self.tile = {name: int(value) for name, value in asdict(tiling).items()}
        self.text = kernel.ptx(problem, tiling)
        kind = TYPES[p.element].dtype
        cache = (p.batch * p.keys // p.page, p.page) if p.page else (p.batch, p.keys)
        self._q, self._k, self._v, self._o = (
            device.empty((*shape, p.head_dim), kind, name=name)
            for name, shape in (
                ("q", (p.batch, p.queries, p.heads)), ("k", (*cache, p.kv_heads)),
                ("v", (*cache, p.kv_heads)), ("o", (p.batch, p.queries, p.heads)),
            )
        )  # fmt: skip
        self._sums = device.empty((p.batch, p.heads, p.queries), np.float32, name="log_sum_exp")
        lengths = pages = None  # as `decode` without these arguments: all keys, in one piece
        if p.lengths or p.page:
            lengths = device.array(np.array(p.of_each, np.int32), name="cache_seqlens")
        if p.page:
            pages = device.array(table(p), name="block_table")
        make = device.zeros if tiling.joined else device.empty
        memory = make(workspace(p, tiling.grid(p, count)), np.float32, name="partial sums")
        q, k, v = (_operand(each) for each in (self._q, self._k, self._v))
        arrays = Arrays(q, k, v, self._o, self._sums, lengths, pages, memory, cache[0])
        self._launches = kernel.launches(
            device, loaded(device, self.text), p, tiling, arrays, p.head_dim**-0.5, count
        )
        self.launch = self._launches[0]

    def run(self) -> None:
        """Compute the problem and wait."""
        for launch in self._launches:
            launch.run()

    def enqueue(self) -> Callable[[int], None]:
        """Return a function that puts both launches on a GPU's stream; see `Case`."""
        return _all(self._launches)

    def apart(self) -> Callable[[int], None]:
        """Return the same, where no kernel begins before another ends; see `Case`."""
        return _all([replace(launch, overlaps=False) for launch in self._launches])

    def fill(self, inputs: str) -> None:
        """Write Q, the first time K and V too, and NaN over O and log_sum_exp; see `Case`."""
        q, k, v = self._operands(inputs)
        self._q.set(q)
        if not self._filled:
            self._k.set(k)
            self._v.set(v)
        self._filled = True
        for results in (self._o, self._sums):
            results.set(np.full(results.shape, np.nan, results.dtype))

    def _operands(self, inputs: str) -> list[Array]:
        """Return Q, K and V on the host."""
        q, k, v = (
            drawn(each.shape, seed, self.problem.element)
            for seed, each in enumerate((self._q, self._k, self._v))
        )
        return [queries_of(q, inputs), k, v]

    def check(self, inputs: str) -> Check:
        """Compare rows of O and log_sum_exp within a tolerance that is derived; see `Case`."""
        p = self.problem
        q, k, v = self._operands(inputs)
        o, sums = self._o.get(), self._sums.get()
        outside = int(np.isnan(o.astype(np.float32)).sum() + np.isnan(sums).sum())
        used, elements = 0.0, 0
        all_rows = p.batch * p.queries * p.heads
        for at in np.unique(np.linspace(0, all_rows - 1, _CHECKED_ROWS).astype(np.int64)):
            sequence, query, head = (int(n) for n in np.unravel_index(at, o.shape[:3]))
            keys, values = (self._keys(each, sequence, head // p.group) for each in (k, v))
            parts = row(
                p, q[sequence, query, head], keys, values, query,
                o[sequence, query, head], float(sums[sequence, head, query]),
            )  # fmt: skip
            elements += len(parts)
            outside += int((~(parts <= 1)).sum())
            used = max(used, float(np.nan_to_num(parts, nan=np.inf).max()))
        result = source_hash(o.tobytes() + sums.tobytes())
        return Check(inputs, elements, outside, round(used, 6), result)

    def _keys(self, cache: Array, sequence: int, head: int) -> Array:
        """Return the keys or values of a head of a sequence."""
        p = self.problem
        if not p.page:
            return cache[sequence, : p.of_each[sequence], head]
        found = cache[table(p)[sequence], :, head].reshape(-1, p.head_dim)
        return found[: p.of_each[sequence]]

    def library(self) -> Library | None:
        """Return the problem by PyTorch's own choice, if it has the problem; see `Case`."""
        p = self.problem
        if p.page or p.lengths or (p.left, p.right) != (ALL, ALL):
            return None
        shapes = [each.shape for each in (self._q, self._k)]
        found = DefaultAttention(self._q, self._k, self._v, shapes[0], False, shapes[1])
        return Library(found.name, found.enqueue)


def _operand(array: Any) -> Operand:
    """Return a contiguous array of four dimensions as an operand."""
    item, sizes = array.dtype.itemsize, array.shape
    strides = tuple(item * int(np.prod(sizes[i + 1 :])) for i in range(3))
    return Operand(array, item * sizes[3], strides)


def _all(launches: Sequence[Launch]) -> Callable[[int], None]:
    enqueues = [each.enqueue() for each in launches]

    def enqueue(stream: int) -> None:
        for each in enqueues:
            each(stream)

    return enqueue


class DecodeBenchmark(Benchmark):
    """Decode attention on one target."""

    kernel = NAME
    streams = True

    def __init__(
        self,
        made: DecodeKernel,
        default: Problem,
        problems: Sequence[Problem],
        tiles: Sequence[Tiling] = (),
    ) -> None:
        """Keep the kernel, the problem on the emulator, those timed on hardware, and tiles."""
        self.made, self.default, self.problems, self._tiles = made, default, problems, tiles
        self.target = made.target

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> DecodeCase:
        """Return a problem on a device; see `Benchmark`."""
        return DecodeCase(self.made, device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a problem; see `Benchmark`."""
        return self.made.ptx(problem, tile or choose(problem))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return those whose shared memory suffices; see `Benchmark`."""
        return [
            each
            for each in self._tiles
            if each.ctas * (each.shared_bytes(problem) + SHARED_BYTES_A_CTA) <= SHARED_BYTES
        ]

    def limits(self, problem: Problem, work: Mapping[str, Any]) -> dict[str, float]:
        """Return the time of memory, which alone limits decoding; see `Benchmark`."""
        return {"memory": problem.least_bytes / self.rates.memory_bytes * 1e6}

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        heads = f"{problem['heads']} / {problem['kv_heads']}"
        window = (problem["left"], problem["right"])
        return {
            "batch x queries": f"{problem['batch']} x {problem['queries']}",
            "heads of q / of k": heads,
            "keys": f"{problem['keys']}" + (", ragged" if problem["lengths"] else ""),
            "D": str(problem["head_dim"]),
            "type": problem["element"],
            "page": str(problem["page"] or "none"),
            "window": "none" if window == (ALL, ALL) else f"{window[0]}, {window[1]}",
        }
