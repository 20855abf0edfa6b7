"""One warp of four releases a buffer that the others still read."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Add 24 rows of 128 numbers."""
    x = np.arange(24 * 128, dtype=np.int32).reshape(24, 128)
    out = device.zeros(128, np.int32)
    kernel(module, 1, (device.array(x), out, np.int32(24)))
    return [(out.get(), x.sum(0, dtype=np.int32))]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/issues/9871",),
    cause="The first warp of a group arrives for all of them, and the compiler left out the "
    "barrier before it. The producer then fills the buffer that a slow warp still reads.",
    kind="order",
    says="missing",
    launch=launch,
)
