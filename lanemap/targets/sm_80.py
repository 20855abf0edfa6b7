"""NVIDIA Ampere of data centers: A100, A30, A800."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, nvidia_limits

TARGET = Target(
    name="sm_80",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("A100", "A800", "A30"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 8.0; the reserved
    # bytes: Ampere Tuning Guide.
    limits=nvidia_limits(
        shared_bytes=163 * 1024,
        shared_bytes_of_sm=164 * 1024,
        ctas_of_sm=32,
        warps_of_sm=64,
    ),
    # What deviceQuery printed in github.com/bottlerocket-os/bottlerocket pull request 3873.
    gpu=Gpu(
        "NVIDIA A100-SXM4-40GB",
        "an A100",
        multiprocessors=108,
        memory_bytes=42_298_834_944,
        last_level_cache_bytes=41_943_040,
        memory_clock_khz=1_215_000,
        memory_bus_bits=5120,
        clock_khz=1_410_000,
    ),
    # 16 results of special functions and 128 bytes of shared memory an SM and clock (CUDA C++
    # Programming Guide, Arithmetic Instructions, 8.0).
    rates=Rates(
        {"bfloat16": 312e12, "float16": 312e12},
        memory_bytes=1555e9,
        special_functions=16 * 108 * 1.41e9,
        shared_bytes=128 * 108 * 1.41e9,
        citation="NVIDIA A100 Tensor Core GPU datasheet, A100 40GB SXM",
    ),
    # 312 TFLOPS (the data sheet) by SM and clock.
    matrix_flops_a_clock=2048,
    kept_bits={},
    tensor_cores="Ampere",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="7.0",
)
