"""NVIDIA Blackwell of DGX Spark: GB10."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_121a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("GB10", "DGX Spark"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 12.x.
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=99 * 1024,
        shared_bytes_of_sm=100 * 1024,
        ctas_of_sm=24,
        warps_of_sm=48,
    ),
    # What deviceQuery printed in blog.kubesimplify.com, "Day 3: The DGX Spark Unpacked".
    gpu=Gpu(
        "NVIDIA GB10",
        "a DGX Spark",
        multiprocessors=48,
        memory_bytes=122_570 << 20,
        last_level_cache_bytes=25_165_824,
        memory_clock_khz=8_533_000,
        memory_bus_bits=256,
        clock_khz=2_418_000,
    ),
    rates=None,
    # As of sm_120a, whose SM it has.
    matrix_flops_a_clock=1024,
    kept_bits={},
    # Assumed to add as those of 12.0, whose family it is of; no source says so.
    tensor_cores="RTX Blackwell",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="8.8",
    probed=False,
)
