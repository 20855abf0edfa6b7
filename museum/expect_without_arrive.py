"""The bytes of a copy are expected, and nobody arrives."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add one to the values of 8 tiles."""
    values = np.arange(8 * 128, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["expect_without_arrive"](8, 128, (device.array(values), out))
    return [(out.get(), values + 1)]


EXHIBIT = Exhibit(
    threads=("https://github.com/tile-ai/tilelang/issues/2566",),
    cause="A phase ends when all expected bytes and all arrivals have come. mbarrier.expect_tx is "
    "no arrival, so the wait never ends.",
    kind="deadlock",
    says="lacks 1 of its 1 arrivals",
    launch=launch,
    hangs=True,
)
