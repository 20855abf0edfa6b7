"""NVIDIA Ampere of Jetson: Orin."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_87",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("Jetson AGX Orin", "Jetson Orin NX", "Jetson Orin Nano", "Orin"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 8.7.
    limits=nvidia_limits(
        shared_bytes=163 * 1024,
        shared_bytes_of_sm=164 * 1024,
        ctas_of_sm=16,
        warps_of_sm=48,
    ),
    # What deviceQuery prints in Canonical's documentation of Ubuntu for Jetson, on an Orin Nano:
    # an integrated GPU, whose memory is the host's.
    gpu=Gpu(
        "Orin",
        "a Jetson Orin Nano",
        multiprocessors=4,
        memory_bytes=7_987_728_384,
        last_level_cache_bytes=2_097_152,
        memory_clock_khz=612_000,
        memory_bus_bits=128,
        clock_khz=765_000,
    ),
    rates=None,
    # NVIDIA Jetson AGX Orin Series Technical Brief: 170 TOPS of sparse matrices in INT8 of the GPU,
    # which has 16 SMs at 1.3 GHz there: a quarter of it by SM and clock.
    matrix_flops_a_clock=2048,
    kept_bits={},
    tensor_cores="Ampere",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="7.4",
    probed=False,
)
