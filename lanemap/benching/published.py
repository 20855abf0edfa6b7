"""What vendors publish of the speed of their GPUs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Rates:
    """The rates of a GPU.

    Attributes:
        gpu: Its name.
        flops: A second, dense, by the name of the type that is multiplied.
        bytes: Of memory, a second.
        citation: Where.
        special_functions: Results of ex2 and alike, a second.
        shared_bytes: Of shared memory, a second.
        tensor_memory: Bytes of tensor memory read, and written, a second; None without such memory.
    """

    gpu: str
    flops: Mapping[str, float]
    bytes: float
    citation: str
    special_functions: float
    shared_bytes: float
    tensor_memory: tuple[float, float] | None = None


def _of_sms(flops: float, flops_per_clock: int) -> tuple[float, float]:
    """Return special functions and bytes of shared memory a second.

    An SM has 16 results of special functions (CUDA C++ Programming Guide, "Arithmetic
    Instructions", compute capabilities 9.0 and 10.0) and 128 bytes of shared memory a clock. The
    clock is that of the rate of the tensor cores.

    Args:
        flops: Of 16-bit types, a second, dense.
        flops_per_clock: Of an SM.
    """
    clocks = flops / flops_per_clock  # of all SMs together
    return 16 * clocks, 128 * clocks


#: Dense rates: NVIDIA's documents give those of sparse matrices, which are twice as high.
PUBLISHED = {
    "sm_90a": Rates(
        "NVIDIA H200",
        {"bfloat16": 989.5e12, "float16": 989.5e12, "float8_e4m3fn": 1979e12},
        4.8e12,
        "NVIDIA H200 Tensor Core GPU datasheet, H200 SXM",
        *_of_sms(989.5e12, 4096),
    ),
    "sm_100a": Rates(
        "NVIDIA B200",
        {
            "bfloat16": 2250e12, "float16": 2250e12, "float8_e4m3fn": 4500e12,
            "float8_e5m2": 4500e12, "float4_e2m1fn": 9000e12,
        },  # fmt: skip
        8e12,
        "NVIDIA Blackwell Architecture Technical Brief, HGX B200",
        *_of_sms(2250e12, 8192),
        # Of each of 148 SMs 16 and 8 TB/s: arXiv 2512.02189, Microbenchmarking NVIDIA's Blackwell
        # Architecture.
        (148 * 16e12, 148 * 8e12),
    ),
    # 256 CUs of 2.4 GHz: 2048 operations a clock and SIMD in FP8, which the passes of
    # v_mfma_f32_32x32x64_f8f6f4 say too. A quarter of the lanes' rate for special functions. LDS
    # reads 256 bytes a clock: AMD, ROCm Blogs, "FP8 GEMM Optimization on AMD CDNA4 Architecture".
    "gfx950": Rates(
        "AMD Instinct MI355X",
        {"bfloat16": 2516.6e12, "float16": 2516.6e12, "float8_e4m3fn": 5033.2e12},
        8e12,
        "AMD Instinct MI355X GPU brochure, dense rates",
        256 * 4 * 4 * 2.4e9,
        256 * 256 * 2.4e9,
    ),
}
