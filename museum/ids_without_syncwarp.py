"""Lanes of a warp read what other lanes wrote to shared memory, without __syncwarp."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Collect 500 tokens by 8 experts."""
    chosen = np.random.default_rng(3).integers(0, 8, 500).astype(np.int32)
    out, count = device.zeros((8, 500), np.int32), device.zeros(8, np.int32)
    module["ids_without_syncwarp"](8, 32, (device.array(chosen), out, count, np.int32(500)))
    expected = np.zeros((8, 500), np.int32)
    for expert in range(8):
        tokens = np.flatnonzero(chosen == expert)
        expected[expert, : len(tokens)] = tokens
    return [(out.get(), expected), (count.get(), np.bincount(chosen, minlength=8))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ggml-org/llama.cpp/pull/28475",
        "https://github.com/ikawrakow/ik_llama.cpp/pull/2502",
        "https://github.com/ORNL/HeCBench/pull/221",
    ),
    cause="The lanes of a warp run on their own since Volta. What one lane stores, another may "
    "read only after __syncwarp, even if the code has no branch between them.",
    kind="order",
    says="__syncwarp()",
    launch=launch,
    strict=True,
)
