"""NVIDIA Blackwell of Jetson: Thor."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_110a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("Jetson T5000", "Jetson T4000", "Jetson AGX Thor", "Thor"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 11.0; tensor
    # memory: PTX ISA, tcgen05, Tensor Memory.
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=227 * 1024,
        shared_bytes_of_sm=228 * 1024,
        ctas_of_sm=24,
        warps_of_sm=48,
        tensor_memory_columns=512,
    ),
    # What deviceQuery printed in github.com/NVIDIA/cutlass issue 2784; clock and width of the
    # memory, which it gives as 0 there: Canonical's documentation of Ubuntu for Jetson.
    gpu=Gpu(
        "NVIDIA Thor",
        "a Jetson AGX Thor",
        multiprocessors=20,
        memory_bytes=131_881_680_896,
        last_level_cache_bytes=33_554_432,
        memory_clock_khz=4_266_000,
        memory_bus_bits=256,
        clock_khz=1_049_000,
    ),
    rates=None,
    # NVIDIA has 2070 TFLOPS of sparse matrices in FP4 for the Jetson T5000, at 1.57 GHz: an eighth
    # of it by SM and clock.
    matrix_flops_a_clock=8192,
    kept_bits={},
    # Assumed to add as those of data centers, whose instructions it has; no source says so.
    tensor_cores="Blackwell",
    # PTX ISA, PTX Module Directives: .target (sm_101 before 9.0).
    first_ptx="9.0",
    probed=False,
)
