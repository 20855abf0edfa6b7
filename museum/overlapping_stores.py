"""A program stores a row and then its tail again, by other threads."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Double 8 rows, and exchange the halves of their tails."""
    x = np.arange(8 * 512, dtype=np.int32).reshape(8, 512)
    out = device.zeros(x.shape, np.int32)
    kernel(module, 8, (device.array(x), out))
    column = np.arange(512)
    turned = np.where(column < 384, column, column ^ 64)
    return [(out.get(), 2 * x[:, turned])]


EXHIBIT = Exhibit(
    threads=("https://github.com/triton-lang/triton/issues/10743",),
    cause="The second store of an element comes from another warp than the first, and nothing "
    "orders the two. The order of statements in a Triton program is the order of each thread only.",
    kind="order",
    says="missing",
    launch=launch,
)
