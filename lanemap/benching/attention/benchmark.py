"""Attention as `lanemap bench` computes it, beside cuDNN on a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.additions import Additions
from lanemap.benching.attention.attend import heads_together
from lanemap.benching.attention.draws import DrawnCase, some_rows
from lanemap.benching.attention.kernel import Arrays, AttentionKernel
from lanemap.benching.attention.problem import ALL, Problem
from lanemap.benching.attention.reference import Added, row
from lanemap.benching.attention.tiling import Tiling
from lanemap.benching.benchmark import Benchmark, Check, Library
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import loaded, multiprocessors
from lanemap.devices.flash_attention import FlashAttention
from lanemap.devices.torch_attention import Attention
from lanemap.errors import MissingEnvironment

#: What logits are capped at, where they are.
_SOFTCAP = 30.0
_LANES = 32


class AttentionCase(DrawnCase):
    """One problem on a device."""

    def __init__(
        self, kernel: AttentionKernel, device: Any, problem: Problem, tile: Tiling | None
    ) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        tiling = tile or kernel.choose(problem)
        self.problem, self._target = problem, kernel.target
        self.tile = {name: _plain(value) for name, value in asdict(tiling).items()}
        self.tile["rows"] = tiling.rows
        self.text = kernel.ptx(problem, tiling)
        dtype, output = TYPES[problem.element].dtype, TYPES[problem.output].dtype
        queries, keys = (sum(lengths) for lengths in zip(*problem.sequences, strict=True))
        of_queries, of_keys = (queries, problem.heads), (keys, problem.kv_heads)
        shapes = {
            "q": (*of_queries, problem.head_dim), "k": (*of_keys, problem.head_dim),
            "v": (*of_keys, problem.values), "o": (*of_queries, problem.values),
        }  # fmt: skip
        kinds = {"o": output}
        self._arrays = {
            name: device.empty(shape, kinds.get(name, dtype), name=name)
            for name, shape in shapes.items()
        }
        self._sums = device.empty((queries * problem.heads,), np.float32, name="log_sum_exp")
        given = [self._arrays[name] for name in "qkv"]
        super().__init__(device, problem.element, given, (self._arrays["o"], self._sums))
        ones = np.ones((problem.batch, problem.kv_heads), np.float32)
        descales = [device.array(ones) for _ in range(3)] if dtype.itemsize == 1 else []
        q, k, v, o = (
            Operand(each, each.shape[-1] * each.dtype.itemsize) for each in self._arrays.values()
        )
        sums, scales = Operand(self._sums, 4), tuple(Operand(each, 4) for each in descales)
        arrays = Arrays(q, k, v, o, sums, scales)
        self.launch = kernel.launch(
            device,
            loaded(device, self.text),
            problem,
            tiling,
            arrays,
            problem.head_dim**-0.5,
            multiprocessors(device),
            heads_together(problem),
            _additions(device, problem),
        )

    def check(self, inputs: str) -> Check:
        """Compare rows of O and log_sum_exp within a tolerance that is derived; see `Case`."""
        problem = self.problem
        q, k, v = self.draws(inputs)
        o, sums = self._arrays["o"].get(), self._sums.get()
        outside = int(np.isnan(o).sum() + np.isnan(sums).sum())
        used, elements = 0.0, 0
        group = problem.heads // problem.kv_heads
        for sequence, head, query in self._some():
            starts = np.sum(problem.sequences[:sequence], axis=0, dtype=np.int64).reshape(-1)
            first, first_key = (int(each) for each in starts) if sequence else (0, 0)
            lengths = problem.sequences[sequence]
            keys = (first_key + np.arange(lengths[1])) * problem.kv_heads + head // group
            mine = k.rows(keys), v.rows(keys)
            its_q = q.rows((first + query) * problem.heads + head)
            right = row(problem, its_q, *mine, query, lengths, _added(problem, head))
            at = head * problem.queries + first + query
            if not problem.lengths:
                at = (sequence * problem.heads + head) * problem.queries + query
            errors = np.abs(o[first + query, head].astype(np.float64) - right.o)
            with np.errstate(invalid="ignore"):
                parts = np.append(
                    errors / np.maximum(right.o_error, 2.0**-126),
                    0.0
                    if sums[at] == right.log_sum_exp
                    else abs(float(sums[at]) - right.log_sum_exp) / max(right.log_error, 2.0**-126),
                )
            elements += len(parts)
            outside += int((~(parts <= 1)).sum())
            used = max(used, float(np.nan_to_num(parts, nan=np.inf).max()))
        return Check(inputs, elements, outside, round(used, 6))

    def _some(self) -> list[tuple[int, int, int]]:
        """Return some rows: sequence, head, query; the first and last of all among them."""
        lengths = self.problem.sequences
        ends = np.cumsum([queries * self.problem.heads for queries, _ in lengths])
        most = max(keys for _, keys in lengths)
        found = []
        for each in some_rows(int(ends[-1]), most, self.problem.head_dim):
            sequence = int(np.searchsorted(ends, each, side="right"))
            inside = int(each - (ends[sequence - 1] if sequence else 0))
            head, query = divmod(inside, lengths[sequence][0])
            found.append((sequence, head, query))
        return found

    def library(self) -> Library | None:
        """Return the problem by cuDNN, if PyTorch's interface of it has the problem; see `Case`."""
        return self._by(Attention)

    def others(self) -> Sequence[Library]:
        """Return the same problems by FlashAttention, where it is installed; see `Case`."""
        try:
            found = self._by(FlashAttention)
        except MissingEnvironment:
            return ()
        return (found,) if found else ()

    def _by(self, whose: type[Attention]) -> Library | None:
        p = self.problem
        square = p.queries == p.keys and p.heads == p.kv_heads and not p.lengths
        if (
            p.element_bytes != 2
            or p.value_dim
            or p.added
            or not square
            or (p.left, p.right) not in ((ALL, ALL), (ALL, 0))
        ):
            return None
        shape = (p.batch, p.queries, p.heads, p.head_dim)
        q, k, v = (self._arrays[name] for name in "qkv")
        found = whose(q, k, v, shape, p.causal)
        return Library(found.name, found.enqueue)


