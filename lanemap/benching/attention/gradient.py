"""The backward kernel of attention: its text for a tile, and its launches on any device.

A source, such as `kernels/fmha/backward_sm_90a.cu`, has three entries: `fmha_prepare` sums dO * O
of each query, `fmha_backward` computes dK and dV and adds up dQ in f32, `fmha_finish` rounds dQ.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.kernel import (
    STORED_ROWS,
    layouts_of_16_bits,
    sequences,
    table_of,
    tensor_map,
)
from lanemap.benching.attention.packed import Form, TableKernel, Tables, most_tiles
from lanemap.benching.attention.problem import ALL, UNKNOWN, Problem
from lanemap.benching.attention.tiling import L2_BYTES, ROWS, check_registers
from lanemap.benching.build import CompiledKernel
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.devices.arguments import ByValue
from lanemap.emission.wgmma_wrappers import wrapper
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.records.files import Roots

#: Warpgroups that compute 64 keys each; keys of a CTA, on every target.
CONSUMERS = 2
KEYS = ROWS * CONSUMERS
#: Two tiles of dS.T have a row of the swizzle for each key.
_SWIZZLE_BYTES, _BARRIER_BYTES = 128, 8
#: Threads of `fmha_prepare`.
_ROW_THREADS = 256


@dataclass(frozen=True)
class GradientTiling:
    """What is #defined in the kernel source beside the problem.

    Attributes:
        deterministic: Whether tiles of keys add to dQ in a fixed order.
        q_stages: Tiles of Q in shared memory.
        d_o_stages: Tiles of dO, likewise.
        registers: Registers of a thread that computes, and of one that copies.
    """

    deterministic: bool = False
    q_stages: int = 3
    d_o_stages: int = 2
    registers: tuple[int, int] = (240, 24)

    @property
    def queries(self) -> int:
        """Queries of a step."""
        return 64

    @property
    def chunks(self) -> int:
        """Parts of a step's dQ that are added in turn."""
        return 4 * CONSUMERS

    @property
    def stored_rows(self) -> int:
        """Rows of a gradient that a warp stores."""
        return STORED_ROWS

    @property
    def threads(self) -> int:
        """Threads of a CTA; one of its warpgroups copies."""
        return 128 * (CONSUMERS + 1)

    def shared_bytes(self, problem: Problem) -> int:
        """Dynamic shared memory of a CTA: K, V; Q, dO; dS; addends of dQ; statistics; mbarriers."""
        row = problem.head_dim * problem.element_bytes
        stages = self.q_stages + self.d_o_stages
        tiles = (2 * KEYS + stages * self.queries) * row + 2 * KEYS * _SWIZZLE_BYTES
        barriers = (2 + 2 * stages) * _BARRIER_BYTES
        statistics = stages * self.queries * 4
        return tiles + self.queries * problem.head_dim * 4 + statistics + barriers


@dataclass(frozen=True)
class GradientArrays:
    """The operands on a device: rows of a head dimension, and f32 of each row.

    Attributes:
        q: Rows of all sequences and heads.
        k: K.
        v: V.
        o: O of the forward kernel.
        d_o: The gradient of O.
        log_sum_exp: As the forward kernel leaves it.
        dq: Gradient of Q.
        dk: Gradient of K.
        dv: Gradient of V.
        sums: Of `Workspace`.
        statistics: Of `Workspace`.
        turns: Of `Workspace`.
    """

    q: Operand
    k: Operand
    v: Operand
    o: Operand
    d_o: Operand
    log_sum_exp: Operand
    dq: Operand
    dk: Operand
    dv: Operand
    sums: Any
    statistics: Any
    turns: Any


