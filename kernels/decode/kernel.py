"""The kernels of decode attention: their text for a tile, and their launches on any device."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.benching.arrays import Operand
from lanemap.benching.attention.kernel import layouts_of_16_bits, tensor_map
from lanemap.benching.build import CompiledKernel, debugging
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.launch import Launch
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.devices.arguments import ByValue
from lanemap.emission.wgmma_wrappers import wrapper
from lanemap.records.files import Roots

from .problem import Problem
from .tiling import Tiling, blocks, rows

NAME = "decode"
#: Threads of `decode_combine`.
_COMBINING = 256
#: Its CTAs, for each SM: with more of them, each has several rows.
_COMBINING_CTAS = 16


@dataclass(frozen=True)
class Arrays:
    """The operands on a device.

    Attributes:
        q: (batch, queries, heads, head dimension).
        k: (batch, keys, heads of K and V, head dimension), or (pages, keys of a page, ..).
        v: As `k`.
        o: As `q`, contiguous.
        log_sum_exp: (batch, heads, queries) of f32.
        lengths: Keys of each sequence, of int32; None if all have the most.
        pages: The block table, (batch, pages of a sequence) of int32; None without pages.
        memory: f32 for the sums of parts, `workspace` of them; zeros before and after each launch
            if the tiling joins parts.
        pieces: Pages of `k`; sequences where each lies in one piece.
    """

    q: Operand
    k: Operand
    v: Operand
    o: Any
    log_sum_exp: Any
    lengths: Any
    pages: Any
    memory: Any
    pieces: int


def workspace(problem: Problem, ctas: int) -> int:
    """Return how many f32 the sums of parts need: two slots of each CTA."""
    return 2 * ctas * rows(problem) * (problem.head_dim + 2)


@dataclass(frozen=True)
class DecodeKernel(CompiledKernel[Problem, Tiling]):
    """The kernels for sm_90a."""

    target: str = "sm_90a"
    name: str = NAME

    def layouts(self, problem: Problem) -> list[Layout]:
        """The maps that the source uses: README.md says where."""
        return layouts_of_16_bits(problem.element)

    def defines(self, problem: Problem, tiling: Tiling) -> dict[str, int]:
        """Return the macros of the source."""
        return {
            "HEAD_DIM": problem.head_dim,
            "ELEMENT_BYTES": TYPES[problem.element].bytes,
            "OUTPUT_F16": int(problem.element == "float16"),
            "TILE_N": tiling.columns,
            "STAGES": tiling.stages,
            "CTAS_PER_SM": tiling.ctas,
            "PAGED": int(problem.page > 0),
            "BOX_KEYS": tiling.box_keys(problem),
            "JOINS": tiling.joined,
            **debugging(),
        }

    def headers(self, problem: Problem, tiling: Tiling, results: Roots) -> dict[str, str]:
        """Return the emitted headers by name: maps from `results`, and the wrappers of wgmma.

        Raises:
            UserError: a map was never observed.
        """
        kind = TYPES[problem.element].ptx
        keys, values = (
            f"wgmma.m64n{columns}k16.f32.{kind}.{kind}"
            for columns in (tiling.columns, problem.head_dim)
        )
        functions = [
            wrapper(keys, ("rs",), suffix="_keys"),
            wrapper(values, ("rs",), transposed_b=True),
        ]
        return {
            HEADER: header(self.layouts(problem), results),
            "wgmma.h": "\n".join(["#pragma once\n", *functions]),
        }

    def launches(
        self,
        device: Any,
        module: Any,
        problem: Problem,
        tiling: Tiling,
        arrays: Arrays,
        scale: float,
        multiprocessors: int,
        scratch: tuple[Any, ...] = (),
    ) -> list[Launch]:
        """Return the launches that compute O and log_sum_exp, in their order.

        Args:
            device: A device from `lanemap.open_device`.
            module: The module that the device loaded from `ptx`.
            problem: Sizes and types.
            tiling: The division that the text was made for.
            arrays: The operands.
            scale: Factor of the logits.
            multiprocessors: SMs of the device.
            scratch: Arrays of a plan's scratch, `arrays.memory` among them.
        """
        ctas, p = tiling.grid(problem, multiprocessors), problem
        whole = (arrays.pieces, p.page or p.keys, p.kv_heads)
        maps = [
            tensor_map(device, each, p.element, whole, tiling.box_keys(p), 0)
            for each in (arrays.k, arrays.v)
        ]
        lengths, pages = (
            np.uint64(0) if each is None else each for each in (arrays.lengths, arrays.pages)
        )
        sizes = _sizes(problem, arrays, scale, tiling.heads_of_team(p, multiprocessors))
        results = arrays.o, arrays.log_sum_exp
        heads = p.batch * p.kv_heads * blocks(p)
        attend = Launch(
            module[NAME],
            ctas,
            tiling.threads,
            (*maps, arrays.q.array, lengths, pages, *results, arrays.memory, sizes),
            tiling.shared_bytes(problem),
            overlaps=True,
            scratch=scratch,
        )
        combine = Launch(
            module[f"{NAME}_combine"],
            (heads, min(rows(p), max(1, _COMBINING_CTAS * multiprocessors // heads)), 1),
            _COMBINING,
            (lengths, arrays.memory, *results, sizes, np.int32(ctas)),
            overlaps=True,
            scratch=scratch,
        )
        return [attend] if ctas == 1 or tiling.joined else [attend, combine]


def _sizes(problem: Problem, arrays: Arrays, scale: float, team: int) -> ByValue:
    """Return the source's `Problem`."""
    p = problem
    packed = struct.pack(
        "<qqq10ifii4x",
        *arrays.q.strides,
        p.batch,
        p.kv_heads * blocks(p),
        blocks(p),
        p.group,
        p.queries,
        p.keys,
        *p.reach,
        p.page or p.keys,
        p.keys // p.page if p.page else 0,
        scale * math.log2(math.e),
        rows(p),
        team,
    )
    return ByValue(packed, 8)
