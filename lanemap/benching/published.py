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
    """

    gpu: str
    flops: Mapping[str, float]
    bytes: float
    citation: str


#: Dense rates: NVIDIA's documents give those of sparse matrices, which are twice as high.
PUBLISHED = {
    "sm_90a": Rates(
        "NVIDIA H200",
        {"bfloat16": 989.5e12, "float16": 989.5e12, "float8_e4m3fn": 1979e12},
        4.8e12,
        "NVIDIA H200 Tensor Core GPU datasheet, H200 SXM",
    ),
    "sm_100a": Rates(
        "NVIDIA B200",
        {
            "bfloat16": 2250e12, "float16": 2250e12, "float8_e4m3fn": 4500e12,
            "float8_e5m2": 4500e12, "float4_e2m1fn": 9000e12,
        },  # fmt: skip
        8e12,
        "NVIDIA Blackwell Architecture Technical Brief, HGX B200",
    ),
}
