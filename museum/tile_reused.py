"""A loop of a shorter text has lost the barrier before it comes around."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add 24 tiles."""
    x = np.arange(24 * 128, dtype=np.uint32).reshape(24, 128)
    out = device.zeros(128, np.uint32)
    module["tile_reused"](1, 128, (device.array(x), out, np.uint32(24)))
    return [(out.get(), x.sum(0, dtype=np.uint32)[np.arange(128) ^ 64])]


EXHIBIT = Exhibit(
    threads=("https://github.com/pytorch/pytorch/issues/181248",),
    cause="A fast warp stores its part of the next tile where a slow one still reads the last. The "
    "two texts differ by one bar.sync; as long as the code after the read is long, both are right.",
    kind="order",
    says="missing",
    launch=launch,
)
