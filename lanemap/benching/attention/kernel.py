"""The kernel of attention for sm_90a: its text for a tile, and its launch on any device."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

from lanemap import paths
from lanemap.benching.arrays import Operand
from lanemap.benching.attention.problem import Problem
from lanemap.benching.attention.tiling import ROWS, Tiling
from lanemap.benching.build import compile_kernel, sources
from lanemap.benching.gemm.kernel import Launch
from lanemap.benching.gemm.problem import TYPES
from lanemap.benching.layouts import HEADER, Layout, header
from lanemap.devices.arguments import ByValue
from lanemap.records.files import Roots
from lanemap.wgmma_wrappers import wrapper

NAME, TARGET = "fmha", "sm_90a"
#: Elements of a row of the 128-byte swizzle, and rows of a warp's box of O.
_BOX_COLUMNS, _BOX_ROWS = 64, 16


@dataclass(frozen=True)
class Arrays:
    """The operands on a device: Q, K, V, O of rows of a head dimension, and f32 of each row."""

    q: Operand
    k: Operand
    v: Operand
    o: Operand
    log_sum_exp: Operand


def layouts(problem: Problem) -> list[Layout]:
    """The maps that sm_90a.cu uses: README.md says where."""
    kind = TYPES[problem.element].ptx
    return [
        Layout("wgmma.m64n256.f32:D", "d", "word"),
        Layout(f"wgmma.m64k16.{kind}:A", "fragment", "half"),
        Layout("stmatrix.sync.aligned.m8n8.x4.shared.b16", "chunk", "half"),
        Layout("cp.async.bulk.tensor.swizzle_128b", "swizzle", inverse=True),
        Layout("shared.k_major.128b.16bit", "operand", inverse=True),
        Layout("shared.mn_major.128b.16bit", "value", inverse=True),
    ]


def defines(problem: Problem, tiling: Tiling) -> dict[str, int]:
    """Return the macros of the source."""
    consumer, producer = tiling.registers
    return {
        "HEAD_DIM": problem.head_dim,
        "TILE_N": tiling.columns,
        "CONSUMERS": tiling.consumers,
        "Q_STAGES": tiling.q_stages,
        "STAGES": tiling.stages,
        "CAUSAL": int(problem.causal),
        "OUTPUT_F16": int(problem.element == "float16"),
        "CONSUMER_REGISTERS": consumer,
        "PRODUCER_REGISTERS": producer,
    }


@cache
def _text(head_dim: int, causal: bool, element: str, tiling: Tiling, results: Roots) -> str:
    problem = Problem(1, 1, 1, 1, 1, head_dim, causal, element)
    kind = TYPES[element].ptx
    types = f"k16.f32.{kind}.{kind}"
    keys = wrapper(f"wgmma.m64n{tiling.columns}{types}", ("ss",))
    values = wrapper(f"wgmma.m64n{head_dim}{types}", ("rs",), transposed_b=True)
    emitted = {
        HEADER: header(layouts(problem), results),
        "wgmma.h": f"#pragma once\n\n{keys}\n{values}",
    }
    return compile_kernel(sources(NAME, TARGET), TARGET, defines(problem, tiling), emitted)


def ptx(problem: Problem, tiling: Tiling, results: Roots | None = None) -> str:
    """Return the kernel's PTX for a tile; texts are kept.

    Args:
        problem: Its head dimension, mask and type choose the text, its sizes do not.
        tiling: The tile.
        results: Where observations lie; by default what lanemap came with.

    Raises:
        UserError: a map was never observed, or NVRTC refuses the source.
        MissingEnvironment: NVRTC is not here.
    """
    roots = results if results is not None else paths.find("results")
    return _text(problem.head_dim, problem.causal, problem.element, tiling, roots)


def launch(
    device: Any, module: Any, problem: Problem, tiling: Tiling, arrays: Arrays, scale: float,
    multiprocessors: int, group: int,
) -> Launch:  # fmt: skip
    """Return a launch that computes O and the logarithm of each row's sum.

    Args:
        device: As `lanemap.open_device` returns it.
        module: What the device loaded of `ptx`.
        problem: Sizes and types.
        tiling: The tile that the text was made for.
        arrays: The operands.
        scale: Of the logits.
        multiprocessors: CTAs that run at once, one on each.
        group: See `Tiling.schedule`.
    """
    p = problem
    maps = [
        _tensor_map(device, arrays.q, p, p.queries, p.heads, ROWS),
        _tensor_map(device, arrays.k, p, p.keys, p.kv_heads, tiling.columns),
        _tensor_map(device, arrays.v, p, p.keys, p.kv_heads, tiling.columns),
        _tensor_map(device, arrays.o, p, p.queries, p.heads, _BOX_ROWS),
    ]
    ctas = tiling.ctas(problem, multiprocessors)
    # struct Shape of the source.
    shape = struct.pack(
        "<iiiif", p.heads, p.heads // p.kv_heads, p.queries, p.keys, scale * math.log2(math.e)
    )
    arguments = (
        *maps, arrays.log_sum_exp.array,
        device.array(tiling.schedule(problem, ctas, group), name="schedule"), ByValue(shape, 4),
    )  # fmt: skip
    return Launch(
        module[NAME], ctas, tiling.threads, arguments, tiling.shared_bytes(problem), (1, 1, 1)
    )


def _tensor_map(
    device: Any, operand: Operand, problem: Problem, length: int, heads: int, rows: int
) -> Any:
    """A map of (batch, heads, length, head dimension) over memory of (batch, length, heads, ..)."""
    row = operand.row_bytes
    return device.tensor_map(
        operand.array, box=(1, 1, rows, _BOX_COLUMNS), dtype=problem.element,
        sizes=(problem.batch, heads, length, problem.head_dim),
        strides=(length * heads * row, row, heads * row), swizzle="128b", l2_promotion="l2_256b",
    )  # fmt: skip
