"""A program reads what the next program overwrites."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Add to each of 16 blocks the one behind it."""
    before = np.arange(17 * 128, dtype=np.int32)
    x, out = device.array(before), device.zeros(17 * 128, np.int32)
    kernel(module, 16, (x, out))
    return [(out.get()[: 16 * 128], before[: 16 * 128] + before[128:])]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/issues/11153",),
    cause="Programs of a grid run in no order, so whether a block is read before or after it is "
    "overwritten is open. Triton's interpreter runs them one after the other, and is right.",
    kind="order",
    says="missing",
    launch=launch,
)
