"""NVIDIA Turing: T4, RTX 2080."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_75",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("T4", "RTX 2080", "RTX 2070", "RTX 2060"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 7.5.
    limits=nvidia_limits(
        shared_bytes=64 * 1024,
        shared_bytes_of_sm=64 * 1024,
        reserved_shared_bytes=0,
        ctas_of_sm=16,
        warps_of_sm=32,
    ),
    # What deviceQuery printed in github.com/bottlerocket-os/bottlerocket pull request 3798, and in
    # github.com/bottlerocket-os/bottlerocket-core-kit pull request 181.
    gpu=Gpu(
        "Tesla T4",
        "a T4",
        multiprocessors=40,
        memory_bytes=15_655_829_504,
        last_level_cache_bytes=4_194_304,
        memory_clock_khz=5_001_000,
        memory_bus_bits=256,
        clock_khz=1_590_000,
    ),
    rates=None,
    # NVIDIA T4 data sheet: 65 TFLOPS of FP16 at 1590 MHz.
    matrix_flops_a_clock=1024,
    kept_bits={},
    tensor_cores="Turing",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="6.3",
)
