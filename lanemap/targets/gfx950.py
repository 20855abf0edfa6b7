"""AMD CDNA 4: MI350X, MI355X."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, amd_limits

#: 256 compute units at 2.4 GHz (AMD Instinct MI355X GPU brochure), clocks a second.
_CLOCKS = 256 * 2.4e9

TARGET = Target(
    name="gfx950",
    devices=("hip", "emulator"),
    # LLVM, "User Guide for AMDGPU Backend", processors.
    products=("MI350X", "MI355X"),
    limits=amd_limits(160 * 1024),  # of LDS: AMD, CDNA4 white paper
    # AMD Instinct MI355X GPU brochure; the memory's clock is that of 8 TB/s. The Infinity Cache,
    # which HIP does not tell: ROCm documentation, "AMD GPU specifications", L3 cache.
    gpu=Gpu(
        "AMD Instinct MI355X",
        "an MI355X",
        multiprocessors=256,
        memory_bytes=288 * 10**9,
        last_level_cache_bytes=256 << 20,
        memory_clock_khz=3_906_250,
        memory_bus_bits=8192,
        clock_khz=2_400_000,
    ),
    # 2048 operations a clock and SIMD in FP8, which the passes of v_mfma_f32_32x32x64_f8f6f4 say
    # too. A quarter of the lanes' rate for special functions. LDS reads 256 bytes a clock: AMD,
    # ROCm Blogs, "FP8 GEMM Optimization on AMD CDNA4 Architecture".
    rates=Rates(
        {"bfloat16": 2516.6e12, "float16": 2516.6e12, "float8_e4m3fn": 5033.2e12},
        memory_bytes=8e12,
        special_functions=4 * 4 * _CLOCKS,
        shared_bytes=256 * _CLOCKS,
        citation="AMD Instinct MI355X GPU brochure, dense rates",
    ),
    matrix_flops_a_clock=4096,
    kept_bits={},
    tensor_cores="CDNA 4",
    timed=True,
)