def query_tiles(problem: Problem, tiling: GradientTiling) -> int:
    """Return the tiles of queries of one head of all sequences; at most, if none is known."""
    if problem.lengths == UNKNOWN:
        return most_tiles(problem.batch, problem.queries, tiling.queries)
    return sum(-(-queries // tiling.queries) for queries, _ in problem.sequences)


def workspace(problem: Problem, tiling: GradientTiling) -> tuple[int, int, int]:
    """Return how many f32 of dQ's sums, f32 of statistics, and 32-bit turns a call needs."""
    tiles = query_tiles(problem, tiling) * problem.heads
    turns = tiles * tiling.chunks if tiling.deterministic else 1
    return tiles * tiling.queries * problem.head_dim, tiles * 2 * tiling.queries, turns


def schedule(problem: Problem, tiling: GradientTiling) -> npt.NDArray[np.uint32]:
    """Return what each CTA computes: (sequence x heads of K and V + head) << 16 | tile of keys.

    Without a mask the tiles of a head are adjacent, so that its Q, dO and dQ stay in the L2 cache.
    With one to the right, the tiles of some heads at a time come in the order of their work, most
    first; where the order of additions is fixed, it must be theirs (see `KeyWork.turn`).
    """
    group = problem.heads // problem.kv_heads
    longest = max(1, *(queries for queries, _ in problem.sequences))
    each = group * longest * problem.head_dim * (2 * problem.element_bytes + 4)
    together = max(1, L2_BYTES // each) if problem.causal else 1
    tiles = [-(-keys // KEYS) for _, keys in problem.sequences for _ in range(problem.kv_heads)]
    found: list[npt.NDArray[np.uint32]] = []
    for first in range(0, len(tiles), together):
        heads = np.arange(first, min(first + together, len(tiles)), dtype=np.uint32)
        most = max(tiles[first : first + together])
        numbers = np.arange(most, dtype=np.uint32)
        if problem.causal and tiling.deterministic:
            numbers = numbers[::-1]
        there = numbers[:, None] < np.array(tiles)[None, heads]
        found.append((heads[None] << np.uint32(16) | numbers[:, None])[there])
    return np.concatenate(found)


@lru_cache(maxsize=64)
def _scheduled(device: Any, problem: Problem, tiling: GradientTiling) -> Any:
    """Return the schedule on a device, where it is kept for launches that still run."""
    return device.array(schedule(problem, tiling), name="schedule")


@dataclass(frozen=True)
class GradientKernel(CompiledKernel[Problem, GradientTiling]):
    """The kernel for sm_90a."""

    target: str = "sm_90a"
    name: str = "fmha"

    def choose(self, problem: Problem, deterministic: bool) -> GradientTiling:
        """Return the tile: of short rows as many as fit, whose loads take as long."""
        if problem.head_dim == 64:
            return GradientTiling(deterministic, q_stages=6, d_o_stages=5)
        return GradientTiling(deterministic)

    @property
    def stem(self) -> str:
        """Name of its source."""
        return f"backward_{self.target}"

    def check(self, problem: Problem) -> None:
        """Check that the kernel can compute the gradients of a problem.

        Raises:
            UserError: it cannot.
        """
        if problem.element_bytes != 2:
            raise UserError(
                f"q, k and v are of dtype {problem.element}; fmha's backward pass has bfloat16 and "
                "float16"
            )
        dims = problem.head_dim, problem.values
        if dims not in ((64, 64), (128, 128)):
            raise UserError(
                f"the head dimension is {dims[0]}, and {dims[1]} of v; fmha's backward pass has 64 "
                "and 128"
            )

    def layouts(self, problem: Problem) -> list[Layout]:
        """The maps that the source uses: README.md says where."""
        return layouts_of_16_bits(problem.element)

    def defines(self, problem: Problem, tiling: GradientTiling) -> dict[str, int]:
        """Return the macros of the source.

        Raises:
            UserError: the kernel cannot compute the problem.
        """
        self.check(problem)
        check_registers(CONSUMERS, tiling.registers)
        return {
            "HEAD_DIM": problem.head_dim,
            "SEES_LEFT": int(problem.left == ALL),
            "SEES_RIGHT": int(problem.right == ALL),
            "VARLEN": int(bool(problem.lengths)),
            "OUTPUT_F16": int(problem.element == "float16"),
            "Q_STAGES": tiling.q_stages,
            "DO_STAGES": tiling.d_o_stages,
            "DETERMINISTIC": int(tiling.deterministic),
            "CONSUMER_REGISTERS": tiling.registers[0],
            "PRODUCER_REGISTERS": tiling.registers[1],
        }

    def headers(self, problem: Problem, tiling: GradientTiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and the wrappers of wgmma.

        Raises:
            UserError: a map was never observed.
        """
        kind = TYPES[problem.element].ptx
        scores, weights, keys = (
            f"wgmma.m64n{columns}k16.f32.{kind}.{kind}"
            for columns in (tiling.queries, problem.head_dim, problem.head_dim // CONSUMERS)
        )
        wrappers = (
            wrapper(scores, ("ss",)),
            wrapper(weights, ("rs",), transposed_b=True),
            wrapper(keys, ("ss",), transposed_b=True, transposed_a=True),
        )
        return {
            HEADER: header(self.layouts(problem), results),
            "wgmma.h": "\n".join(["#pragma once\n", *wrappers]),
        }

    def launches(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: GradientTiling,
        arrays: GradientArrays,
        scale: float,
        ends: tuple[Any, Any] | None = None,
    ) -> list[Launch]:
        """Return the launches that compute dQ, dK and dV, in their order.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The tile that the text was made for.
            arrays: The operands.
            scale: Factor of the logits.
            ends: cu_seqlens of queries and keys on the device, if it alone knows the lengths.
        """
        before: list[Launch] = []
        if ends is None:
            maps, sequences, numbers = _maps(device, problem, tiling, arrays)
            entries = _scheduled(device, problem, tiling)
            ctas = int(entries.size)
        else:
            maps = _seven(device, problem, tiling, arrays,
                          (1, problem.queries, problem.keys), (0, 0))  # fmt: skip
            made = self._tables(device, problem, tiling, maps, ends)
            before, ctas = [made.make], made.ctas
            sequences, numbers, entries = made.records, made.query_tiles, made.entries
        sizes, tiles = _sizes(problem, tiling, scale), query_tiles(problem, tiling)
        prepare = Launch(
            module["fmha_prepare"],
            (tiles, problem.heads, 1),
            _ROW_THREADS,
            (arrays.o.array, arrays.d_o.array, arrays.log_sum_exp.array, sequences, numbers,
             arrays.statistics, arrays.sums, arrays.turns, sizes),
        )  # fmt: skip
        backward = Launch(
            module["fmha_backward"],
            ctas,
            tiling.threads,
            (*(maps[each] for each in ("q", "k", "v", "d_o", "dk", "dv")), sequences,
             arrays.statistics, arrays.sums, arrays.turns,
             entries, sizes),
            tiling.shared_bytes(problem),
        )  # fmt: skip
        finish = Launch(
            module["fmha_finish"],
            (tiles, problem.heads, 1),
            128 * problem.head_dim // 64,
            (maps["dq"], sequences, numbers, arrays.sums, sizes),
        )
        return [*before, prepare, backward, finish]

    def _tables(
        self,
        device: Any,
        problem: Problem,
        tiling: GradientTiling,
        maps: dict[str, Any],
        ends: tuple[Any, Any],
    ) -> Tables:
        """Return what the device makes of lengths that it alone knows.

        Raises:
            UserError: there are more heads of sequences than an entry of the schedule can name.
        """
        p = problem
        if (p.batch + 1) * p.kv_heads >= 1 << 16:
            raise UserError(
                f"{p.batch} sequences of {p.kv_heads} heads of k and v are too many; their product "
                f"must be less than {(1 << 16) - p.kv_heads}"
            )
        row = p.head_dim * p.element_bytes
        of_keys = ("k", "v", "dk", "dv")
        given = [
            (each, row * (p.kv_heads if name in of_keys else p.heads))
            for name, each in maps.items()
        ]
        key_maps = sum(1 << i for i, name in enumerate(maps) if name in of_keys)
        # The first tiles of keys have the most queries; for those that wait see `schedule`.
        descending = p.causal and tiling.deterministic
        form = Form(len(maps), key_maps, KEYS, True, descending, tiling.queries)
        return TableKernel(self.target).tables(device, p, form, given, ends, p.kv_heads)


def _sizes(problem: Problem, tiling: GradientTiling, scale: float) -> ByValue:
    """Return the source's `Sizes`."""
    packed = struct.pack(
        "<iiiiiifif",
        problem.heads,
        problem.heads // problem.kv_heads,
        problem.queries,
        problem.keys,
        *problem.reach,
        scale * math.log2(math.e),
        query_tiles(problem, tiling),
        scale,
    )
    return ByValue(packed, 4)


def _maps(
    device: Any, problem: Problem, tiling: GradientTiling, arrays: GradientArrays
) -> tuple[dict[str, Any], Any, Any]:
    """Return the tensor maps by name, the array of the source's `Packed`, and query tiles."""
    if not problem.lengths:
        whole = (problem.batch, problem.queries, problem.keys)
        return _seven(device, problem, tiling, arrays, whole, (0, 0)), np.uint64(0), np.uint64(0)
    records: list[tuple[Iterable[Any], bytes]] = []
    numbers: list[int] = []
    maps: dict[str, Any] = {}
    for i, (lengths, first) in enumerate(sequences(problem)):
        maps = _seven(device, problem, tiling, arrays, lengths, first)
        integers = struct.pack("<iiii", *lengths[1:], first[0], len(numbers))
        records.append((maps.values(), integers))
        numbers += [i << 16 | tile for tile in range(-(-lengths[1] // tiling.queries))]
    query_tiles = device.array(np.array(numbers, np.uint32), name="query_tiles")
    return maps, table_of(device, records), query_tiles


def _seven(
    device: Any,
    problem: Problem,
    tiling: GradientTiling,
    arrays: GradientArrays,
    sizes: tuple[int, int, int],
    first: Sequence[int],
) -> dict[str, Any]:
    """Return maps of (sequences, queries, keys), from given rows on, in the order of `Packed`."""
    batch, queries, keys = sizes
    of_queries = (batch, queries, problem.heads), first[0]
    of_keys = (batch, keys, problem.kv_heads), first[1]
    stored = tiling.stored_rows
    found = {
        "q": (arrays.q, of_queries, tiling.queries),
        "k": (arrays.k, of_keys, KEYS),
        "v": (arrays.v, of_keys, KEYS),
        "d_o": (arrays.d_o, of_queries, tiling.queries),
        "dq": (arrays.dq, of_queries, stored),
        "dk": (arrays.dk, of_keys, stored),
        "dv": (arrays.dv, of_keys, stored),
    }
    return {
        name: tensor_map(device, operand, problem.element, lengths, rows, start)
        for name, (operand, (lengths, start), rows) in found.items()
    }
