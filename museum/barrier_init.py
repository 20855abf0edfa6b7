"""A new mbarrier counts a bulk copy's bytes before its initialization is published."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add one to the values of 64 tiles."""
    values = np.arange(64 * 128, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["barrier_init"](64, 128, (device.array(values), out))
    return [(out.get(), values + 1)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/MoonshotAI/FlashKDA/issues/24",
        "https://github.com/NVIDIA/TransformerEngine/pull/3417",
    ),
    cause="mbarrier.init writes through the generic proxy, and a bulk copy completes its bytes "
    "through the async proxy. fence.mbarrier_init or fence.proxy.async is missing between them.",
    kind="rule",
    says="fence.mbarrier_init nor fence.proxy.async",
    launch=launch,
    strict=True,
)
