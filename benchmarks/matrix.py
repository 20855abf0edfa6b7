"""The emulator's time for matrix products, next to the required time.

    python benchmarks/matrix.py [--before PATH] [--only NAME] [--samples N] [--quick] [--json]

Processor time on one core, hazards on, everything compiled and in the object cache (see
benchmarks/pairs.py, also for `--before`).

* Instructions: the time of 2n unrolled instructions less that of n (benchmarks/mfma.py).
* Tiles: 128 x 256 by the k of one instruction. Operands lie in bytes as shared memory holds them
  for a descriptor without swizzle: groups of 8 rows, 16 bytes of k each. C is read from rows of
  memory and D written there. Packing is in the time, checks and stamps are not. Every tile whose
  sums are exact is compared with NumPy's sums in f64.
* Whole instructions, with checks and stamps: benchmarks/emulator_tcgen05.py.
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from mfma import CASES as MFMA
from mfma import Instruction, multiply
from pairs import Case, Clock, Sampler, Unsupported, main, timed

ROWS, COLUMNS = 128, 256
CALLS = 64


@dataclass(frozen=True)
class Tile:
    """A product of one instruction: its k, its format, and its rule's fields beside the sum.

    `scales`: their format, and the k that one of them serves. `normal`: operands are normally
    distributed, so that bits are cut off; otherwise sums are exact under every rule.
    """

    format: str
    dtype: Any
    depth: int
    rule: str
    block: int = 0
    fraction: int = 0
    scales: tuple[str, int] | None = None
    normal: bool = False


def operand(matrix: Any, what: Tile, lines: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """The operand in bytes, and its values as float64[line, k]."""
    form = matrix.Format[what.format]
    numbers = rng.normal(size=(lines, what.depth))
    if not what.normal:
        numbers = rng.integers(-8, 9, (lines, what.depth)) / 4
    values = numbers.astype(what.dtype)
    chunk = 128 // matrix.BITS[form]
    chunks = what.depth // chunk
    blocks = values.reshape(lines // 8, 8, chunks, chunk).transpose(0, 2, 1, 3)
    data = np.ascontiguousarray(blocks).view(np.uint8).reshape(-1)
    if matrix.BITS[form] == 4:
        data = data[::2] | data[1::2] << 4
    line, part = np.meshgrid(np.arange(lines), np.arange(chunks), indexing="ij")
    places = ((line // 8 * chunks + part) * 8 + line % 8) * 128
    made, exact = matrix.Lines(data, form, places, lines, what.depth), values.astype(np.float64)
    if what.scales:
        kind, each = what.scales
        dtype = {"E8M0": ml_dtypes.float8_e8m0fnu, "UE4M3": ml_dtypes.float8_e4m3fn}[kind]
        scales = (2.0 ** rng.integers(-3, 4, (lines, what.depth // each))).astype(dtype)
        made.scales, made.scale_format = scales.view(np.uint8), matrix.Format[kind]
        exact *= np.repeat(scales.astype(np.float64), each, axis=1)
    return made, exact


def tile(what: Tile, divisor: int, clock: Clock) -> Sampler:
    """Prepare a tile, and compare it with sums in f64 where those are exact under every rule."""
    try:
        from lanemap.emulator.codegen.compiler import native
        from lanemap.emulator.runtime import abi, matrix
        from lanemap.emulator.runtime.functions import FUNCTIONS
    except ImportError as error:
        raise Unsupported("has no matrix engine") from error
    rng = np.random.default_rng(1)
    (a, a_values), (b, b_values) = (operand(matrix, what, n, rng) for n in (ROWS, COLUMNS))
    zero = -139 if what.rule == "GROUPED" else -133
    rule = abi.SumRule(
        sum=abi.Sum[what.rule],
        block=what.block,
        fraction=what.fraction,
        zero_exponent=zero,
        smallest_exponent=-126,
        bits=24,
        nan=0x7FFFFFFF,
    )
    address = native().address("lm_multiply")
    c = rng.integers(-99, 100, (ROWS, COLUMNS)).astype(np.float32)
    expected = a_values @ b_values.T + c
    matrix.multiply(address, a, b, rule, c)
    if not np.array_equal(c, expected.astype(np.float32)) and not what.normal:
        raise RuntimeError(f"{what}: the product is wrong")
    keep: list[Any] = []
    first, second = a.operand(keep), b.operand(keep)
    # earlier checkouts take rows
    strips = (
        matrix.strips_of(c)
        if hasattr(matrix, "strips_of")
        else (c.ctypes.data + np.arange(ROWS, dtype=np.uint64) * np.uint64(c.strides[0]))
    )
    call = partial(
        FUNCTIONS["lm_multiply"].prototype()(address),
        ctypes.addressof(first),
        ctypes.addressof(second),
        what.depth,
        ctypes.addressof(rule),
        strips.ctypes.data,
    )
    calls, start = max(CALLS // divisor, 1), c.copy()

    def work() -> None:
        for _ in range(calls):
            call()

    def sample() -> float:
        c[:] = start  # sums that grow without end would become too large for their products
        return timed(clock, work) / calls if keep else 0.0

    keep += [strips, rule, first, second]
    return sample


def _case(name: str, asked: float | None, what: Tile) -> Case:
    return Case(f"tile 128x256x{what.depth} {name}", "us", asked, partial(tile, what))


FP8, FP4 = ml_dtypes.float8_e4m3fn, ml_dtypes.float4_e2m1fn
CASES = [
    *MFMA,
    Case(
        "gfx950 v_mfma 32x32x16 bf16",
        "us",
        None,
        partial(multiply, Instruction("v_mfma_f32_32x32x16_bf16", 32, 4, ml_dtypes.bfloat16)),
    ),
    Case(
        "gfx950 v_mfma 16x16x128 f8f6f4, fp8",
        "us",
        None,
        partial(multiply, Instruction("v_mfma_f32_16x16x128_f8f6f4", 16, 8, FP8)),
    ),
    _case("bf16, sums in f64", None, Tile("BF16", ml_dtypes.bfloat16, 16, "F64")),
    _case(
        "bf16, aligned and truncated", None, Tile("BF16", ml_dtypes.bfloat16, 16, "ALIGNED", 16, 25)
    ),
    _case(
        "bf16, aligned, normally distributed",
        None,
        Tile("BF16", ml_dtypes.bfloat16, 16, "ALIGNED", 16, 25, normal=True),
    ),
    _case("e4m3, sums in f64", None, Tile("E4M3", FP8, 32, "F64")),
    _case("e4m3, aligned, 25 bits", None, Tile("E4M3", FP8, 32, "ALIGNED", 32, 25)),
    _case("e4m3, aligned, 13 bits", None, Tile("E4M3", FP8, 32, "ALIGNED", 32, 13)),
    _case(
        "nvfp4, scales of 16, groups",
        150.0,
        Tile("E2M1", FP4, 64, "GROUPED", 64, 35, ("UE4M3", 16)),
    ),
    _case(
        "mxf4, scales of 32, groups", 150.0, Tile("E2M1", FP4, 64, "GROUPED", 64, 35, ("E8M0", 32))
    ),
    _case(
        "mxf8, scales of 32, aligned", None, Tile("E4M3", FP8, 32, "ALIGNED", 32, 25, ("E8M0", 32))
    ),
]

if __name__ == "__main__":
    sys.exit(main(__doc__ or "", CASES))
