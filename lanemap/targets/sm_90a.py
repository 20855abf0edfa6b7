"""NVIDIA Hopper: H100, H200, GH200."""

from __future__ import annotations

from lanemap.targets.definition import Gpu, Rates, Target, nvidia_limits

#: Operations of an SM's tensor cores on dense 16-bit floats in a clock: 989.5 TFLOPS (the data
#: sheet) by SM and clock.
_MATRIX_FLOPS = 4096
_FLOPS = 989.5e12
#: Clocks of all SMs together, a second, at which the tensor cores reach that rate.
_CLOCKS = _FLOPS / _MATRIX_FLOPS

TARGET = Target(
    name="sm_90a",
    devices=("cuda", "emulator"),
    # NVIDIA, "CUDA GPU Compute Capability".
    products=("H100", "H200", "GH200"),
    # CUDA C++ Programming Guide, Technical Specifications per Compute Capability, 9.0; the reserved
    # bytes: Hopper Tuning Guide. An H200 says so too (results/sm_90a/cuda).
    limits=nvidia_limits(
        cluster=8,
        shared_bytes=227 * 1024,
        shared_bytes_of_sm=228 * 1024,
        ctas_of_sm=32,
        warps_of_sm=64,
    ),
    # What an H200 said (results/sm_90a/cuda); the bus: its data sheet, 4.8 TB/s at that clock.
    gpu=Gpu(
        "NVIDIA H200",
        "an H200",
        multiprocessors=132,
        memory_bytes=150_109_880_320,
        last_level_cache_bytes=62_914_560,
        memory_clock_khz=3_201_000,
        memory_bus_bits=6144,
        clock_khz=1_980_000,
    ),
    # The data sheet gives rates of sparse matrices, which are twice as high. An SM has 16 results
    # of special functions (CUDA C++ Programming Guide, Arithmetic Instructions, 9.0) and 128 bytes
    # of shared memory a clock.
    rates=Rates(
        {"bfloat16": _FLOPS, "float16": _FLOPS, "float8_e4m3fn": 1979e12},
        memory_bytes=4.8e12,
        special_functions=16 * _CLOCKS,
        shared_bytes=128 * _CLOCKS,
        citation="NVIDIA H200 Tensor Core GPU datasheet, H200 SXM",
    ),
    matrix_flops_a_clock=_MATRIX_FLOPS,
    # results/sm_90a/cuda/tensor_cores.json
    kept_bits={2: 24, 1: 13},
    tensor_cores="Hopper",
    # PTX ISA, PTX Module Directives: .target.
    first_ptx="8.0",
    timed=True,
)
