"""The emulator's time for matrix instructions of gfx950: cases for benchmarks/memory.py.

The time of 2n unrolled instructions less that of n, over n: each adds to the result of the one
before. What a result's lane and register hold: AMD CDNA4 ISA, 7.1.4, "Dense matrix layouts". The
elements of A and B that one lane holds are the same k in both, whatever its order is, so the
expected product sums over (lane of a row or column, element) without knowing the order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from pairs import Case, Clock, Sampler, doubled

REPETITIONS, ITERATIONS = 16, 128


@dataclass(frozen=True)
class Instruction:
    """A dense MFMA with float32 results; `side` is M and N, `registers` those of A, or of B."""

    name: str
    side: int
    registers: int
    dtype: Any

    @property
    def results(self) -> int:
        """Registers of C and D."""
        return self.side * self.side // 64


BF16 = Instruction("v_mfma_f32_16x16x32_bf16", 16, 4, ml_dtypes.bfloat16)
FP8 = Instruction("v_mfma_f32_32x32x64_f8f6f4", 32, 8, ml_dtypes.float8_e4m3fn)


def text(what: Instruction, repetitions: int) -> str:
    """k(a, b, out, iterations): D of `repetitions` * iterations instructions."""
    from gfx950_text import Kernel

    last = 16 + what.results - 1
    loads = "".join(
        f"    global_load_dwordx4 v[{first + 4 * i}:{first + 4 * i + 3}], v1, "
        f"s[{pointer}:{pointer + 1}] offset:{16 * i}\n"
        for first, pointer in ((32, 4), (40, 6))
        for i in range(what.registers // 4)
    )
    zeros = "".join(f"    v_mov_b32_e32 v{16 + i}, 0\n" for i in range(what.results))
    end = what.registers - 1
    multiply = f"    {what.name} v[16:{last}], v[32:{32 + end}], v[40:{40 + end}], v[16:{last}]\n"
    stores = "".join(
        f"    global_store_dword v2, v{16 + i}, s[8:9] offset:{4 * i}\n"
        for i in range(what.results)
    )
    body = f"""\
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dwordx2 s[8:9], s[0:1], 0x10
    s_load_dword s10, s[0:1], 0x18
    v_mul_u32_u24_e32 v1, {4 * what.registers}, v0
    v_mul_u32_u24_e32 v2, {4 * what.results}, v0
    s_waitcnt lgkmcnt(0)
{loads}{zeros}    s_waitcnt vmcnt(0)
    s_nop 1
.Lagain:
{multiply * repetitions}    s_sub_i32 s10, s10, 1
    s_cmp_gt_i32 s10, 0
    s_cbranch_scc1 .Lagain
    s_nop 15
    s_nop 15
{stores}    s_endpgm
"""
    return Kernel("k", ("a", "b", "out"), ("iterations",), 0, 48, 24, 64).text(body)


def product(what: Instruction, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Any:
    """A x B as lanes hold it: float32[64, results]; a and b are [64, elements of a lane]."""
    side = what.side
    rows, columns = (m.astype(np.float32).reshape(64 // side, side, -1) for m in (a, b))
    whole = np.einsum("hik,hjk->ij", rows, columns)
    lane, register = np.meshgrid(np.arange(64), np.arange(what.results), indexing="ij")
    row = 4 * (64 // side) * (register // 4) + 4 * (lane // side) + register % 4
    return whole[row, lane % side]


def multiply(what: Instruction, divisor: int, clock: Clock) -> Sampler:
    """Prepare an instruction; its operands are small integers, so every sum is exact."""
    import lanemap

    device = lanemap.open_device("gfx950", device="emulator")
    elements = 4 * what.registers // np.dtype(what.dtype).itemsize
    a, b = np.random.default_rng(1).integers(-1, 2, (2, 64, elements))
    given = [device.array(m.astype(what.dtype).view(np.uint8)) for m in (a, b)]
    out = device.zeros((64, what.results), np.float32)
    iterations = ITERATIONS // divisor
    launches: list[Callable[[], None]] = []
    for repetitions in (REPETITIONS, 2 * REPETITIONS):
        entry = device.load(text(what, repetitions))["k"]
        launch = partial(entry, 1, 64, (*given, out, np.uint32(iterations)))
        launch()
        if not np.array_equal(out.get(), iterations * repetitions * product(what, a, b)):
            raise RuntimeError(f"{what.name}: the kernel's result is wrong")
        launches.append(launch)
    return doubled(clock, launches[0], launches[1], iterations * REPETITIONS)


CASES = [
    Case("gfx950 v_mfma 16x16x32 bf16", "us", 2.0, partial(multiply, BF16)),
    Case("gfx950 v_mfma 32x32x64 f8f6f4, fp8", "us", 8.0, partial(multiply, FP8)),
]
