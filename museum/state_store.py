"""A tile is handed to a bulk store by a barrier alone."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Double the values of 1,024 tiles."""
    values = np.arange(1024 * 256, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["state_store"](32, 256, (device.array(values), out, np.int32(1024)))
    return [(out.get(), 2 * values)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/MoonshotAI/FlashKDA/issues/24",
        "https://github.com/NVIDIA/cudnn-frontend/pull/784",
        "https://github.com/inclusionAI/cuLA/pull/114",
    ),
    cause="Threads write a tile with ordinary stores, and a bulk copy reads it through the async "
    "proxy. A barrier orders threads, not proxies: each writer needs fence.proxy.async.",
    kind="order",
    says="fence.proxy.async",
    launch=launch,
)
