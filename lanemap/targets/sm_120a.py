"""NVIDIA Blackwell of workstations and games: RTX 5090, RTX PRO 6000."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Target, nvidia_limits

TARGET = Target(
    name="sm_120a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("RTX 5090", "RTX 5080", "RTX 5070", "RTX 5060", "RTX PRO 6000"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 12.0.
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=99 * 1024,
        shared_bytes_of_sm=100 * 1024,
        ctas_of_sm=24,
        warps_of_sm=48,
    ),
    # What deviceQuery printed in github.com/aikitoria/open-gpu-kernel-modules issue 1; the clock of
    # boards differs (2655 MHz there, 2550 in github.com/NVIDIA/nccl issue 1637).
    gpu=Gpu(
        "NVIDIA GeForce RTX 5090",
        "an RTX 5090",
        multiprocessors=170,
        memory_bytes=33_677_180_928,
        last_level_cache_bytes=100_663_296,
        memory_clock_khz=14_001_000,
        memory_bus_bits=512,
        clock_khz=None,
    ),
    rates=None,
    # NVIDIA has 838 TFLOPS of sparse matrices in FP16 at 2407 MHz: half of it by SM and clock.
    matrix_flops_a_clock=1024,
    kept_bits={},
    tensor_cores="RTX Blackwell",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="8.7",
)
