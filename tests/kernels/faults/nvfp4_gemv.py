"""Faults of nvfp4_gemv: on CUDA cores for sm_90a, on the tensor core for sm_100a."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import lanemap
import lanemap.benching
from lanemap_kernels.nvfp4_gemv.kernel import compile_texts, form
from lanemap_kernels.nvfp4_gemv.problem import Problem
from lanemap_kernels.nvfp4_gemv.tiling import FmaTiling, MmaTiling, Tiling
from tests.kernels.faults import LAYOUT, ORDER, Fault, Suite
from tests.kernels.gemv import Operands, exact, launched

_LOOP, _DECODE, _SCALED, _OWN = "nvfp4_fma.h", "nvfp4_decode.h", "blackwell_scaled.h", ""
#: One CTA has both matrices, whose last group has rows beyond the end; the last chunk is a part.
FMA = Problem(14, 2112, 2), FmaTiling(warps=6, split=3, stages=2)
#: Clusters of two share five tiles of k, of which the last is a part, through two stages.
MMA = Problem(136, 1184, 2, "mma", "atoms"), MmaTiling(split=2, stages=2)


def _outcome(
    problem: Problem,
    tiling: Tiling,
    target: str,
    texts: Mapping[str, str],
    change: Callable[[Any], Any] | None,
    strict: bool,
) -> float:
    """The part of c that is wrong; a change is of the operands that the kernel is given."""
    operands = exact(problem.m, problem.k, problem.batches)
    text = compile_texts(form(problem, tiling, target), texts)
    given = change(operands) if change else operands
    c = launched(text, problem, tiling, given, target, strict=strict, multiprocessors=1)
    return float(np.mean(c != operands.rounded()))


def _fma(texts: Mapping[str, str], change: Callable[[Any], Any] | None, strict: bool) -> float:
    return _outcome(*FMA, "sm_90a", texts, change, strict)


def _mma(texts: Mapping[str, str], change: Callable[[Any], Any] | None, strict: bool) -> float:
    return _outcome(*MMA, "sm_100a", texts, change, strict)


def _high_first(given: Operands) -> Operands:
    """The lower k in the high four bits of A's bytes."""
    return Operands(given.a << 4 | given.a >> 4, given.b, given.sfa, given.sfb)


class _OtherAtoms(Operands):
    """Scales laid out wrongly."""

    def contest(self, atoms: bool) -> tuple[Any, Any, Any, Any]:
        """Atoms of A whose rows and quarters are exchanged."""
        a, b, sfa, sfb = super().contest(atoms)
        memory = lanemap.scale_atoms(self.sfa)  # (L, tiles, atoms, 32, 4, 4)
        apart = memory.reshape(*memory.shape[:3], 4, 32, 4).swapaxes(3, 4)
        return a, b, np.ascontiguousarray(apart).transpose(3, 4, 1, 5, 2, 0), sfb


def _rows_adjacent(given: Operands) -> Operands:
    """Atoms in which rows follow each other four by four instead of 32 apart."""
    return _OtherAtoms(given.a, given.b, given.sfa, given.sfb)


def _scales_first(given: Operands) -> Operands:
    """The scales of b where those of A's first row are."""
    sfa = given.sfa.copy()
    sfa[:, :1] = given.sfb
    return Operands(given.a, given.b, sfa, np.ascontiguousarray(given.sfa[:, :1]))


