"""AMD CDNA 3: MI300X, MI300A, MI325X."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, amd_limits

#: 304 compute units at 2.1 GHz (AMD Instinct MI300X data sheet), clocks a second.
_CLOCKS = 304 * 2.1e9

TARGET = Target(
    name="gfx942",
    devices=("hip", "emulator"),
    # LLVM, "User Guide for AMDGPU Backend", processors.
    products=("MI300X", "MI300A", "MI325X"),
    limits=amd_limits(64 * 1024),  # of LDS: AMD, CDNA3 white paper
    # AMD Instinct MI300X data sheet; the memory's clock is that of 5.3 TB/s. The Infinity Cache,
    # which HIP does not tell: ROCm documentation, "AMD GPU specifications", L3 cache.
    gpu=Gpu(
        "AMD Instinct MI300X",
        "an MI300X",
        multiprocessors=304,
        memory_bytes=192 * 10**9,
        last_level_cache_bytes=256 << 20,
        memory_clock_khz=2_600_000,
        memory_bus_bits=8192,
        clock_khz=2_100_000,
    ),
    # 1307.4 TFLOPS of 16-bit floats are 2048 operations a clock and compute unit. A quarter of the
    # lanes' rate for special functions. LDS has 128 bytes a clock: AMD, CDNA3 white paper.
    rates=Rates(
        {"bfloat16": 1307.4e12, "float16": 1307.4e12, "float8_e4m3fnuz": 2614.9e12},
        memory_bytes=5.3e12,
        special_functions=4 * 4 * _CLOCKS,
        shared_bytes=128 * _CLOCKS,
        citation="AMD Instinct MI300X data sheet, dense rates",
    ),
    matrix_flops_a_clock=2048,
    kept_bits={},
    tensor_cores="CDNA 3",
    fnuz=True,
)
