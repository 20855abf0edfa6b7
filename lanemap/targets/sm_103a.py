"""NVIDIA Blackwell Ultra: B300, GB300."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_103a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("B300", "GB300"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 10.3; the
    # reserved bytes: Blackwell Tuning Guide; tensor memory: PTX ISA, Tensor Memory.
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=227 * 1024,
        shared_bytes_of_sm=228 * 1024,
        ctas_of_sm=32,
        warps_of_sm=64,
        tensor_memory_columns=512,
    ),
    # The whole chip has 160 SMs; of a B300, users report 148 (flashinfer's benchmarks of sm_103a),
    # 275,040 MiB, an L2 cache of 126 MB and 2032 MHz; the data sheet has 8 TB/s. The clock of the
    # memory and the rest of the L2 cache are assumed to be a B200's.
    gpu=Gpu(
        "NVIDIA B300 SXM6 AC",
        "a B300",
        multiprocessors=148,
        memory_bytes=275_040 * 2**20,
        last_level_cache_bytes=int(126.5 * 2**20),
        memory_clock_khz=3_996_000,
        memory_bus_bits=8192,
        clock_khz=2_032_000,
    ),
    rates=None,
    # The data sheet's 2250 TFLOPS, as on a B200.
    matrix_flops_a_clock=8192,
    kept_bits={},
    tensor_cores="Blackwell",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="8.8",
    probed=False,
)