FMA_FAULTS = (
    Fault("No barrier before the warps' sums are added", ORDER, "hazard",
          "__syncwarp() (bar.warp.sync) by both lanes is missing between them", _LOOP,
          "  __syncthreads();\n  finish(", "  finish("),
    Fault("The next matrix's sums overwrite those that are being added", ORDER, "hazard",
          "a barrier, or release and acquire, is missing between them", _LOOP,
          "    if (left > 0) __syncthreads();\n", ""),
    Fault("Half of the lanes give their sums away alone", ORDER, "hazard",
          "wait for lanes that do not come", _LOOP,
          "    if (count == 0) sums[0] +=", "    if (count == 0 && !high) sums[0] +="),
    Fault("Rows beyond the end are loaded", LAYOUT, "hazard",
          "are outside every allocation", _LOOP,
          "        if (FULL || j * int(STRIDE) < from.rows)\n", ""),
    Fault("Rows beyond the end are stored", LAYOUT, "hazard",
          "are outside every allocation", _LOOP,
          "  if (FULL || row < in.m) in.c[row]", "  in.c[row]"),
    Fault("Lanes beyond the end of k load", LAYOUT, "hazard",
          "are outside every allocation", _LOOP,
          "|| block(i) < ROW_SCALES;", "|| true;"),
    Fault("The upper four elements of a word come first", LAYOUT, "wrong", "", _DECODE,
          "    sum = __dp4a(int(magnitudes(word)), int(low_b), sum);\n"
          "    return __dp4a(int(magnitudes(word >> 16)), int(high_b), sum);",
          "    sum = __dp4a(int(magnitudes(word)), int(high_b), sum);\n"
          "    return __dp4a(int(magnitudes(word >> 16)), int(low_b), sum);"),
    Fault("Negative elements count as zero", LAYOUT, "wrong", "", _DECODE,
          "return __int_as_float(positive) - __int_as_float(negative);",
          "return __int_as_float(positive) - __int_as_float(origin);"),
    Fault("An element is its code", LAYOUT, "wrong", "", _DECODE,
          "high = 0x0c080604", "high = 0x07060504"),
    Fault("The product of two halves counts as a half", LAYOUT, "wrong", "", _DECODE,
          "UNIT = 0.25f", "UNIT = 0.5f"),
    Fault("A block has the scale of its neighbor", LAYOUT, "wrong", "", _LOOP,
          "fmaf(low, scales.x * b.scales[i].x", "fmaf(low, scales.y * b.scales[i].x"),
    Fault("b's scales are those of the first warp", LAYOUT, "wrong", "", _LOOP,
          "load_two(from.chunk_scales(i) + (ATOM_SCALES ? at.block(i) % 4 : 0));",
          "load_two(from.chunk_scales(i) - at.split * 64);"),
    Fault("All matrices have the first b", LAYOUT, "wrong", "", _LOOP,
          "b + i * b_bytes,", "b,"),
    Fault("A row's scales are those of K / 32 blocks", LAYOUT, "wrong", "", _LOOP,
          ": (unsigned long long)row * ROW_SCALES + block);",
          ": (unsigned long long)row * (ROW_SCALES / 2) + block);"),
    Fault("A lane stores the sum of another row", LAYOUT, "wrong", "", _LOOP,
          "[at.split][lane / share] = sum", "[at.split][(lane / share + 1) % ROWS] = sum"),
    Fault("The first warp's sums are left out", LAYOUT, "wrong", "", _LOOP,
          "float sum = partials[group][0][i % ROWS];", "float sum = 0;"),
    Fault("Nibbles are packed with the high one first", LAYOUT, "wrong", host=_high_first),
    Fault("The scales of A and b are exchanged", LAYOUT, "wrong", host=_scales_first),
)  # fmt: skip
MMA_FAULTS = (
    Fault("The producer does not wait for an empty stage", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n", ""),
    Fault("The producer waits for the wrong phase", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN,
          "    mbarrier_wait(pipe.empty(), pipe.parity ^ 1);\n",
          "    mbarrier_wait(pipe.empty(), pipe.parity);\n"),
    Fault("A stage is never committed", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN, "    mma_commit(pipe.empty());\n", ""),
    Fault("The sum is never committed", ORDER, "hazard",
          "lacks 1 of its 1 arrivals", _OWN, "  mma_commit(pipe.base + DONE);\n", ""),
    Fault("The sum is released by an arrival instead of a commit", ORDER, "hazard",
          "tcgen05.commit and a wait for i", _OWN, "  mma_commit(pipe.base + DONE);\n",
          "  mbarrier_arrive(pipe.base + DONE, part.first > 0);\n"),
    Fault("The products do not wait for a full stage", ORDER, "hazard",
          "decide the matrix operand", _OWN,
          "    mbarrier_wait(pipe.full(), pipe.parity);\n", ""),
    Fault("The full barrier leaves the scales out", ORDER, "hazard",
          "nothing orders this after phase", _OWN,
          "mbarrier_expect(pipe.full(), STAGE_BYTES);",
          "mbarrier_expect(pipe.full(), STAGE_BYTES - 2 * SCALE_BYTES);"),
    Fault("The epilogue does not wait for the sum", ORDER, "hazard",
          "without being ordered after", _OWN, "  mbarrier_wait(base + DONE, 0);\n", ""),
    Fault("No wait for the load of the sum", ORDER, "strict",
          "tcgen05.wait::ld", _OWN, "  tcgen05_wait_ld(d);\n", ""),
    Fault("No fence after the sum is complete", ORDER, "strict",
          "tcgen05.fence::after_thread_sync by warp", _OWN,
          "  mbarrier_wait(base + DONE, 0);\n  tcgen05_fence_after_thread_sync();\n",
          "  mbarrier_wait(base + DONE, 0);\n"),
    Fault("The cluster's sums are added without a barrier of the cluster", ORDER, "hazard",
          "a cluster barrier, or release and acquire at cluster scope, is missing", _OWN,
          "  // Role: all.\n  barrier_of_all<SPLIT>();", "  // Role: all.\n  __syncthreads();"),
    Fault("Every CTA stores the sums of the first one", ORDER, "hazard",
          "a cluster barrier, or release and acquire at cluster scope, is missing", _OWN,
          "(rank * TILE_M + row) * 4", "row * 4"),
    Fault("Tensor memory is never freed", ORDER, "hazard",
          "are not deallocated when the CTA ends", _OWN,
          "  if (warp == MMA_WARP) tcgen05_dealloc<COLUMNS>(columns);\n", ""),
    Fault("The scales of A are never copied", ORDER, "hazard",
          "decide the matrix operand", _OWN,
          "      copy_atom(sfa, pipe.sfa() + step * ATOM_BYTES);\n", ""),
    Fault("Scales are copied for two warps' lanes alone", LAYOUT, "hazard",
          "must be the same in all four groups", _SCALED,
          ".32x128b.warpx4 [%0], %1;", ".64x128b.warpx2::02_13 [%0], %1;"),
    Fault("D is added to before it is zero", LAYOUT, "hazard",
          "decide the matrix operand", _OWN, "block > part.first || step > 0);", "true);"),
    Fault("Every tile of k overwrites D", LAYOUT, "wrong", "", _OWN,
          "block > part.first || step > 0);", "step > 0);"),
    Fault("Scales are of 32 elements (scale_vec::2X)", LAYOUT, "hazard",
          "nvfp4 wants 4X", _SCALED,
          "scale_vec::4X", "scale_vec::2X"),
    Fault("SFA and SFB are exchanged", LAYOUT, "wrong", "", _SCALED,
          '"r"(sfa), "r"(sfb)', '"r"(sfb), "r"(sfa)'),
    Fault("A step's scales are those of the step before", LAYOUT, "hazard",
          "decide the matrix operand", _OWN,
          "DESCRIPTOR, sfa, sfb,", "DESCRIPTOR, sfa ^ COPY_COLUMNS, sfb,"),
    Fault("The atom's SBO is that of rows of 32 bytes", LAYOUT, "hazard",
          "tcgen05.commit and a wait for its mbarrier", _SCALED,
          "eight_rows >> 4 << 32 | 1ull << 46;", "2 * eight_rows >> 4 << 32 | 1ull << 46;"),
    Fault("B's k step is twice too long", LAYOUT, "hazard",
          "which nothing had written", _OWN,
          "b + k, DESCRIPTOR", "b + 2 * k, DESCRIPTOR"),
    Fault("The instruction descriptor says ue8m0 scales", LAYOUT, "wrong", "", _OWN,
          "constexpr unsigned DESCRIPTOR = ", "constexpr unsigned DESCRIPTOR = 1u << 23 | "),
    Fault("The epilogue takes a column of zeros", LAYOUT, "wrong", "", _OWN,
          "columns + product_column() + (32 * warp << 16)",
          "columns + product_column() + 1 + (32 * warp << 16)"),
    Fault("A CTA begins where the one before it begins", LAYOUT, "wrong", "", _OWN,
          "tile / tiles, tiles, k_blocks * rank / SPLIT,", "tile / tiles, tiles, 0,"),
    Fault("All matrices have the first SFA", LAYOUT, "wrong", "", _OWN,
          "block * STEPS, part.batch * part.tiles + part.tile,", "block * STEPS, part.tile,"),
    Fault("The rows of an atom lie side by side", LAYOUT, "wrong", host=_rows_adjacent),
    Fault("Nibbles are packed with the high one first", LAYOUT, "wrong", host=_high_first),
    Fault("The scales of A and b are exchanged", LAYOUT, "wrong", host=_scales_first),
)  # fmt: skip
SUITES = (
    Suite("nvfp4_gemv", "sm_90a", FMA_FAULTS, _fma,
          ("Negative elements count as zero",)),
    Suite("nvfp4_gemv", "sm_100a", MMA_FAULTS, _mma,
          ("The epilogue does not wait for the sum",)),
)  # fmt: skip
