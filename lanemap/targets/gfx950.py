"""AMD CDNA 4: MI350X, MI355X."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Limits, Rates, Target

#: 256 compute units at 2.4 GHz (AMD Instinct MI355X GPU brochure), clocks a second.
_CLOCKS = 256 * 2.4e9

TARGET = Target(
    name="gfx950",
    devices=("hip", "emulator"),
    # LLVM, "User Guide for AMDGPU Backend", processors.
    products=("MI350X", "MI355X"),
    # AMD, CDNA4 white paper: 160 KB of LDS; ROCm, GPU hardware specifications: four SIMDs of eight
    # waves each; LLVM, GCNSubtarget::getMaxWaveScratchSize: 13 bits of 1 KB for a wave. A grid has
    # fewer than 2^32 work-items along each axis.
    limits=Limits(
        lanes=64,
        threads=1024,
        block=(1024, 1024, 1024),
        grid=(2**32 - 1, 2**32 - 1, 2**32 - 1),
        cluster=1,
        registers=4 * 512 * 64,
        shared_bytes=160 * 1024,
        default_shared_bytes=64 * 1024,
        shared_bytes_of_sm=160 * 1024,
        reserved_shared_bytes=0,
        local_bytes=((1 << 13) - 1) * 1024 // 64,
        ctas_of_sm=32,
        warps_of_sm=32,
    ),
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
)
