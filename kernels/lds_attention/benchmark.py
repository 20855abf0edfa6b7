"""lds_attention as `lanemap bench` computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from lanemap.benching.benchmark import Benchmark, Case, Check, Library
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import loaded
from lanemap.devices.rocm_attention import RocmAttention
from lanemap.errors import MissingEnvironment

from .attend import launch_of
from .paths import DEFAULT, KEYS, QUERIES, path
from .problem import ELEMENT, Problem
from .reference import expected
from .source import NAME, TARGET, assembly

NORMAL, ONE_KEY = "N(0, 1)", "one key for each query"
#: Queries that are compared, spread over all, where attention in float64 takes long.
_CHECKED_QUERIES = 64
_ONES = (None, None, None)


@dataclass(frozen=True)
class PathProblem(Problem):
    """Attention on a path.

    Attributes:
        path: As `kernels.lds_attention.paths` names it.
        p_way: How P comes to meet V.
        mfma_k: 16 or 64.
    """

    path: str = DEFAULT
    p_way: str = "k_rows"
    mfma_k: int = 64

    def __post_init__(self) -> None:
        """Check the path too.

        Raises:
            UserError: a type, size or path that there is not.
        """
        super().__post_init__()
        path(self.path, self.p_way, self.mfma_k)

    @property
    def element(self) -> str:
        """Name of the type that the matrix cores multiply."""
        return ELEMENT

    @property
    def least_bytes(self) -> int:
        """Q, K and V read once, O written once."""
        rows = 3 * self.queries * self.heads + 2 * self.keys * self.kv_heads
        return self.batch * rows * self.head_dim


@lru_cache(maxsize=2)
def operands(problem: Problem, inputs: str) -> tuple[Any, Any, Any]:
    """Return Q, K and V on the host; with `ONE_KEY` all weights but one of a query are 0."""
    p, draw = problem, np.random.default_rng(0)
    kind = np.dtype(ml_dtypes.float8_e4m3fn)

    def normal(length: int, heads: int) -> Any:
        return draw.standard_normal((p.batch, length, heads, p.head_dim)).astype(kind)

    q, k, v = normal(p.queries, p.heads), normal(p.keys, p.kv_heads), normal(p.keys, p.kv_heads)
    if inputs == ONE_KEY:
        k = np.where(k.astype(np.float32) < 0, -8.0, 8.0).astype(kind)
        own = np.minimum(np.arange(p.queries), p.keys - 1)
        q = np.repeat(k[:, own], p.heads // p.kv_heads, axis=2)
    return q, k, v


class LdsCase(Case):
    """One attention on a device."""

    inputs = (NORMAL, ONE_KEY)

    def __init__(self, device: Any, problem: PathProblem) -> None:
        """Make the operands and compile the kernel; see `Benchmark.case`."""
        p = self.problem = problem
        chosen = path(p.path, p.p_way, p.mfma_k)
        self.tile = {"queries": QUERIES, "keys": KEYS}
        self.text = assembly(chosen, p.head_dim, p.causal, p.output)
        shapes = (
            (p.batch * p.queries * p.heads, p.head_dim),
            (p.batch * p.keys * p.kv_heads, p.head_dim),
        )
        byte = np.dtype(ml_dtypes.float8_e4m3fn)
        self._q, self._k, self._v = (
            device.empty(shapes[at], byte, name=name) for at, name in ((0, "q"), (1, "k"), (1, "v"))
        )
        self._o = device.empty(shapes[0], TYPES[p.output].dtype, name="o")
        arrays = (self._q, self._k, self._v, self._o)
        self.launch = launch_of(
            device, loaded(device, self.text), p, arrays, _ONES, p.head_dim**-0.5
        )

    def fill(self, inputs: str) -> None:
        """Write Q, K and V, and NaN over O; see `Case`."""
        for array, values in zip(
            (self._q, self._k, self._v), operands(self.problem, inputs), strict=True
        ):
            array.set(values.reshape(array.shape))
        self._o.set(np.full(self._o.shape, np.nan, self._o.dtype))

    def check(self, inputs: str) -> Check:
        """Compare O with attention in float64, by a tolerance that is derived; see `Case`."""
        p = self.problem
        shape = (p.batch, p.queries, p.heads, p.head_dim)
        whole = np.asarray(self._o.get()).reshape(shape).astype(np.float64)
        chosen = np.unique(np.linspace(0, p.queries - 1, _CHECKED_QUERIES).astype(np.int64))
        q, k, v = operands(p, inputs)
        right, error = expected(p, q, k, v, p.head_dim**-0.5, chosen)
        used = np.abs(whole[:, chosen] - right) / error
        outside = int((~(used <= 1)).sum()) + int(np.isnan(np.delete(whole, chosen, 1)).sum())
        return Check(inputs, right.size, outside, round(float(np.nan_to_num(used).max()), 6))

    def library(self) -> Library | None:
        """Return the problem by PyTorch for ROCm, which counts causal keys from the first one."""
        if self.problem.causal and self.problem.queries != self.problem.keys:
            return None
        try:
            return Library(self._attention.name, self._attention.enqueue)
        except MissingEnvironment as error:
            self.no_library = str(error)
            return None

    @cached_property
    def _attention(self) -> RocmAttention:
        p = self.problem
        of_q, of_k = (
            (p.batch, length, heads, p.head_dim)
            for length, heads in ((p.queries, p.heads), (p.keys, p.kv_heads))
        )
        operands = ((self._q, of_q), (self._k, of_k), (self._v, of_k))
        return RocmAttention(operands, p.output, p.causal)


class LdsBenchmark(Benchmark):
    """lds_attention on gfx950."""

    kernel, target = NAME, TARGET
    default = PathProblem(1, 1024, 1024, 1, 1, 128)

    def __init__(self, problems: Sequence[PathProblem]) -> None:
        """Keep the problems that are timed on hardware."""
        self.problems = problems

    def case(self, device: Any, problem: PathProblem, tile: Any = None) -> LdsCase:
        """Return an attention on a device; see `Benchmark`."""
        return LdsCase(device, problem)

    def columns(self, problem: Mapping[str, Any], tile: Mapping[str, Any]) -> dict[str, str]:
        """Return a row's columns; see `Benchmark`."""
        p = problem
        return {
            "batch x heads": f"{p['batch']} x {p['heads']}",
            "queries x keys": f"{p['queries']} x {p['keys']}",
            "D": str(p["head_dim"]),
            "mask": "causal" if p["causal"] else "none",
            "O": p["output"],
            "path": f"{p['path']}, {p['p_way']}, K {p['mfma_k']}",
        }
