"""Decode attention as `lanemap bench` computes it, beside PyTorch's and a device copy on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.draws import DrawnCase, some_rows
from lanemap.benching.attention.problem import ALL
from lanemap.benching.benchmark import Benchmark, Check, Library
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch, loaded, multiprocessors
from lanemap.devices.torch_attention import DefaultAttention
from lanemap.records.hashes import source_hash

from .kernel import NAME, Arrays, DecodeKernel, workspace
from .problem import Problem
from .reference import row
from .tiling import SHARED_BYTES, SHARED_BYTES_A_CTA, Tiling, choose

Array = npt.NDArray[Any]


def table(problem: Problem) -> Array:
    """Return a block table with all pages in a random order."""
    each = problem.keys // problem.page
    order = np.random.default_rng(0).permutation(problem.batch * each)
    return order.astype(np.int32).reshape(problem.batch, each)


class DecodeCase(DrawnCase):
    """One problem on a device."""

    def __init__(
        self, kernel: DecodeKernel, device: Any, problem: Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        tiling, p = tile or choose(problem), problem
        count = multiprocessors(device)
        self.problem = problem
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
        given = self._q, self._k, self._v
        super().__init__(device, p.element, given, (self._o, self._sums))
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

    def check(self, inputs: str) -> Check:
        """Compare rows of O and log_sum_exp within a tolerance that is derived; see `Case`."""
        p = self.problem
        q, k, v = self.draws(inputs)
        o, sums = self._o.get(), self._sums.get()
        outside = int(np.isnan(o).sum() + np.isnan(sums).sum())
        used, elements = 0.0, 0
        all_rows = p.batch * p.queries * p.heads
        for at in some_rows(all_rows, max(p.of_each), p.head_dim):
            sequence, query, head = (int(n) for n in np.unravel_index(at, o.shape[:3]))
            keys = self._keys(sequence) * p.kv_heads + head // p.group
            parts = row(
                p, q.rows(at), k.rows(keys), v.rows(keys), query,
                o[sequence, query, head], float(sums[sequence, head, query]),
            )  # fmt: skip
            elements += len(parts)
            outside += int((~(parts <= 1)).sum())
            used = max(used, float(np.nan_to_num(parts, nan=np.inf).max()))
        result = source_hash(o.tobytes() + sums.tobytes())
        return Check(inputs, elements, outside, round(used, 6), result)

    def _keys(self, sequence: int) -> Array:
        """Return where the keys of a sequence lie in the cache, in their order."""
        p, count = self.problem, self.problem.of_each[sequence]
        if not p.page:
            return sequence * p.keys + np.arange(count)
        found: Array = table(p)[sequence][:, None] * p.page + np.arange(p.page)
        return found.reshape(-1)[:count]

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
