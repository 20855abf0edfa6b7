"""A tile is read before the wait for the copy that brings it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Transpose 64 x 64."""
    x = np.arange(64 * 64, dtype=np.int32).reshape(64, 64)
    out = device.zeros(x.shape, np.int32)
    described = device.tensor_map(device.array(x), (64, 32), swizzle="128b")
    sizes, strides = (np.int32(64),) * 2, (np.int64(64), np.int64(1))
    kernel(module, 1, (described, *sizes, *strides, out))
    return [(out.get(), x.T)]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/blob/main/python/test/gluon/test_consan.py",),
    cause="Gluon leaves waits to the author, and the wait stands after the load of the tile. The "
    "registers hold what was in shared memory before the copy arrived.",
    kind="pending",
    says="mbarrier",
    launch=launch,
)
