"""NVIDIA Ada: RTX 4090, L4, L40S, RTX 6000 Ada."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_89",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("RTX 4090", "RTX 4080", "RTX 4070", "RTX 4060", "RTX 6000 Ada", "L4", "L40", "L40S"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 8.9; the reserved
    # bytes: Ada Tuning Guide.
    limits=nvidia_limits(
        shared_bytes=99 * 1024,
        shared_bytes_of_sm=100 * 1024,
        ctas_of_sm=24,
        warps_of_sm=48,
    ),
    # What nvbench printed in github.com/NVIDIA/nvbench pull request 207.
    gpu=Gpu(
        "NVIDIA GeForce RTX 4090",
        "an RTX 4090",
        multiprocessors=128,
        memory_bytes=24_563 << 20,
        last_level_cache_bytes=73_728 << 10,
        memory_clock_khz=10_501_000,
        memory_bus_bits=384,
        clock_khz=2_520_000,
    ),
    rates=None,
    # 330.3 TFLOPS of FP16 with FP16 sums (NVIDIA Ada GPU Architecture, whitepaper) by SM and clock.
    matrix_flops_a_clock=1024,
    kept_bits={},
    tensor_cores="Ada Lovelace",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="7.8",
)
