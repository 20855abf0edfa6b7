"""A barrier that some warps skip pairs with another barrier than was meant."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Count over 40 rows, of which every third is empty."""
    values = np.where(np.arange(40)[:, None] % 3, np.arange(32) % 5, 0).astype(np.float32)
    out = device.zeros(16, np.int32)
    module["uneven_barrier"](16, 256, (device.array(values), out, np.int32(40)))
    return [(out.get(), np.full(16, np.count_nonzero(values)))]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ggml-org/llama.cpp/pull/13469",
        "https://github.com/NVIDIA/TensorRT-LLM/issues/18338",
    ),
    cause="A condition lets some warps pass by a __syncthreads. Their next barrier is then paired "
    "with this one, so they write what has yet to be read, or wait for warps that have ended.",
    kind="order",
    says="missing between them",
    launch=launch,
    hangs=True,
)
