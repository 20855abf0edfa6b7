"""CTAs of a cluster exchange parts through memory into which a multicast may still write."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs, compiled

kernel = compiled(__file__)


def launch(device: Device, module: Module) -> Pairs:
    """Copy 64 x 64 by a cluster of four CTAs."""
    x = np.arange(64 * 64, dtype=np.int32).reshape(64, 64)
    out = device.zeros(x.shape, np.int32)
    described = device.tensor_map(device.array(x), (64, 32), swizzle="128b")
    sizes, strides = (np.int32(64),) * 2, (np.int64(64), np.int64(1))
    kernel(module, 1, (described, *sizes, *strides, out))
    return [(out.get(), x)]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/triton-lang/triton/pull/11411",
        "https://github.com/triton-lang/triton/issues/11328",
    ),
    cause="The exchange reuses the bytes of the tile, and needs a barrier of the cluster first. "
    "Triton's pass looked for the tile's buffer and not for views of it, and left the barrier out.",
    kind="order",
    says="missing",
    launch=launch,
)
