"""Faults of grouped_gemm: of maps that it edits, of its walk through groups, of each target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from lanemap.benching.gemm.blackwell import BlackwellTiling
from lanemap.benching.gemm.tiling import Tiling
from tests.kernels.faults import ARITHMETIC, LAYOUT, ORDER, Fault, Suite, adapted
from tests.kernels.faults.blackwell_gemm import COMMON, IN_ENTRY, PAIR, PIPELINE
from tests.kernels.faults.hopper_gemm import MULTIPLIED, PIPELINED
from tests.kernels.grouped import kernel_for, launched, problem_of

_GROUPS, _MAPS = "grouped.h", "edited_maps.h"
_SUMS = "blackwell_blocks.h"
#: Groups of fewer stages than a CTA holds, and of more; one has several tiles, one none. Two CTAs
#: of a cluster.
SIZES, SHAPE = [1, 130, 0, 3, 2, 140, 1, 1], (290, 136, 128)
TILINGS = {
    "sm_90a": Tiling(columns=128, stages=6),
    "sm_100a": BlackwellTiling(columns=128, stages=5, cluster_m=2),
}

MAPS = (
    Fault("A's map is made again while copies still read it", ORDER, "hazard",
          "reads asynchronously", _GROUPS,
          "        wait_for_load({pipe.base, load % STAGES, 0}, load / STAGES % 2);\n",
          "        ;\n"),
    Fault("A's maps do not take turns", ORDER, "hazard",
          "reads asynchronously", _GROUPS, "    turn ^= 1;\n", ""),
    Fault("C's map is made again while stores still read it", ORDER, "hazard",
          "reads asynchronously", "", "      if (lane == 0) tma_store_wait_read<0>();\n", ""),
    Fault("No fence.proxy.tensormap acquires the map", ORDER, "hazard",
          "fence.proxy.tensormap", _MAPS,
          '  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) '
          ': "memory");\n', ""),
    Fault("The map is not copied to memory", ORDER, "hazard",
          "nothing had written", _MAPS,
          '  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release'
          '.gpu"\n               ".sync.aligned [%0], [%1], 128;"\n'
          '               ::"l"(__cvta_generic_to_global(map)), "r"(staged) : "memory");\n', ""),
    Fault("The staged map is used before it is written", ORDER, "hazard",
          "nothing had written", "", "  if (warp < 4 && lane == 0) stage_map(staged, c);\n", ""),
    Fault("All storing warps share one staged map", ORDER, "hazard",
          "without being ordered after", "", "", ""),
    Fault("A map keeps the rows of the whole matrix", LAYOUT, "hazard",
          "writes global memory at", _MAPS, '"r"(staged), "r"(rows)',
          '"r"(staged), "r"(1 << 20)'),
    Fault("A map keeps the address of the group before", LAYOUT, "hazard",
          "writes global memory at", _MAPS,
          "asm volatile(\"tensormap.replace.tile.global_address",
          "if (rows != 3) asm volatile(\"tensormap.replace.tile.global_address"),
    Fault("The extent along K is edited instead of that along rows", LAYOUT, "hazard",
          "writes global memory at", _MAPS, "b1024.b32 [%0], 1, %1;", "b1024.b32 [%0], 0, %1;"),
    Fault("The warp copies a map before the lane that edits it has met the others", ORDER, "strict",
          "__syncwarp", _MAPS, "  }\n  __syncwarp();\n  asm volatile(\"tensormap.cp",
          "  }\n  asm volatile(\"tensormap.cp"),
)  # fmt: skip
WALK = (
    Fault("A tile that a group does not fill is left out", LAYOUT, "wrong",
          "", _GROUPS, "(rows + CTAS * TILE_M - 1) / (CTAS", "rows / (CTAS"),
    Fault("Groups begin where the first one does", LAYOUT, "hazard",
          "writes global memory at", _GROUPS, "      if (!groups.capacity) first += rows;\n", ""),
    Fault("Every group has the first one's matrix of B", LAYOUT, "wrong",
          "", "", "b_row, walk.group, pipe.full()", "b_row, 0, pipe.full()"),
    Fault("Tiles of a group are counted again in the next one", LAYOUT, "wrong",
          "", _GROUPS, "      tile -= tiles;\n", ""),
    Fault("Rows and columns of a tile are exchanged", LAYOUT, "wrong",
          "", _GROUPS, "tile / row_tiles() * TILE_N", "tile % row_tiles() * TILE_N"),
    Fault("The full barrier forgets B", ORDER, "hazard",
          "nothing orders this after phase", "",
          "mbarrier_expect(pipe.full(), STAGE_BYTES * CTAS)",
          "mbarrier_expect(pipe.full(), A_BYTES * CTAS)"),
)  # fmt: skip


def scaled(problem: Any) -> Any:
    """The product of FP8 with scales of blocks."""
    return replace(problem, element="float8_e4m3fn", scaled=True)


#: Of the scales of groups.
SCALES = (
    Fault("Every group has the first one's scales of B", LAYOUT, "wrong",
          "", _GROUPS, "    own.b += group * groups.b_scales_group;\n", "", scaled),
    Fault("A's scales begin with the first group's", LAYOUT, "wrong",
          "", _GROUPS, "own.a += static_cast<unsigned long long>(first) * own.a_row",
          "own.a += static_cast<unsigned long long>(0) * own.a_row", scaled),
)  # fmt: skip


_C_REMADE = "      if (lane == 0) tma_store_wait_read<0>();\n      __syncwarp();\n"
HOPPER = (
    *adapted(MAPS, {
        "C's map is made again while stores still read it": {
            "old": _C_REMADE, "new": "      __syncwarp();\n"},
        "The staged map is used before it is written": {
            "old": "  if (warpgroup > 0 && lane == 0) stage_map(staged, c);\n"},
        "All storing warps share one staged map": {
            "old": "(1 + storing) * MAP_BYTES", "new": "MAP_BYTES"},
        "A map keeps the rows of the whole matrix": {"message": "outside every allocation"},
        "The extent along K is edited instead of that along rows": {
            "message": "outside every allocation"},
    }),
    *adapted(WALK, {
        "Every group has the first one's matrix of B": {
            "old": "walk.rank * part, walk.group, pipe.full()",
            "new": "walk.rank * part, 0, pipe.full()"},
        "The full barrier forgets B": {
            "old": "mbarrier_expect(pipe.full(), STAGE_BYTES)",
            "new": "mbarrier_expect(pipe.full(), A_BYTES)"},
    }),
    *adapted((*PIPELINED, *MULTIPLIED), {
        "The producer does not wait for an empty stage": {
            "file": _GROUPS, "old": "        mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n"},
        "The empty barrier counts one CTA's consumers": {
            "file": "", "old": "CONSUMERS * RELEASING_WARPS * CTAS);",
            "new": "CONSUMERS * RELEASING_WARPS);"},
        "The multicast leaves out the other CTA": {
            "message": "lacks 0 of its 1 arrivals", "file": "", "old": "(1u << CTAS) - 1);",
            "new": "1u << walk.rank);"},
        "A CTA ends while the other one arrives there": {
            "message": "may end before this arrival at shared", "file": ""},
        "No fence.proxy.async before the TMA store": {"file": ""},
        "A box is overwritten while a store reads it": {
            "message": "wait_group.read by its own warp is missing", "file": "",
            "old": "    if (lane == 0) tma_store_wait_read<(TILE_N > BOX_COLUMNS)>();\n"},
        "D is read before the last wgmma is done": {
            "old": "  wgmma_wait<0>();\n  pin_blocks(d);\n  release(before",
            "new": "  release(before"},
        "A stage is released before wgmma has read it": {"old": "    wgmma_wait<1>();\n"},
    }),
    Fault("Both CTAs load the same half of B", LAYOUT, "wrong", "", "",
          "walk.column() + walk.rank * part,", "walk.column(),"),
    *SCALES,
    Fault("Both consumers have the scales of the first one's rows", LAYOUT, "wrong",
          "", "", "false, walk.row() + consumer * ROWS,", "false, walk.row(),", scaled),
)  # fmt: skip
BLACKWELL = (
    *adapted(MAPS, {
        "C's map is made again while stores still read it": {
            "old": _C_REMADE, "new": "      __syncwarp();\n"},
        "All storing warps share one staged map": {
            "old": "(1 + warp) * MAP_BYTES", "new": "MAP_BYTES"},
    }),
    Fault("The second CTA's loads are waited for at its own full mbarriers", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", "",
          "mbarrier_wait(CTAS > 1 ? stage.empty() : stage.full(), parity)",
          "mbarrier_wait(stage.full(), parity)"),
    *adapted(WALK, {
        "The full barrier forgets B": {"message": "lacks 1 of its 1 arrivals"}}),
    *COMMON,
    *adapted(PIPELINE, {
        "The producer does not wait for an empty stage": {
            "file": _GROUPS, "old": "        mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n",
            "new": ""},
        "The producer waits for the wrong phase": {
            "file": _GROUPS, "old": "mbarrier_wait(pipe.empty(), pipe.parity ^ 1);",
            "new": "mbarrier_wait(pipe.empty(), pipe.parity);"},
    } | {name: {"file": ""} for name in IN_ENTRY} | {
        "Tensor memory is freed while the epilogue loads it": {
            "file": "", "message": "deallocates tensor memory"}}),
    *adapted(PAIR, {
        "The second CTA's bytes are not expected": {"file": ""},
        "Both CTAs load the same half of B": {
            "file": "", "old": "walk.column() + walk.rank * (TILE_N / CTAS)",
            "new": "walk.column()"},
    }),
    *SCALES,
    Fault("A stage's sum goes on from that of the stage before", ARITHMETIC, "hazard",
          "decide the matrix operand", _SUMS, "DESCRIPTOR, step > 0)", "DESCRIPTOR, true)", scaled),
)  # fmt: skip


def outcome(target: str, texts: Mapping[str, str], change: Any, strict: bool) -> float:
    """Which part of C is wrong, or written though no group has the row.

    `change` makes another product of the one that is computed, with a tile that it has.
    """
    problem, tiling = problem_of(*SHAPE, len(SIZES)), TILINGS[target]
    if change:
        problem = change(problem)
        tiling = replace(tiling, cluster_m=1) if target == "sm_90a" else tiling
    text = kernel_for(target).product.compile(problem.product, tiling, texts)
    c, expected, written = launched(text, target, problem, tiling, SIZES, strict)
    return float(np.mean((c != expected) | ~written))


QUICK = ("A's maps do not take turns",)
SUITES = (
    Suite("grouped_gemm", "sm_90a", HOPPER, partial(outcome, "sm_90a"), ()),
    Suite("grouped_gemm", "sm_100a", BLACKWELL, partial(outcome, "sm_100a"), QUICK),
)
