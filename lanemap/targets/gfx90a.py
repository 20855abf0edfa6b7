"""AMD CDNA 2: MI210, MI250, MI250X."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, amd_limits

#: 110 compute units of one of an MI250X's two dies at 1.7 GHz (AMD Instinct MI250X data sheet),
#: clocks a second.
_CLOCKS = 110 * 1.7e9

TARGET = Target(
    name="gfx90a",
    devices=("hip", "emulator"),
    # LLVM, "User Guide for AMDGPU Backend", processors.
    products=("MI210", "MI250", "MI250X"),
    limits=amd_limits(64 * 1024),  # of LDS: AMD, CDNA2 white paper
    # AMD Instinct MI250X data sheet, one of its two dies, which HIP takes for a GPU each: half of
    # the memory and of 3.2 TB/s, whose clock is the memory's. ROCm documentation, "AMD GPU
    # specifications": an L2 cache of 8 MB.
    gpu=Gpu(
        "AMD Instinct MI250X",
        "a die of an MI250X",
        multiprocessors=110,
        memory_bytes=64 * 10**9,
        last_level_cache_bytes=8 << 20,
        memory_clock_khz=1_600_000,
        memory_bus_bits=4096,
        clock_khz=1_700_000,
    ),
    # 383 TFLOPS of 16-bit floats on both dies are 1024 operations a clock and compute unit. A
    # quarter of the lanes' rate for special functions. LDS has 128 bytes a clock: AMD, CDNA2 white
    # paper.
    rates=Rates(
        {"bfloat16": 191.5e12, "float16": 191.5e12},
        memory_bytes=1.6e12,
        special_functions=4 * 4 * _CLOCKS,
        shared_bytes=128 * _CLOCKS,
        citation="AMD Instinct MI250X data sheet, dense rates of one die",
    ),
    matrix_flops_a_clock=1024,
    kept_bits={},
    tensor_cores="CDNA 2",
    # LLVM, "Syntax of GFX90a Instructions": glc, scc and slc are the bits that gfx942 calls so.
    cache_bits=("glc", "scc", "slc"),
    absolute_scratch=True,
)
