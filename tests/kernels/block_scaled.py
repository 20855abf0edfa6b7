"""What tests of block-scaled kernels share: operands, and launches of a text."""

from __future__ import annotations

from typing import Any

import numpy as np

import lanemap
from lanemap.benching.gemm.problem import TYPES
from lanemap.quantization.quantize import PADDING, BlockScaled
from lanemap_kernels.nvfp4_gemm.kernel import KERNEL
from lanemap_kernels.nvfp4_gemm.problem import Problem
from lanemap_kernels.nvfp4_gemm.product import adopted_arrays
from lanemap_kernels.nvfp4_gemm.tiling import Tiling


def integers(problem: Problem, seed: int = 0) -> tuple[BlockScaled, BlockScaled, Any]:
    """Operands whose sums every accumulation keeps exactly, and A @ B.T by NumPy.

    Blocks of A and B have scales from 1/4 to 2, so that a scale at a wrong place is seen. Elements
    and scales are drawn and encoded by ml_dtypes here: nothing is quantized, and C is the product
    of the numbers drawn.
    """
    rng, kind = np.random.default_rng(seed), problem.kind
    padded = -(-problem.k // PADDING) * PADDING

    def matrix(rows: int) -> tuple[BlockScaled, Any]:
        values = np.zeros((problem.batches, rows, padded))
        values[..., : problem.k] = rng.integers(-3, 4, (problem.batches, rows, problem.k))
        powers = 2.0 ** rng.integers(-2, 2, (problem.batches, rows, padded // kind.block))
        data = values.astype(kind.element.dtype)
        if kind.packed:  # the element of the lower k in the low half of a byte
            codes = data.view(np.uint8)
            data = codes[..., 0::2] & 15 | codes[..., 1::2] << 4
        scaled = BlockScaled(kind, data, powers.astype(kind.scale), problem.k)
        return scaled, values * powers.repeat(kind.block, -1)

    (a, of_a), (b, of_b) = matrix(problem.m), matrix(problem.n)
    exact = np.einsum("lmk,lnk->lmn", of_a, of_b)
    return a, b, exact.astype(TYPES[problem.output].dtype)


def normal(problem: Problem, seed: int = 0) -> tuple[BlockScaled, BlockScaled]:
    """Quantized N(0, 1), in blocks that are multiplied by powers of two: sums are cut off."""
    rng = np.random.default_rng(seed)

    def matrix(rows: int) -> BlockScaled:
        shape = (problem.batches, rows, problem.k)
        powers = 2.0 ** rng.integers(-5, 7, (*shape[:-1], -(-problem.k // 32))).repeat(32, -1)
        return lanemap.quantize(
            rng.standard_normal(shape) * powers[..., : problem.k], problem.format
        )

    return matrix(problem.m), matrix(problem.n)


def launched(
    text: str, problem: Problem, tiling: Tiling, a: BlockScaled, b: BlockScaled, **options: Any
) -> Any:
    """C of a text; see `launched_with`."""
    return launched_with(text, problem, tiling, a.data, b.data, a.atoms, b.atoms, **options)


def launched_with(
    text: str,
    problem: Problem,
    tiling: Tiling,
    a: Any,
    b: Any,
    sfa: Any,
    sfb: Any,
    *,
    alpha: float = 1.0,
    strict: bool = False,
    multiprocessors: int = 148,
) -> Any:
    """C of a text on so many SMs; no element of C is defined before."""
    device: Any = lanemap.open_device(KERNEL.target, device="emulator", strict=strict)
    c = np.full((problem.batches, problem.m, problem.n), 77, TYPES[problem.output].dtype)
    arrays = adopted_arrays(device, problem, a, b, sfa, sfb, c, True)
    KERNEL.launch(device, device.load(text), problem, tiling, arrays, alpha, multiprocessors).run()
    return c
