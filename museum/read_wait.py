"""A flag says that a bulk store has arrived, when it has only read its source."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Hand 32 tiles from one CTA to the next."""
    tiles, out = (device.zeros(32 * 256, np.float32) for _ in range(2))
    flags = device.zeros(32, np.uint32)
    module["read_wait"](64, 256, (tiles, flags, out))
    expected = 1000 * np.arange(32)[:, None] + np.arange(256)
    return [(out.get(), expected.reshape(-1).astype(np.float32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/Dao-AILab/flash-attention/pull/2244",),
    cause="cp.async.bulk.wait_group.read waits until the copy has read shared memory. What others "
    "are to read in global memory needs the wait without .read.",
    kind="order",
    says="its completion, a release and an acquire",
    launch=launch,
)