def _added(problem: Problem, head: int) -> Added:
    """Return what is done to the logits of a head: ALiBi's usual slopes, sinks of 0."""
    given = problem.additions
    return Added(
        _SOFTCAP if "softcap" in given else 0,
        2.0 ** (-8 * (head + 1) / problem.heads) if "alibi" in given else 0,
        0.0 if "sinks" in given else -np.inf,
    )


def _additions(device: Any, problem: Problem) -> Additions:
    """Return the same of all heads, on a device."""
    heads = [_added(problem, head) for head in range(problem.heads)]
    slopes, sinks = (
        Operand(device.array(np.array([getattr(each, name) for each in heads], np.float32)), 4)
        if addition in problem.additions
        else None
        for name, addition in (("slope", "alibi"), ("sink", "sinks"))
    )
    return Additions(heads[0].softcap, slopes, sinks)


def _plain(value: Any) -> int | str:
    """Return a tile's field as a row has it."""
    if isinstance(value, tuple):
        return "/".join(str(each) for each in value)
    return value if isinstance(value, str) else int(value)


class AttentionBenchmark(Benchmark):
    """Attention on one target."""

    kernel = "fmha"
    default = Problem(1, 1024, 1024, 1, 1, 128)

    def __init__(
        self, made: AttentionKernel, problems: Sequence[Problem], tiles: Sequence[Tiling] = ()
    ) -> None:
        """Keep the kernel, the problems that are timed on hardware, and what `--tiles` times."""
        self.made, self.problems, self._tiles = made, problems, tiles
        self.target = made.target

    def case(self, device: Any, problem: Problem, tile: Tiling | None = None) -> AttentionCase:
        """Return a problem on a device; see `Benchmark`."""
        return AttentionCase(self.made, device, problem, tile)

    def text(self, device: Any, problem: Problem, tile: Tiling | None = None) -> str:
        """Return the PTX of a problem; see `Benchmark`."""
        return self.made.ptx(problem, tile or self.made.choose(problem))

    def tiles(self, problem: Problem) -> Sequence[Tiling]:
        """Return those whose shared memory suffices; see `Benchmark`."""
        return [each for each in self._tiles if each.shared_bytes(problem) <= _SHARED_BYTES]

    def limits(self, problem: Problem, work: Mapping[str, Any]) -> dict[str, float]:
        """Add special functions (exponentials), shared and tensor memory; see `Benchmark`."""
        rates, moved = self.rates, work["bytes"]
        functions = _LANES * sum(
            kinds.get("special function", 0) for kinds in work["instructions"].values()
        )
        shared = moved["shared load"] + moved["shared store"]
        found = {
            **super().limits(problem, work),
            "special functions": functions / rates.special_functions * 1e6,
            "shared memory": shared / rates.shared_bytes * 1e6,
        }
        if rates.tensor_memory_bytes is not None:
            read, written = rates.tensor_memory_bytes
            found["tensor memory"] = 1e6 * max(
                moved["tensor load"] / read, moved["tensor store"] / written
            )
        return found

    @property
    def citation(self) -> str:
        """The citation of the rates; see `Benchmark`."""
        more = "; special functions: CUDA C++ Programming Guide, Arithmetic Instructions"
        if self.target == "sm_100a":
            more += "; tensor memory: arXiv 2512.02189"
        return super().citation + more

    @property
    def others_published(self) -> str:
        """Published speed of other kernels; see `Benchmark`."""
        if self.target != "sm_100a":
            return ""
        return "FlashAttention-4 publishes up to 1613 TFLOP/s in bf16 on a B200 (arXiv 2603.05451)"

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        window, fewer = (problem["left"], problem["right"]), problem.get("value_dim", 0)
        masks = {(ALL, ALL): "none", (ALL, 0): "causal"}
        heads = f"{problem['heads']}"
        if problem["kv_heads"] != problem["heads"]:
            heads += f" / {problem['kv_heads']}"
        mask = masks.get(window, f"window {window[0]}, {window[1]}")
        added = problem.get("added", "").replace("+", ", ")
        lengths = f"{problem['queries']} x {problem['keys']}"
        return {
            "D": f"{problem['head_dim']}" + (f" / {fewer}" if fewer else ""),
            "type": problem["element"],
            "mask": f"{mask}, {added}" if added else mask,
            "batch x heads": f"{problem['batch']} x {heads}",
            "queries x keys": f"{lengths} in all" if problem["lengths"] else lengths,
            "tile": f"{tile['rows']} x {tile['columns']}",
        }


#: Dynamic shared memory of a CTA (CUDA Programming Guide, Technical Specifications, 9.0 and 10.0).
_SHARED_BYTES = 227 << 10
