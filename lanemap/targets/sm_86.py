"""NVIDIA Ampere of workstations and games: RTX 3090, A10, A40, RTX A6000."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_86",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("RTX 3090", "RTX 3080", "RTX 3070", "RTX 3060", "RTX A6000", "A10", "A10G", "A40"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 8.6; the reserved
    # bytes: Ampere Tuning Guide.
    limits=nvidia_limits(
        shared_bytes=99 * 1024,
        shared_bytes_of_sm=100 * 1024,
        ctas_of_sm=16,
        warps_of_sm=48,
    ),
    # NVIDIA Ampere GA102 GPU Architecture, whitepaper: all that the board has; drivers keep some of
    # its memory.
    gpu=Gpu(
        "NVIDIA GeForce RTX 3090",
        "an RTX 3090",
        multiprocessors=82,
        memory_bytes=24 << 30,
        last_level_cache_bytes=6144 << 10,
        memory_clock_khz=9_750_000,
        memory_bus_bits=384,
        clock_khz=1_695_000,
    ),
    rates=None,
    # 142 TFLOPS of FP16 with FP16 sums (the whitepaper) by SM and clock.
    matrix_flops_a_clock=1024,
    kept_bits={},
    tensor_cores="Ampere",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="7.1",
    probed=False,
)
