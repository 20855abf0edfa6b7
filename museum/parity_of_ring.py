"""A barrier that every iteration uses is waited for with the parity of a ring."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Double 16 tiles."""
    values = np.arange(16 * 1024, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["parity_of_ring"](1, 128, (device.array(values), out, np.int32(16)))
    return [(out.get(), 2 * values)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/tile-ai/tilelang/pull/3087",
        "https://github.com/tile-ai/tilelang/issues/2927",
    ),
    cause="One barrier flips its phase in each iteration, and the wait asks for the parity that a "
    "barrier of each stage would have. It returns at once for a phase that is over, or never.",
    kind="deadlock",
    says="waits",
    launch=launch,
    hangs=True,
)
