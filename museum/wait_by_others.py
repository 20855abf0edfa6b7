"""All threads wait for a bulk store, but only one thread has issued it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Add its number to each of 16 tiles, in 8 CTAs."""
    values = np.arange(8 * 16 * 1024, dtype=np.float32)
    out = device.zeros(values.size, np.float32)
    module["wait_by_others"](8, 128, (device.array(values), out, np.int32(16)))
    numbers = np.tile(np.repeat(np.arange(16, dtype=np.float32), 1024), 8)
    return [(out.get(), values + numbers)]


EXHIBIT = Exhibit(
    threads=("https://github.com/NVIDIA/TransformerEngine/pull/3417",),
    cause="cp.async.bulk.wait_group waits for the groups of the thread that executes it, and one "
    "thread has them all. Without a barrier after it, the other threads write a buffer that the "
    "copy still reads.",
    kind="order",
    says="a barrier is missing",
    launch=launch,
)
