"""A store to LDS has been scheduled below the barrier that publishes it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Exchange the halves of 256 numbers."""
    x = np.arange(256, dtype=np.int32) ** 2
    out = device.zeros(256, np.int32)
    module["store_below_barrier"](1, 256, (device.array(x), out))
    return [(out.get(), x[np.arange(256) ^ 128])]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/ROCm/rocm-libraries/pull/10893",
        "https://github.com/ROCm/rocm-libraries/pull/11454",
    ),
    cause="s_waitcnt and s_barrier by their builtins are no fence for the compiler, so another "
    "version of its scheduler moved a store below them. The reader may come before the store.",
    kind="order",
    says="missing",
    launch=launch,
    target="gfx950",
)
