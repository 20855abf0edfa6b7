"""A wave passes a barrier while its read of LDS is under way."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add 24 tiles."""
    x = np.arange(24 * 256, dtype=np.int32).reshape(24, 256)
    out = device.zeros(256, np.int32)
    module["reads_at_barrier"](1, 256, (device.array(x), out, np.int32(24)))
    return [(out.get(), x.sum(0, dtype=np.int32)[np.arange(256) ^ 128])]


EXHIBIT = Exhibit(
    threads=("https://github.com/ROCm/rocm-libraries/pull/10653",),
    cause="The wait for the read has sunk below the barrier, as far as the wave's own use allows. "
    "After the barrier another wave copies the next tile over bytes that are still being read.",
    kind="order",
    says="wait for completion",
    launch=launch,
    target="gfx950",
)
