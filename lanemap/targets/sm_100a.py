"""NVIDIA Blackwell of the data center: B200, GB200."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, nvidia_limits

#: Operations of an SM's tensor cores on dense 16-bit floats in a clock: 2250 TFLOPS (the technical
#: brief) by SM and clock.
_MATRIX_FLOPS = 8192
_FLOPS = 2250e12
#: Clocks of all SMs together, a second, at which the tensor cores reach that rate.
_CLOCKS = _FLOPS / _MATRIX_FLOPS

TARGET = Target(
    name="sm_100a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("B200", "GB200"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 10.0; the
    # reserved bytes: Blackwell Tuning Guide; tensor memory: PTX ISA, Tensor Memory.
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=227 * 1024,
        shared_bytes_of_sm=228 * 1024,
        ctas_of_sm=32,
        warps_of_sm=64,
        tensor_memory_columns=512,
    ),
    # Each die has 74 SMs (the technical brief). The rest is what cudaGetDeviceProperties and
    # nvidia-smi printed in github.com/pytorch/ao pull request 4002.
    gpu=Gpu(
        "NVIDIA B200",
        "a B200",
        multiprocessors=148,
        memory_bytes=int(178.35 * 2**30),
        last_level_cache_bytes=int(126.5 * 2**20),
        memory_clock_khz=3_996_000,
        memory_bus_bits=7680,
        clock_khz=None,
    ),
    # Dense rates: the brief gives those of sparse matrices, which are twice as high. An SM has 16
    # results of special functions (CUDA C++ Programming Guide, Arithmetic Instructions, 10.0) and
    # 128 bytes of shared memory a clock. Tensor memory, of each SM 16 and 8 TB/s: arXiv 2512.02189,
    # Microbenchmarking NVIDIA's Blackwell Architecture.
    rates=Rates(
        {
            "bfloat16": _FLOPS,
            "float16": _FLOPS,
            "float8_e4m3fn": 4500e12,
            "float8_e5m2": 4500e12,
            "float4_e2m1fn": 9000e12,
        },
        memory_bytes=8e12,
        special_functions=16 * _CLOCKS,
        shared_bytes=128 * _CLOCKS,
        citation="NVIDIA Blackwell Architecture Technical Brief, HGX B200",
        tensor_memory_bytes=(148 * 16e12, 148 * 8e12),
    ),
    matrix_flops_a_clock=_MATRIX_FLOPS,
    # Published: arXiv 2511.10909 and 2512.07004.
    kept_bits={2: 24, 1: 24},
    tensor_cores="Blackwell",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="8.6",
    timed=True,
)
